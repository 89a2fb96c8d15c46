/**
 * Sends several HTTP requests one after the other and measures the time of all together. There are two kinds of sequences:
 * - A transaction. Its requests are its *parts*.
 * - One named request with several *steps*, such as a scroll. A part of a transaction can have steps too.
 *
 * If a part fails, the transaction counts as failed but continues, because failed transactions that end early would look fast. Parts that
 * need a value from the failed part's response are skipped.
 *
 * If a step fails, the steps that depend on it are skipped. A step that closes something, such as a scroll, is still sent if an earlier
 * step has opened it.
 */
import { clearCounts, noCounts } from '../../../common/measurement/counts';
import { areMet } from '../../../common/requests/expectation';
import { drawnAt, drawnValue, type Drawn } from '../../../common/requests/template';
import type { Ending } from '../transport/exchange';
import type { InFlight } from '../transport/transport';
import type { Gaps } from './gaps';
import type { ClientEvents, OperationClient, RequestSetting, RequestEnd } from './operation';
import {
  drawAll,
  type CompiledRequest,
  type CompiledStep,
  type PreparedRequest,
  type Rendered,
  type Value,
} from './prepared-request';
import { judgeRecall } from './recall';
import { noteFigures, requestFailure, type RequestFailure } from './request-failure';

/** Failures in the current sequence so far. */
interface Course {
  /** Whether a request was rejected with 429. */
  rejected: boolean;
  /** Whether a request failed for another reason than a rejection with 429. */
  failed: boolean;
  /** Whether the outcome of a request is unknown. */
  unknown: boolean;
  /** Whether an HTTP request got no connection. In this case, no times are recorded for the sequence, because they would be too short. */
  unreached: boolean;
  /** Whether a request received no response. */
  unanswered: boolean;
  end: RequestEnd;
}

const NOTHING_TAKEN: Drawn = drawnValue('');

/**
 * Stores the parameter values that were drawn for one sequence. All clients of a thread share the parameter objects. Other clients may
 * therefore draw new values before this sequence has sent its last request.
 */
class Kept {
  private readonly drawn: Drawn[];

  constructor(private readonly values: readonly Value[]) {
    this.drawn = values.map(() => NOTHING_TAKEN);
  }

  keep(): void {
    this.values.forEach((value, place) => (this.drawn[place] = value.drawn));
  }

  restore(): void {
    this.values.forEach((value, place) => (value.drawn = this.drawn[place]!));
  }
}

export class Sequence {
  private start = 0;
  /** Time at which the first step was sent, in ms since the start of the load. */
  private begun = 0;
  private sent = 0;
  /** Position of the current request in the sequence. */
  private place = 0;
  private step = 0;
  private times = 0;
  /** Time at which the current request began, in ms since the start of the load. */
  private requestBegun = 0;
  private requestFailed = false;
  private requestReached = true;
  /** For each request that has ended, by position: whether it succeeded. */
  private readonly succeeded: boolean[] = [];
  /** The last response to the current request that was read as a whole. */
  private answer: unknown = undefined;
  private answerText = '';
  private exchange: InFlight | null = null;
  private prepared: PreparedRequest | null = null;
  /** Function that cancels the pause before the next part of a transaction. Null if no pause is in progress. */
  private endGap: (() => void) | null = null;
  /** Reason why the sequence must end early, such as the end of the load; '' if it may continue. */
  private cutFor = '';
  private readonly rendered = new Map<CompiledStep, Rendered>();
  private readonly kept: Kept;
  private readonly drawn: readonly Value[];
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
  private readonly onAnswer = (answer: unknown, text: string): void => {
    this.answer = answer;
    this.answerText = text;
  };
  private readonly sendNext = (): void => {
    this.endGap = null;
    this.beginRequest(this.setting.clock.now());
  };

