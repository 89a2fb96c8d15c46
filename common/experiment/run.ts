/** The document of a run in `dyno-runs-*`. Dyno writes it again whenever the state of the run changes, and after each trial. */
import type { Certification } from '../measurement/certification';
import type { EffectiveSettings } from '../elasticsearch/defaults';
import type { Engine } from '../elasticsearch/engine';
import type { Definition } from './definition';
import type { Environment } from './environment';
import type { Trust } from './trust';
import type { StoredPlan } from './plan';
import type { UnaskedPart } from '../measurement/unasked';
import type { ExperimentMark } from '../measurement/experiment-mark';
import { storedBlocks, type StoredBlockNumber, type StoredBlocks } from '../measurement/stored-names';
import { parseTime } from '../units/time';

/**
 * State of a run. `waiting`: the trials in one environment are complete, and no process executes the run until a person confirms the next
 * environment.
 */
export type RunState =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

/**
 * State of a run as people see it. The stored state is always `completed` for a run that has reached the end of its plan. This type also
 * distinguishes runs in which some trials failed.
 */
export type RunOutcome = RunState | 'completed-with-failures';

/** Returns the state that people see. `failed`: result of {@link failedTrials}. */
export const outcomeOf = (state: RunState, failed: number): RunOutcome =>
  state === 'completed' && failed > 0 ? 'completed-with-failures' : state;

export const outcomeWords = (outcome: RunOutcome): string => outcome.replaceAll('-', ' ');

/**
 * Number of trials that did not complete, for a run that has reached the end of its plan. 0 for a run that is still running, and for one
 * that ended earlier.
 */
export const failedTrials = ({
  run: { state },
  progress: { trials, completed },
}: {
  run: Pick<RunDocument['run'], 'state'>;
  progress: Pick<RunDocument['progress'], 'trials' | 'completed'>;
}): number => (state === 'completed' ? Math.max(0, trials - completed) : 0);

/** States of a run that no process executes and that waits for nothing. Some of these runs can be resumed: {@link RESUMABLE_STATES}. */
export const FINAL_STATES: readonly RunState[] = ['completed', 'failed', 'cancelled', 'interrupted'];

/** States of a run that a process executes. The process may have died in the meantime. */
export const ACTIVE_STATES: readonly RunState[] = ['queued', 'running'];

/** States in which no process executes the run, so that the run can be deleted. */
export const INACTIVE_STATES: readonly RunState[] = [...FINAL_STATES, 'waiting'];

/** States from which a run can be resumed. */
export const RESUMABLE_STATES: readonly RunState[] = ['interrupted', 'failed', 'waiting'];

export interface NodeFacts {
  name: string;
  version: string;
  jvm: string;
  heapBytes: number;
  cores: number;
  memoryBytes: number;
  os: string;
  roles: string[];
  /** Type of the node's disk: `ssd`, `spinning`, or `unknown` if the node does not report it. */
  disk: string;
  diskTotalBytes: number;
  diskFreeBytes: number;
}

/**
 * The cluster that Dyno started for an environment block (successive trials in one environment). Contains its properties as the environment
 * requested them. The facts that Dyno read from the running cluster are stored separately.
 */
export interface StartedFacts {
  /** Engine of the cluster. Absent in runs of older versions, which started Elasticsearch only. */
  engine?: Engine;
  nodes: number;
  /** Heap of each node, in bytes. */
  heapBytes: number;
  version: string;
}

/** The nodes that receive the load of a run. */
export interface LoadPath {
  /** Base URLs of these nodes. */
  nodes: string[];
  /**
   * Warning that the load goes to nodes other than the hosts in the settings of the target, as a sentence. '' if it goes to these hosts.
   */
  past: string;
}

/** Facts about the target, and about the machine that generated the load. */
export interface PlaceFacts {
  dyno: string;
  /** The cluster under test. Runs of older versions have no `engine`: they measured Elasticsearch. */
  cluster: { name: string; uuid: string; engine?: Engine; version: string; url: string };
  nodes: NodeFacts[];
  /** The machine that generated the load. `workers`: largest number of load threads in a cell; each trial stores its own number. */
  generator: { host: string; cores: number; memoryBytes: number; node: string; os: string; workers: number };
  /** Whether the results are stored in the cluster under test. This is additional work for the cluster. */
  resultsInTarget: boolean;
  /** Whether the target runs on the same machine as the load generator. If so, the two share the cores of the machine. */
  sharedMachine: boolean;
  /**
   * The cluster that Dyno started on this machine for the trials, separate from the embedded cluster that stores the results. Absent if
   * Dyno started none.
   */
  started?: StartedFacts;
  /** Effective settings of the cluster. Stored only in runs that compare engines. Absent in runs of older versions. */
  effective?: EffectiveSettings;
  /**
   * Settings and mappings that the target added to the indices of the run although the definition does not contain them, for example
   * because of index templates. Absent in runs of older versions.
   */
  unasked?: UnaskedPart[];
  /** Nodes that receive the load. Absent in runs of older versions. */
  load?: LoadPath;
  /** The last certification of the load generator. Absent if it was never certified. */
  certification?: Certification;
}

