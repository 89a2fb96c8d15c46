/**
 * The input of a trial, divided into properties such as `target` and `generator`. Each step of a trial declares which of these properties
 * it needs.
 */
import type { Engine } from '../../../common/elasticsearch/engine';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { PlannedTrial } from '../../../common/experiment/plan';
import type { ExperimentMark } from '../../../common/measurement/experiment-mark';
import type { TrialTimes } from '../../../common/measurement/marker';
import type { Phase } from '../../../common/measurement/sample';
import type { ClockReading } from '../../../common/measurement/target-clock';
import type { Cell, SampleDocument, TrialDocument } from '../../../common/measurement/trial';
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import type { UnaskedPart } from '../../../common/measurement/unasked';
import type { TargetConnection } from '../../target-cluster/connection';
import type { LoadedProfiler } from '../../target-cluster/node-profiler';
import type { ExistingData } from './existing';
import type { TrialPipelines } from './parse';
import type { JobFor } from './preload';
import type { RecentSamples } from './progress';
import type { RunSeats } from './seats';
import type { WallClockWatch } from './wall-clock';

/** The indices of a trial. Other trials may use the same indices. */
export interface OwnIndices {
  readonly names: readonly string[];
  /** Prepares the indices. Rejects with a DynoError, or with the signal's reason. */
  prepare(): Promise<TrialDocument['preload']>;
  /** Settings and mappings that the indices have, although the definition does not contain them. Known after `prepare`. */
  readonly unasked?: readonly UnaskedPart[];
  /**
   * Resolves once merges and shard movements in the cluster have ended, so that they do not disturb the load. Absent if the load need not
   * wait for this. Call it after `prepare`. Rejects with the same errors as `prepare`.
   */
  atRest?(): Promise<void>;
  /** Removes the indices that no later trial needs. Returns the names of the indices that remain. */
  remove(): Promise<string[]>;
  /** Existing data, which Dyno never removes. Absent for indices that Dyno creates. */
  readonly existing?: ExistingData;
}

/** Facts that identify a trial in its run. The document of the trial contains them from the beginning. */
export interface TrialIdentity {
  run: { id: string };
  experiment: ExperimentMark;
  id: string;
  planned: PlannedTrial;
  cell: Cell;
  /** Reason why this trial repeats an earlier trial. Absent if it repeats none. */
  repeats?: string;
  cluster: NonNullable<TrialDocument['cluster']>;
  /** Names of the nodes that have left the cluster since the preflight. */
  lost: readonly string[];
}

export interface TrialTarget {
  connection: TargetConnection;
  engine: Engine;
  indices: OwnIndices;
  pipelines: TrialPipelines;
  /** Folder in which the nodes keep their data. Undefined unless Dyno started them on this machine. */
  dataFolder?: string;
  /** Profiler that the nodes have loaded. Undefined unless a cell of the run asks for it. */
  profiler?: LoadedProfiler;
  /** The cluster's clock, read directly before the trial. Null if unknown. */
  clock: ClockReading | null;
}

export interface TrialGenerator {
  jobFor: JobFor;
  workerFile: string;
  /** Number of load threads. */
  workers: number;
  /** The machines that generate the load together. Null if only this machine does. */
  seats: RunSeats | null;
  /** Whether the load generator runs on a machine of the target, so that both share its cores. */
  sharedMachine: boolean;
}

export interface TrialFiles {
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  /** Folder in which true neighbours are stored. Undefined if they are determined again for each trial. */
  neighboursFolder?: string | undefined;
}

export interface TrialListener {
  /** Called at the beginning of the trial. Stores the trial, so that its document exists even if this process dies. */
  onBegin: (trial: TrialDocument) => Promise<void>;
  onPhase: (phase: Phase, lengthMs: number | null) => void;
  /** Called with a description of the operation in progress, if it delays the load for long; called with '' after the operation. */
  onDoing: (doing: string) => void;
  /** Called when more times of the trial are known. */
  onTimes: (times: TrialTimes) => void;
  onSample: (sample: SampleDocument, recent: RecentSamples) => void;
  /** Called with the stacks of a completed trial, once for each event. */
  onProfile: (profile: ProfileDocument) => void;
  onNote: (message: string) => void;
}

export interface TrialInput {
  identity: TrialIdentity;
  definition: CellDefinition;
  target: TrialTarget;
  generator: TrialGenerator;
  files: TrialFiles;
  wallClock: WallClockWatch;
  /** Signal that cancels the trial. Its reason is a sentence. */
  signal: AbortSignal;
  listener: TrialListener;
}

/** A trial in progress. */
export interface Trial extends TrialInput {
  readonly document: TrialDocument;
}

/** The properties of a trial that a step uses. */
export type Needs<Group extends keyof Trial> = Pick<Trial, Group>;
