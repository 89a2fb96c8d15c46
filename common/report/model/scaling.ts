/**
 * Types for a report's scalability laws, which describe how the rate of each task grows with the number of nodes, clients, shards or the
 * like.
 */
import { isScaling, type NoScaling, type Scaling } from '../../analysis/scaling';

/** The relation between the rate of one task and one factor, while the levels of the other factors are fixed. */
export interface ReportScaling {
  task: string;
  /** Path of the factor. */
  factor: string;
  /** Short name of the factor. */
  name: string;
  /** Levels of the other factors, such as `refresh_interval=30s`; '' if there are no other factors. */
  group: string;
  /** Metric that is used as the rate: the accepted throughput, or the highest rate that a search confirmed. */
  rate: 'throughput' | 'sustainable_rate';
  /** Points in ascending order of `n`. */
  points: ScalingCell[];
  law: Scaling | NoScaling;
}

export interface ScalingCell {
  /** Number of nodes, clients, shards or the like: the level of the factor. */
  n: number;
  /** Index of the cell (combination of factor levels) in the report. */
  cell: number;
  /** The rate of each trial. */
  rates: number[];
  /**
   * Values of metrics in each trial, keyed by the name of the metric, such as `ingest.latency.p95`. Users can set limits on these metrics
   * when they ask for the capacity. Metrics of all tasks are included, because a limit may be on a metric of another task.
   */
  limits: Record<string, number[]>;
}

/** Returns the elements of `scaling` for which a law was fitted. `task`: name of a task; undefined for all tasks. */
export const fittedIn = (
  scaling: readonly ReportScaling[] | undefined,
  task?: string,
): (ReportScaling & { law: Scaling })[] =>
  (scaling ?? []).flatMap((own) =>
    (task === undefined || own.task === task) && isScaling(own.law) ? [{ ...own, law: own.law }] : [],
  );