/** Facts about an environment block: successive trials in one environment, without an interruption of the run in between. */
export interface BlockFacts extends PlaceFacts {
  /** Labels of the environment, as a person has stated them. Empty without labels. */
  environment: Environment;
  /** Id of the target. */
  target: string;
  /** Start of the block, ISO 8601, UTC: the end of the checks before its first trial. */
  since: string;
  /** End of the last trial, ISO 8601, UTC. Null while the block is running. */
  until: string | null;
}

/**
 * Facts about where and with what a run measured. They decide whether two runs can be compared. At the top level, the object contains the
 * facts about the last environment block (successive trials in one environment).
 */
export interface Provenance extends PlaceFacts, StoredBlocks<BlockFacts> {}

/**
 * Returns the facts about the environment block in which a trial ran: the last block that began before the trial. `started`: start of the
 * trial, ISO 8601. If no block began before it, returns the facts about the run.
 */
export function placeAt(provenance: Provenance | null, started: string): PlaceFacts | null {
  const at = parseTime(started);
  const own = storedBlocks(provenance).findLast(({ since }) => parseTime(since) <= at);
  return own ?? provenance;
}

/** Returns the duration of all environment blocks together, in ms. Null if there are no blocks, or if one is still running. */
export function blocksMs(blocks: readonly Pick<BlockFacts, 'since' | 'until'>[] = []): number | null {
  if (blocks.length === 0) return null;
  let ms = 0;
  for (const { since, until } of blocks) {
    if (until === null) return null;
    ms += parseTime(until) - parseTime(since);
  }
  return ms;
}

export interface RunEvent {
  at: string;
  level: 'info' | 'warning' | 'error';
  message: string;
}

/**
 * Metrics of a run from which the history of its experiment is built, in compressed form. `server/results/stored-history-run.ts` explains
 * the format.
 */
export interface StoredHistoryRun {
  figures: string;
  cluster: string;
}

/** Records that retention removed the samples of a run, and the metrics that Dyno's collector sent during the run. */
export interface RemovedSamples {
  /** Time of the removal, ISO 8601 UTC. */
  removed: string;
  /** The retention that caused this, as text: `90 days`. */
  keep: string;
}

export interface RunDocument {
  /** Time at which the run was requested. */
  '@timestamp': string;
  run: {
    id: string;
    state: RunState;
    /** Reason for the state, in words; '' if there is no problem. */
    reason: string;
    /**
     * Present if the definition itself ended the run: by a `stop-when` condition, or by a request that the target refuses. A resumed run
     * would fail in the same way. Absent otherwise, and in documents of older versions.
     */
    endedBy?: 'definition';
    /** Start of the run. For a queued run, the time at which it was requested. */
    started: string;
    ended: string | null;
    /**
     * Name of the queue in which the run waits. If the process of the run ends, the next process with a queue of this name executes the
     * run. If the name is absent, no other process takes over the run, and the run ends together with its process.
     */
    queue?: string;
    /** Time of the last sign of life of the carrier, the process that executes the run. */
    heartbeat: string;
    /** The process that executes the run. `instance` is unique to each process. */
    carrier: { host: string; pid: number; instance: string };
    /**
     * Present if another process marked the run as interrupted, because its carrier (the process that executes it) seemed to be dead. If
     * the carrier is alive after all, its next results remove this mark.
     */
    marked?: { by: { host: string; pid: number; instance: string }; at: string };
    /**
     * Indices of this run that currently exist on the target. If the carrier (the process that executes the run) dies, another process
     * deletes these indices.
     */
    indices: string[];
    /** Ingest pipelines of this run. Absent without pipelines. */
    pipelines?: string[];
    /**
     * Settings of the target that a trial has changed, by flat name, each with its earlier value (null if the setting was not set). If the
     * carrier (the process that executes the run) dies, another process restores the earlier values. Absent while no setting is changed.
     */
    replaced?: { cluster: string; settings: Readonly<Record<string, unknown>> };
    /**
     * UUID of Dyno's embedded cluster on the same machine. Present only if this run starts clusters itself. Dyno uses the UUID as the id of
     * the machine, so that only one run at a time measures there. `indices` and `replaced` then refer to the started clusters. What they
     * list exists only as long as these clusters.
     */
    beside?: string;
    /** The environment for which the run waits, and the time since which it waits (ISO 8601, UTC). Absent if the run does not wait. */
    waiting?: { environment: Environment; since: string };
  };
  experiment: ExperimentMark & { hypothesis: string; preset: string | null };
  definition: Definition;
  plan: StoredPlan;
  progress: StoredBlockNumber & {
    trials: number;
    completed: number;
    /**
     * Result of {@link failedTrials}, stored so that it can be queried. Absent until the run has reached the end of its plan, and in
     * documents of older versions.
     */
    failed?: number;
    /** Id of the trial that is running; null if no trial is running. */
    current: string | null;
    /**
     * Result of the last check of the claims, in a run that ends once its claims are decided. `repetitions`: number of repetitions before
     * this check. Absent before the first check, and in runs with a fixed number of trials.
     */
    look?: { repetitions: number; claims: Verdict['claims'] };
  };
  provenance: Provenance | null;
  verdict: Verdict | null;
  /**
   * Metrics of the run for the history of the experiment, in compressed form. Absent until the run has reached the end of its plan, and in
   * documents of older versions.
   */
  night?: StoredHistoryRun;
  /** Present if retention removed the samples of the run, and the metrics that Dyno's collector sent during the run. */
  samples?: RemovedSamples;
  events: RunEvent[];
}

