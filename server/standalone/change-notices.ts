/**
 * Sends newly confirmed changes of an experiment's metrics to a webhook, after each completed scheduled run. A file in the data folder
 * lists the changes that were sent. Therefore, no change is sent twice. If sending fails, Dyno tries again after the next scheduled run and
 * when the server starts.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Status } from '../../common/api/host';
import type { RunDocument } from '../../common/experiment/run';
import { noticeOf, watchHistory, type WatchNotice } from '../../common/history/watch';
import { messageOf, runError, type Problem } from '../../common/problem';
import type { Histories } from '../results/histories';
import { wasAsked } from '../run/active-run/active-run';
import { TaskChain } from '../waiting';
import { writeWhole } from '../whole-file';
import { postNotice } from './webhook';
import { WEBHOOK_SETTING } from './webhook-setting';
import { parseTime } from '../../common/units/time';

/** The stored state of the notices of one experiment. */
interface Kept {
  name: string;
  /**
   * Start time of the first run for which this server sends changes, ISO 8601. Changes that were confirmed by earlier runs are not sent.
   */
  since: string;
  /** Ids of the changes that were sent. */
  told: string[];
  /**
   * The run whose notice could not be sent yet. `at`: time at which this server saw the end of the run. `why`: error of the last attempt;
   * '' before the first attempt.
   */
  waits?: { run: string; at: string; why: string };
}

/**
 * Pauses before further attempts, in ms. If the attempt after the last pause fails, the next attempt is made after the next scheduled run.
 */
const PAUSES_MS: readonly number[] = [10_000, 60_000, 300_000];

/** Maximum age of a notice, in ms. When a server starts, it drops older notices. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;

export interface ChangeNoticesOptions {
  url: string;
  histories: Pick<Histories, 'history'>;
  /** File with the list of the changes that were sent. */
  file: string;
  onProblem(problem: Problem): void;
  pausesMs?: readonly number[];
}

export class ChangeNotices {
  private readonly closing = new AbortController();
  /** Queue of notices for each experiment. The notices of one experiment are sent one after the other. */
  private readonly going = new Map<string, TaskChain>();
  private readonly saves = new TaskChain();

  private constructor(
    private readonly options: ChangeNoticesOptions,
    private readonly kept: Map<string, Kept>,
  ) {}

  /**
   * Reads the list of sent changes, and sends the notices that an earlier process of the server could not send. If the list cannot be read,
   * calls `onProblem` and starts with an empty list.
   */
  static async open(options: ChangeNoticesOptions): Promise<ChangeNotices> {
    let kept: Record<string, Kept> = {};
    try {
      const read: unknown = JSON.parse(await readFile(options.file, 'utf8'));
      if (typeof read !== 'object' || read === null) throw new Error('it holds no object');
      kept = read as Record<string, Kept>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        options.onProblem({
          code: 'webhook.kept',
          path: WEBHOOK_SETTING,
          message: `the list of what was sent to the webhook cannot be read from ${options.file} (${messageOf(error)}): changes that are found from now on are sent`,
        });
    }
    const notices = new ChangeNotices(options, new Map(Object.entries(kept)));
    for (const [id, { waits }] of notices.kept) {
      if (waits === undefined) continue;
      // A deleted experiment never has another run, so its notice would never be sent.
      if (Date.now() - parseTime(waits.at) > LONGEST_WAIT_MS) notices.change(id, { waits: undefined });
      else notices.begin(id, waits.run);
    }
    return notices;
  }

  /** Must be called when a run ends. Only a completed scheduled run causes a notice. */
  ended({ run: { id: run, state, started }, experiment, events }: RunDocument): void {
    if (state !== 'completed' || !wasAsked({ events }, 'by its schedule')) return;
    const { id, name } = experiment;
    const before = this.kept.get(id) ?? { name, since: started, told: [] };
    this.kept.set(id, { ...before, name, waits: { run, at: new Date().toISOString(), why: '' } });
    this.begin(id, run);
  }

  /** Notices that could not be sent so far. */
  get untold(): Status['untold'] {
    return [...this.kept].flatMap(([experiment, { name, waits }]) =>
      waits === undefined || waits.why === '' ? [] : [{ experiment, name, ...waits }],
    );
  }

  /** Resolves when no notice is being sent. */
  async idle(): Promise<void> {
    await Promise.all([...this.going.values()].map((notices) => notices.settled()));
  }

  /** Stops sending. The next server on this data folder sends the remaining notices. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.idle();
    await this.saves.settled();
  }

  private begin(id: string, run: string): void {
    const notices = this.going.get(id) ?? new TaskChain();
    this.going.set(id, notices);
    void notices.add(() => this.sendWithRetries(id, run));
  }

  /** Sends the notice of a run, with retries. Never rejects. */
  private async sendWithRetries(id: string, run: string): Promise<void> {
    await this.save();
    const { pausesMs = PAUSES_MS, onProblem } = this.options;
    for (const pause of [0, ...pausesMs]) {
      try {
        await delay(pause, undefined, { signal: this.closing.signal });
      } catch {
        return;
      }
      try {
        await this.send(id, run);
        return;
      } catch (error) {
        const at = this.kept.get(id)!.waits?.at ?? new Date().toISOString();
        this.change(id, { waits: { run, at, why: messageOf(error) } });
      }
    }
    await this.save();
    const { name, waits } = this.kept.get(id)!;
    onProblem({
      code: 'webhook.untold',
      path: WEBHOOK_SETTING,
      message: `${name}, run ${run}: ${waits?.why}; tried ${pausesMs.length + 1} times, and again after its next scheduled run`,
    });
  }

  /**
   * Sends the notice of a run, if the run has confirmed new changes. Rejects if the run cannot be read yet, or if the webhook does not
   * accept the notice.
   */
  private async send(id: string, run: string): Promise<void> {
    const { name, since, told } = this.kept.get(id)!;
    const history = await this.options.histories.history({ id, name });
    // The results of the run may still be in the spool, waiting for the results cluster.
    if (!history.nights.some((historyRun) => historyRun.run === run))
      throw runError('webhook.no-night', '', 'the results do not have the run yet');
    const isNews = ({ confirmed }: { confirmed: { at: string } }): boolean =>
      parseTime(confirmed.at) >= parseTime(since);
    const watch = { ...watchHistory(history), news: history.changes.filter(isNews) };
    const whole = noticeOf(history, watch);
    const changes = whole?.changes.filter((change) => !told.includes(change.id)) ?? [];
    if (whole !== undefined && changes.length > 0) await this.post({ ...whole, changes });
    // Changes that are no longer found, for example because their run was deleted, are removed from the list.
    this.change(id, { told: whole?.changes.map((change) => change.id) ?? [], waits: undefined });
    await this.save();
  }

  private post(notice: WatchNotice): Promise<void> {
    return postNotice(this.options.url, notice, WEBHOOK_SETTING);
  }

  private change(id: string, change: Partial<Kept>): void {
    this.kept.set(id, { ...this.kept.get(id)!, ...change });
  }

  /**
   * Saves the list of sent changes. Never rejects. If saving fails, this server still remembers the list, but the next server may send a
   * change again.
   */
  private save(): Promise<void> {
    return this.saves.add(() =>
      writeWhole(this.options.file, JSON.stringify(Object.fromEntries(this.kept)), { mode: 0o600 }).catch(
        (error: unknown) =>
          this.options.onProblem({
            code: 'webhook.kept',
            path: this.options.file,
            message: `the list of what was sent to the webhook cannot be saved (${messageOf(error)}): the next server may send it again`,
          }),
      ),
    );
  }
}
