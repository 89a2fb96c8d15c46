/** Runs a load in threads of this process and brings their reports together: the handle that a run holds. */
import { Worker } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../common/problem';
import { LoadClock, loadStart } from './clock';
import type { Load, LoadJob, LoadOptions, LoadOutcome, TaskOutcome } from './contract';
import { MachineWatch } from './machine-cpu';
import { mergeDelays, mergeOutcome, mergeRefusals } from './merge';
import { RateSearch } from './highest-rate/search';
import type { FromShare, Reach, ShareOutcome, ToShare } from './messages';
import { parserPoolsOf, type ParserPool } from './parse/parser-pool';
import { PulseSender } from './pulse';
import { SampleMerger } from './sample-merger';
import { defaultWorkers, divide } from './shares';
import { StartLine } from './start-line';
import { Watchdog } from './watchdog';

/** With nothing but lost connections for this long, and no answer ever, the target counts as unreachable, ms. */
const UNREACHABLE_MS = 5000;
/** The same for a target that has answered before: a node that only restarts its network is given more time. */
const LOST_MS = 15_000;
/** A thread that does not follow an abort within this is ended from outside, ms. */
const ABORT_PATIENCE_MS = 5000;

interface ShareThread {
  worker: Worker;
  outcome: ShareOutcome | null;
  ingested: boolean;
  reach: Reach;
}

/** Makes the threads ready; {@link Load.begin} starts them. */
export function prepareLoad(job: LoadJob, { workers = defaultWorkers(job), ...options }: LoadOptions): Load {
  return new Pool(job, workers, options);
}

/** A load that begins as soon as its threads can together. */
export function startLoad(job: LoadJob, options: LoadOptions): Load {
  const load = prepareLoad(job, options);
  load.ready.then(
    (leadMs) => load.begin(Date.now() + leadMs),
    () => undefined,
  );
  return load;
}

class Pool implements Load {
  readonly done: Promise<LoadOutcome>;
  private readonly threads: ShareThread[];
  private readonly merger: SampleMerger;
  private readonly search: RateSearch | null;
  private readonly line: StartLine;
  private readonly watchdog: Watchdog;
  private readonly clock = new LoadClock();
  private readonly machine = new MachineWatch();
  private readonly pulses: PulseSender[] = [];
  /** ms since the epoch; null before {@link begin}. */
  private startAt: number | null = null;
  /** By task. */
  private readonly parserPools: Map<string, ParserPool>;
  private resolve!: (outcome: LoadOutcome) => void;
  private reject!: (error: DynoError) => void;
  private awayMs = 0;
  private settled = false;
  private stopped = '';

  constructor(
    private readonly job: LoadJob,
    workers: number,
    { workerFile, onSample, onRateStep, silentMs }: LoadOptions,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever waits for `ready` hears there what went wrong.
    this.done.catch(() => undefined);
    this.search = this.searchOf(onRateStep);
    this.merger = new SampleMerger(
      workers,
      () => this.begun,
      (sample) => {
        this.search?.sampled(sample);
        onSample(sample);
      },
      () => this.machine.take(),
    );
    this.line = new StartLine({
      threads: workers,
      now: () => performance.now(),
      ping: () => {
        this.broadcast({ kind: 'ping' });
      },
    });
    this.watchdog = new Watchdog({
      threads: workers,
      silentMs,
      onSilent: (index, forMs) => {
        const since = this.startAt === null ? 'gave no sign of life' : 'gave no sample';
        this.failStuck([index], `${since} for ${forMs / 1000} s`);
      },
    });
    this.parserPools = parserPoolsOf(job, {
      shares: workers,
      workerFile,
      silentMs,
      onFailed: (error) => {
        this.fail(error);
      },
    });
    this.threads = divide(job, workers).map((share, index) => {
      const worker = new Worker(workerFile, { name: `dyno-load-${index}` });
      const thread: ShareThread = {
        worker,
        outcome: null,
        ingested: false,
        reach: { sinceAnswerMs: Infinity, silentMs: 0, example: '' },
      };
      worker.on('message', (message: FromShare) => {
        this.hear(index, thread, message);
      });
      worker.on('error', (error: unknown) => {
        const message = `load thread ${index + 1} of ${workers} failed: ${messageOf(error)}`;
        this.fail(runError('generator.thread-failed', '', message, error));
      });
      worker.on('exit', (code) => {
        const message = `load thread ${index + 1} of ${workers} ended early, with code ${code}`;
        this.fail(runError('generator.thread-ended', '', message));
      });
      const parsers = Object.fromEntries(
        [...this.parserPools].map(([task, { ports }]) => [task, ports[index]!] as const),
      );
      worker.postMessage(
        { kind: 'prepare', job: share, parsers } satisfies ToShare,
        Object.values(parsers).flat(),
      );
      return thread;
    });
  }

