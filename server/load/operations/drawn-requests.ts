/**
 * Sends requests that are chosen at random from a weighted list. A failed request is not sent again. Each request counts as one document.
 */
import { DistinctCounter, type DrawnSketch } from '../../../common/measurement/distinct';
import type { DrawnRequestsJob } from '../../../common/tasks/search';
import type { ClientEvents, Operation, OperationClient, RequestSetting } from './operation';
import { compileRequests, drawAll, hashOf, type CompiledRequest, type Rendered } from './prepared-request';
import { RequestSender } from './request-sender';
import { Sequence } from './sequence';

export class DrawnRequestsOperation implements Operation {
  readonly exhausted = false;
  readonly requests: readonly CompiledRequest[];
  readonly distinct = new DistinctCounter();
  /**
   * For each request, the sum of its weight and the weights of all requests before it. The weights are scaled so that the last value is 1.
   */
  private readonly until: readonly number[];

  constructor(
    job: DrawnRequestsJob,
    readonly setting: RequestSetting,
  ) {
    this.requests = compileRequests(job.requests, job.parameters, setting);
    const total = job.requests.reduce((sum, { weight }) => sum + weight, 0);
    let reached = 0;
    this.until = job.requests.map(({ weight }) => (reached += weight) / total);
  }

  createClient(events: ClientEvents): OperationClient {
    return new DrawnRequestsClient(this, events);
  }

  drew(): DrawnSketch {
    return this.distinct.sketch();
  }

  close(): void {
    // These requests have no source that must be closed.
  }

  /** Draws a request by weight. Returns its index in `requests`. */
  draw(): number {
    const point = this.setting.random.unit();
    const place = this.until.findIndex((until) => point < until);
    return place < 0 ? this.until.length - 1 : place;
  }
}

class DrawnRequestsClient implements OperationClient {
  private readonly sender: RequestSender;
  /**
   * Memory for the bytes of requests with parameters. The index is the position of the request in the list. Only for requests that are a
   * single HTTP request.
   */
  private readonly rendered: Rendered[] = [];
  /** Requests that consist of several HTTP requests, such as a scroll. The index is the position of the request in the list. */
  private readonly sequences: Sequence[] = [];
  /** The request in flight. */
  private current: RequestSender | Sequence;

  constructor(
    private readonly operation: DrawnRequestsOperation,
    private readonly events: ClientEvents,
  ) {
    this.sender = new RequestSender(this, operation.setting, events);
    this.current = this.sender;
  }

  begin(intended: number | null): void {
    const place = this.operation.draw();
    const request = this.operation.requests[place]!;
    if (request.steps.length > 1) {
      const sequence = (this.sequences[place] ??= this.sequenceOf(request));
      this.current = sequence;
      sequence.begin(intended);
      this.operation.distinct.add(hashOf(place, request.drawn));
      return;
    }
    this.current = this.sender;
    const step = request.steps[0]!;
    if (step.fixed === null) drawAll(request.drawn);
    this.operation.distinct.add(hashOf(place, request.drawn));
    if (step.fixed !== null) this.sender.send(step.fixed, intended);
    else {
      this.sender.send(step.render((this.rendered[place] ??= step.blank())), intended);
    }
  }

  cut(reason: string): void {
    this.current.cut(reason);
  }

  private sequenceOf(request: CompiledRequest): Sequence {
    return new Sequence([request], this.operation.setting, this, this.events, [], true);
  }
}
