/** Sends one request at a time for a client, and records its outcome. In the counts of documents, a request counts as one document. */
import { clearCounts, noCounts } from '../../../common/measurement/counts';
import type { Ending } from '../transport/exchange';
import type { InFlight } from '../transport/transport';
import type { ClientEvents, OperationClient, RequestSetting } from './operation';
import type { PreparedRequest, RequestForm } from './prepared-request';
import { judgeRecall } from './recall';
import { noteFigures, requestFailure } from './request-failure';

/** Function that returns the failure of a request, or null if the request succeeded. */
export type JudgeEnding = typeof requestFailure;

export class RequestSender {
  /** Time at which the request was due, in ms since the start of the load. Null if it is sent as soon as the previous request has ended. */
  private intended: number | null = null;
  /** Time at which the request was handed to the transport, in ms since the start of the load. */
  private sent = 0;
  private name = '';
  private route = '';
  private bytes = 0;
  private query = -1;
  private form: RequestForm | null = null;
  private exchange: InFlight | null = null;
  /** The last response that was parsed as a whole. */
  private answer: unknown = undefined;
  private readonly onAnswer = (answer: unknown): void => {
    this.answer = answer;
  };
  private readonly delta = noCounts();
  private readonly onEnd = (ending: Ending): void => {
    this.ended(ending);
  };

  constructor(
    private readonly client: OperationClient,
    private readonly setting: RequestSetting,
    private readonly events: ClientEvents,
    private readonly judge: JudgeEnding = requestFailure,
  ) {}

  /** Sends the request now. `intended`: time at which it should have been sent, in ms; null for now. */
  send({ form, name, route, query, path, body }: PreparedRequest, intended: number | null): void {
    const { clock, transport } = this.setting;
    this.name = name;
    this.route = route;
    this.query = query;
    this.form = form;
    this.bytes = body === null ? 0 : body.length;
    this.sent = clock.now();
    this.intended = intended;
    this.exchange = transport.send({
      method: form.method,
      path,
      headers: form.headers,
      body,
      readHead: form.readHead,
      onEnd: this.onEnd,
    });
  }

  cut(reason: string): void {
    this.exchange?.cut(reason);
  }

  private ended(ending: Ending): void {
    const { recorder } = this.setting;
    const { name, route } = this;
    const { time } = ending;
    const sent = Number.isNaN(ending.sentAt) ? this.sent : ending.sentAt;
    const start = this.intended ?? sent;
    const form = this.form!;
    this.events.onSent(this.client, sent);
    this.answer = undefined;
    const why = this.judge(ending, form, this.onAnswer);
    this.exchange = null;
    const delta = clearCounts(this.delta);
    delta.requests = 1;
    delta.attempted = 1;
    delta.bytes = this.bytes;
    if (why === null) delta.accepted = 1;
    else {
      if (why.rejected) delta.rejected = 1;
      else if (why.unknown) delta.unknown = 1;
      else delta.failed = 1;
      if (why.whole) delta.failedRequests = 1;
      recorder.failed(time, why.type, 1, why.reason, sent, start);
    }
    recorder.count(time, delta, sent, start);
    // A request that got no connection has no service time.
    const { sent: reached } = ending;
    if (reached) {
      recorder.served(time, sent, start);
      if (ending.failure !== '') recorder.unanswered(time, start);
      recorder.completed(time, start);
    }
    if (why === null && this.query >= 0)
      judgeRecall(recorder, ending, this.form!.recall!, name, this.query, start);
    const service = reached ? time - sent : null;
    const latency = reached ? time - start : null;
    if (why === null) noteFigures(recorder, form, this.answer, time, start, name);
    if (name !== '') recorder.named(time, start, name, service, latency, why !== null);
    if (route !== '') recorder.named(time, start, route, service, latency, why !== null);
    this.events.onDone(this.client, why?.end ?? 'answered', time);
  }
}
