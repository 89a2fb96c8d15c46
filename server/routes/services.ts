/**
 * Interfaces of the services that a host (Kibana or the standalone server) implements for the routes. A shared test suite tests the
 * implementations of both hosts.
 */
import { DynoError, type Problem } from '../../common/problem';
import type { ScheduleSetting } from '../../common/experiment/schedule';
import type { Definition } from '../../common/experiment/definition';
import type { Experiment } from '../../common/api/experiments';
import type { DashboardKind, Dashboards } from '../../common/api/dashboards';
import type { SavedSearches, SavedType } from '../../common/api/saved-searches';
import type { CertificationStatus } from '../../common/api/certification';
import type { DistributionStatus } from '../../common/api/distribution';
import type { TrafficList, TrafficState } from '../../common/api/traffic';
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
import type { Histories } from '../results/histories';
import type { ExampleRun } from '../results/example-run';
import type { ScheduleLog } from '../results/schedule-log';
import type { ResultsReader } from '../results/reader';
import type { StreamAnswer } from './handler';
import type { ReportMemory } from './report-cache';
import type { FigureMemory } from './run-figures';
import type { RejectionsReader } from '../results/rejections';
import type { DocumentPreview } from '../../common/api/tries';
import type { PreviewOrder, RunService } from '../run/queue/queue';

/** Error for a change that was based on an old version. `current` is the stored version. */
export class Conflict extends DynoError {
  constructor(
    problem: Problem,
    readonly current: unknown,
  ) {
    super('input', [problem]);
    this.name = 'Conflict';
  }
}

/** An experiment in the form that lists contain. Callers must not change the object, because later calls may return the same object. */
export type ListedExperiment = Omit<Experiment, 'text'>;

/** Stores definitions. All methods reject with a DynoError. If no experiment has the id, its code is `experiment.not-found`. */
export interface ExperimentStore {
  /**
   * Returns all experiments in the order of their ids. The result includes every change that was completed before the call. Definitions are
   * returned as they were stored. Exceptions are definitions that have a schedule or lack a key that lists show: their text is parsed
   * again.
   */
  list(): Promise<ListedExperiment[]>;
  get(id: string): Promise<Experiment>;
  /** Stores a new experiment. `definition` is the parsed `text`. */
  create(text: string, definition: Definition): Promise<Experiment>;
  /** Replaces the text of an experiment. Rejects with a {@link Conflict} if `version` is not the newest. */
  save(id: string, text: string, definition: Definition, version: string): Promise<Experiment>;
  delete(id: string): Promise<void>;
}

/** The subject of a note: a run together with its start time, or only a time. Times are ISO 8601 in UTC. */
export interface NotePlace {
  run: string | null;
  at: string;
}

/** Stores the notes and baselines of experiments. All methods reject with a DynoError. */
export interface AnnotationStore {
  /** Returns the notes and the baseline of an experiment, including every completed write. */
  of(experiment: string): Promise<Annotations>;
  /** Adds a note. If the host authenticates users, the name of the user is stored as the author. Otherwise, `author` is stored. */
  addNote(experiment: string, note: NotePlace & { text: string; author: string }): Promise<HistoryNote>;
  /** Changes a note. Rejects with a {@link Conflict} if `version` is not the newest, and with `note.not-found`. */
  saveNote(
    experiment: string,
    id: string,
    changed: { about: NotePlace | undefined; text: string },
    version: string,
  ): Promise<HistoryNote>;
  /** Deletes a note. Rejects with `note.not-found`. */
  deleteNote(experiment: string, id: string): Promise<void>;
  /** Sets the baseline, and replaces an earlier one. */
  setBaseline(experiment: string, of: BaselineOf, author: string): Promise<Baseline>;
  /** Removes the baseline. Returns false if the experiment has none. */
  removeBaseline(experiment: string): Promise<boolean>;
  /** Removes all notes and the baseline. Resolves to the number of removed annotations. */
  removeAll(experiment: string): Promise<number>;
}

