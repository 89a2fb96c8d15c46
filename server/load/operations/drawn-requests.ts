/** Requests of which one is drawn each time from a weighted list and sent once. One request counts as one document. */
import type { DrawnRequestsJob } from '../../../common/tasks/search';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { compileRequests, drawAll, type CompiledRequest, type Rendered } from './prepared-request';
import { RequestSender } from './request-sender';

export class DrawnRequestsOperation implements Operation {
  readonly exhausted = false;
  readonly requests: readonly CompiledRequest[];
  /** Share of each request and all before it, in (0, 1]. */
  private readonly until: readonly number[];

  constructor(
    job: DrawnRequestsJob,
    readonly setting: OperationSetting,
  ) {
    this.requests = compileRequests(job.requests, job.parameters, setting);
    const total = job.requests.reduce((sum, { weight }) => sum + weight, 0);
    let reached = 0;
    this.until = job.requests.map(({ weight }) => (reached += weight) / total);
  }

  createClient(events: ClientEvents): OperationClient {
    return new DrawnRequestsClient(this, events);
  }

  close(): void {
    // Holds nothing open.
  }

  /** The place of a request, by weight. */
  draw(): number {
    const point = this.setting.random.unit();
    const place = this.until.findIndex((until) => point < until);
    return place < 0 ? this.until.length - 1 : place;
  }
}

class DrawnRequestsClient implements OperationClient {
  private readonly sender: RequestSender;
  /** By place, of those with parameters. */
  private readonly rendered: Rendered[] = [];

  constructor(
    private readonly operation: DrawnRequestsOperation,
    events: ClientEvents,
  ) {
    this.sender = new RequestSender(this, operation.setting, events);
  }

  begin(intended: number | null): void {
    const place = this.operation.draw();
    const request = this.operation.requests[place]!;
    if (request.fixed !== null) this.sender.send(request.fixed, intended);
    else {
      drawAll(request.values);
      this.sender.send(request.render((this.rendered[place] ??= request.blank())), intended);
    }
  }

  cut(reason: string): void {
    this.sender.cut(reason);
  }
}
