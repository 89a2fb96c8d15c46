/** A run as it is kept: `dyno-runs-*`, one document, rewritten after every step. */
import type { Certification } from '../measurement/certification';
import type { Definition } from './definition';
import type { Environment } from './environment';
import type { Trust } from './trust';
import type { StoredPlan } from './plan';
import type { UnaskedPart } from '../measurement/unasked';
import type { ExperimentMark } from '../measurement/experiment-mark';
import { storedBlocks, type StoredBlockNumber, type StoredBlocks } from '../measurement/stored-names';
import { parseTime } from '../units/time';

/** `waiting`: one environment is done, and nobody carries the run until somebody says that the next one stands. */
export type RunState =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

/**
 * What became of a run, as people are told: its state, but of one that came to the end of its plan without some of its trials,
 * which is stored as `completed`, that it did.
 */
export type RunOutcome = RunState | 'completed-with-failures';

/** `failed`: its {@link failedTrials}. */
export const outcomeOf = (state: RunState, failed: number): RunOutcome =>
  state === 'completed' && failed > 0 ? 'completed-with-failures' : state;

export const outcomeWords = (outcome: RunOutcome): string => outcome.replaceAll('-', ' ');

/** Trials that a run at the end of its plan has not completed; 0 of a run that goes on or ended early, which left them out. */
export const failedTrials = ({
  run: { state },
  progress: { trials, completed },
}: {
  run: Pick<RunDocument['run'], 'state'>;
  progress: Pick<RunDocument['progress'], 'trials' | 'completed'>;
}): number => (state === 'completed' ? Math.max(0, trials - completed) : 0);

/** States after which nothing changes any more. */
export const FINAL_STATES: readonly RunState[] = ['completed', 'failed', 'cancelled', 'interrupted'];

/** States in which a process carries a run, or did until it died. */
export const ACTIVE_STATES: readonly RunState[] = ['queued', 'running'];

/** States in which no process carries a run: it can be deleted. */
export const INACTIVE_STATES: readonly RunState[] = [...FINAL_STATES, 'waiting'];

/** States from which a run can go on. */
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
  /** `ssd`, `spinning`, or `unknown` where the node does not tell. */
  disk: string;
  diskTotalBytes: number;
  diskFreeBytes: number;
}

/** A cluster that Dyno started for an environment block, as it was asked for: what was found stands beside it. */
export interface StartedFacts {
  nodes: number;
  /** Of each node. */
  heapBytes: number;
  version: string;
}

/** Where the load of a run goes. */
export interface LoadPath {
  /** Base URLs. */
  nodes: string[];
  /** That it goes past the hosts that were given for the target, in words; '' where it does not. */
  past: string;
}

/** What was found where it was measured, and from where. */
export interface PlaceFacts {
  dyno: string;
  cluster: { name: string; uuid: string; version: string; url: string };
  nodes: NodeFacts[];
  /**
   * The machine that generated the load; `workers`: threads of the cell that has most of them. Each trial says how many it
   * had itself.
   */
  generator: { host: string; cores: number; memoryBytes: number; node: string; os: string; workers: number };
  /** True when results are stored in the cluster under test, which then carries that work too. */
  resultsInTarget: boolean;
  /** True when the target answers on this machine: generator and target share its cores. */
  sharedMachine: boolean;
  /**
   * Dyno started the cluster for this, on its own machine, beside the embedded one that keeps the results or could; absent
   * where the cluster was there.
   */
  started?: StartedFacts;
  /** What the target adds to the indices of the run beyond their definition. Absent in runs of older versions of Dyno. */
  unasked?: UnaskedPart[];
  /** Where the load goes. Absent in runs of older versions of Dyno. */
  load?: LoadPath;
  /** When its load generator was last held against known truth; absent where it never was. */
  certification?: Certification;
}

/** What was found when trials of one environment were done in one go. */
export interface BlockFacts extends PlaceFacts {
  /** The labels that it was said to be; empty without any. */
  environment: Environment;
  /** Id of the target. */
  target: string;
  /** When its preflight was done and when its last trial was, ISO 8601 UTC; null while it goes on. */
  since: string;
  until: string | null;
}

/** Enough to judge whether two runs may be compared: of the last block, and of each. */
export interface Provenance extends PlaceFacts, StoredBlocks<BlockFacts> {}

/** Where a trial ran that started at `started`, ISO 8601; where no block tells, what is known of the run. */
export function placeAt(provenance: Provenance | null, started: string): PlaceFacts | null {
  const at = parseTime(started);
  const own = storedBlocks(provenance).findLast(({ since }) => parseTime(since) <= at);
  return own ?? provenance;
}

/** Time from the first to the last of each block, ms; null where none is kept or one goes on. */
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

/** The part of a run that histories need, packed by `server/results/stored-history-run.ts`. */
export interface StoredHistoryRun {
  figures: string;
  cluster: string;
}

/** Of a run whose samples, and what the collector told, were removed when they were older than they are to be kept. */
export interface RemovedSamples {
  /** When, ISO 8601 UTC. */
  removed: string;
  /** For what they are kept, in words: `90 days`. */
  keep: string;
}

