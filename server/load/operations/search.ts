/** Searches: each request is drawn from a weighted list and sent once. One search counts as one document. */
import type { SearchJob } from '../../../common/tasks/search';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { prepareSearch, type PreparedSearch } from './prepared-search';
import { SearchSender } from './search-sender';

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
  private readonly sender: SearchSender;

  constructor(
    private readonly operation: SearchOperation,
    events: ClientEvents,
  ) {
    this.sender = new SearchSender(this, operation.setting, operation.headers, events);
  }

  begin(intended: number | null): void {
    this.sender.send(this.operation.draw(), intended);
  }

  cut(reason: string): void {
    this.sender.cut(reason);
  }
}
