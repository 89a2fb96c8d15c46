/** Measurements of one task in one second, as the load generator reports them. */
import type { Counts } from './counts';
import type { Failures } from './failures';
import type { EncodedHistogram } from './histogram';
import type { MachineLoad } from './instrument';
import type { AnswerFigureRecord } from './answer-figure';
import type { RecallRecord } from './recall';
import { parseTime } from '../units/time';

/** Phase of a trial. `prepare` and `drain` are not measured. Samples of `warm-up` are stored, but no metric includes them. */
export type Phase = 'prepare' | 'warm-up' | 'measure' | 'drain';

/** Measurements of one named request of a task, or of one part of its transactions, in one second. */
export interface RequestRecord<Times = EncodedHistogram> {
  /** Number of requests that ended. */
  count: number;
  failed: number;
  service: Times;
  /**
   * Time from the intended start of a request to the complete answer. Null for parts of a transaction: they have no intended start, so
   * their latency would equal the service time.
   */
  latency: Times | null;
  /** Recall, for requests whose true neighbours are known; absent for others. */
  recall?: RecallRecord;
  /** Numbers that are read from answers, by name; absent if the definition asks for none. */
  figures?: Record<string, AnswerFigureRecord>;
}

/** Health of the load generator in one second. If a value cannot be added up over threads, it is that of the worst thread. */
export interface GeneratorHealth {
  /** CPU time of the process's load threads in that second, in ms (1000 = one core busy). */
  cpuMs: number;
  /** Share of the second in which the busiest thread's event loop was not idle, in [0, 1]. */
  utilisation: number;
  /** p99 of the event-loop delay of the worst thread, in ms. */
  eventLoopDelayMs: number;
  /**
   * p99 of the delay with which the load generator sent requests of open executors after they were due, in ms. Waits for a free client do
   * not count. 0 for closed executors.
   */
  scheduleLagMs: number;
  /**
   * Load of the generator's machine by all processes. Absent if the system does not report it, and in documents of older versions of Dyno.
   */
  machine?: MachineLoad;
}

export interface Sample {
  task: string;
  /** Start of the second, in ms since the epoch: start of the trial + n × 1000. */
  at: number;
  phase: Phase;
  /** Counts of the requests that ended in this second. */
  counts: Counts;
  /** Time from sending a request to its complete answer, of the requests that ended in this second. */
  service: EncodedHistogram;
  /** Time from the intended start to the complete answer; equal to `service` for closed executors. */
  latency: EncodedHistogram;
  /** Number of active clients (closed executors) or requests in flight (open executors) at the end of the second. */
  clients: number;
  /** Number of requests that were due in this second; null for closed executors. */
  offered: number | null;
  /** Number of requests that are due and not yet sent at the end of the second. */
  backlog: number;
  failures: Failures;
  /** Named requests of a search, or parts of a transaction, that ended in this second. */
  requests: Record<string, RequestRecord>;
  generator: GeneratorHealth;
}

/** Length of a sample, in ms. */
export const SECOND_MS = 1000;

/** Returns the end of a trial's load in ms since the epoch; null while it is not known. */
export function loadEnd({ drain, ended }: { drain: string | null; ended: string | null }): number | null {
  const known = [drain, ended].filter((time) => time !== null).map(parseTime);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Returns whether the load ran for the whole second that begins at `at`. Only then can the counts of the second be read as a rate. Nothing
 * is sent in the drain, and the load ends in the middle of the last second of the measured phase. `end` is the result of {@link loadEnd}.
 */
export const isWholeSecond = (at: number, phase: string, end: number | null): boolean =>
  phase !== 'drain' && (end === null || at + SECOND_MS <= end);
