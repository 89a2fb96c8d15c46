/**
 * Latencies of tasks whose clients wait for their answers (closed executors) are response times: a stall of the target
 * delays few requests of theirs, so a limit that they keep may be one that users of the target do not see kept.
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

/** The figure of a condition that holds, as it is once it is corrected for the expected interval, where it no longer does; else null. */
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

/** Thresholds on response times that hold as they were measured, and not as they are once they are corrected. */
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
