/** Types of a report's scalability laws: how the rate of each task grows with a count. */
import { isScaling, type NoScaling, type Scaling } from '../../analysis/scaling';

/** One task over the levels of one factor, with the other factors fixed. */
export interface ReportScaling {
  task: string;
  /** Path of the factor. */
  factor: string;
  /** Short name of the factor. */
  name: string;
  /** Levels of the other factors, `refresh_interval=30s`; '' without other factors. */
  group: string;
  /** Metric of the rate: accepted throughput, or the highest rate that a search confirmed. */
  rate: 'throughput' | 'sustainable_rate';
  /** Points sorted by `n`. */
  points: ScalingCell[];
  law: Scaling | NoScaling;
}

export interface ScalingCell {
  /** The count: level of the factor. */
  n: number;
  /** Index of the report's cell. */
  cell: number;
  /** A rate for each trial. */
  rates: number[];
  /** Values for limits by metric, one for each trial: `ingest.latency.p95`. All tasks, because limits may concern other tasks too. */
  limits: Record<string, number[]>;
}

/** Returns the scalings with a fitted law, of one task or of all. */
export const fittedIn = (
  scaling: readonly ReportScaling[] | undefined,
  task?: string,
): (ReportScaling & { law: Scaling })[] =>
  (scaling ?? []).flatMap((own) =>
    (task === undefined || own.task === task) && isScaling(own.law) ? [{ ...own, law: own.law }] : [],
  );
