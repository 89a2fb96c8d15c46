/** Sends one search at a time for a client and notes what became of it. One search counts as one document. */
import { noCounts } from '../../../common/measurement/counts';
import type { Ending, Exchange } from '../transport/exchange';
import type { ClientEvents, OperationClient, OperationSetting, RequestEnd } from './operation';
import { readRefusal, type Refusal } from './refusal';
import { readSearchFailure, readSearchHead } from './search-answer';

export interface PreparedSearch {
  /** Figures are kept by it; '' for none of its own. */
  name: string;
  path: string;
  body: Buffer;
}

const NOTHING = noCounts();

export class SearchSender {
  private start = 0;
  private sent = 0;
  private name = '';
  private bytes = 0;
  private exchange: Exchange | null = null;
  private readonly delta = noCounts();
  private readonly onEnd = (ending: Ending): void => {
    this.ended(ending);
  };

  constructor(
    private readonly client: OperationClient,
    private readonly setting: OperationSetting,
    private readonly headers: string[],
    private readonly events: ClientEvents,
  ) {}

  /** Sends it now; it should have left at `intended`, ms. */
  send({ name, path, body }: PreparedSearch, intended: number | null): void {
    const { clock, transport } = this.setting;
    this.name = name;
    this.bytes = body.length;
    this.sent = clock.now();
    this.start = intended ?? this.sent;
    this.events.onSent(this.client, intended, this.sent);
    this.exchange = transport.send({
      path,
      headers: this.headers,
      body,
      readHead: readSearchHead,
      onEnd: this.onEnd,
    });
  }

  cut(reason: string): void {
    this.exchange?.cut(reason);
  }

  private ended({ status, well, body, failure, message, time }: Ending): void {
    const { recorder } = this.setting;
    const { delta, start, name } = this;
    this.exchange = null;
    Object.assign(delta, NOTHING);
    delta.requests = 1;
    delta.attempted = 1;
    delta.bytes = this.bytes;
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
    this.events.onDone(this.client, end, time);
  }
}
