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

/** Measurements of one named request of a task, or of one request of its transactions, in one second. */
export interface RequestRecord<Times = EncodedHistogram> {
  /** Number of requests that ended. */
  count: number;
  failed: number;
  service: Times;
  /**
   * Time from the moment when a request was due to its complete response. Null for requests of a transaction: they are not due at a certain
   * moment, so their latency would equal the service time.
   */
  latency: Times | null;
  /** Recall of vector searches. Present if the true neighbours of the query vectors are known. */
  recall?: RecallRecord;
  /** Numbers that are read from responses, such as `took`, by name. Absent if the definition does not ask for any. */
  figures?: Record<string, AnswerFigureRecord>;
}

/**
 * Health of the load generator in one second. Values that cannot be added up over load threads, such as percentiles, are those of the
 * busiest or slowest thread.
 */
export interface GeneratorHealth {
  /** CPU time of the process's load threads in that second, in ms (1000 = one core busy). */
  cpuMs: number;
  /** Share of the second in which the busiest thread's event loop was not idle, in [0, 1]. */
  utilisation: number;
  /** p99 of the event-loop delay of the thread with the longest delay, in ms. */
  eventLoopDelayMs: number;
  /**
   * p99 of the delay with which requests were sent after they were due, in ms, for tasks with a fixed rate. Waits for a free client do not
   * count. 0 for tasks with a fixed number of clients, because they have no schedule.
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
  /** Time from sending a request to its complete response, for the requests that ended in this second. */
  service: EncodedHistogram;
  /**
   * Time from the moment when a request was due to its complete response. For tasks with a fixed number of clients it equals `service`,
   * because their requests are not due at a certain moment.
   */
  latency: EncodedHistogram;
  /**
   * For tasks with a fixed number of clients: number of active clients at the end of the second. For tasks with a fixed rate: number of
   * requests in flight.
   */
  clients: number;
  /** Number of requests that were due in this second; null for tasks with a fixed number of clients. */
  offered: number | null;
  /** Number of requests that are due and not yet sent at the end of the second. */
  backlog: number;
  failures: Failures;
  /**
   * Measurements of the named requests of a search, or of the requests of a transaction, that ended in this second. The key is the name of
   * the request.
   */
  requests: Record<string, RequestRecord>;
  generator: GeneratorHealth;
}

/** Length of a sample, in ms. */
export const SECOND_MS = 1000;

/**
 * Returns the end of a trial's load in ms since the epoch; null while it is unknown. `drain`, `ended`: start of the drain and end of the
 * trial, ISO 8601.
 */
export function loadEnd({ drain, ended }: { drain: string | null; ended: string | null }): number | null {
  const known = [drain, ended].filter((time) => time !== null).map(parseTime);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Returns whether the load ran for the whole second that begins at `at`. Only then are the counts of the second a rate. They are not in the
 * phase `drain`, in which Dyno sends nothing, and in the last second of the load. `end`: result of {@link loadEnd}.
 */
export const isWholeSecond = (at: number, phase: string, end: number | null): boolean =>
  phase !== 'drain' && (end === null || at + SECOND_MS <= end);
