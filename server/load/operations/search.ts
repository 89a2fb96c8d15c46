/** Searches: each request is drawn from a weighted list and sent once. One search counts as one document. */
import { noCounts } from '../../../common/measurement/counts';
import type { SearchJob } from '../contract';
import type { Ending, Exchange } from '../transport/exchange';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { prepareSearch, type PreparedSearch } from './prepared-search';
import { readSearchHead } from './search-answer';
import { clearCounts, searchFailure } from './search-failure';

interface WeightedSearch extends PreparedSearch {
  /** Share of this request and all before it, in (0, 1]. */
  until: number;
}

export class SearchOperation implements Operation {
  readonly exhausted = false;
  readonly headers: string[];
  private readonly searches: WeightedSearch[];

  constructor(
    job: SearchJob,
    readonly setting: OperationSetting,
  ) {
    this.headers = setting.transport.headersFor('application/json');
    const total = job.requests.reduce((sum, { weight }) => sum + weight, 0);
    let reached = 0;
    this.searches = job.requests.map(({ weight, ...request }) => {
      reached += weight;
      return { ...prepareSearch(request, setting.indices), until: reached / total };
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

  private ended(ending: Ending): void {
    const { recorder } = this.operation.setting;
    const { start, sent } = this;
    const { name, body } = this.search;
    const { time } = ending;
    const why = searchFailure(ending);
    this.exchange = null;
    const delta = clearCounts(this.delta);
    delta.requests = 1;
    delta.attempted = 1;
    delta.bytes = body.length;
    if (why === null) delta.accepted = 1;
    else {
      if (why.rejected) delta.rejected = 1;
      else delta.failed = 1;
      if (why.whole) delta.failedRequests = 1;
      recorder.failed(time, why.type, 1, why.reason, sent);
    }
    recorder.count(time, delta, sent);
    // A connection that was refused at once tells nothing of how fast the target is.
    const lost = ending.failure === 'connection';
    if (!lost) {
      recorder.served(time, sent, sent);
      recorder.completed(time, start, sent);
    }
    recorder.named(time, sent, name, lost ? null : time - sent, lost ? null : time - start, why !== null);
    this.events.onDone(this, why?.end ?? 'answered', time);
  }
}
