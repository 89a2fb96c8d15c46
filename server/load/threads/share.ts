/** Executes the part of a load that belongs to one thread: starts its tasks, ends their phases, and reports once a second. */
import type { MessagePort } from 'node:worker_threads';
import { mostClients } from '../../../common/executors/registry';
import { createHistogram, encodeHistogram, recordMs } from '../../../common/measurement/histogram';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { createRandom, deriveSeed } from '../../../common/random';
import { LoadClock, type LoadStart } from '../timing/clock';
import type { ShareJob, TaskJob, TaskOutcome } from '../contract';
import type { Executor } from '../executors/executor';
import { createExecutor } from '../executors/registry';
import { createFence, type FenceMemory } from '../timing/fence';
import { whenFirstRequests } from '../timing/first-requests';
import { HealthWatch } from '../instrument/health';
import type { RateOrder } from '../highest-rate/orders';
import type { FromShare, ShareOutcome } from '../messages';
import type { Operation } from '../operations/operation';
import { createOperation } from '../operations/registry';
import { LoopDelay } from '../instrument/loop-delay';
import { Pacer } from '../timing/pacer';
import { Phases } from '../timing/phases';
import { PulseListener } from '../instrument/pulse';
import { TaskRecorder } from '../samples/recorder';
import { documentsRange, sendingShare } from './shares';
import { LoadTimers } from '../timing/timers';
import { Transport } from '../transport/transport';

/** Shortest time from the end of a second to its report, in ms. A random part of {@link REPORT_WITHIN_MS} is added. */
const REPORT_AFTER_MS = 5;
/**
 * Maximum random delay of a report, in ms. Without this delay, reports could always coincide with responses. An example is a target that
 * takes 5 ms for the request that is due at the beginning of each second.
 */
const REPORT_WITHIN_MS = 100;
/** Time between two signs of life before the load begins, in ms. */
const ALIVE_MS = 1000;

interface RunningTask {
  job: TaskJob;
  operation: Operation;
  executor: Executor;
  recorder: TaskRecorder;
}

export class ShareRun {
  private readonly clock: LoadClock;
  private readonly phases: Phases;
  private readonly pacer: Pacer;
  private readonly transport: Transport;
  private readonly health: HealthWatch;
  private readonly tasks: RunningTask[];
  private readonly delay = new LoopDelay();
  private readonly timers: LoadTimers;
  private readonly held = createHistogram();
  private readonly pulses: PulseListener;
  private draining = false;
  private over = false;
  private ingestedReported = false;
  private lateMs = 0;
  private stopWaiting: () => void = () => undefined;
  private readonly alive: NodeJS.Timeout;

  constructor(
    private readonly job: ShareJob,
    private readonly send: (message: FromShare) => void,
    /** Ports of the parsers, by task. */
    private readonly parsers: Readonly<Record<string, readonly MessagePort[]>>,
    /** Shared memory with the time until which this thread may send requests; null for no limit. */
    fence: FenceMemory | null = null,
    /** Ports of the readers, by task. */
    private readonly readers: Readonly<Record<string, MessagePort>> = {},
  ) {
    this.alive = setInterval(() => {
      this.send({ kind: 'alive' });
    }, ALIVE_MS);
    this.alive.unref();
    this.clock = new LoadClock(job.target.clockOffsetMs);
    this.timers = new LoadTimers(this.clock, this.delay);
    this.phases = new Phases(job.warmupMs, job.measureMs);
    this.pacer = new Pacer(this.clock, this.delay);
    this.transport = new Transport({
      target: job.target,
      clock: this.clock,
      turn: job.share.index,
      delay: this.delay,
      onAnswer: (time, heldMs) => {
        if (this.phases.isMeasured(time)) recordMs(this.held, heldMs);
      },
      fence: fence && createFence(fence),
      onFenced: () => {
        this.fail(
          runError(
            'seat.lease-lost',
            '',
            'the run gave no sign of life in time, so this machine stopped sending when its lease ended',
          ),
        );
      },
    });
    this.pulses = new PulseListener(
      () => this.phases.isMeasured(this.clock.now()),
      (port) => {
        this.send({ kind: 'listens', port });
      },
    );
    this.health = new HealthWatch(() => this.pacer.nappedMs);
    this.tasks = job.tasks.map((task) => this.build(task));
    this.stopWaiting = whenFirstRequests(
      this.tasks.map(({ operation }) => operation),
      () => {
        this.send({ kind: 'ready' });
      },
    );
  }

