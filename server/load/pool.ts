/** Executes the load of one trial: controls the processes and threads that generate it, and merges their results. */
import type { RateProgress } from '../../common/measurement/highest-rate';
import type { Sample } from '../../common/measurement/sample';
import { DynoError, messageOf, runError } from '../../common/problem';
import { LoadClock, loadStart } from './timing/clock';
import type { Load, LoadJob, LoadOutcome } from './contract';
import { mergeDelays, mergeOutcome, mergeReach, mergeRefusedConnections } from './samples/merge';
import { RateSearch } from './highest-rate/search';
import type { FromSeat, Order, Reach, SeatOutcome, ThreadHealth } from './messages';
import { Seat } from './threads/seat';
import type { SeatLink, Seating } from './threads/seating';
import { SampleMerger } from './samples/sample-merger';
import { defaultWorkers } from './threads/shares';
import { StartLine } from './timing/start-line';

/** Time without a connection, in ms, after which a target that never answered counts as unreachable. */
const UNREACHABLE_MS = 5000;
/**
 * Time without a connection, in ms, after which a target that has answered before counts as lost. It is longer than {@link UNREACHABLE_MS},
 * because such a target may only need time, for example to restart its network.
 */
const LOST_MS = 15_000;

export interface LoadOptions {
  /** Path of the built worker script. */
  workerFile: string;
  /** Number of threads. Defaults to {@link defaultWorkers}. */
  workers?: number;
  /** Starts the processes that generate the load. Default: only this process, with `workers` threads. */
  seating?: Seating;
  /**
   * Longest time, in ms, until an order has reached all processes that generate load. Default: the time until it has reached the threads of
   * this process.
   */
  orderLeadMs?: number;
  /** Silence, in ms, after which a thread counts as hung. Default: the value in `watchdog.ts`. For tests. */
  silentMs?: number;
  /** Called once per second and task, in order of time, with the merged results of all load threads. */
  onSample: (sample: Sample) => void;
  /** Called when a search for the highest rate begins a step. */
  onRateStep?: (task: string, progress: RateProgress) => void;
}

/** One of the processes that generate the load, and its results so far. */
interface LoadSeat {
  link: SeatLink;
  outcome: SeatOutcome | null;
  ingested: boolean;
  reach: Reach;
  /** CPU time and utilisation of the process over all seconds so far: number of seconds, sum of the CPU times, and highest utilisation. */
  health: { seconds: number; cpuMs: number; utilisation: number };
}

function noteHealth({ health }: LoadSeat, { cpuMs, utilisation }: ThreadHealth): void {
  health.seconds += 1;
  health.cpuMs += cpuMs;
  health.utilisation = Math.max(health.utilisation, utilisation);
}

const figuresOf = (
  { tasks, workers, lateMs }: SeatOutcome,
  { health }: LoadSeat,
): LoadOutcome['seats'][number] => ({
  workers,
  lateMs,
  attempted: tasks.reduce((sum, { total }) => sum + total.attempted, 0),
  cpuMs: health.seconds === 0 ? 0 : health.cpuMs / health.seconds,
  utilisation: health.utilisation,
});

/** Prepares all processes that generate the load. {@link Load.begin} starts them. */
export function prepareLoad(
  job: LoadJob,
  { workerFile, workers = defaultWorkers(job), silentMs, seating, ...hooks }: LoadOptions,
): Load {
  const here: Seating = (own, receive) => [
    new Seat({
      job: own,
      shares: { first: 0, count: workers, of: workers },
      workerFile,
      silentMs,
      send: (message) => {
        receive(0, message);
      },
    }),
  ];
  return new Pool(job, seating ?? here, hooks);
}

