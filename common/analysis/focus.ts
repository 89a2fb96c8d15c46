/** Which figures of a run are shown first: those of its first claim. */
import type { Definition } from '../experiment/definition';
import { parseClaim, type Claim } from '../measurement/condition';
import { isOfTask, parseMetric, writtenMetric, type Metric } from '../measurement/metric';

/** The figures that charts, tables, lists and links show unless the reader chooses others. */
export interface Focus {
  /** Name of the task: that of the metric, or the first task where the metric is one of the indices or of the cluster. */
  task: string;
  metric: Metric;
  /** The metric as claims write it: `search.latency.p99`. */
  name: string;
  /** Path of the factor of the claim; null without a claim. */
  factor: string | null;
  /** The first claim that can be read; null without one. */
  claim: Claim | null;
}

/**
 * Returns the task, metric and factor of the first claim of `expect` that can be read. Without one, the focus is the throughput of
 * the first task.
 */
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
