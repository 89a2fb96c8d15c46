/** Records the results of each request of a task: per second for samples, and exactly for the outcome. */
import { addCounts, noCounts, type Counts } from '../../../common/measurement/counts';
import {
  countedValues,
  createHistogram,
  encodeHistogram,
  recordMs,
} from '../../../common/measurement/histogram';
import type { RecallRecord } from '../../../common/measurement/recall';
import { FailureCounter, reasonsOf, type Failures } from '../../../common/measurement/failures';
import type { Phase } from '../../../common/measurement/sample';
import type { TaskOutcome } from '../contract';
import type { Phases } from '../timing/phases';
import type { TaskSecond } from '../messages';
import { RequestRecorder } from './request-recorder';

/** The basis of a recall: the number of true neighbours (`k`) and the number of query vectors. */
export type JudgedSet = Pick<RecallRecord, 'k' | 'queries'>;

/** Receives the results of requests with the time at which each request was due; see `DueWindow`. */
export interface WindowListener {
  count(due: number, delta: Counts): void;
  served(due: number, ms: number): void;
  completed(due: number, ms: number): void;
  unanswered(due: number, ms: number): void;
  recalled(due: number, name: string, of: JudgedSet, share: number): void;
  figured(due: number, name: string, figure: string, value: number): void;
  named(due: number, name: string, serviceMs: number | null, latencyMs: number | null, failed: boolean): void;
  failed(due: number, type: string, documents: number, example: string): void;
}

/** Numbers of clients, due requests and waiting requests in one second, as an executor reports them. */
export interface Pace {
  clients: number;
  /** Number of requests that were due in the second; null for closed executors. */
  offered: number | null;
  /** Number of requests that were due at the end of the second but not sent. */
  backlog: number;
}

/** Records the results of one task in one load thread. Times are in ms since the start of the load and must not decrease. */
export class TaskRecorder {
  private second = 0;
  private counts = noCounts();
  private readonly service = createHistogram();
  private readonly latency = createHistogram();
  private readonly lag = createHistogram();
  private readonly failures = new FailureCounter();

  private readonly measured = noCounts();
  private readonly cohort = noCounts();
  private readonly total = noCounts();
  private readonly allService = createHistogram();
  private readonly allLatency = createHistogram();
  private readonly allLag = createHistogram();
  private readonly allUnanswered = createHistogram();
  private readonly allNeverSent = createHistogram();
  private readonly requests = new RequestRecorder();
  private readonly allFailures = new FailureCounter();
  /** Reasons for which documents were rejected and then sent again. */
  private readonly allRetries = new FailureCounter();
  private readonly closed: TaskSecond[] = [];
  /** While a search for the highest rate judges a step, this listener receives all results too. Null otherwise. */
  private window: WindowListener | null = null;

  constructor(
    readonly task: string,
    private readonly phases: Phases,
    /** Called at the end of each second `[from, until)`; both in ms since the start of the load. */
    private readonly pace: (from: number, until: number) => Pace,
  ) {}

  /** Whether the target has accepted anything so far. */
  get acceptedAny(): boolean {
    return this.total.accepted + this.counts.accepted > 0;
  }

  /** From now on, reports all requests to `window` too. Null stops these reports. */
  watch(window: WindowListener | null): void {
    this.window = window;
  }

  /** Adds `delta` to the counts, for a request that was due at `due` and first sent at `begun`. Its result became known at `time`. */
  count(time: number, delta: Counts, begun: number, due = begun): void {
    this.rotate(time);
    this.window?.count(due, delta);
    addCounts(this.counts, delta);
    if (this.phases.isMeasured(time)) addCounts(this.measured, delta);
    if (this.phases.isMeasured(begun)) addCounts(this.cohort, delta);
  }

  /**
   * Records the service time of an HTTP request or a whole transaction that was sent at `sent` and ended at `time`. If the request was due
   * in the warm-up (at `due`), its time does not count for the measured phase, even if it was sent later.
   */
  served(time: number, sent: number, due: number): void {
    this.rotate(time);
    this.window?.served(due, time - sent);
    recordMs(this.service, time - sent);
    if (this.phases.isMeasured(due)) recordMs(this.allService, time - sent);
  }

  /** Records the latency of a logical request that was due at `due`. The latency includes retries and their pauses. */
  completed(time: number, due: number): void {
    this.rotate(time);
    this.window?.completed(due, time - due);
    recordMs(this.latency, time - due);
    if (this.phases.isMeasured(due)) recordMs(this.allLatency, time - due);
  }

  /**
   * Marks a request as unanswered: it was given up at `time`, so its latency is only a lower bound. Call {@link completed} for the request
   * too.
   */
  unanswered(time: number, due: number): void {
    this.window?.unanswered(due, time - due);
    if (this.phases.isMeasured(due)) recordMs(this.allUnanswered, time - due);
  }

  /**
   * Records a request that was due at `due`, was never sent, and was given up at `time`. Its latency is therefore longer than `time - due`.
   */
  neverSent(time: number, due: number): void {
    if (!this.phases.isMeasured(due)) return;
    recordMs(this.allLatency, time - due);
    recordMs(this.allNeverSent, time - due);
  }

