/** What the routes need from their host: each interface has one implementation per host, tested by one shared suite. */
import { DynoError, type Problem } from '../../common/problem';
import type { ScheduleSetting } from '../../common/experiment/schedule';
import type { Definition } from '../../common/experiment/definition';
import type { Experiment } from '../../common/api/experiments';
import type { DashboardKind, Dashboards } from '../../common/api/dashboards';
import type { SavedSearches, SavedType } from '../../common/api/saved-searches';
import type { CertificationStatus } from '../../common/api/certification';
import type { About, AboutPaths } from '../../common/api/about';
import type { CollectorStatus, HOST_ROUTES, Status } from '../../common/api/host';
import type { ImportedRun, ImportProgress } from '../../common/api/run-files';
import type { Target, TargetFacts } from '../../common/api/targets';
import type * as z from 'zod';
import type { TARGET_ROUTES } from '../../common/api/targets';
import type { TUNING_ROUTES } from '../../common/api/tunings';
import type { Tuning, TuningOptions, TuningPlan } from '../../common/tuning/tuning';
import type { Annotations, Baseline, BaselineOf, HistoryNote } from '../../common/history/annotations';
import type { TimelineReader } from '../results/timeline/timeline';
import type { ExperimentHistory } from '../results/experiment-history';
import type { Nights } from '../results/nights';
import type { ExampleRun } from '../results/example-run';
import type { ScheduleLog } from '../results/schedule-log';
import type { ResultsReader } from '../results/reader';
import type { StreamAnswer } from './handler';
import type { ReportMemory } from './report-cache';
import type { FigureMemory } from './run-figures';
import type { RejectionsReader } from '../results/rejections';
import type { DocumentPreview } from '../../common/api/tries';
import type { PreviewOrder, RunService } from '../run/queue/queue';

/** A change that was based on something else than what is there now, which `current` tells. */
export class Conflict extends DynoError {
  constructor(
    problem: Problem,
    readonly current: unknown,
  ) {
    super('input', [problem]);
    this.name = 'Conflict';
  }
}

/** As lists tell it. Not to be changed: it may be told again. */
export type ListedExperiment = Omit<Experiment, 'text'>;

/** Keeps definitions. All reject with a DynoError; `experiment.not-found` where there is none of that id. */
export interface ExperimentStore {
  /**
   * In the order of their ids, with definitions as they were kept where this version needs not read their texts again to list
   * or to start them. Tells what others have changed before it was asked.
   */
  list(): Promise<ListedExperiment[]>;
  get(id: string): Promise<Experiment>;
  /** `definition` is what `text` says. */
  create(text: string, definition: Definition): Promise<Experiment>;
  /** Rejects with a {@link Conflict} when `version` is not the newest. */
  save(id: string, text: string, definition: Definition, version: string): Promise<Experiment>;
  delete(id: string): Promise<void>;
}

/** What a note is about: a run, which began then, or a time, ISO 8601 UTC. */
export interface NotePlace {
  run: string | null;
  at: string;
}

/** Keeps what people add to the histories of experiments. Rejects with a DynoError. */
export interface AnnotationStore {
  /** Sees every write. */
  of(experiment: string): Promise<Annotations>;
  /** `author` is taken where the host does not know who asks. */
  addNote(experiment: string, note: NotePlace & { text: string; author: string }): Promise<HistoryNote>;
  /** Rejects with a {@link Conflict} when `version` is not the newest; `note.not-found`. */
  saveNote(
    experiment: string,
    id: string,
    changed: { about: NotePlace | undefined; text: string },
    version: string,
  ): Promise<HistoryNote>;
  /** `note.not-found`. */
  deleteNote(experiment: string, id: string): Promise<void>;
  /** In place of the one before. */
  setBaseline(experiment: string, of: BaselineOf, author: string): Promise<Baseline>;
  /** False where there is none. */
  removeBaseline(experiment: string): Promise<boolean>;
  /** All notes and the baseline; resolves to how many there were. */
  removeAll(experiment: string): Promise<number>;
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
  /** What may be named there: fields of indices, and indices. Rejects with a DynoError where the target does not tell. */
  fields(id: string, index: string): Promise<{ name: string; type: string }[]>;
  indices(id: string): Promise<string[]>;
  /** Why secrets cannot be kept here; null when they can. */
  readonly secretsRefused: string | null;
}

/** Dashboards of the user's space. Rejects with a DynoError: `dashboards.forbidden`, `dashboards.refused`. */
export interface DashboardStore {
  list(): Promise<Dashboards>;
  /** `replace`: edited ones that are put back as well. */
  install(replace: readonly DashboardKind[]): Promise<Dashboards>;
}

