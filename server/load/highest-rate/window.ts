/** Results of those requests of a task that were due in a certain time window, whenever they were answered. */
import { addCounts, noCounts, type Counts } from '../../../common/measurement/counts';
import { createHistogram, encodeHistogram, recordMs } from '../../../common/measurement/histogram';
import { FailureCounter } from '../../../common/measurement/failures';
import type { JudgedSet } from '../samples/recorder';
import { RequestRecorder } from '../samples/request-recorder';
import type { Condition } from '../../../common/measurement/condition';
import { LimitTallies } from './limit-test';
import type { StepReport } from './orders';

/** A window of due times, in ms since the start of the load. */
export class DueWindow {
  private readonly counts = noCounts();
  private readonly service = createHistogram();
  private readonly latency = createHistogram();
  private readonly lost = createHistogram();
  private readonly notSent = createHistogram();
  private readonly failures = new FailureCounter();
  private readonly requests = new RequestRecorder();
  private readonly tallies: LimitTallies;

  /** `limits`: the limits of the search for the highest rate. */
  constructor(
    readonly from: number,
    readonly until: number,
    limits: readonly Condition[],
  ) {
    this.tallies = new LimitTallies(limits, from, until);
  }

  has(due: number): boolean {
    return due >= this.from && due < this.until;
  }

  count(due: number, delta: Counts): void {
    if (!this.has(due)) return;
    addCounts(this.counts, delta);
    this.tallies.count(due, delta);
  }

  served(due: number, ms: number): void {
    if (!this.has(due)) return;
    recordMs(this.service, ms);
    this.tallies.timed('service_time', due, ms);
  }

  completed(due: number, ms: number): void {
    if (!this.has(due)) return;
    recordMs(this.latency, ms);
    this.tallies.timed('latency', due, ms);
  }

  /**
   * Records that a request was given up after `ms` without a response. The caller must also pass this time to {@link completed}, because it
   * counts as a latency.
   */
  unanswered(due: number, ms: number): void {
    if (this.has(due)) recordMs(this.lost, ms);
  }

  /** Records a request that was due, but was given up after `ms` without being sent. */
  neverSent(due: number, ms: number): void {
    this.completed(due, ms);
    if (this.has(due)) recordMs(this.notSent, ms);
  }

  named(
    due: number,
    name: string,
    serviceMs: number | null,
    latencyMs: number | null,
    failed: boolean,
  ): void {
    if (this.has(due)) this.requests.ended(name, serviceMs, latencyMs, failed, true);
  }

  recalled(due: number, name: string, of: JudgedSet, share: number): void {
    if (this.has(due)) this.requests.recalled(name, of, share, true);
  }

  figured(due: number, name: string, figure: string, value: number): void {
    if (this.has(due)) this.requests.figured(name, figure, value);
  }

  failed(due: number, type: string, documents: number, example: string): void {
    if (this.has(due)) this.failures.add(type, documents, example);
  }

  report(): Pick<
    StepReport,
    'counts' | 'service' | 'latency' | 'unanswered' | 'neverSent' | 'requests' | 'failures' | 'tallies'
  > {
    const { counts, service, latency, lost, notSent, requests, failures } = this;
    return {
      counts,
      service: encodeHistogram(service),
      latency: encodeHistogram(latency),
      unanswered: encodeHistogram(lost),
      neverSent: encodeHistogram(notSent),
      requests: requests.outcome(),
      failures: failures.take(),
      tallies: this.tallies.report(),
    };
  }
}
