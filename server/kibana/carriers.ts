/** The runs that this Kibana process carries, each as its own user; on one cluster one after the other. */
import type { RunDocument } from '../../common/experiment/run';
import { describeProblem, inputError } from '../../common/problem';
import type { ResultsReader } from '../results/reader';
import { createRunService } from '../run/queue/queue';
import type { RunService } from '../run/queue/service';
import { discoverCluster } from '../target-cluster/cluster';
import type { Connection } from '../target-cluster/connection';
import type { Actor } from './actor';
import type { KibanaServices } from './kibana-services';

/** What a run needs beside its order. */
export interface RunContext {
  actor: Actor;
  /** Of the definition. */
  target: string;
  connect(targetId: string): Promise<Connection>;
}

interface Carrier {
  /** '' until it is known. */
  run: string;
  /** Uuid. */
  cluster: string;
  service: RunService;
}

type Started = Awaited<ReturnType<RunService['start']>>;

export class Carriers {
  /** In the order in which the runs were asked for. */
  private carriers: Carrier[] = [];
  private readonly actors = new Map<Carrier, Actor>();
  private closed = '';
  /** One begins after the other: the second must see the first. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly kibana: KibanaServices,
    private readonly workerFile: string,
    private readonly corpora: string,
  ) {}

  /** Of the run; undefined unless it is carried here. */
  find(run: string): RunService | undefined {
    return this.carriers.find((carrier) => carrier.run === run)?.service;
  }

  /** Of documents that wait on the disk for the results cluster. */
  get spooled(): number {
    return [...this.actors.values()].reduce((sum, { writer }) => sum + writer.stats().spooled, 0);
  }

  /** `begin` starts or resumes one run; the actor is let go when it has ended, or when it could not begin. */
  async carry(runContext: RunContext, begin: (service: RunService) => Promise<Started>): Promise<Started> {
    const { actor } = runContext;
    let carrier: Carrier | undefined;
    try {
      carrier = await this.enlist(runContext);
      const { service } = carrier;
      const own = carrier;
      const turn = this.turn.then(async () => {
        const started = await begin(service);
        own.run = started.run;
        return started;
      });
      this.turn = turn.catch(() => undefined);
      const started = await turn;
      this.untilItsEnd(carrier);
      return started;
    } catch (error) {
      if (carrier) await this.letGo(carrier, 'it could not begin');
      else await actor.close();
      throw error;
    }
  }

  async close(reason: string): Promise<void> {
    this.closed = reason;
    await Promise.all(this.carriers.map((carrier) => this.letGo(carrier, reason)));
  }

  private async enlist({ actor, target, connect }: RunContext): Promise<Carrier> {
    if (this.closed !== '') throw inputError('run.closed', '', this.closed);
    const { kibana } = this;
    const connection = await connect(target);
    let cluster: string;
    try {
      cluster = (await discoverCluster(connection)).uuid;
    } finally {
      await connection.close();
    }
    const carrier: Carrier = { run: '', cluster, service: undefined as never };
    carrier.service = createRunService({
      reader: this.seeing(actor.reader, carrier),
      writer: actor.writer,
      resultsClient: actor.results,
      resultsUuid: (await discoverCluster(actor.results)).uuid,
      connect,
      workerFile: this.workerFile,
      workers: kibana.config.limits.workers,
      version: kibana.version,
      allowedHosts: kibana.config.targets.allowedHosts,
      folderOf: () => this.corpora,
      onProblem: (problem) => kibana.log.warn(describeProblem(problem)),
    });
    this.carriers.push(carrier);
    this.actors.set(carrier, actor);
    return carrier;
  }

  /**
   * The reader of one run's service, which takes every run of this process that was asked for before it and shares its
   * cluster for running, whether it has come to say so itself or not: the service then waits for its end.
   */
  private seeing(reader: ResultsReader, own: Carrier): ResultsReader {
    return {
      ...reader,
      findUnfinishedRuns: async () => {
        const ahead = this.carriers.slice(0, this.carriers.indexOf(own));
        const known = new Map(ahead.map((carrier) => [carrier.run, carrier]));
        return (await reader.findUnfinishedRuns()).map((found) => {
          const carrier = known.get(found.run.id);
          return carrier?.cluster === own.cluster ? asRunning(found, carrier.cluster) : found;
        });
      },
    };
  }

  /** Lets the carrier go once its run has ended. */
  private untilItsEnd(carrier: Carrier): void {
    const { service, run } = carrier;
    const look = (): void => {
      if (service.progress(run) !== null || service.queuedBehind(run) !== null) return;
      unfollow();
      void this.letGo(carrier, 'it has ended');
    };
    const unfollow = service.follow(run, look);
    look();
  }

  private async letGo(carrier: Carrier, reason: string): Promise<void> {
    const actor = this.actors.get(carrier);
    this.actors.delete(carrier);
    try {
      await carrier.service.close(reason);
    } finally {
      this.carriers = this.carriers.filter((other) => other !== carrier);
      await actor?.close();
    }
  }
}

const asRunning = (found: RunDocument, cluster: string): RunDocument => ({
  ...found,
  run: { ...found.run, state: 'running' },
  provenance: (found.provenance ?? { cluster: { uuid: cluster } }) as RunDocument['provenance'],
});
