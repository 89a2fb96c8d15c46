/**
 * Transactions: requests that are sent one after the other and timed one by one and as a whole. A part that fails makes
 * the transaction a failed one and does not end it: one that stopped there would be short for having failed.
 */
import { clearCounts, noCounts } from '../../../common/measurement/counts';
import type { TransactionJob } from '../../../common/tasks/transaction';
import type { Ending, Exchange } from '../transport/exchange';
import type { ClientEvents, Operation, OperationClient, OperationSetting, RequestEnd } from './operation';
import { Gaps } from './gaps';
import {
  compileRequests,
  drawAll,
  type CompiledRequest,
  type PreparedRequest,
  type Rendered,
} from './prepared-request';
import { requestFailure, type RequestFailure } from './request-failure';

export class TransactionOperation implements Operation {
  readonly exhausted = false;
  readonly parts: readonly CompiledRequest[];
  /** What is drawn for each transaction, once for all of its parts. */
  readonly values: CompiledRequest['values'];
  /** Null where the parts follow each other at once. */
  readonly gaps: Gaps | null;

  constructor(
    job: TransactionJob,
    readonly setting: OperationSetting,
  ) {
    this.parts = compileRequests(job.parts, job.parameters, setting);
    this.values = [...new Set(this.parts.flatMap(({ values }) => values))];
    this.gaps = job.gapMs === 0 ? null : new Gaps(setting.clock, setting.pacer, job.gapMs);
  }

  createClient(events: ClientEvents): OperationClient {
    return new TransactionClient(this, events);
  }

  close(): void {
    // Holds nothing open.
  }
}

/** What failed so far; a part that never had a connection leaves the whole without a time, as it does a search. */
interface Course {
  /** A part was refused for load. */
  rejected: boolean;
  /** A part failed for another reason. */
  failed: boolean;
  /** Nobody knows what became of a part. */
  unknown: boolean;
  unreached: boolean;
  /** No answer came to a part. */
  unanswered: boolean;
  end: RequestEnd;
}

class TransactionClient implements OperationClient {
  private start = 0;
  /** When the first part was sent. */
  private begun = 0;
  private sent = 0;
  /** Of the part that is in flight, or is next. */
  private place = 0;
  private exchange: Exchange | null = null;
  /** Ends the waiting for the next part; null while none is waited for. */
  private endGap: (() => void) | null = null;
  /** Why no further part may be sent; '' while they may. */
  private cutFor = '';
  /** Of the transaction that is under way: its parts as they are sent. */
  private readonly parts: PreparedRequest[];
  private readonly course: Course = {
    rejected: false,
    failed: false,
    unknown: false,
    unreached: false,
    unanswered: false,
    end: 'answered',
  };
  private readonly delta = noCounts();
  private readonly onEnd = (ending: Ending): void => {
    this.ended(ending);
  };
  private readonly sendNext = (): void => {
    this.endGap = null;
    this.send(this.operation.setting.clock.now());
  };

  constructor(
    private readonly operation: TransactionOperation,
    private readonly events: ClientEvents,
  ) {
    this.parts = operation.parts.map((part) => part.fixed ?? part.blank());
  }

  begin(intended: number | null): void {
    const { parts, values } = this.operation;
    drawAll(values);
    parts.forEach((part, place) => {
      if (part.fixed === null) part.render(this.parts[place] as Rendered);
    });
    const now = this.operation.setting.clock.now();
    this.begun = now;
    this.start = intended ?? now;
    this.place = 0;
    this.cutFor = '';
    const { course } = this;
    course.rejected = false;
    course.failed = false;
    course.unknown = false;
    course.unreached = false;
    course.unanswered = false;
    course.end = 'answered';
    this.events.onSent(this, intended, now);
    this.send(now);
  }

  cut(reason: string): void {
    this.cutFor = reason;
    if (this.exchange !== null) this.exchange.cut(reason);
    else if (this.endGap !== null) {
      this.endGap();
      this.endGap = null;
      this.breakOff(this.operation.setting.clock.now());
    }
  }

  private send(now: number): void {
    const { form, path, body } = this.parts[this.place]!;
    this.sent = now;
    this.exchange = this.operation.setting.transport.send({
      method: form.method,
      path,
      headers: form.headers,
      body,
      readHead: form.readHead,
      onEnd: this.onEnd,
    });
  }

  private ended(ending: Ending): void {
    const { setting, gaps } = this.operation;
    const { parts } = this;
    const { recorder } = setting;
    const { begun, start } = this;
    const { form, name, body } = parts[this.place]!;
    const { time } = ending;
    const why = requestFailure(ending, form);
    this.exchange = null;
    const delta = clearCounts(this.delta);
    delta.requests = 1;
    delta.bytes = body === null ? 0 : body.length;
    if (why !== null) {
      if (why.whole) delta.failedRequests = 1;
      this.note(why, ending);
      recorder.failed(time, why.type, 1, why.reason, begun, start);
    }
    recorder.count(time, delta, begun, start);
    const serviceMs = ending.sent ? time - this.sent : null;
    recorder.named(time, start, name, serviceMs, null, why !== null);

    this.place += 1;
    if (this.place === parts.length) this.finish(time);
    else if (this.cutFor !== '') this.breakOff(time);
    else if (gaps === null) this.sendNext();
    else this.endGap = gaps.after(time, this.sendNext);
  }

  private note({ rejected, unknown, end }: RequestFailure, { sent, failure }: Ending): void {
    const { course } = this;
    if (rejected) course.rejected = true;
    else if (unknown) course.unknown = true;
    else course.failed = true;
    if (!sent) course.unreached = true;
    else if (failure !== '') course.unanswered = true;
    if (end === 'unanswered') course.end = end;
  }

  /** Its other parts are not sent: it failed, whatever became of those that were. */
  private breakOff(time: number): void {
    if (!this.course.failed && !this.course.unknown) {
      const example = 'ended between two requests of a transaction';
      this.operation.setting.recorder.failed(time, this.cutFor, 1, example, this.begun, this.start);
    }
    if (!this.course.unknown) this.course.failed = true;
    this.finish(time);
  }

  private finish(time: number): void {
    const { recorder } = this.operation.setting;
    const { course, begun, start } = this;
    const delta = clearCounts(this.delta);
    delta.attempted = 1;
    if (course.failed) delta.failed = 1;
    else if (course.unknown) delta.unknown = 1;
    else if (course.rejected) delta.rejected = 1;
    else delta.accepted = 1;
    recorder.count(time, delta, begun, start);
    if (!course.unreached) {
      recorder.served(time, begun, start);
      if (course.unanswered) recorder.unanswered(time, start);
      recorder.completed(time, start);
    }
    this.events.onDone(this, course.end, time);
  }
}
