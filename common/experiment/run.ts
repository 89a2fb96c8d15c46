/** The document of a run in `dyno-runs-*`, which is rewritten after every step. */
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

/** `waiting`: the trials of one environment are done, and no process carries the run until somebody confirms the next environment. */
export type RunState =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

/**
 * State of a run as people see it. A run that reached the end of its plan is stored as `completed`, even if some of its trials failed. The
 * outcome distinguishes these two cases.
 */
export type RunOutcome = RunState | 'completed-with-failures';

/** Returns the outcome of a run. `failed`: result of {@link failedTrials}. */
export const outcomeOf = (state: RunState, failed: number): RunOutcome =>
  state === 'completed' && failed > 0 ? 'completed-with-failures' : state;

export const outcomeWords = (outcome: RunOutcome): string => outcome.replaceAll('-', ' ');

/** Number of trials that a run at the end of its plan did not complete. 0 for a run that is still running or ended early. */
export const failedTrials = ({
  run: { state },
  progress: { trials, completed },
}: {
  run: Pick<RunDocument['run'], 'state'>;
  progress: Pick<RunDocument['progress'], 'trials' | 'completed'>;
}): number => (state === 'completed' ? Math.max(0, trials - completed) : 0);

/** States that a run does not leave any more, except when it is resumed. */
export const FINAL_STATES: readonly RunState[] = ['completed', 'failed', 'cancelled', 'interrupted'];

/** States of a run that a process carries, or carried until it died. */
export const ACTIVE_STATES: readonly RunState[] = ['queued', 'running'];

/** States without a process that carries the run, so that the run can be deleted. */
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
  /** Kind of the node's disk: `ssd`, `spinning`, or `unknown` if the node does not report it. */
  disk: string;
  diskTotalBytes: number;
  diskFreeBytes: number;
}

/**
 * Properties that were requested for a cluster that Dyno started for an environment block. The facts that Dyno found out about the running
 * cluster are stored separately.
 */
export interface StartedFacts {
  /** Engine of the cluster. Absent in runs of older versions, which started Elasticsearch only. */
  engine?: Engine;
  nodes: number;
  /** Heap of each node, in bytes. */
  heapBytes: number;
  version: string;
}

/** Nodes that receive the load of a run. */
export interface LoadPath {
  /** Base URLs of these nodes. */
  nodes: string[];
  /** Warning, as a sentence, that the load bypasses the hosts in the settings of the target; '' if it does not bypass them. */
  past: string;
}

/** Facts about the target, and about the machine that generated the load. */
export interface PlaceFacts {
  dyno: string;
  /** The cluster under test. Runs of older versions have no `engine`: they measured Elasticsearch. */
  cluster: { name: string; uuid: string; engine?: Engine; version: string; url: string };
  nodes: NodeFacts[];
  /** The machine that generated the load. `workers` is the largest number of load threads of a cell; each trial stores its own number. */
  generator: { host: string; cores: number; memoryBytes: number; node: string; os: string; workers: number };
  /** Whether the results are stored in the cluster under test, which adds work to this cluster. */
  resultsInTarget: boolean;
  /** Whether the target runs on the same machine as the load generator, so that they share its cores. */
  sharedMachine: boolean;
  /**
   * The cluster that Dyno started on its own machine for this block. It is not the embedded cluster that stores the results. Absent if Dyno
   * did not start a cluster for this block.
   */
  started?: StartedFacts;
  /** Effective settings of the cluster. Stored only by runs that compare engines; absent in other runs, and in runs of older versions. */
  effective?: EffectiveSettings;
  /**
   * Settings and mappings that the target added to the indices of the run, although the definition does not contain them. Absent in runs of
   * older versions.
   */
  unasked?: UnaskedPart[];
  /** Nodes that receive the load. Absent in runs of older versions. */
  load?: LoadPath;
  /** The last certification of the load generator; absent if there was no certification. */
  certification?: Certification;
}

/** Facts about an environment block: consecutive trials in one environment, without interruption. */
export interface BlockFacts extends PlaceFacts {
  /** Labels of the environment, as stated by a person; empty without labels. */
  environment: Environment;
  /** Id of the target. */
  target: string;
  /** End of the preflight and end of the last trial, ISO 8601 UTC. `until` is null while the block is running. */
  since: string;
  until: string | null;
}

/**
 * Facts about where and with what a run was measured. They decide whether two runs are comparable. The facts of the last block are stored
 * at the top level too.
 */
export interface Provenance extends PlaceFacts, StoredBlocks<BlockFacts> {}

/**
 * Returns the facts about the block in which a trial started at `started` (ISO 8601). If no block contains this time, returns the facts
 * about the run.
 */
export function placeAt(provenance: Provenance | null, started: string): PlaceFacts | null {
  const at = parseTime(started);
  const own = storedBlocks(provenance).findLast(({ since }) => parseTime(since) <= at);
  return own ?? provenance;
}

/** Returns the total time of the blocks, in ms; null without blocks, or while one is running. */
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

/** The part of a run that histories need, in a packed form that `server/results/stored-history-run.ts` creates. */
export interface StoredHistoryRun {
  figures: string;
  cluster: string;
}

/** When and why retention removed the samples and the collector's metrics of a run. */
export interface RemovedSamples {
  /** Time of the removal, ISO 8601 UTC. */
  removed: string;
  /** The retention as text, such as `90 days`. */
  keep: string;
}

