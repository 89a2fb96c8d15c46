/**
 * Generates a part of a load in the threads of this process, and merges their reports. Other processes, on other machines, may generate the
 * other parts. In the code, such a process is a *seat*.
 */
import { Worker } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { LoadClock, type LoadStart } from '../timing/clock';
import type { LoadJob, TaskOutcome } from '../contract';
import { MachineWatch } from '../instrument/machine-cpu';
import {
  joinSeconds,
  mergeDelays,
  mergeHealth,
  mergeOutcome,
  mergeReach,
  mergeReports,
} from '../samples/merge';
import type { Fence } from '../timing/fence';
import type { FromSeat, FromShare, Order, Reach, ShareOutcome, ThreadHealth, ToShare } from '../messages';
import type { StepReport } from '../highest-rate/orders';
import { parserPoolsOf, type ParserPool } from '../parse/parser-pool';
import { PulseSender } from '../instrument/pulse';
import { SecondsInOrder } from '../samples/seconds';
import { divide, type SeatShares } from './shares';
import { ReaderThreads } from '../read/reader-threads';
import { StartLine } from '../timing/start-line';
import { Watchdog } from './watchdog';

/** Time in ms after which a thread that ignores an abort is terminated. */
const ABORT_PATIENCE_MS = 5000;

export interface SeatSetting {
  job: LoadJob;
  /** The load threads of this process, among those of all processes. */
  shares: SeatShares;
  /** Path of the built worker script. */
  workerFile: string;
  /** Silence, in ms, after which a thread counts as hung. Default: the value in `watchdog.ts`. For tests. */
  silentMs?: number;
  /**
   * Time until which the threads of this process may send requests. Needed if the run is executed on another machine, which may become
   * unreachable. Default: no limit.
   */
  fence?: Fence;
  /** Receives the messages of this process about its load. Never called before the constructor has returned, or after {@link Seat.end}. */
  send: (message: FromSeat) => void;
}

interface ShareThread {
  worker: Worker;
  outcome: ShareOutcome | null;
  ingested: boolean;
  reach: Reach;
}

export class Seat {
  private readonly threads: ShareThread[];
  private readonly seconds: SecondsInOrder;
  private readonly line: StartLine;
  private readonly watchdog: Watchdog;
  private readonly clock = new LoadClock();
  private readonly machine = new MachineWatch();
  private readonly pulses: PulseSender[] = [];
  /** Parsers of raw lines, by task. */
  private readonly parserPools: Map<string, ParserPool>;
  private readonly readers: ReaderThreads;
  /** Reports about the current step of a search for the highest rate, by number of the thread. */
  private readonly reports = new Map<number, StepReport>();
  private ingestedReported = false;
  private over = false;

  constructor(private readonly setting: SeatSetting) {
    const { job, shares, workerFile, silentMs } = setting;
    const { count } = shares;
    this.seconds = new SecondsInOrder(count, (parts, healths) => {
      this.send({
        kind: 'seconds',
        seconds: parts.map(joinSeconds),
        health: this.withReaders(mergeHealth(healths)),
        machine: this.machine.take(),
      });
    });
    this.line = new StartLine({
      threads: count,
      now: () => performance.now(),
      ping: () => {
        this.broadcast({ kind: 'ping' });
      },
    });
    this.line.ready.then(
      (leadMs) => {
        this.send({ kind: 'ready', leadMs });
      },
      () => undefined,
    );
    this.watchdog = new Watchdog({
      threads: count,
      silentMs,
      onSilent: (index, forMs) => {
        const since = this.clock.begun ? 'gave no sample' : 'gave no sign of life';
        this.failStuck([index], `${since} for ${forMs / 1000} s`);
      },
    });
    this.parserPools = parserPoolsOf(job, {
      seat: { index: shares.first / count, of: shares.of / count },
      shares: count,
      workerFile,
      silentMs,
      onFailed: (error) => {
        this.fail(error);
      },
    });
    this.readers = new ReaderThreads(workerFile, (error) => {
      this.fail(error);
    });
    this.threads = divide(job, shares).map((share, index) => {
      const worker = new Worker(workerFile, { name: `dyno-load-${share.share.index}` });
      const thread: ShareThread = {
        worker,
        outcome: null,
        ingested: false,
        reach: { sinceAnswerMs: Infinity, silentMs: 0, example: '' },
      };
      worker.on('message', (message: FromShare) => {
        this.receive(index, thread, message);
      });
      worker.on('error', (error: unknown) => {
        const message = `load thread ${index + 1} of ${count} failed: ${messageOf(error)}`;
        this.fail(runError('generator.thread-failed', '', message, error));
      });
      worker.on('exit', (code) => {
        const message = `load thread ${index + 1} of ${count} ended early, with code ${code}`;
        this.fail(runError('generator.thread-ended', '', message));
      });
      const parsers = Object.fromEntries(
        [...this.parserPools].map(([task, { ports }]) => [task, ports[index]!] as const),
      );
      const readers = this.readers.start(share);
      worker.postMessage(
        {
          kind: 'prepare',
          job: share,
          parsers,
          readers,
          fence: setting.fence?.memory ?? null,
        } satisfies ToShare,
        [...Object.values(parsers).flat(), ...Object.values(readers)],
      );
      return thread;
    });
  }

