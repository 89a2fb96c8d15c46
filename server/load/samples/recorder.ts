/** What a task did, noted request by request: by the second for the samples, and exactly for the outcome. */
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

/** What recall is judged against. */
export type JudgedSet = Pick<RecallRecord, 'k' | 'queries'>;

/** Judges requests by when they were due, not by when they ended; see `DueWindow`. */
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

/** What the executor adds to each second. */
export interface Pace {
  clients: number;
  /** Requests due in the second; null for closed executors. */
  offered: number | null;
  backlog: number;
}

/** Times are ms since the start of the load and must not go back. */
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
  /** Of what was refused for load and sent again. */
  private readonly allRetries = new FailureCounter();
  private readonly closed: TaskSecond[] = [];
  /** Told, beside everything else, of what was due in a stretch of time. */
  private window: WindowListener | null = null;

  constructor(
    readonly task: string,
    private readonly phases: Phases,
    /** Asked at the end of each second, `[from, until)` in ms. */
    private readonly pace: (from: number, until: number) => Pace,
  ) {}

  /** True once anything was accepted. */
  get acceptedAny(): boolean {
    return this.total.accepted + this.counts.accepted > 0;
  }

  /** From now on `window` is told too; null ends that. */
  watch(window: WindowListener | null): void {
    this.window = window;
  }

  /** Adds what became known at `time` of a request that was first sent at `begun` and due at `due`. */
  count(time: number, delta: Counts, begun: number, due = begun): void {
    this.rotate(time);
    this.window?.count(due, delta);
    addCounts(this.counts, delta);
    if (this.phases.isMeasured(time)) addCounts(this.measured, delta);
    if (this.phases.isMeasured(begun)) addCounts(this.cohort, delta);
  }

  /**
   * What was sent at `sent` and ended at `time`: one HTTP request, or a transaction as a whole. Its logical request was
   * due at `due`, which decides whether it is measured: what was due before the phase is the warm-up's, however late it
   * could be sent.
   */
  served(time: number, sent: number, due: number): void {
    this.rotate(time);
    this.window?.served(due, time - sent);
    recordMs(this.service, time - sent);
    if (this.phases.isMeasured(due)) recordMs(this.allService, time - sent);
  }

  /** One logical request, due at `due`, retries and their pauses included. */
  completed(time: number, due: number): void {
    this.rotate(time);
    this.window?.completed(due, time - due);
    recordMs(this.latency, time - due);
    if (this.phases.isMeasured(due)) recordMs(this.allLatency, time - due);
  }

  /** Of one that was {@link completed}: no answer came, and `time` is only when that was known. */
  unanswered(time: number, due: number): void {
    this.window?.unanswered(due, time - due);
    if (this.phases.isMeasured(due)) recordMs(this.allUnanswered, time - due);
  }

  /** What was due at `due` and never sent: it took longer than until `time`, when it was given up. */
  neverSent(time: number, due: number): void {
    if (!this.phases.isMeasured(due)) return;
    recordMs(this.allLatency, time - due);
    recordMs(this.allNeverSent, time - due);
  }

  /**
   * A named request ended at `time`, beside what was counted of its task; it, or the transaction that it is a part of,
   * was due at `due`. Times in ms as {@link RequestRecorder.ended} takes them.
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

  /** The answer to a named request, which was due at `due`, held this share of the true neighbours; before it is {@link named}. */
  recalled(time: number, due: number, name: string, of: JudgedSet, share: number): void {
    this.rotate(time);
    this.window?.recalled(due, name, of, share);
    this.requests.recalled(name, of, share, this.phases.isMeasured(due));
  }

  /** The answer to a named request, which was due at `due`, has this number; before it is {@link named}. */
  figured(time: number, due: number, name: string, figure: string, value: number): void {
    this.rotate(time);
    this.window?.figured(due, name, figure, value);
    if (this.phases.isMeasured(due)) this.requests.figured(name, figure, value);
  }

  /** `documents` of a request first sent at `begun` failed, or were rejected, for `type`. */
  failed(time: number, type: string, documents: number, example: string, begun: number, due = begun): void {
    this.rotate(time);
    this.window?.failed(due, type, documents, example);
    this.failures.add(type, documents, example);
    if (this.phases.isMeasured(begun)) this.allFailures.add(type, documents, example);
  }

  /** The same for each reason of documents that one answer was about. */
  failedFor(time: number, failures: Failures, begun: number, due = begun): void {
    for (const [type, failure] of Object.entries(failures))
      for (const { count, example } of reasonsOf(failure))
        this.failed(time, type, count, example, begun, due);
  }

  /** Documents of a request first sent at `begun` were refused for these reasons, and are sent again. */
  retriedFor(failures: Failures, begun: number): void {
    if (this.phases.isMeasured(begun)) this.allRetries.addAll(failures);
  }

  /** A request of an open executor left this late through our own fault, ms. */
  lagged(time: number, ms: number): void {
    this.rotate(time);
    recordMs(this.lag, ms);
    if (this.phases.isMeasured(time)) recordMs(this.allLag, ms);
  }

  /** Closes the seconds that ended by `time`. */
  rotate(time: number): void {
    while (time >= (this.second + 1) * 1000) this.close((this.second + 1) * 1000);
  }

  /** Closes the seconds that ended by `time` and returns all that were closed since the last call. */
  takeSeconds(time: number): TaskSecond[] {
    this.rotate(time);
    return this.closed.splice(0);
  }

  /** Closes the running second too, however short. */
  takeLast(time: number): TaskSecond[] {
    this.rotate(time);
    this.close(time);
    return this.closed.splice(0);
  }

  /** Everything of the measured phase; call it once, after {@link takeLast}. */
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