  /**
   * Records that a request ended at `time`, under the name of the request. `due`: when the request, or its transaction, was due.
   * `serviceMs` is null if it got no connection. `latencyMs` is null for a part of a transaction.
   */
  named(
    time: number,
    due: number,
    name: string,
    serviceMs: number | null,
    latencyMs: number | null,
    failed: boolean,
  ): void {
    this.rotate(time);
    this.window?.named(due, name, serviceMs, latencyMs, failed);
    this.requests.ended(name, serviceMs, latencyMs, failed, this.phases.isMeasured(due));
  }

  /**
   * Records which share of the true neighbours a response contains. `due`: when the request was due. Call this before {@link named}, which
   * counts the request.
   */
  recalled(time: number, due: number, name: string, of: JudgedSet, share: number): void {
    this.rotate(time);
    this.window?.recalled(due, name, of, share);
    this.requests.recalled(name, of, share, this.phases.isMeasured(due));
  }

  /** Records a number from the response to a named request that was due at `due`. Call this before {@link named}. */
  figured(time: number, due: number, name: string, figure: string, value: number): void {
    this.rotate(time);
    this.window?.figured(due, name, figure, value);
    if (this.phases.isMeasured(due)) this.requests.figured(name, figure, value);
  }

  /** Records that `documents` of a request, first sent at `begun`, failed or were rejected with error `type`. */
  failed(time: number, type: string, documents: number, example: string, begun: number, due = begun): void {
    this.rotate(time);
    this.window?.failed(due, type, documents, example);
    this.failures.add(type, documents, example);
    if (this.phases.isMeasured(begun)) this.allFailures.add(type, documents, example);
  }

  /** Records the failures of a request whose response contains several reasons, as a call of {@link failed} for each reason. */
  failedFor(time: number, failures: Failures, begun: number, due = begun): void {
    for (const [type, failure] of Object.entries(failures))
      for (const { count, example } of reasonsOf(failure))
        this.failed(time, type, count, example, begun, due);
  }

  /**
   * Records the reasons of rejections whose documents will be sent again. They do not count as failures. `begun`: time at which the request
   * was first sent.
   */
  retriedFor(failures: Failures, begun: number): void {
    if (this.phases.isMeasured(begun)) this.allRetries.addAll(failures);
  }

  /** Records how late the load generator sent a request of an open executor, in ms. */
  lagged(time: number, ms: number): void {
    this.rotate(time);
    recordMs(this.lag, ms);
    if (this.phases.isMeasured(time)) recordMs(this.allLag, ms);
  }

  /** For each second that has ended by `time`: stores its results, and begins the next second. */
  rotate(time: number): void {
    while (time >= (this.second + 1) * 1000) this.close((this.second + 1) * 1000);
  }

  /** Stores the results of all seconds that have ended by `time`. Returns all results since the last call, one element per second. */
  takeSeconds(time: number): TaskSecond[] {
    this.rotate(time);
    return this.closed.splice(0);
  }

  /** Ends the current second early and stores its results. Returns all results since the last call, one element per second. */
  takeLast(time: number): TaskSecond[] {
    this.rotate(time);
    this.close(time);
    return this.closed.splice(0);
  }

  /** Returns the results of the measured phase. Call this once, after {@link takeLast}. */
  outcome(): Pick<
    TaskOutcome,
    | 'measured'
    | 'cohort'
    | 'total'
    | 'service'
    | 'latency'
    | 'lag'
    | 'unanswered'
    | 'neverSent'
    | 'requests'
    | 'failures'
    | 'retries'
  > {
    return {
      measured: this.measured,
      cohort: this.cohort,
      total: this.total,
      service: encodeHistogram(this.allService),
      latency: encodeHistogram(this.allLatency),
      ...(this.allLag.totalCount === 0 ? {} : { lag: encodeHistogram(this.allLag) }),
      unanswered: encodeHistogram(this.allUnanswered),
      neverSent: encodeHistogram(this.allNeverSent),
      requests: this.requests.outcome(),
      failures: this.allFailures.take(),
      ...(this.allRetries.isEmpty ? {} : { retries: this.allRetries.take() }),
    };
  }

  private close(until: number): void {
    const from = this.second * 1000;
    const phase: Phase = this.phases.at(from);
    this.closed.push({
      task: this.task,
      second: this.second,
      phase,
      counts: this.counts,
      service: countedValues(this.service),
      latency: countedValues(this.latency),
      scheduleLagMs: this.lag.totalCount === 0 ? 0 : this.lag.getValueAtPercentile(99) / 1000,
      failures: this.failures.take(),
      requests: this.requests.takeSecond(),
      ...this.pace(from, until),
    });
    addCounts(this.total, this.counts);
    this.counts = noCounts();
    this.failures.clear();
    this.service.reset();
    this.latency.reset();
    this.lag.reset();
    this.second += 1;
  }
}
