/** What the routes need from their host: each interface has one implementation per host, tested by one shared suite. */
import type { Experiment } from '../../common/api/experiments';
import type { CollectorStatus, Status } from '../../common/api/host';
import type { Heatmap, Timeline } from '../../common/api/timeline';
import type { Distribution } from '../../common/api/runs';
import type { Target, TargetFacts } from '../../common/api/targets';
import type { z } from 'zod';
import type { TARGET_ROUTES } from '../../common/api/targets';
import type { ResultsReader } from '../results/reader';
import type { RunService } from '../run/run-service';

/** Keeps definitions. All reject with a DynoError; `experiment.not-found` where there is none of that id. */
export interface ExperimentStore {
  list(): Promise<Experiment[]>;
  get(id: string): Promise<Experiment>;
  create(text: string): Promise<Experiment>;
  /** Rejects with a {@link Conflict} when `version` is not the newest. */
  save(id: string, text: string, version: string): Promise<Experiment>;
  delete(id: string): Promise<void>;
}

export type NewTarget = z.output<typeof TARGET_ROUTES.createTarget.body>;
export type ChangedTarget = z.output<typeof TARGET_ROUTES.saveTarget.body>;
export type TriedTarget = z.output<typeof TARGET_ROUTES.testTarget.body>;

/** Keeps targets; their secrets are encrypted at rest and never told. `target.not-found` as above. */
export interface TargetStore {
  list(): Promise<Omit<Target, 'experiments'>[]>;
  get(id: string): Promise<Omit<Target, 'experiments'>>;
  create(target: NewTarget): Promise<Omit<Target, 'experiments'>>;
  save(id: string, target: ChangedTarget): Promise<Omit<Target, 'experiments'>>;
  delete(id: string): Promise<void>;
  /** Asks what answers there; a cluster that does not is an answer too. */
  inspect(id: string): Promise<TargetFacts>;
  try(settings: TriedTarget): Promise<TargetFacts>;
  /** Why secrets cannot be kept here; null when they can. */
  readonly secretsRefused: string | null;
}

/** The course of runs, read thinned; see `common/api/timeline.ts`. */
export interface CourseReader {
  timeline(
    runId: string,
    options: { trial?: string; from?: string; to?: string; points: number },
  ): Promise<Timeline>;
  heatmap(runId: string, options: { trial: string; task: string; columns: number }): Promise<Heatmap>;
  distributions(runId: string): Promise<Distribution[]>;
}

export interface Services {
  experiments: ExperimentStore;
  targets: TargetStore;
  runs: RunService;
  results: ResultsReader;
  course: CourseReader;
  status(): Promise<Status>;
  collector(): Promise<CollectorStatus>;
  /** The next time, ISO 8601 UTC, that a cron expression falls due; null if never. Throws a DynoError for a wrong one. */
  nextDue(schedule: string): string | null;
}
