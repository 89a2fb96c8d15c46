/** `stop-when`: conditions over the last ten seconds of a trial that end the whole run. */
import { formatMetric } from '../../common/analysis/wording';
import { holds, type Condition } from '../../common/measurement/condition';
import { readMetric } from '../../common/measurement/metric';
import { kindNamed, RATE_UNITS } from '../../common/experiment/task-kind';
import { addCounts, noCounts } from '../../common/measurement/counts';
import { decodeHistogram, encodeHistogram, mergeHistograms } from '../../common/measurement/histogram';
import type { Sample } from '../../common/measurement/sample';
import type { TaskSummary } from '../../common/measurement/trial';
import { mergeRequests } from '../load/merge';
import type { RecentSamples } from './progress';
import { taskSummary } from './summary';

/** The window as if it were a trial of its own. */
function windowSummary(task: string, kind: TaskSummary['kind'], samples: readonly Sample[]): TaskSummary {
  const counts = samples.reduce((sum, sample) => addCounts(sum, sample.counts), noCounts());
  const merged = (key: 'service' | 'latency'): string =>
    encodeHistogram(mergeHistograms(samples.map((sample) => decodeHistogram(sample[key]))));
  const outcome = {
    task,
    kind,
    measured: counts,
    cohort: counts,
    total: counts,
    elapsedMs: samples.length * 1000,
    service: merged('service'),
    latency: merged('latency'),
    requests: mergeRequests(samples.map(({ requests }) => requests)),
    failures: {},
    offered: null,
    sent: null,
    unsent: samples.at(-1)?.backlog ?? 0,
    replay: null,
    senders: null,
    parsers: null,
  };
  return taskSummary(outcome, samples);
}

/** Why the run must stop, or undefined. */
export function stopReason(
  conditions: readonly Condition[],
  definition: Parameters<typeof kindNamed>[0],
  recent: RecentSamples,
): string | undefined {
  for (const condition of conditions) {
    const { task } = condition.metric;
    if (!recent.isFull(task)) continue;
    const kind = kindNamed(definition, task);
    const value = readMetric(condition.metric, [windowSummary(task, kind, recent.of(task))]);
    if (value !== null && holds(condition, value)) {
      return `stop-when "${condition.text}" held over the last ten seconds (${formatMetric(condition.metric, value, RATE_UNITS[kind])})`;
    }
  }
  return undefined;
}
