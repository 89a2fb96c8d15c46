/** Creates the summaries of a run's trials for the grid of all cells. */
import { definitionOf, resolvePlan } from '../experiment/plan';
import { tasksOf } from '../experiment/resolved-cells';
import { focusOf } from '../analysis/focus';
import { metricReader } from '../analysis/metric-reader';
import { warningsOf, type TrialWarning } from '../analysis/validity';
import { rateUnit } from '../analysis/wording';
import type { TrialBrief } from './runs';
import type { RunDocument } from '../experiment/run';
import { rejectionRate } from '../measurement/counts';
import { throughputOf } from '../measurement/metric';
import type { TrialDocument } from '../measurement/trial';

/**
 * Returns the summaries of the trials, in the order of execution. The function does not use the histograms of the trials, so the caller can
 * read the trials without them.
 */
export function trialBriefs(
  run: Pick<RunDocument, 'definition' | 'plan'>,
  trials: readonly TrialDocument[],
): TrialBrief[] {
  const plan = resolvePlan(run);
  const { metric } = focusOf({ expect: run.definition.expect, tasks: tasksOf(plan.cells) });
  const focus = metricReader(metric, plan, trials);
  return [...trials]
    .sort((a, b) => a.trial.order - b.trial.order)
    .map((document) => {
      const own = definitionOf(plan, document);
      const { trial, cell, times, tasks } = document;
      return {
        id: trial.id,
        order: trial.order,
        cell: cell.index,
        repetition: trial.repetition,
        state: trial.state,
        reason: trial.reason,
        ...(trial.unverified === undefined ? {} : { unverified: trial.unverified }),
        ...(trial.repeats === undefined ? {} : { repeats: trial.repeats }),
        ...times,
        tasks: tasks.map(({ task, ...summary }) => ({
          task,
          unit: rateUnit(own, task),
          throughput: throughputOf(summary),
          rejectionRate: rejectionRate(summary.counts),
          latencyP50: summary.latency.p50,
          latencyP99: summary.latency.p99,
        })),
        focus: focus.read(document),
        doubts: warningsOf(own, document).map(warningText),
      };
    });
}

/** Returns a warning as text, such as `ingest saturated: 12% of its requests never sent`. */
const warningText = ({ kind, task, detail }: TrialWarning): string => {
  const what = [task, kind.replaceAll('-', ' ')].filter(Boolean).join(' ');
  return detail === '' ? what : `${what}: ${detail}`;
};