  begin(start: LoadStart): void {
    this.clock.begin(start);
    this.timers.at(0, () => {
      this.start();
    });
  }

  /** Sets the next rate of a task that searches for the highest rate. */
  follow(task: string, order: RateOrder): void {
    if (this.over || this.draining) return;
    this.tasks.find(({ job }) => job.name === task)?.executor.follow?.(order);
  }

  /** Ends the load, because the work of all load threads is complete. */
  finish(): void {
    this.drain();
  }

  stop(): void {
    this.drain();
  }

  abort(): void {
    if (this.over) return;
    this.drain();
    this.cut('aborted');
  }

  private build(job: TaskJob): RunningTask {
    const { share, seed, indices, route, documents, tasks } = this.job;
    const ingests = tasks.filter(({ operation }) => operation.kind === 'ingest');
    const place = ingests.indexOf(job);
    const ofTask =
      documents === null || place < 0
        ? null
        : Math.floor((documents * (place + 1)) / ingests.length) -
          Math.floor((documents * place) / ingests.length);
    const own: { executor?: Executor } = {};
    const recorder = new TaskRecorder(job.name, this.phases, (from, until) =>
      own.executor!.pace(from, until),
    );
    const operation = createOperation(job.operation, {
      clock: this.clock,
      phases: this.phases,
      recorder,
      transport: this.transport,
      pacer: this.pacer,
      indices,
      destination: this.job.destination,
      maxContentBytes: this.job.target.maxContentBytes,
      route,
      random: createRandom(deriveSeed(seed, job.name, share.index, 'choices')),
      seed: deriveSeed(seed, job.name, share.index),
      share: sendingShare(share, mostClients(job.executor)),
      ids: { place: tasks.indexOf(job), seed: deriveSeed(seed, 'ids') },
      documents: ofTask === null ? null : documentsRange(ofTask, job.executor, share),
      parsers: this.parsers[job.name] ?? null,
      reader: this.readers[job.name] ?? null,
      onBroken: (error) => {
        this.fail(error);
      },
    });
    const executor = createExecutor(job.executor, {
      clock: this.clock,
      phases: this.phases,
      share,
      operation,
      recorder,
      pacer: this.pacer,
      onEnded: () => {
        this.taskEnded();
      },
      onStep: (report) => {
        if (!this.over) this.send({ kind: 'step', task: job.name, report });
      },
    });
    own.executor = executor;
    return { job, operation, executor, recorder };
  }

  private start(): void {
    if (this.over || this.draining) return;
    clearInterval(this.alive);
    this.lateMs = this.clock.now();
    // The CPU time and the utilisation until now belong to the preparation and are discarded.
    this.health.take();
    if (this.phases.measureUntil < Infinity) {
      this.timers.at(this.phases.measureUntil, () => {
        this.drain();
      });
    }
    this.reportLater(0);
    for (const { executor } of this.tasks) executor.start();
    // A thread without documents to ingest ends immediately.
    this.taskEnded();
  }

  /** Stops sending new requests. Requests in flight get `drainMs` to finish. */
  private drain(): void {
    if (this.draining || this.over) return;
    this.draining = true;
    const now = Math.max(0, this.clock.now());
    this.phases.endMeasure(now);
    // Closes the current second before the clients stop, so that the second still counts them.
    for (const { recorder } of this.tasks) recorder.rotate(now);
    this.timers.after(this.job.drainMs, () => {
      this.cut('drain-timeout');
    });
    for (const { executor, operation } of this.tasks) {
      executor.stop();
      operation.release?.();
    }
    this.taskEnded();
  }

  private cut(reason: string): void {
    for (const { executor } of this.tasks) executor.cut(reason);
    this.end();
  }

  private taskEnded(): void {
    if (this.over) return;
    // The last request may still be recording its result in this iteration of the event loop.
    setImmediate(() => {
      // If files end, the load ends with them. If only a schedule ends, the load still waits for the end of the measured phase.
      const executors = this.tasks.map(({ executor }) => executor);
      const nothingLeft = this.job.documents === null && executors.every(({ ranOut }) => ranOut);
      if (executors.every(({ ended }) => ended) && (this.draining || nothingLeft)) this.end();
      if (this.job.documents !== null && !this.ingestedReported && this.ingestEnded()) {
        this.ingestedReported = true;
        this.send({ kind: 'ingested' });
      }
    });
  }