  /**
   * `whole`: true for one request with several steps, whose results are recorded for the request and for each step. False for a
   * transaction, whose results are recorded for each part.
   */
  constructor(
    private readonly requests: readonly CompiledRequest[],
    private readonly setting: RequestSetting,
    private readonly client: OperationClient,
    private readonly events: ClientEvents,
    /** Pause before each request; null for no pause. */
    private readonly gaps: readonly (Gaps | null)[],
    private readonly whole: boolean,
  ) {
    this.drawn = [...new Set(requests.flatMap(({ drawn }) => drawn))];
    this.kept = new Kept([...this.drawn, ...requests.flatMap(({ taken }) => taken)]);
  }

  /** Begins the sequence. `intended`: when it was due, in ms since the start of the load; null if it is due now. */
  begin(intended: number | null): void {
    drawAll(this.drawn);
    for (const { taken } of this.requests) for (const value of taken) value.drawn = NOTHING_TAKEN;
    this.kept.keep();
    const now = this.setting.clock.now();
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
    this.events.onSent(this.client, now);
    this.beginRequest(now);
  }

  cut(reason: string): void {
    this.cutFor = reason;
    if (this.exchange !== null) this.exchange.cut(reason);
    else if (this.endGap !== null) {
      this.endGap();
      this.endGap = null;
      this.breakOff(this.setting.clock.now());
    }
  }

  /** Begins the request at position `place` with its first step. */
  private beginRequest(now: number): void {
    this.step = 0;
    this.times = 0;
    this.requestBegun = now;
    this.requestFailed = false;
    this.requestReached = true;
    this.answer = undefined;
    if (this.hasItsAnswers(now)) this.send(now);
  }

  /**
   * Returns whether the request can be sent: the values that it needs from other responses are known. If a value is missing, skips the
   * request and counts it as failed.
   */
  private hasItsAnswers(now: number): boolean {
    const { needs, name } = this.requests[this.place]!;
    if (needs.length === 0) return true;
    this.kept.restore();
    const missing = needs.find(({ value }) => value.drawn === NOTHING_TAKEN);
    if (missing === undefined) return true;
    // If the request that should provide the value failed, its reason has already been recorded.
    if (this.succeeded[missing.of]!) {
      this.fail({ type: 'no_value', reason: `there is no ${missing.what}, which ${name} needs` }, now);
    }
    this.setting.recorder.named(now, this.start, name, null, null, true);
    this.continue(now, false);
    return false;
  }

  private send(now: number): void {
    const compiled = this.requests[this.place]!.steps[this.step]!;
    let prepared = compiled.fixed;
    if (prepared === null) {
      let into = this.rendered.get(compiled);
      if (into === undefined) {
        into = compiled.blank();
        this.rendered.set(compiled, into);
      }
      this.kept.restore();
      prepared = compiled.render(into);
    }
    const { form, path, body } = prepared;
    this.prepared = prepared;
    this.sent = now;
    this.times += 1;
    this.exchange = this.setting.transport.send({
      method: form.method,
      path,
      headers: form.headers,
      body,
      readHead: form.readHead,
      onEnd: this.onEnd,
    });
  }

  private ended(ending: Ending): void {
    const { recorder } = this.setting;
    const { begun, start } = this;
    const { form, name, body, query } = this.prepared!;
    const { time } = ending;
    const request = this.requests[this.place]!;
    const why = requestFailure(ending, form, this.onAnswer);
    this.exchange = null;
    const delta = clearCounts(this.delta);
    delta.requests = 1;
    delta.bytes = body === null ? 0 : body.length;
    if (why !== null) {
      if (why.whole) delta.failedRequests = 1;
      this.note(why, ending);
      recorder.failed(time, why.type, 1, why.reason, begun, start);
    } else {
      this.take(request);
      noteFigures(recorder, form, this.answer, time, start, request.name);
    }
    recorder.count(time, delta, begun, start);
    if (why === null && query >= 0) judgeRecall(recorder, ending, form.recall!, name, query, start);
    const isStepped = request.steps.length > 1;
    // The times of the parts of a transaction must add up to the transaction. A part with several steps is therefore recorded only as a
    // whole.
    if (!isStepped || this.whole) {
      recorder.named(time, start, name, ending.sent ? time - this.sent : null, null, why !== null);
    }
    if (!ending.sent) this.requestReached = false;
    if (isStepped && this.hasNextStep(request, why === null, time)) {
      if (this.cutFor === '') this.send(time);
      else this.breakOff(time);
      return;
    }
    if (isStepped) {
      const service = this.requestReached ? time - this.requestBegun : null;
      const latency = this.whole && this.requestReached ? time - start : null;
      recorder.named(time, start, request.name, service, latency, this.requestFailed);
    }
    this.continue(time, isStepped ? !this.requestFailed : why === null);
  }

