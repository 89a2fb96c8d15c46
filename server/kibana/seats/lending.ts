/**
 * Lets this Kibana node generate a part of the load of a run. A process that generates such a part is called a *seat* of the run. The run
 * itself may be executed by another process.
 */
import os from 'node:os';
import { messageOf } from '../../../common/problem';
import { tick } from '../../load/timing/clock';
import { thisProcess } from '../../process-life';
import { BEAT, busOn, CALL, type Beat, type Bus, type Call } from '../../seats/bus';
import { isOver } from '../../seats/mailbox';
import { LEAVE_MS } from '../../seats/protocol';
import { serveOn, type Left, type WorkerSetting } from '../../seats/worker';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import { clientOf } from '../actor';
import { authorizationOfKey } from '../keys';
import type { KibanaServices } from '../kibana-services';
import { inNamespace, SAVED_OBJECT_TYPES, SECRET_TYPE } from '../saved-objects';
import { unless } from '../saved-object-errors';
import { createSecrets, type Secrets } from '../secrets';
import { createTargetStore } from '../targets';
import { forgetShared, openShared } from './shared-key';
import type { SeatLook, SeatParams, SeatState, SeatWork } from './tasks';

/**
 * Time in ms until the next check if the run has all load-generating processes (seats) that it needs. Further checks only find out whether
 * one of them has ended and must be replaced.
 */
const COMPLETE_MS = 30_000;
/**
 * Minimum time in ms until the next check if the run needs another load-generating process, but this node cannot provide one. The time
 * increases with every such check.
 */
const SHORTEST_MS = 1000;
const LONGEST_MS = 20_000;
/** Time in ms until the next check if the results cluster or Kibana's own cluster does not respond. */
const AWAY_MS = 10_000;
/** Minimum time in ms before this node again generates load for a run for which it has stopped. */
const AGAIN_MS = 10_000;

export interface LendingOptions {
  kibana: KibanaServices;
  /** Path of the built entry file of the load threads. */
  workerFile: string;
  /** Folder of the files that experiments may read. */
  corpora: string;
  /** Opens the bus: the documents through which the processes of a run communicate. Tests replace this function. */
  busOf?: typeof busOn;
  serve?: typeof serveOn;
}

interface Held {
  ending: AbortController;
  done: Promise<void>;
}

/**
 * Lets this node generate a part of the load of runs. For each run, this node provides at most one process, even if the run allows several
 * per machine. A second process would compete for the same processors.
 */
export class SeatLending implements SeatWork {
  private readonly held = new Map<string, Held>();
  private readonly taking = new Set<string>();
  /**
   * Earliest time at which this node may generate load for a run again, in ms of the {@link tick} clock. The keys are the names of the
   * indices through which the processes of the runs communicate.
   */
  private readonly notBefore = new Map<string, number>();
  private closed = false;

  constructor(private readonly options: LendingOptions) {}

  /** Ids of the runs for which this node generates load. */
  get runs(): string[] {
    return [...this.held.keys()];
  }

  async look(params: SeatParams, before: SeatState): Promise<SeatLook> {
    const { log } = this.options.kibana;
    try {
      const opened = await this.open(params);
      if (opened === null) return null;
      const look = await this.lookAt(params, before, opened.bus, opened.take);
      // The key of the run is removed here, because the process that executed the run may have died before it removed the key.
      if (look === null) await opened.forget();
      return look;
    } catch (error) {
      log.info(`the seats of run ${params.run} could not be checked: ${messageOf(error)}`);
      return { state: before, againMs: AWAY_MS };
    }
  }

  /** Stops generating load for all runs. `why`: the reason, which the processes that execute the runs receive. Never rejects. */
  async close(why: string): Promise<void> {
    this.closed = true;
    for (const { ending } of this.held.values()) ending.abort(new Error(why));
    await Promise.all([...this.held.values()].map(({ done }) => done));
  }