export interface RunDocument {
  /** When it was asked for. */
  '@timestamp': string;
  run: {
    id: string;
    state: RunState;
    /** Why it is in this state, in words; '' while all is well. */
    reason: string;
    /**
     * What a failed run would fail of again if it were resumed: its definition, by a `stop-when` or because the target refuses
     * what it asks for. Absent for other reasons, in other states, and in documents of older versions of Dyno.
     */
    endedBy?: 'definition';
    /** When its turn came; while it is queued, when it was asked for. */
    started: string;
    ended: string | null;
    /** Name of the queue in which it waits: the next process that has this queue takes it up. Absent where it ends with its process. */
    queue?: string;
    /** Last sign of life of who carries the run. */
    heartbeat: string;
    /** Who carries it; `instance` is new with every process. */
    carrier: { host: string; pid: number; instance: string };
    /**
     * Who marked it as interrupted without knowing more than that nobody seemed to carry it: what its carrier has written, and
     * could not store until later, goes before such a mark. Absent in every state that a carrier wrote.
     */
    marked?: { by: { host: string; pid: number; instance: string }; at: string };
    /** Indices of this run that stand in the target now: what an orphan's finder removes. */
    indices: string[];
    /** Ingest pipelines likewise; absent while there are none. */
    pipelines?: string[];
    /**
     * Settings of the target that a trial has changed, as they were before (by flat name, null for none): whoever finds
     * an orphan puts them back. Absent while nothing is changed.
     */
    replaced?: { cluster: string; settings: Readonly<Record<string, unknown>> };
    /**
     * Uuid of the cluster on whose machine it starts its own: whoever measures there is measured with it, and its `indices`
     * and `replaced` end with the cluster that they were in. Absent for a run that starts none.
     */
    beside?: string;
    /** The environment that it waits for, and since when, ISO 8601 UTC; absent unless it does. */
    waiting?: { environment: Environment; since: string };
  };
  experiment: ExperimentMark & { hypothesis: string; preset: string | null };
  definition: Definition;
  plan: StoredPlan;
  progress: StoredBlockNumber & {
    trials: number;
    completed: number;
    /** Of a run that completed its plan, for queries: its {@link failedTrials}. Absent until then, and in older documents. */
    failed?: number;
    /** Id of the trial that runs. */
    current: string | null;
    /** What the last look found, where trials go on until the claims are decided; absent before the first one. */
    look?: { repetitions: number; claims: Verdict['claims'] };
  };
  provenance: Provenance | null;
  verdict: Verdict | null;
  /** Of a run that completed its plan. Absent otherwise, and in documents of older versions of Dyno. */
  night?: StoredHistoryRun;
  /** Absent while its samples, and what the collector told, are kept. */
  samples?: RemovedSamples;
  events: RunEvent[];
}

/** Whether a failed run would fail so again if it were resumed, because its own definition asks for it. */
export const isEndedByDefinition = ({ run: { state, endedBy, reason } }: Pick<RunDocument, 'run'>): boolean =>
  state === 'failed' &&
  // Older versions of Dyno kept the sentence alone.
  (endedBy === 'definition' || reason.startsWith('stop-when "'));

export const CLAIM_ANSWERS = ['confirmed', 'refuted', 'undecided'] as const;
export type ClaimAnswer = (typeof CLAIM_ANSWERS)[number];
export const VERDICT_ANSWERS = [...CLAIM_ANSWERS, 'no-claim'] as const;

/** The change that a claim is about, between the first and the last level that it names. */
export interface ClaimEffect {
  /** Last level over first, with the interval that decided the claim; null where it is not known. */
  ratio: number | null;
  low: number | null;
  high: number | null;
  /** Means of the first and the last level, with their unit: `1,983 docs/s`; `–` without data. */
  from: string;
  to: string;
  /** The two levels: `10`, `1,000`. */
  fromLevel: string;
  toLevel: string;
  /** `4.3×`, `−35%`; `–` without a ratio. */
  size: string;
  /** `2.1× to 8.7×`, `−41% to −28%`; '' without an interval. */
  interval: string;
  /** What changed, in words: `throughput of ingest`. */
  metric: string;
}

export interface ClaimResult {
  /** As `expect` has it. */
  claim: string;
  answer: ClaimAnswer;
  /** What was found, as a sentence without a full stop. */
  why: string;
  /** Of the combination that decided the claim. Absent where cells were not comparable, and in runs of earlier versions. */
  effect?: ClaimEffect;
}

/** The answer to the hypothesis, with its reasons. */
export interface Verdict {
  /** `no-claim`: there was nothing to decide. Runs of before it existed have `undecided` there, see answerOf. */
  answer: ClaimAnswer | 'no-claim';
  /** One sentence, with the gravest doubt. */
  sentence: string;
  /** The gravest warning about the trials, in a few words. Only runs of versions without `trust` have it. */
  doubt?: string;
  /** How far the trials can be trusted; absent in runs of earlier versions. `trustOf` reads it for all versions. */
  trust?: Trust;
  /** Each claim of `expect`, with what was found. */
  claims: ClaimResult[];
  thresholds: {
    threshold: string;
    passed: boolean;
    /** The worst cell. */ cell: string;
    /** Null without data. */
    value: number | null;
    /** Why there are no data; absent where there are, and in runs of earlier versions. */
    noData?: string;
  }[];
  /** What the reader must know before trusting it: generator limited, unsettled, few trials. */
  warnings: string[];
}

/** Returns the verdict that lists show: null for a run that completed no trial, whatever is stored. */
export const verdictOf = ({
  verdict = null,
  progress,
}: {
  verdict?: Verdict | null;
  progress: Pick<RunDocument['progress'], 'completed'>;
}): Verdict | null => (progress.completed === 0 ? null : verdict);

/** Of a stored verdict, whenever it was stored. */
export const answerOf = ({ answer, claims }: Pick<Verdict, 'answer' | 'claims'>): Verdict['answer'] =>
  claims.length === 0 ? 'no-claim' : answer;