  private ingestEnded(): boolean {
    return this.tasks.every(({ job, executor }) => job.operation.kind !== 'ingest' || executor.ended);
  }

  private reportLater(second: number): void {
    const after = REPORT_AFTER_MS + Math.random() * REPORT_WITHIN_MS;
    this.timers.at((second + 1) * 1000 + after, () => {
      this.report(this.tasks.flatMap(({ recorder }) => recorder.takeSeconds(this.clock.now())));
      this.reportLater(Math.floor(this.clock.now() / 1000));
    });
  }

  private report(seconds: (FromShare & { kind: 'seconds' })['seconds']): void {
    this.send({ kind: 'seconds', seconds, health: this.health.take(), reach: this.transport.reach() });
  }

  private end(): void {
    if (this.over) return;
    this.close();
    this.phases.endMeasure(this.measureEnd());
    const now = Math.max(0, this.clock.now());
    const seconds = this.tasks.flatMap(({ recorder }) => recorder.takeLast(now));
    const outcome: ShareOutcome = {
      tasks: this.tasks.map((task) => this.outcomeOf(task)),
      measureEndedAt: this.clock.wall(this.phases.measureUntil),
      drainedAt: this.clock.wall(now),
      lateMs: this.lateMs,
      delays: { held: encodeHistogram(this.held), noticed: this.pulses.outcome() },
      refusedConnections: this.transport.refusedConnections,
    };
    this.report(seconds);
    this.transport.close().then(
      () => {
        this.health.close();
        this.send({ kind: 'outcome', outcome });
      },
      (error: unknown) => {
        this.reportFailure(error);
      },
    );
  }

  /**
   * Returns the end of the measured phase in ms since the start. If the job has a fixed number of documents, or if all files have ended,
   * this is the time of the last response.
   */
  private measureEnd(): number {
    const { measureUntil } = this.phases;
    const counted = this.tasks.filter(
      ({ job }) => this.job.documents === null || job.operation.kind === 'ingest',
    );
    if (!counted.every(({ executor }) => executor.ranOut)) return measureUntil;
    return Math.min(
      measureUntil,
      Math.max(this.phases.measureFrom, ...counted.map(({ executor }) => executor.lastEnd)),
    );
  }

  private outcomeOf({ job, operation, executor, recorder }: RunningTask): TaskOutcome {
    const { measureFrom, measureUntil } = this.phases;
    const until = executor.ranOut ? Math.min(executor.lastEnd, measureUntil) : measureUntil;
    const offering = executor.offering();
    executor.noteUnsent?.();
    const writes = operation.written?.();
    const drawn = operation.drew?.();
    const answers = operation.compared?.();
    const traffic = operation.trafficReplayed?.();
    return {
      task: job.name,
      kind: job.operation.kind,
      elapsedMs: Math.max(0, until - measureFrom),
      // If the number of documents is fixed, a thread that has sent its documents is complete. Its source has not ended too early.
      sourceEndedMs:
        this.job.documents === null && operation.exhausted && executor.ranOut ? executor.lastEnd : null,
      ...recorder.outcome(),
      ...(writes === undefined ? {} : { writes }),
      ...(drawn === undefined ? {} : { drawn }),
      ...(answers === undefined ? {} : { answers }),
      offered: offering?.offered ?? null,
      sent: offering?.sent ?? null,
      unsent: offering?.unsent ?? 0,
      replay: operation.replayed?.() ?? null,
      ...(traffic === undefined ? {} : { traffic }),
      senders: operation.senderTimes?.() ?? null,
      parsers: null,
    };
  }

  private fail(error: unknown): void {
    if (this.over) return;
    this.close();
    for (const { executor } of this.tasks) executor.cut('aborted');
    this.health.close();
    void this.transport.close();
    this.reportFailure(error);
  }

  private reportFailure(error: unknown): void {
    const { kind, problems } =
      error instanceof DynoError ? error : runError('generator.failed', '', messageOf(error), error);
    this.send({ kind: 'failed', problemKind: kind, problems: [...problems] });
  }

  private close(): void {
    this.over = true;
    clearInterval(this.alive);
    this.stopWaiting();
    this.timers.clear();
    this.pacer.close();
    this.pulses.close();
    for (const { operation } of this.tasks) operation.close();
  }
}