  private async lookAt(
    { run, bus: index }: SeatParams,
    before: SeatState,
    bus: Bus,
    take: (call: Call) => Promise<Omit<WorkerSetting, 'results'>>,
  ): Promise<SeatLook> {
    let read: Map<string, Call | Beat>;
    try {
      read = await bus.read<Call | Beat>([CALL, BEAT]);
    } catch (error) {
      if (isOver(error)) return null;
      throw error;
    }
    const call = read.get(CALL) as Call | undefined;
    const beat = read.get(BEAT) as Beat | undefined;
    const now = Date.now();
    const isAlive = beat !== undefined && beat.number !== before.beat;
    const state: SeatState = {
      beat: beat?.number ?? null,
      since: isAlive ? now : before.since,
      tries: 0,
    };
    // No process executes the run any more, so the task ends. A process that resumes the run creates new tasks.
    if (!isAlive && now - before.since > LEAVE_MS) return null;
    if (call === undefined || beat === undefined) return { state, againMs: SHORTEST_MS };
    if (beat.seats.length >= call.seats) return { state, againMs: COMPLETE_MS * jitter() };
    if (this.mayTake(run, index, call)) {
      // If several tasks run here at once, only one of them continues.
      this.taking.add(run);
      try {
        this.hold(run, index, call, bus, await take(call));
      } finally {
        this.taking.delete(run);
      }
      // The next check is soon, because another node may have taken this part of the load before this node.
      return { state, againMs: AGAIN_MS * jitter() };
    }
    const tries = before.tries + 1;
    return {
      state: { ...state, tries },
      againMs: Math.min(LONGEST_MS, SHORTEST_MS * 1.2 ** tries) * jitter(),
    };
  }

  private mayTake(run: string, index: string, call: Call): boolean {
    const { config, version } = this.options.kibana;
    return (
      !this.closed &&
      config.seats.lend &&
      call.version === version &&
      !this.held.has(run) &&
      !this.taking.has(run) &&
      tick() >= (this.notBefore.get(index) ?? 0)
    );
  }

  private hold(
    run: string,
    index: string,
    call: Call,
    bus: Bus,
    setting: Omit<WorkerSetting, 'results'>,
  ): void {
    const { kibana, serve = serveOn } = this.options;
    if (this.closed) return;
    const ending = new AbortController();
    const done = serve(setting, bus, call, ending.signal)
      .catch((error: unknown): Left => ({ why: messageOf(error), hadSeat: false }))
      .then(({ why, hadSeat }) => {
        if (hadSeat) kibana.log.info(`gave the seat of run ${run} back: ${why}`);
        this.held.delete(run);
        for (const [known, until] of this.notBefore) if (until <= tick()) this.notBefore.delete(known);
        this.notBefore.set(index, tick() + AGAIN_MS);
      });
    this.held.set(run, { ending, done });
  }

  /**
   * Opens the index through which the processes of the run communicate, and prepares access to the target. Both use the rights of the run's
   * user. Resolves to null if the run's key no longer exists, which means that the run is over. Rejects with a DynoError.
   */
  private async open({ bus, target, namespace, key: shared }: SeatParams) {
    const { kibana, workerFile, corpora, busOf = busOn } = this.options;
    const { allowedHosts } = kibana.config.targets;
    const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
    const objects = inNamespace(repository, namespace ?? undefined);
    const secrets: Secrets = createSecrets(objects, kibana.encrypted, namespace ?? undefined);
    if (shared !== null && !(await unless([404], objects.get(SECRET_TYPE, shared.secret)))) return null;
    const key = shared && (await openShared(secrets, shared));
    const authorization = key ? authorizationOfKey(key) : undefined;
    const own = clientOf(kibana, authorization);

    const take = async (call: Call): Promise<Omit<WorkerSetting, 'results'>> => {
      const local = kibana.elasticsearch();
      const targets = createTargetStore({ objects, secrets, client: own, local, allowedHosts });
      const connection = await targets.connect(target, authorization);
      const { headers, ca, verifyCertificates } = connection;
      await connection.close();
      return {
        process: thisProcess(),
        machine: os.hostname(),
        cores: Math.min(os.availableParallelism(), kibana.config.limits.workers ?? Infinity),
        version: call.version,
        labels: kibana.config.seats.labels,
        credentials: (nodes) => {
          checkAllowedHosts(nodes, allowedHosts);
          return { headers: { ...headers }, ca, verifyCertificates };
        },
        workerFile,
        folder: corpora,
        onNote: (message) => kibana.log.info(message),
      };
    };
    return {
      bus: busOf(kibana.resultsOf(own), bus),
      take,
      forget: async () => {
        if (shared !== null) await forgetShared(kibana, secrets, shared);
      },
    };
  }
}

/**
 * Returns a random factor between 0.5 and 1.5. Without it, tasks that were executed at the same time would always be executed at the same
 * time.
 */
const jitter = (): number => 0.5 + Math.random() / 2;