  /** Passes an order on to all threads. Ignores orders after the end of the load. */
  order(order: Order): void {
    if (this.over) return;
    switch (order.kind) {
      case 'ping':
        this.send({ kind: 'pong' });
        return;
      case 'begin':
        this.begin(order.start);
        break;
      case 'finish':
      case 'stop':
        this.line.giveUp();
        this.endMeasure();
        this.expectEnd();
        break;
      case 'abort':
        this.line.giveUp();
        this.watchdog.endWithin(ABORT_PATIENCE_MS, () =>
          this.failStuck(this.running(), `ignored an abort for ${ABORT_PATIENCE_MS / 1000} s`),
        );
        break;
      case 'rate':
        break;
    }
    this.broadcast(order);
  }

  /** Terminates all threads, including those that hang. Resolves when they have ended. */
  async end(): Promise<void> {
    this.over = true;
    this.watchdog.close();
    this.machine.close();
    for (const pulse of this.pulses) pulse.close();
    for (const parserPool of this.parserPools.values()) void parserPool.terminate();
    void this.readers.terminate();
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()));
  }

  private begin(start: LoadStart): void {
    this.clock.begin(start);
    for (const parserPool of this.parserPools.values()) parserPool.begin(start);
    // The utilisation until now belongs to the preparation and is discarded.
    this.readers.takeUtilisation();
    const { warmupMs, measureMs } = this.setting.job;
    if (measureMs !== null) this.expectEnd(-this.clock.now() + warmupMs + measureMs);
  }

  private receive(index: number, thread: ShareThread, message: FromShare): void {
    if (this.over) return;
    this.watchdog.noteSignOfLife(index);
    switch (message.kind) {
      case 'ready':
      case 'pong':
        this.line.arrived();
        break;
      case 'alive':
        break;
      case 'listens':
        this.pulses.push(new PulseSender(message.port));
        break;
      case 'seconds':
        thread.reach = message.reach;
        this.send({ kind: 'alive', reach: mergeReach(this.threads.map(({ reach }) => reach)) });
        this.seconds.add(index, message.seconds, message.health);
        break;
      case 'ingested':
        thread.ingested = true;
        this.checkIngested();
        break;
      case 'step':
        this.reported(message.task, index, message.report);
        break;
      case 'outcome':
        thread.outcome = message.outcome;
        this.watchdog.release(index);
        this.seconds.finish(index);
        this.checkDone();
        break;
      case 'failed':
        this.fail(new DynoError(message.problemKind, message.problems));
        break;
    }
  }

  private checkIngested(): void {
    if (this.ingestedReported || !this.threads.every(({ ingested }) => ingested)) return;
    this.ingestedReported = true;
    this.send({ kind: 'ingested' });
  }

  /** Reports the results of a step of the search for the highest rate, once all threads that are still running have reported theirs. */
  private reported(task: string, index: number, report: StepReport): void {
    const [known] = this.reports.values();
    if (known !== undefined && known.number !== report.number) this.reports.clear();
    this.reports.set(index, report);
    if (!this.running().every((running) => this.reports.has(running))) return;
    const merged = mergeReports([...this.reports.values()]);
    this.reports.clear();
    this.send({ kind: 'step', task, report: merged });
  }

  /** Indices of the threads that have not ended. */
  private running(): number[] {
    return this.threads.flatMap(({ outcome }, index) => (outcome === null ? [index] : []));
  }

  private checkDone(): void {
    const outcomes = this.threads.map(({ outcome }) => outcome);
    if (!outcomes.every((outcome) => outcome !== null)) return;
    this.conclude(outcomes).catch((error: unknown) => {
      this.fail(
        runError('generator.no-outcome', '', `the load reported nothing: ${messageOf(error)}`, error),
      );
    });
  }

  /** Called when all load threads have ended. Ends the parser threads, which then report the outcome of each line. */
  private async conclude(outcomes: readonly ShareOutcome[]): Promise<void> {
    const tasks = await Promise.all(
      this.setting.job.tasks.map((_, place) =>
        this.withParsers(mergeOutcome(outcomes.map(({ tasks: own }) => own[place]!))),
      ),
    );
    if (this.over) return;
    this.send({
      kind: 'outcome',
      outcome: {
        tasks,
        measureEndedAt: Math.max(...outcomes.map(({ measureEndedAt }) => measureEndedAt)),
        drainedAt: Math.max(...outcomes.map(({ drainedAt }) => drainedAt)),
        workers: this.threads.length,
        lateMs: Math.max(...outcomes.map(({ lateMs }) => lateMs)),
        delays: mergeDelays(outcomes.map(({ delays }) => delays)),
        refusedConnections: outcomes.flatMap(({ refusedConnections }) => refusedConnections),
      },
    });
    void this.end();
  }

  /**
   * Returns `health` with the higher of two utilisations: that of the load thread and that of its reader threads. A busy reader thread
   * slows its load thread down.
   */
  private withReaders(health: ThreadHealth): ThreadHealth {
    return { ...health, utilisation: Math.max(health.utilisation, this.readers.takeUtilisation()) };
  }

  private async withParsers(outcome: TaskOutcome): Promise<TaskOutcome> {
    const parserPool = this.parserPools.get(outcome.task);
    if (parserPool === undefined || outcome.senders === null) return outcome;
    const { account, times } = await parserPool.stop();
    // Documents that were parsed but not sent when the load ended.
    account.unsent = account.documents - outcome.total.attempted;
    return { ...outcome, parsers: { workers: parserPool.workers, account, times, senders: outcome.senders } };
  }

  /**
   * Fails the load if its threads do not end in time. The drain begins in `fromNowMs` (ms). After the drain, the threads have some more
   * time to report their results.
   */
  private expectEnd(fromNowMs = 0): void {
    const { lateMs } = this.watchdog;
    this.watchdog.endWithin(fromNowMs + this.setting.job.drainMs + lateMs, () => {
      const running = this.running();
      // Parser threads have their own watchdog.
      if (running.length > 0) this.failStuck(running, `had not ended ${lateMs / 1000} s after the drain`);
    });
  }

  /** Fails the load. The error names the threads that hang, and what they failed to do (`what`). */
  private failStuck(indices: readonly number[], what: string): void {
    const names = indices.map((index) => index + 1).join(', ');
    const [subject, end] =
      indices.length === 1
        ? ['load thread', 'was terminated because it hangs']
        : ['load threads', 'were terminated because they hang'];
    this.fail(
      runError('generator.stuck', '', `${subject} ${names} of ${this.threads.length} ${what} and ${end}`),
    );
  }

  private endMeasure(): void {
    for (const parserPool of this.parserPools.values()) parserPool.endMeasure(Math.max(0, this.clock.now()));
  }

  private fail({ kind, problems }: DynoError): void {
    if (this.over) return;
    this.send({ kind: 'failed', problemKind: kind, problems: [...problems] });
    void this.end();
  }

  private send(message: FromSeat): void {
    if (!this.over) this.setting.send(message);
  }

  private broadcast(order: Order): void {
    for (const { worker } of this.threads) worker.postMessage(order satisfies ToShare);
  }
}
