/** Replays the searches of a log in the order of the log. Each search is sent once. */
import type { ReplayAccount } from '../../../common/measurement/replay';
import { wholeSearch } from '../../../common/requests/judges';
import type { ReplayJob } from '../../../common/tasks/replay';
import type { DueTimes } from '../executors/due-times';
import { ReplayLog, type LoggedSearch } from '../sources/replay-log';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { LogTimes } from './log-times';
import { requestForm, type PreparedRequest, type RequestForm } from './prepared-request';
import { RequestSender } from './request-sender';

/**
 * Maximum number of types of searches whose results are recorded separately. Searches of further types are counted together as `others`.
 */
const MOST_NAMES = 20;
const OTHERS = 'others';
/** Failure type of a line of the log that could not be read. */
const MALFORMED = 'malformed-line';

export class ReplayOperation implements Operation {
  private readonly form: RequestForm;
  private readonly log: ReplayLog;
  private readonly paths: string[];
  /** Text between the path of a request and its routing value, such as `&routing=`. */
  private readonly routingKey: string;
  /**
   * Names of the destinations, in the order of `paths`, if a replay sends searches to several indices. Results are also recorded for each
   * destination. Empty if all searches go to the same index.
   */
  private readonly routes: readonly string[];
  private readonly names = new Set<string>();
  private times: LogTimes | null = null;
  /** Clients of closed loops that wait for the next lines of the log. */
  private readonly waiting: ReplayClient[] = [];

  constructor(
    job: ReplayJob,
    readonly setting: OperationSetting,
  ) {
    this.form = requestForm(
      'POST',
      { ...setting.transport.headers, 'content-type': 'application/json' },
      wholeSearch,
    );
    const { source, repeat, format, types, everyShard, timed, route, routing } = job;
    const query = job.params === '' ? '' : `?${job.params}`;
    this.paths = (route?.indices ?? [null]).map(
      (index) => `/${encodeURIComponent(nameOf(index, setting.indices))}/_search${query}`,
    );
    this.routes = route?.names ?? [];
    this.routingKey = `${query === '' ? '?' : '&'}routing=`;
    // `server/run/trial/replay.ts` determines the format for all threads before each load.
    if (format === null) throw new Error('the format of the log was not looked up');
    const rules = {
      format,
      types: types === null ? null : new Set(types),
      everyShard,
      timed,
      route,
      routing,
      rewrite: new Set(job.rewrite),
      accept: new Set(job.accept),
    };
    const { clock, recorder } = setting;
    this.log = new ReplayLog(
      { source, repeat, rules },
      setting.share,
      setting.onBroken,
      ({ line, reason }) => {
        // A malformed line belongs to no request and no phase. It is counted in the samples and in the outcome.
        recorder.failed(clock.now(), MALFORMED, 1, `line ${line} ${reason}`, -1);
      },
    );
  }

  get exhausted(): boolean {
    return this.log.exhausted;
  }

  createClient(events: ClientEvents): OperationClient {
    return new ReplayClient(this, events);
  }

  close(): void {
    this.log.close();
  }

  whenReady(onReady: () => void): void {
    if (this.log.peek() !== null || this.log.exhausted) onReady();
    else this.log.whenReady(onReady);
  }

  /**
   * Returns the times of the log as a schedule. `speed`: factor by which the replay is faster than the recording. With 2, the replay takes
   * half of the recorded time.
   */
  recordedTimes(speed: number, onReady: () => void): DueTimes {
    this.times = new LogTimes(this.log, speed, onReady);
    return this.times;
  }

  /** Returns how many lines of the log this load thread has replayed, by outcome. */
  replayed(): ReplayAccount {
    return this.log.accounted();
  }

  /** Returns the next search; null if none is available now. */
  take(): PreparedRequest | null {
    const search = this.log.take();
    if (search === null) return null;
    this.times?.taken(search);
    return this.prepared(search);
  }

  /** Lets the client wait for the next search. Calls its method `again` when a search is available or the log has ended. */
  waitFor(client: ReplayClient): void {
    if (this.waiting.push(client) > 1) return;
    this.log.whenReady(() => {
      for (const each of this.waiting.splice(0)) each.again();
    });
  }

  forget(client: ReplayClient): void {
    const place = this.waiting.indexOf(client);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  private prepared({ type, body, place, routing }: LoggedSearch): PreparedRequest {
    if (type !== '' && this.names.size < MOST_NAMES) this.names.add(type);
    const known = type === '' || this.names.has(type) ? type : OTHERS;
    // Without the prefix, a type of search in the log could have the same name as a destination, and both would be counted together.
    const name = this.routes.includes(known) ? `type ${known}` : known;
    const own = this.paths[place]!;
    const path = routing === '' ? own : `${own}${this.routingKey}${encodeURIComponent(routing)}`;
    return { form: this.form, name, route: this.routes[place] ?? '', query: -1, path, body };
  }
}

/**
 * Returns the index in the path of a search. A number is the position of an index of the trial, from 1. Null means all indices of the
 * trial.
 */
function nameOf(index: string | number | null, own: readonly string[]): string {
  if (index === null) return own.join();
  return typeof index === 'number' ? own[index - 1]! : index;
}

class ReplayClient implements OperationClient {
  private readonly sender: RequestSender;
  private intended: number | null = null;
  private waiting = false;

  constructor(
    private readonly operation: ReplayOperation,
    private readonly events: ClientEvents,
  ) {
    this.sender = new RequestSender(this, operation.setting, events);
  }

  begin(intended: number | null): void {
    this.intended = intended;
    const search = this.operation.take();
    if (search !== null) this.sender.send(search, intended);
    else if (this.operation.exhausted) this.events.onDone(this, 'ended', this.operation.setting.clock.now());
    else {
      this.waiting = true;
      this.operation.waitFor(this);
    }
  }

  /** Called when further lines of the log have been read. */
  again(): void {
    this.waiting = false;
    const { clock, phases } = this.operation.setting;
    // The load may have ended in the meantime.
    if (phases.at(clock.now()) === 'drain') this.events.onDone(this, 'ended', clock.now());
    else this.begin(this.intended);
  }

  cut(reason: string): void {
    if (!this.waiting) {
      this.sender.cut(reason);
      return;
    }
    this.waiting = false;
    this.operation.forget(this);
    this.events.onDone(this, 'ended', this.operation.setting.clock.now());
  }
}