  /** Continues with the next request of the sequence, or ends it. `succeeded`: whether the request at position `place` succeeded. */
  private continue(time: number, succeeded: boolean): void {
    this.succeeded[this.place] = succeeded;
    this.place += 1;
    if (this.place === this.requests.length) this.finish(time);
    else if (this.cutFor !== '') this.breakOff(time);
    else {
      const gap = this.gaps[this.place] ?? null;
      if (gap === null) this.beginRequest(time);
      else this.endGap = gap.after(time, this.sendNext);
    }
  }

  /** Stores the values from the response that later steps need. */
  private take({ takes }: CompiledRequest): void {
    const own = takes[this.step]!;
    if (own.length === 0) return;
    this.kept.restore();
    for (const { path, value } of own) {
      const found = drawnAt(this.answer, this.answerText, path);
      if (found !== undefined) value.drawn = found;
    }
    this.kept.keep();
  }

  /** Moves on to the next step that should be sent. Returns false if the request has no such step. */
  private hasNextStep({ steps }: CompiledRequest, succeeded: boolean, time: number): boolean {
    if (!succeeded) this.requestFailed = true;
    const now = steps[this.step]!.job;
    if (succeeded && now.while.length > 0 && areMet(now.while, this.answer)) {
      if (this.times < now.most) return true;
      if (now.exhausted !== null) this.fail(now.exhausted, time);
    }
    for (;;) {
      this.step += 1;
      this.times = 0;
      const next = steps[this.step];
      if (next === undefined) return false;
      const { always, while: conditions, most } = next.job;
      if (always) {
        this.kept.restore();
        // This step closes what earlier steps opened. It is sent only if they have opened something.
        if (next.values.every(({ drawn }) => drawn !== NOTHING_TAKEN)) return true;
      } else if (!this.requestFailed && most > 0 && areMet(conditions, this.answer)) return true;
    }
  }

  private fail({ type, reason }: { type: string; reason: string }, time: number): void {
    this.requestFailed = true;
    this.course.failed = true;
    this.setting.recorder.failed(time, type, 1, reason, this.begun, this.start);
  }

  private note({ rejected, unknown, end }: RequestFailure, { sent, failure }: Ending): void {
    const { course } = this;
    if (rejected) course.rejected = true;
    else if (unknown) course.unknown = true;
    else course.failed = true;
    if (!sent) course.unreached = true;
    else if (failure !== '') course.unanswered = true;
    if (end === 'unusable') course.end = end;
  }

  /** Ends the sequence as failed. Its remaining requests are not sent. */
  private breakOff(time: number): void {
    if (!this.course.failed && !this.course.unknown) {
      const example = this.whole
        ? 'ended between two steps of a request'
        : 'ended between two requests of a transaction';
      this.setting.recorder.failed(time, this.cutFor, 1, example, this.begun, this.start);
    }
    if (!this.course.unknown) this.course.failed = true;
    this.finish(time);
  }

  private finish(time: number): void {
    const { recorder } = this.setting;
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
    this.events.onDone(this.client, course.end, time);
  }
}