/** Prepares a load and starts it as soon as all threads are ready. */
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
  stilled: Promise<void> = Promise.resolve();
  private readonly seats: LoadSeat[];
  private readonly merger: SampleMerger;
  private readonly search: RateSearch | null;
  private readonly line: StartLine;
  private readonly clock = new LoadClock();
  /** Start of the load in ms since the epoch; null before {@link begin}. */
  private startAt: number | null = null;
  private resolve!: (outcome: LoadOutcome) => void;
  private reject!: (error: DynoError) => void;
  /**
   * Lead time in ms: the threads must receive the time of the start at least this long before the start. It is the maximum over all
   * processes that generate load.
   */
  private leadMs = 0;
  private awayMs = 0;
  private settled = false;
  private stopped = '';

  constructor(
    private readonly job: LoadJob,
    seating: Seating,
    { onSample, onRateStep, orderLeadMs }: Pick<LoadOptions, 'onSample' | 'onRateStep' | 'orderLeadMs'>,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A caller that waits only for `ready` gets the error of the load from `ready`.
    this.done.catch(() => undefined);
    this.search = this.searchOf(onRateStep, orderLeadMs);
    this.seats = seating(job, (seat, message) => {
      this.receive(seat, message);
    }).map((link) => ({
      link,
      outcome: null,
      ingested: false,
      reach: { sinceAnswerMs: Infinity, silentMs: 0, example: '' },
      health: { seconds: 0, cpuMs: 0, utilisation: 0 },
    }));
    this.merger = new SampleMerger(
      this.seats.length,
      () => this.begun,
      (sample) => {
        this.search?.sampled(sample);
        onSample(sample);
      },
    );
    this.line = new StartLine({
      threads: this.seats.length,
      now: () => performance.now(),
      ping: () => {
        this.broadcast({ kind: 'ping' });
      },
    });
  }

  get ready(): Promise<number> {
    const ready = this.line.ready.then((leadMs) => Math.max(leadMs, this.leadMs));
    // A caller that waits only for `done` gets this error from `done`.
    ready.catch(() => undefined);
    return ready;
  }

  begin(startAt: number): void {
    if (this.settled || this.startAt !== null) return;
    this.startAt = startAt;
    const start = loadStart(startAt);
    this.clock.begin(start);
    this.broadcast({ kind: 'begin', start });
    this.search?.begin(start);
  }

  stop(reason: string): void {
    if (this.settled) return;
    this.stopped ||= reason;
    this.needNotWait();
    this.broadcast({ kind: 'stop' });
  }

  abort(): void {
    if (this.settled) return;
    this.stopped ||= 'aborted';
    this.needNotWait();
    this.broadcast({ kind: 'abort' });
  }

  /**
   * Returns the search for the highest rate. It runs here, because only this class receives the results of all load threads. Returns null
   * if no task searches for the highest rate.
   */
  private searchOf(onRateStep: LoadOptions['onRateStep'], leadMs?: number): RateSearch | null {
    for (const { name: task, executor } of this.job.tasks) {
      if (executor.kind !== 'highest-rate') continue;
      return new RateSearch(task, executor.search, executor.maxClients, this.job, {
        leadMs,
        order: (order) => {
          this.broadcast({ kind: 'rate', task, order });
        },
        onStep: (progress) => onRateStep?.(task, progress),
        onAnswered: () => {
          this.broadcast({ kind: 'finish' });
        },
      });
    }
    return null;
  }

  private receive(index: number, message: FromSeat): void {
    if (this.settled) return;
    const seat = this.seats[index]!;
    switch (message.kind) {
      case 'ready':
        this.leadMs = Math.max(this.leadMs, message.leadMs);
        this.line.arrived();
        break;
      case 'pong':
        this.line.arrived();
        break;
      case 'alive':
        seat.reach = message.reach;
        this.checkReach();
        break;
      case 'seconds':
        noteHealth(seat, message.health);
        this.merger.add(index, message.seconds, { threads: message.health, machine: message.machine });
        break;
      case 'ingested':
        seat.ingested = true;
        if (this.seats.every(({ ingested }) => ingested)) this.broadcast({ kind: 'finish' });
        break;
      case 'step':
        this.search?.reported(index, message.report, this.running());
        break;
      case 'outcome':
        seat.outcome = message.outcome;
        this.merger.finish(index);
        this.checkDone();
        break;
      case 'failed':
        this.fail(new DynoError(message.problemKind, message.problems));
        break;
    }
  }

  /** Indices of the processes that have not ended their part of the load. */
  private running(): number[] {
    return this.seats.flatMap(({ outcome }, index) => (outcome === null ? [index] : []));
  }

  /**
   * Fails the load if the target is unreachable: no thread receives responses, and at least one thread has been trying every node for too
   * long.
   */
  private checkReach(): void {
    const { sinceAnswerMs, silentMs, example } = mergeReach(this.seats.map(({ reach }) => reach));
    this.awayMs = Math.max(this.awayMs, Math.min(sinceAnswerMs, silentMs));
    const limitMs = sinceAnswerMs === Infinity ? UNREACHABLE_MS : LOST_MS;
    if (silentMs <= limitMs || sinceAnswerMs <= limitMs) return;
    const nodes = this.job.target.nodes.join(', ');
    const never = sinceAnswerMs === Infinity;
    const since = never ? '' : ` any more since ${Math.round(sinceAnswerMs / 1000)} s`;
    const message = `no node of the target answers${since}: ${example}`;
    this.fail(runError(never ? 'target.unreachable' : 'target.lost', nodes, message));
  }

  private checkDone(): void {
    const outcomes = this.seats.map(({ outcome }) => outcome);
    if (!outcomes.every((outcome) => outcome !== null)) return;
    try {
      this.conclude(outcomes);
    } catch (error) {
      this.fail(
        runError('generator.no-outcome', '', `the load reported nothing: ${messageOf(error)}`, error),
      );
    }
  }

  private conclude(outcomes: readonly SeatOutcome[]): void {
    const tasks = this.job.tasks.map(({ name }, place) => {
      const outcome = mergeOutcome(outcomes.map(({ tasks: own }) => own[place]!));
      return this.search?.task === name ? this.search.conclude(outcome) : outcome;
    });
    this.settle();
    this.resolve({
      tasks,
      startedAt: this.begun,
      measureAt: this.begun + this.job.warmupMs,
      measureEndedAt: Math.max(...outcomes.map(({ measureEndedAt }) => measureEndedAt)),
      drainedAt: Math.max(...outcomes.map(({ drainedAt }) => drainedAt)),
      workers: outcomes.reduce((sum, { workers }) => sum + workers, 0),
      lateMs: Math.max(...outcomes.map(({ lateMs }) => lateMs)),
      awayMs: this.awayMs,
      refusedConnections: mergeRefusedConnections(
        this.job.target.nodes,
        outcomes.map(({ refusedConnections }) => refusedConnections),
      ),
      stopped: this.stopped,
      delays: mergeDelays(outcomes.map(({ delays }) => delays)),
      seats: outcomes.map((outcome, seat) => figuresOf(outcome, this.seats[seat]!)),
    });
  }

  /** Start of the load, in ms since the epoch; the current time before the start. */
  private get begun(): number {
    return this.startAt ?? Date.now();
  }

  /**
   * Called when the load is stopped. If the threads still wait for the common start, starts them now. The load then ends like any other
   * load.
   */
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
    this.stilled = Promise.all(this.seats.map(({ link }) => link.end())).then(() => undefined);
  }

  private broadcast(order: Order): void {
    for (const { link } of this.seats) link.order(order);
  }
}