export type NewTarget = z.output<typeof TARGET_ROUTES.createTarget.body>;
export type ChangedTarget = z.output<typeof TARGET_ROUTES.saveTarget.body>;
export type TriedTarget = z.output<typeof TARGET_ROUTES.testTarget.body>;

/** Stores targets. Secrets are encrypted at rest and never returned. Methods reject with `target.not-found` if no target has the id. */
export interface TargetStore {
  list(): Promise<Omit<Target, 'experiments'>[]>;
  get(id: string): Promise<Omit<Target, 'experiments'>>;
  create(target: NewTarget): Promise<Omit<Target, 'experiments'>>;
  save(id: string, target: ChangedTarget): Promise<Omit<Target, 'experiments'>>;
  delete(id: string): Promise<void>;
  /** Returns facts about the cluster. An unreachable cluster is a valid result. */
  inspect(id: string): Promise<TargetFacts>;
  try(settings: TriedTarget): Promise<TargetFacts>;
  /** Returns the names and types of the fields of an index on the target. Rejects with a DynoError if the request fails. */
  fields(id: string, index: string): Promise<{ name: string; type: string }[]>;
  indices(id: string): Promise<string[]>;
  /** Reason why this host cannot store secrets. Null if it can store them. */
  readonly secretsRefused: string | null;
}

/** Manages the dashboards of the user's space. Rejects with a DynoError: `dashboards.forbidden`, `dashboards.refused`. */
export interface DashboardStore {
  list(): Promise<Dashboards>;
  /** Installs the dashboards. `replace`: kinds of dashboards that are overwritten even if a user has edited them. */
  install(replace: readonly DashboardKind[]): Promise<Dashboards>;
}

/** Reads dashboards and saved searches of the user's space. Rejects with `saved-searches.none` or `saved-searches.forbidden`. */
export interface SavedSearchStore {
  list(): Promise<{ type: SavedType; id: string; title: string }[]>;
  get(type: SavedType, id: string): Promise<SavedSearches>;
}

/** Certifies the load generator of this process. Only one certification runs at a time. Rejects with a DynoError. */
export interface CertificationService {
  status(): Promise<CertificationStatus>;
  /** Starts a certification. Rejects with `certification.going` or `run.going`. */
  start(): Promise<CertificationStatus>;
  /** Cancels the certification. Rejects with `certification.none`. */
  cancel(): Promise<CertificationStatus>;
}

/**
 * Lists the files of recorded client requests (traffic) that this host may read, and summarizes their contents. Rejects with a DynoError.
 */
export interface TrafficService {
  list(): Promise<TrafficList>;
  /**
   * Returns the summary of a file (its survey). While the file is being read, returns the progress of reading. `file`: path relative to the
   * folder of readable files.
   */
  survey(file: string): Promise<TrafficState>;
}

/** Downloads the full distribution of Elasticsearch, on a host that starts Elasticsearch. */
export interface DistributionService {
  status(): Promise<DistributionStatus>;
  /** Starts the download. Rejects with `distribution.not-offered`. */
  start(): Promise<DistributionStatus>;
  /** Cancels the download, if one is running. */
  cancel(): Promise<DistributionStatus>;
}

/** Provides the contents of the page *About*. */
export interface AboutService {
  /** Returns the state of every part of Dyno. Never rejects: if a part cannot be inspected, its state contains the error. */
  look(): Promise<About>;
  /** Returns the paths of the host. Only users with the right to manage Dyno see them. */
  paths(): Promise<AboutPaths>;
  bundle(): Promise<StreamAnswer>;
}

