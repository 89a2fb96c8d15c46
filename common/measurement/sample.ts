/** What one task did in one second, as the generator tells it and the results keep it. */
import type { Counts } from './counts';
import type { Failures } from './failures';
import type { EncodedHistogram } from './histogram';
import type { MachineLoad } from './instrument';
import type { AnswerFigureRecord } from './answer-figure';
import type { RecallRecord } from './recall';
import { parseTime } from '../units/time';

/** prepare and drain are not measured; warm-up is kept but never counted into a figure. */
export type Phase = 'prepare' | 'warm-up' | 'measure' | 'drain';

/** What one named request of a task, or one part of its transactions, did in one second. */
export interface RequestRecord<Times = EncodedHistogram> {
  /** Requests that ended. */
  count: number;
  failed: number;
  service: Times;
  /** Null where it is that of the service time: a part of a transaction has no schedule of its own. */
  latency: Times | null;
  /** Of those whose true neighbours are known; absent for others. */
  recall?: RecallRecord;
  /** Numbers out of the answers, by their names; absent where none are taken. */
  figures?: Record<string, AnswerFigureRecord>;
}

/** How the generator itself fared in that second; the worst of its threads where a figure is no sum. */
export interface GeneratorHealth {
  /** CPU time of the process's load threads in that second, ms (1000 = one core busy). */
  cpuMs: number;
  /** Share of the second in which the busiest thread's event loop was not idle, in [0, 1]. */
  utilisation: number;
  /** Event-loop delay p99 of the worst thread, ms. */
  eventLoopDelayMs: number;
  /** How late requests of open executors left against their schedule through the generator's own fault, p99, ms; 0 for closed executors. */
  scheduleLagMs: number;
  /** Of its machine, by all processes. Absent where the system does not tell, and in documents of older versions of Dyno. */
  machine?: MachineLoad;
}

export interface Sample {
  task: string;
  /** Start of the second, ms since the epoch, on the trial's own grid: trial start + n x 1000. */
  at: number;
  phase: Phase;
  /** Requests that ended in this second. */
  counts: Counts;
  /** Request sent to response complete, of the requests that ended in this second. */
  service: EncodedHistogram;
  /** Intended start to response complete; equal to `service` for closed executors: a response time. */
  latency: EncodedHistogram;
  /** Clients that were active (closed executors) or requests in flight (open ones) at the end of the second. */
  clients: number;
  /** Requests that the schedule asked for in this second; null for closed executors. */
  offered: number | null;
  /** Requests that are due and not yet sent, at the end of the second. */
  backlog: number;
  failures: Failures;
  /** Per named request of a search, or part of a transaction, that ended in this second. */
  requests: Record<string, RequestRecord>;
  generator: GeneratorHealth;
}

/** Length of what a sample tells of, ms. */
export const SECOND_MS = 1000;

/** When the load of a trial ended, ms since the epoch; null while that is not known. */
export function loadEnd({ drain, ended }: { drain: string | null; ended: string | null }): number | null {
  const known = [drain, ended].filter((time) => time !== null).map(parseTime);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Whether the load ran through the whole second that begins at `at`. Only the counts of such a second are a rate: nothing is sent
 * in the drain, and the load ends within the last second of the measured phase. `end` as {@link loadEnd} returns it.
 */
export const isWholeSecond = (at: number, phase: string, end: number | null): boolean =>
  phase !== 'drain' && (end === null || at + SECOND_MS <= end);
