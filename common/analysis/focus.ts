/** Selects the metric of a run that is shown first (the *focus*): the metric of the run's first claim. */
import type { Definition } from '../experiment/definition';
import { parseClaim, type Claim } from '../measurement/condition';
import { isOfTask, parseMetric, writtenMetric, type Metric } from '../measurement/metric';

/** The metric that charts, tables, lists and links show by default. */
export interface Focus {
  /** Name of the metric's task. If the metric belongs to the indices or to the cluster, the first task of the definition. */
  task: string;
  metric: Metric;
  /** Name of the metric as claims contain it, such as `search.latency.p99`. */
  name: string;
  /** Path of the factor of the claim; null without a claim. */
  factor: string | null;
  /** The first claim that can be parsed; null without one. */
  claim: Claim | null;
}

/** Returns the focus: the first claim of `expect` that can be parsed, otherwise the throughput of the first task. */
export function focusOf({ expect, tasks }: Pick<Definition, 'expect' | 'tasks'>): Focus {
  const first = tasks[0]?.name ?? '';
  for (const text of expect) {
    const claim = parseClaim(text);
    if ('message' in claim) continue;
    const { metric, factor } = claim;
    const task = isOfTask(metric) ? metric.task : first;
    return { task, metric, name: writtenMetric(metric), factor, claim };
  }
  const metric: Metric = parseMetric(`${first}.throughput`) ?? {
    task: first,
    figure: 'throughput',
    unit: 'per-second',
    better: 'higher',
  };
  return { task: first, metric, name: writtenMetric(metric), factor: null, claim: null };
}