/** Returns whether the definition caused the failure of the run. A resumed run would then fail again. */
export const isEndedByDefinition = ({ run: { state, endedBy, reason } }: Pick<RunDocument, 'run'>): boolean =>
  state === 'failed' &&
  // Runs of older versions do not store the cause. It is recognised by the wording of the reason.
  (endedBy === 'definition' || reason.startsWith('stop-when "'));

export const CLAIM_ANSWERS = ['confirmed', 'refuted', 'undecided'] as const;
export type ClaimAnswer = (typeof CLAIM_ANSWERS)[number];
export const VERDICT_ANSWERS = [...CLAIM_ANSWERS, 'no-claim'] as const;

/** Size of the change that a claim is about: the difference between the first and the last of the compared levels. */
export interface ClaimEffect {
  /** Value at the last level divided by the value at the first level; null if unknown. */
  ratio: number | null;
  /** Lower end of the interval that decided the claim; null if unknown. */
  low: number | null;
  high: number | null;
  /** Mean at the first level with its unit: `1,983 docs/s`. `–` if there are no data. */
  from: string;
  /** Mean at the last level with its unit. `–` if there are no data. */
  to: string;
  /** The first of the compared levels, as text: `10`. */
  fromLevel: string;
  /** The last of the compared levels, as text: `1,000`. */
  toLevel: string;
  /** Size of the effect: `4.3×`, `−35%`; `–` without a ratio. */
  size: string;
  /** Interval of the effect: `2.1× to 8.7×`, `−41% to −28%`; '' without an interval. */
  interval: string;
  /** The metric in words: `throughput of ingest`. */
  metric: string;
}

export interface ClaimResult {
  /** The claim as written in `expect`. */
  claim: string;
  answer: ClaimAnswer;
  /** Result of the trials for the claim, as a sentence without a full stop. */
  why: string;
  /**
   * The change that decided the claim. If other factors vary too, it is the change for one combination of their levels. Absent if the cells
   * were not comparable, and in runs of earlier versions.
   */
  effect?: ClaimEffect;
}

/** The answer to the hypothesis, with its reasons. */
export interface Verdict {
  /**
   * The answer to the hypothesis. `no-claim`: the definition contains no claim. Earlier versions stored `undecided` in this case;
   * `answerOf` handles this.
   */
  answer: ClaimAnswer | 'no-claim';
  /** The verdict in one sentence, including the most serious warning. */
  sentence: string;
  /** The most serious warning about the trials, in a few words. Stored only by versions without `trust`. */
  doubt?: string;
  /** How reliable the trials are. Absent in runs of earlier versions; `trustOf` returns it for all versions. */
  trust?: Trust;
  /** The claims of `expect`, each with its answer. */
  claims: ClaimResult[];
  thresholds: {
    threshold: string;
    passed: boolean;
    /** Label of the cell with the worst value. */ cell: string;
    /** Worst value of the metric over all trials; null if the metric has no data. */
    value: number | null;
    /** Reason why the metric has no data. Absent if it has data, and in runs of earlier versions. */
    noData?: string;
  }[];
  /** Reasons why the result may be wrong, such as a load generator at its limit, or too few trials. */
  warnings: string[];
}

/**
 * Returns the verdict for display in lists of runs. Null if the run completed no trial: its document may contain a verdict, but this
 * verdict would be meaningless.
 */
export const verdictOf = ({
  verdict = null,
  progress,
}: {
  verdict?: Verdict | null;
  progress: Pick<RunDocument['progress'], 'completed'>;
}): Verdict | null => (progress.completed === 0 ? null : verdict);

/** Returns the answer of a stored verdict, which any version of Dyno may have stored. */
export const answerOf = ({ answer, claims }: Pick<Verdict, 'answer' | 'claims'>): Verdict['answer'] =>
  claims.length === 0 ? 'no-claim' : answer;