/** Dashboards and saved searches of the user's space. Rejects with a DynoError: `saved-searches.none`, `saved-searches.forbidden`. */
export interface SavedSearchStore {
  list(): Promise<{ type: SavedType; id: string; title: string }[]>;
  get(type: SavedType, id: string): Promise<SavedSearches>;
}

/** Certifies the load generator of the process, one at a time. Rejects with a DynoError. */
export interface CertificationService {
  status(): Promise<CertificationStatus>;
  /** `certification.going`, or `run.going`. */
  start(): Promise<CertificationStatus>;
  /** `certification.none`. */
  cancel(): Promise<CertificationStatus>;
}

/** What *About* shows. */
export interface AboutService {
  /** Never rejects: a part that fails says so. */
  look(): Promise<About>;
  /** For those who may manage. */
  paths(): Promise<AboutPaths>;
  bundle(): Promise<StreamAnswer>;
}

/** Tunings of indices. Reject with a DynoError. */
export interface TuningService {
  /** A definition, as text, of an index that is there. */
  draft(
    order: z.output<typeof TUNING_ROUTES.draftTuning.body>,
  ): Promise<z.output<typeof TUNING_ROUTES.draftTuning.response>>;
  plan(definition: Definition, options: TuningOptions): Promise<{ plan: TuningPlan; limits: string[] }>;
  start(definition: Definition, options: TuningOptions): Promise<Tuning>;
  /** The newest first. */
  list(): Promise<Tuning[]>;
  /** `tuning.not-found`. */
  get(id: string): Promise<Tuning>;
  /** `tuning.not-found`, `tuning.not-running`. */
  cancel(id: string): Promise<Tuning>;
  /** With the sample of documents that it kept, and if asked for its runs. `tuning.not-found`, `tuning.running`. */
  delete(id: string, runs: 'keep' | 'delete'): Promise<{ deletedRuns: number; sample: boolean }>;
}

/** Runs as files. Reject with a DynoError. */
export interface RunFiles {
  /** `run.not-found`, `run.unfinished`. */
  export(ids: readonly string[]): Promise<StreamAnswer>;
  /** `results.file`, `results.file-newer`, `results.run-there`, `results.import-going`, `request.too-large`. */
  import(
    file: AsyncIterable<Uint8Array>,
    options: { replace: boolean; name?: string },
  ): Promise<ImportedRun[]>;
  /** Of the import of that name; null unless it goes on in this process, and all of its file is there. */
  progress(name: string): ImportProgress | null;
}

export interface Services {
  experiments: ExperimentStore;
  targets: TargetStore;
  runs: RunService;
  results: ResultsReader;
  history: ExperimentHistory;
  nights: Nights;
  annotations: AnnotationStore;
  /** Of a host whose services serve one request, what those of its other requests have read too. */
  figures?: FigureMemory;
  /** The same of reports; by it the host says in which thread they are built. */
  reports?: ReportMemory;
  timeline: TimelineReader;
  /** Undefined where the host has none. */
  dashboards?: DashboardStore;
  savedSearches?: SavedSearchStore;
  runFiles: RunFiles;
  /** Reads the recorded example; undefined where there is none. */
  example?: () => Promise<ExampleRun>;
  scheduleLog: Pick<ScheduleLog, 'missed' | 'newest' | 'forget'>;
  rejections: RejectionsReader;
  status(): Promise<Status>;
  collector(): Promise<CollectorStatus>;
  /** Rejects with a DynoError `collector.no-package` or `target.not-found`. */
  collectorPackage(order: z.output<typeof HOST_ROUTES.makeCollectorPackage.body>): Promise<StreamAnswer>;
  certification: CertificationService;
  about: AboutService;
  tunings: TuningService;
  /** The next time, ISO 8601 UTC, that a cron expression falls due; null if never. Throws a DynoError for a wrong one. */
  nextDue(schedule: ScheduleSetting): string | null;
  /** Whether clusters are started for the runs on a target, by its id. */
  startsClusters(target: string): boolean;
  /** Rejects with a DynoError when the definition names files that may not be read here. */
  checkFiles(definition: Definition): Promise<void>;
  /** The same of some files, by where they are written. */
  checkRead(files: readonly { path: string; file: string }[]): Promise<void>;
  /** A few documents of a source. Rejects with a DynoError where it cannot be read. */
  previewDocuments(order: PreviewOrder, signal: AbortSignal): Promise<DocumentPreview>;
}
