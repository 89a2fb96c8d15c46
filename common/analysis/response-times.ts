/**
 * Warns if a threshold on a response time is met only because clients wait for each response before they send the next request (closed
 * executors). If the target stalls, such clients send almost nothing, so only a few requests are slow. Users who send requests
 * independently of each other would see longer times.
 */
import { thinkTimeOf } from '../executors/registry';
import type { Plan } from '../experiment/plan';
import { holds, type Condition } from '../measurement/condition';
import { correctedTimes } from '../measurement/corrected';
import { decodeHistogram } from '../measurement/histogram';
import { readLimit } from '../measurement/metric';
import type { TaskSummary, TrialDocument } from '../measurement/trial';
import { formatMs } from '../units/format';
import type { Caution } from './trust';
import { trialsOf } from './validity';

/**
 * Compares the measured response time with a corrected one. The correction adds the requests that clients would have sent during stalls, at
 * the expected interval between requests. Returns both times if the measured one meets the condition and the corrected one does not;
 * otherwise null.
 */
function heldOnlyAsShown(
  condition: Condition,
  summary: TaskSummary,
  thinkTimeMs: number,
): { value: number; shown: number; intervalMs: number } | null {
  const { figure } = condition.metric;
  const shown = readLimit(figure, summary);
  if (shown === null || !holds(condition, shown)) return null;
  const found = correctedTimes(decodeHistogram(summary.latencyHistogram), thinkTimeMs);
  const value = found && readLimit(figure, { ...summary, latency: found.times });
  return value === null || holds(condition, value) ? null : { value, shown, intervalMs: found!.intervalMs };
}

/** Returns a warning for each threshold that the measured response time meets, but not the corrected one. */
export function responseTimeCautions(
  plan: Plan,
  trials: readonly TrialDocument[],
  thresholds: readonly Condition[],
): Caution[] {
  return thresholds.flatMap((condition) => {
    const { metric, text } = condition;
    if (!metric.figure.startsWith('latency.') || metric.request !== undefined) return [];
    for (const { index, definition } of plan.cells) {
      const task = definition.tasks.find(({ name }) => name === metric.task);
      const thinkTimeMs = task ? thinkTimeOf(task.executor, definition) : null;
      if (thinkTimeMs === null) continue;
      for (const { tasks, trial } of trialsOf(trials, index)) {
        const summary = tasks.find(({ task: name }) => name === metric.task);
        const found = summary ? heldOnlyAsShown(condition, summary, thinkTimeMs) : null;
        if (found === null) continue;
        return [
          {
            cause: 'response-time-hides-stalls',
            level: 'limited',
            brief: `The threshold ${text} holds only because clients of ${metric.task} wait for their answers`,
            text:
              `The threshold ${text} holds only because clients of ${metric.task} wait for their answers: the response time is ` +
              `${formatMs(found.shown)} in trial #${trial.order + 1}, and ${formatMs(found.value)} when corrected for a ` +
              `request of each client every ${formatMs(found.intervalMs)}. An executor with a rate measures this directly.`,
          },
        ];
      }
    }
    return [];
  });
}