/** Starts and manages tunings: series of experiments that look for better settings of an index. All methods reject with a DynoError. */
export interface TuningService {
  /** Proposes a definition of an experiment that imitates an existing index on a target. The user edits the text before a tuning starts. */
  draft(
    order: z.output<typeof TUNING_ROUTES.draftTuning.body>,
  ): Promise<z.output<typeof TUNING_ROUTES.draftTuning.response>>;
  plan(definition: Definition, options: TuningOptions): Promise<{ plan: TuningPlan; limits: string[] }>;
  start(definition: Definition, options: TuningOptions): Promise<Tuning>;
  /** Returns all tunings, newest first. */
  list(): Promise<Tuning[]>;
  /** Returns a tuning. Rejects with `tuning.not-found`. */
  get(id: string): Promise<Tuning>;
  /** Cancels a tuning. Rejects with `tuning.not-found` or `tuning.not-running`. */
  cancel(id: string): Promise<Tuning>;
  /**
   * Deletes a tuning and, on request, its runs. `sample` in the result: whether the file with the sample documents of the tuning was
   * deleted too. Rejects with `tuning.not-found` or `tuning.running`.
   */
  delete(id: string, runs: 'keep' | 'delete'): Promise<{ deletedRuns: number; sample: boolean }>;
}

/** Exports runs to files and imports them. All methods reject with a DynoError. */
export interface RunFiles {
  /** Exports runs to one file. Rejects with `run.not-found` or `run.unfinished`. */
  export(ids: readonly string[]): Promise<StreamAnswer>;
  /**
   * Imports the runs of a file. Error codes: `results.file`, `results.file-newer`, `results.run-there`, `results.import-going`,
   * `request.too-large`.
   */
  import(
    file: AsyncIterable<Uint8Array>,
    options: { replace: boolean; name?: string },
  ): Promise<ImportedRun[]>;
  /**
   * Returns the progress of an import. `name`: name of the import, which the client has chosen. Null if this process does not execute the
   * import, or is still receiving its file.
   */
  progress(name: string): ImportProgress | null;
}

export interface Services {
  experiments: ExperimentStore;
  targets: TargetStore;
  runs: RunService;
  results: ResultsReader;
  history: ExperimentHistory;
  histories: Histories;
  annotations: AnnotationStore;
  /** Cache of metrics that all requests share. Present on a host that creates its services for every request. */
  figures?: FigureMemory;
  /** Cache of reports that all requests share. It also contains the function that builds a report, which may use another thread. */
  reports?: ReportMemory;
  timeline: TimelineReader;
  /** Manages the dashboards; undefined if the host has none. */
  dashboards?: DashboardStore;
  savedSearches?: SavedSearchStore;
  runFiles: RunFiles;
  /** Reads the example run that is part of Dyno. Undefined if the host has no example. */
  example?: () => Promise<ExampleRun>;
  scheduleLog: Pick<ScheduleLog, 'missed' | 'newest' | 'forget'>;
  rejections: RejectionsReader;
  status(): Promise<Status>;
  collector(): Promise<CollectorStatus>;
  /** Creates a package of Dyno's collector for another machine. Rejects with a DynoError `collector.no-package` or `target.not-found`. */
  collectorPackage(order: z.output<typeof HOST_ROUTES.makeCollectorPackage.body>): Promise<StreamAnswer>;
  certification: CertificationService;
  /** Downloads Elasticsearch; undefined if the host never starts it. */
  distribution?: DistributionService;
  about: AboutService;
  tunings: TuningService;
  traffic: TrafficService;
  /**
   * Returns the next time of a schedule as ISO 8601 in UTC; null if the schedule has no next time. Throws a DynoError if the schedule is
   * invalid.
   */
  nextDue(schedule: ScheduleSetting): string | null;
  /** Returns whether Dyno starts the clusters under test itself for runs on this target. */
  startsClusters(target: string): boolean;
  /** Checks the files that a definition names. Rejects with a DynoError if this host may not read one of them. */
  checkFiles(definition: Definition): Promise<void>;
  /**
   * Checks files. Rejects with a DynoError if this host may not read one of them. `path`: path of the key in the definition that contains
   * the name of the file.
   */
  checkRead(files: readonly { path: string; file: string }[]): Promise<void>;
  /** Returns a few documents of a source of documents. Rejects with a DynoError if the source cannot be read. */
  previewDocuments(order: PreviewOrder, signal: AbortSignal): Promise<DocumentPreview>;
}