  get ready(): Promise<number> {
    return this.line.ready;
  }

  begin(startAt: number): void {
    if (this.settled || this.startAt !== null) return;
    this.startAt = startAt;
    const start = loadStart(startAt);
    this.clock.begin(start);
    this.broadcast({ kind: 'begin', start });
    for (const parserPool of this.parserPools.values()) parserPool.begin(start);
    this.search?.begin(start);
    const { warmupMs, measureMs } = this.job;
    if (measureMs !== null) this.expectEnd(-this.clock.now() + warmupMs + measureMs);
  }

  stop(reason: string): void {
    if (this.settled) return;
    this.stopped ||= reason;
    this.needNotWait();
    this.endMeasure();
    this.broadcast({ kind: 'stop' });
    this.expectEnd();
  }

  abort(): void {
    if (this.settled) return;
    this.stopped ||= 'aborted';
    this.needNotWait();
    this.broadcast({ kind: 'abort' });
    this.watchdog.endWithin(ABORT_PATIENCE_MS, () =>
      this.failStuck(this.running(), `did not end within ${ABORT_PATIENCE_MS / 1000} s when it was asked to`),
    );
  }

  /** Shares are seen together only here: so here it is judged which rate comes next. */
  private searchOf(onRateStep: LoadOptions['onRateStep']): RateSearch | null {
    for (const { name: task, executor } of this.job.tasks) {
      if (executor.kind !== 'highest-rate') continue;
      return new RateSearch(task, executor.search, executor.maxClients, this.job, {
        order: (order) => {
          this.broadcast({ kind: 'rate', task, order });
        },
        onStep: (progress) => onRateStep?.(task, progress),
        onAnswered: () => {
          this.finish();
        },
      });
    }
    return null;
  }

