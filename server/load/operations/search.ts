/** Searches: each request is drawn from a weighted list and sent once. One search counts as one document. */
import { noCounts } from '../../../common/measurement/counts';
import type { SearchJob } from '../contract';
import type { Ending, Exchange } from '../transport/exchange';
import type { ClientEvents, Operation, OperationClient, OperationSetting, RequestEnd } from './operation';
import { readRefusal, type Refusal } from './refusal';
import { readSearchFailure, readSearchHead } from './search-answer';

interface PreparedSearch {
  name: string;
  path: string;
  body: Buffer;
  /** Share of this request and all before it, in (0, 1]. */
  until: number;
}

const NOTHING = noCounts();

export class SearchOperation implements Operation {
  readonly exhausted = false;
  readonly headers: string[];
  private readonly searches: PreparedSearch[];

  constructor(
    job: SearchJob,
    readonly setting: OperationSetting,
  ) {
    this.headers = setting.transport.headersFor('application/json');
    const total = job.requests.reduce((sum, { weight }) => sum + weight, 0);
    let reached = 0;
    this.searches = job.requests.map(({ name, weight, body, params }) => {
      reached += weight;
      const query = params === '' ? '' : `?${params}`;
      return {
        name,
        path: `/${encodeURIComponent(setting.indices.join())}/_search${query}`,
        body: Buffer.from(body, 'utf8'),
        until: reached / total,
      };
    });
  }

  createClient(events: ClientEvents): OperationClient {
    return new SearchClient(this, events);
  }

  close(): void {
    // Holds nothing open.
  }

  /** A request, by weight. */
  draw(): PreparedSearch {
    const point = this.setting.random.unit();
    return this.searches.find(({ until }) => point < until) ?? this.searches[this.searches.length - 1]!;
  }
}

class SearchClient implements OperationClient {
  private start = 0;
  private sent = 0;
  private search: PreparedSearch;
  private exchange: Exchange | null = null;
  private readonly delta = noCounts();
  private readonly onEnd = (ending: Ending): void => {
    this.ended(ending);
  };

  constructor(
    private readonly operation: SearchOperation,
    private readonly events: ClientEvents,
  ) {
    this.search = operation.draw();
  }

  begin(intended: number | null): void {
    const { setting, headers } = this.operation;
    this.search = this.operation.draw();
    this.sent = setting.clock.now();
    this.start = intended ?? this.sent;
    this.events.onSent(this, intended, this.sent);
    const { path, body } = this.search;
    this.exchange = setting.transport.send({
      path,
      headers,
      body,
      readHead: readSearchHead,
      onEnd: this.onEnd,
    });
  }

  cut(reason: string): void {
    this.exchange?.cut(reason);
  }

  private ended({ status, well, body, failure, message, time }: Ending): void {
    const { recorder } = this.operation.setting;
    const { delta, start } = this;
    const { name } = this.search;
    this.exchange = null;
    Object.assign(delta, NOTHING);
    delta.requests = 1;
    delta.attempted = 1;
    delta.bytes = this.search.body.length;
    // A connection that was refused at once tells nothing of how fast the target is.
    if (failure !== 'connection') recorder.served(time, this.sent, this.sent, name);

    let end: RequestEnd = 'answered';
    let why: Refusal | null = null;
    if (failure !== '') why = { type: failure, reason: message };
    else if (status >= 300) why = readRefusal(status, body);
    else if (!well) why = readSearchFailure(body!);
    if (why === null) delta.accepted = 1;
    else {
      if (status === 429) delta.rejected = 1;
      else delta.failed = 1;
      if (status === 0 || status >= 300 || why.type === 'bad-answer') delta.failedRequests = 1;
      // A search that is wrong (4xx) is answered as fast as any; only what hinders the target slows its client.
      if (delta.failedRequests === 1 && (status === 0 || status >= 500)) end = 'unanswered';
      recorder.failed(time, why.type, 1, why.reason, this.sent);
      recorder.failedNamed(this.sent, name);
    }
    recorder.count(time, delta, this.sent);
    if (failure !== 'connection') recorder.completed(time, start, this.sent, name);
    this.events.onDone(this, end, time);
  }
}
