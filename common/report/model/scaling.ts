/** The scalability laws of a report: how the rate of each task grows with what was counted. */
import { isScaling, type NoScaling, type Scaling } from '../../analysis/scaling';

/** One task over the levels of one factor, all else alike. */
export interface ReportScaling {
  task: string;
  /** Path of the factor, and its short name. */
  factor: string;
  name: string;
  /** Levels of the other factors, `refresh_interval=30s`; '' where nothing else was varied. */
  group: string;
  /** What the rate counts: accepted throughput, or the highest sustained rate of a search. */
  rate: 'throughput' | 'sustainable_rate';
  /** In the order of `n`. */
  points: ScalingCell[];
  law: Scaling | NoScaling;
}

export interface ScalingCell {
  n: number;
  /** Index of the report's cell. */
  cell: number;
  /** One per trial. */
  rates: number[];
  /** Per trial, what limits may be set by: `ingest.latency.p95`; of all tasks, for one limits what another may do. */
  limits: Record<string, number[]>;
}

/** Of a task, those that were fitted. */
export const fittedIn = (
  scaling: readonly ReportScaling[] | undefined,
  task?: string,
): (ReportScaling & { law: Scaling })[] =>
  (scaling ?? []).flatMap((own) =>
    (task === undefined || own.task === task) && isScaling(own.law) ? [{ ...own, law: own.law }] : [],
  );