  private hear(index: number, thread: ShareThread, message: FromShare): void {
    if (this.settled) return;
    this.watchdog.heard(index);
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
        this.merger.add(index, message.seconds, message.health);
        this.checkReach();
        break;
      case 'ingested':
        thread.ingested = true;
        if (this.threads.every(({ ingested }) => ingested)) this.finish();
        break;
      case 'step':
        this.search?.reported(index, message.report, this.running());
        break;
      case 'outcome':
        thread.outcome = message.outcome;
        this.watchdog.release(index);
        this.merger.finish(index);
        this.checkDone();
        break;
      case 'failed':
        this.fail(new DynoError(message.problemKind, message.problems));
        break;
    }
  }

  /** Shares that have not ended. */
  private running(): number[] {
    return this.threads.flatMap(({ outcome }, index) => (outcome === null ? [index] : []));
  }

  /** Nobody gets an answer, and one thread has tried every node for long enough. */
  private checkReach(): void {
    const reaches = this.threads.map(({ reach }) => reach);
    const sinceAnswerMs = Math.min(...reaches.map((reach) => reach.sinceAnswerMs));
    const silentMs = Math.max(...reaches.map((reach) => reach.silentMs));
    this.awayMs = Math.max(this.awayMs, Math.min(sinceAnswerMs, silentMs));
    const limitMs = sinceAnswerMs === Infinity ? UNREACHABLE_MS : LOST_MS;
    const silent = reaches.find((reach) => reach.silentMs > limitMs);
    if (silent === undefined || sinceAnswerMs <= limitMs) return;
    const nodes = this.job.target.nodes.join(', ');
    const never = sinceAnswerMs === Infinity;
    const since = never ? '' : ` any more since ${Math.round(sinceAnswerMs / 1000)} s`;
    const message = `no node of the target answers${since}: ${silent.example}`;
    this.fail(runError(never ? 'target.unreachable' : 'target.lost', nodes, message));
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

  /** All shares have ended: so do the parsers, which tell then what became of the lines. */
  private async conclude(outcomes: readonly ShareOutcome[]): Promise<void> {
    const tasks = await Promise.all(
      this.job.tasks.map(async ({ name }, place) => {
        const outcome = await this.withParsers(mergeOutcome(outcomes.map(({ tasks: own }) => own[place]!)));
        return this.search?.task === name ? this.search.conclude(outcome) : outcome;
      }),
    );
    if (this.settled) return;
    this.settle();
    this.resolve({
      tasks,
      startedAt: this.begun,
      measureAt: this.begun + this.job.warmupMs,
      measureEndedAt: Math.max(...outcomes.map(({ measureEndedAt }) => measureEndedAt)),
      drainedAt: Math.max(...outcomes.map(({ drainedAt }) => drainedAt)),
      workers: this.threads.length,
      lateMs: Math.max(...outcomes.map(({ lateMs }) => lateMs)),
      awayMs: this.awayMs,
      refusals: mergeRefusals(
        this.job.target.nodes,
        outcomes.map(({ refusals }) => refusals),
      ),
      stopped: this.stopped,
      delays: mergeDelays(outcomes.map(({ delays }) => delays)),
    });
  }

  private async withParsers(outcome: TaskOutcome): Promise<TaskOutcome> {
    const parserPool = this.parserPools.get(outcome.task);
    if (parserPool === undefined || outcome.senders === null) return outcome;
    const { account, times } = await parserPool.stop();
    // Whatever was made and not sent by any share was left where it was when the load ended.
    account.unsent = account.documents - outcome.total.attempted;
    return { ...outcome, parsers: { workers: parserPool.workers, account, times, senders: outcome.senders } };
  }

  private finish(): void {
    this.endMeasure();
    this.broadcast({ kind: 'finish' });
    this.expectEnd();
  }

  /** The threads drain `fromNowMs` from now, and end after it. */
  private expectEnd(fromNowMs = 0): void {
    const { lateMs } = this.watchdog;
    this.watchdog.endWithin(fromNowMs + this.job.drainMs + lateMs, () => {
      const running = this.running();
      // Those that parse for them have a watchdog of their own.
      if (running.length > 0) this.failStuck(running, `had not ended ${lateMs / 1000} s after the drain`);
    });
  }

  /** Threads that hang are named and ended, and the load with them. */
  private failStuck(indices: readonly number[], what: string): void {
    const names = indices.map((index) => index + 1).join(', ');
    const [subject, end] =
      indices.length === 1
        ? ['load thread', 'was ended: it hangs']
        : ['load threads', 'were ended: they hang'];
    this.fail(
      runError('generator.stuck', '', `${subject} ${names} of ${this.threads.length} ${what} and ${end}`),
    );
  }

  private endMeasure(): void {
    for (const parserPool of this.parserPools.values()) parserPool.endMeasure(Math.max(0, this.clock.now()));
  }

  /** When the load began, ms since the epoch; before that, now. */
  private get begun(): number {
    return this.startAt ?? Date.now();
  }

  /** What ends before it has begun begins now, so that it ends as any other. */
  private needNotWait(): void {
    this.begin(Date.now());
    this.line.giveUp();
  }

  private fail(error: DynoError): void {
    if (this.settled) return;
    this.settle();
    this.line.fail(error);
    this.reject(error);
  }

  private settle(): void {
    this.settled = true;
    this.watchdog.close();
    for (const pulse of this.pulses) pulse.close();
    for (const { worker } of this.threads) void worker.terminate();
    for (const parserPool of this.parserPools.values()) void parserPool.terminate();
  }

  private broadcast(message: ToShare): void {
    for (const { worker } of this.threads) send(worker, message);
  }
}

const send = (worker: Worker, message: ToShare): void => {
  worker.postMessage(message);
};