export interface RunDocument {
  /** Time at which the run was requested. */
  '@timestamp': string;
  run: {
    id: string;
    state: RunState;
    /** Reason for the state, in words; '' if nothing is wrong. */
    reason: string;
    /**
     * Present if the definition itself ended the run, by a `stop-when` condition or by a request that the target refuses. A resumed run
     * would fail in the same way. Absent for other reasons, in other states, and in documents of older versions.
     */
    endedBy?: 'definition';
    /** Start of the run. While the run is queued, this is the time at which it was requested. */
    started: string;
    ended: string | null;
    /**
     * Name of the queue in which the run waits. If the process of the run ends, the next process with a queue of this name takes the
     * waiting run over. Absent if a waiting run ends together with its process.
     */
    queue?: string;
    /** Time at which the carrier last gave a sign of life. */
    heartbeat: string;
    /** The process that carries the run. Each process has a different `instance`. */
    carrier: { host: string; pid: number; instance: string };
    /**
     * The process that marked the run as interrupted because no process seemed to carry it. If the carrier is alive and stores results
     * later, these take precedence over the mark. Absent in every document that a carrier wrote.
     */
    marked?: { by: { host: string; pid: number; instance: string }; at: string };
    /** Indices of this run that exist in the target at the moment. If the carrier dies, the process that recovers the run deletes them. */
    indices: string[];
    /** Ingest pipelines of this run; absent without any. */
    pipelines?: string[];
    /**
     * Settings of the target that a trial has changed, with their earlier values by flat name (null for none). If the carrier dies, the
     * process that recovers the run restores these settings. Absent while no setting is changed.
     */
    replaced?: { cluster: string; settings: Readonly<Record<string, unknown>> };
    /**
     * UUID of another cluster: the one on whose machine this run starts its own clusters. Loads on the two clusters would disturb each
     * other. `indices` and `replaced` then belong to the run's own cluster, and no longer exist once it has ended. Absent if the run does
     * not start clusters.
     */
    beside?: string;
    /** The environment that the run waits for, and the time since which it waits (ISO 8601 UTC); absent if it does not wait. */
    waiting?: { environment: Environment; since: string };
  };
  experiment: ExperimentMark & { hypothesis: string; preset: string | null };
  definition: Definition;
  plan: StoredPlan;
  progress: StoredBlockNumber & {
    trials: number;
    completed: number;
    /** Number of {@link failedTrials}, stored for queries when a run has completed its plan. Absent before that, and in older documents. */
    failed?: number;
    /** Id of the running trial. */
    current: string | null;
    /**
     * Result of the last check whether the claims are decided. Absent before the first check, and in runs with a fixed number of trials.
     */
    look?: { repetitions: number; claims: Verdict['claims'] };
  };
  provenance: Provenance | null;
  verdict: Verdict | null;
  /** Metrics for the history of the experiment. Present once the run has completed its plan. Absent in documents of older versions. */
  night?: StoredHistoryRun;
  /** When retention removed the samples and the collector's metrics. Absent as long as they are kept. */
  samples?: RemovedSamples;
  events: RunEvent[];
}

/** Returns whether the run failed because of its definition, so that it would fail again when resumed. */
export const isEndedByDefinition = ({ run: { state, endedBy, reason } }: Pick<RunDocument, 'run'>): boolean =>
  state === 'failed' &&
  // Runs of older versions did not store the cause, so the wording of the reason decides.
  (endedBy === 'definition' || reason.startsWith('stop-when "'));

export const CLAIM_ANSWERS = ['confirmed', 'refuted', 'undecided'] as const;
export type ClaimAnswer = (typeof CLAIM_ANSWERS)[number];
export const VERDICT_ANSWERS = [...CLAIM_ANSWERS, 'no-claim'] as const;

/** The change that a claim is about: from the first to the last of the compared levels. */
export interface ClaimEffect {
  /**
   * Value at the last level divided by the value at the first level. Followed by the interval that decided the claim. Both are null if
   * unknown.
   */
  ratio: number | null;
  low: number | null;
  high: number | null;
  /** Means at the first and at the last level, each with its unit: `1,983 docs/s`; `–` without data. */
  from: string;
  to: string;
  /** The first and the last compared level, as text: `10`, `1,000`. */
  fromLevel: string;
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
  /** Finding of the trials on the claim, as a sentence without a full stop. */
  why: string;
  /**
   * Effect for the combination of other factors that decided the claim. Absent if cells were not comparable, and in runs of earlier
   * versions.
   */
  effect?: ClaimEffect;
}

/** The answer to the hypothesis, with its reasons. */
export interface Verdict {
  /** `no-claim`: the definition has no claim. Older versions stored `undecided` instead, see answerOf. */
  answer: ClaimAnswer | 'no-claim';
  /** One sentence, with the most serious warning. */
  sentence: string;
  /** The most serious warning about the trials, in a few words. Only runs of versions without `trust` have it. */
  doubt?: string;
  /** How far the trials can be trusted; absent in runs of earlier versions. `trustOf` reads it for all versions. */
  trust?: Trust;
  /** Each claim of `expect`, with the finding. */
  claims: ClaimResult[];
  thresholds: {
    threshold: string;
    passed: boolean;
    /** Label of the worst cell. */ cell: string;
    /** Value of the metric; null without data. */
    value: number | null;
    /** Reason for missing data; absent if there are data, and in runs of earlier versions. */
    noData?: string;
  }[];
  /** Reasons to be cautious with the result, such as a load generator at its limit or too few trials. */
  warnings: string[];
}

/** Returns the verdict that lists show. Returns null for a run that completed no trial, even if its document contains a verdict. */
export const verdictOf = ({
  verdict = null,
  progress,
}: {
  verdict?: Verdict | null;
  progress: Pick<RunDocument['progress'], 'completed'>;
}): Verdict | null => (progress.completed === 0 ? null : verdict);

/** Returns the answer of a stored verdict, whichever version of Dyno stored it. */
export const answerOf = ({ answer, claims }: Pick<Verdict, 'answer' | 'claims'>): Verdict['answer'] =>
  claims.length === 0 ? 'no-claim' : answer;
