/**
 * Creates the tuner, which executes series of experiments that look for better settings. The stores, the queue and the targets come from
 * Kibana or the standalone server.
 */
import { formatYaml } from '../../common/experiment/document';
import type { Definition } from '../../common/experiment/definition';
import type { TargetKnown } from '../../common/tuning/knobs';
import { DynoError, messageOf } from '../../common/problem';
import { readDefinition } from '../../common/experiment/read';
import { discoverCluster } from '../target-cluster/cluster';
import type { Connection } from '../target-cluster/connection';
import { draftOf, removeOldDrafts, sampleIn, type Samples } from '../tuning/draft';
import { Tuner, type TunerParts } from '../tuning/tuner';
import type { ExperimentStore, TuningService } from '../routes/services';

export interface HostTunerParts extends Pick<
  TunerParts,
  'store' | 'leases' | 'runs' | 'reader' | 'onProblem' | 'onChange'
> {
  samples: Samples;
  experiments: ExperimentStore;
  /** Calls `work` with a connection to the target, and closes the connection afterwards. */
  connected<T>(target: string, work: (connection: Connection) => Promise<T>): Promise<T>;
  checkFiles(definition: Definition): Promise<void>;
}

export interface CarriedTunings {
  service: TuningService;
  tuner: Tuner;
  takeUp(): Promise<string[]>;
  /** Removes the document sample of a draft (a proposed definition of a tuning), unless a tuning was started with this draft. */
  leave(definition: Definition): Promise<void>;
  close(): Promise<void>;
}

const describe = async (connection: Connection): Promise<TargetKnown> => {
  const { nodes, engine, version, serverless } = await discoverCluster(connection);
  const data = nodes.filter((node) => node.data);
  return {
    dataNodes: data.length === 0 ? null : data.length,
    cores: data.length === 0 ? null : Math.min(...data.map(({ cores }) => cores)),
    engine,
    version,
    serverless,
  };
};

/** Calls `work` with a connection from `connect`, and closes the connection afterwards. */
export async function withConnection<T>(
  connect: () => Promise<Connection>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export function createTuner(parts: HostTunerParts): CarriedTunings {
  const { samples, experiments, connected, checkFiles, ...given } = parts;
  const tuner = new Tuner({
    ...given,
    keepExperiment: async (text, definition) => (await experiments.create(text, definition)).id,
    removeExperiment: async (id) => {
      try {
        await experiments.delete(id);
      } catch (error) {
        if (!(error instanceof DynoError) || error.code !== 'experiment.not-found') throw error;
      }
    },
    takeSample: async (definition) => {
      const file = sampleIn(definition);
      if (file !== undefined) await samples.take(file);
    },
    removeSample: async (definition, stages) => {
      const file = sampleIn(definition);
      if (file === undefined) return false;
      const others = (await experiments.list()).filter(({ id }) => !stages.includes(id));
      if (others.some((other) => other.definition && sampleIn(other.definition) === file)) return false;
      await samples.remove(file);
      return true;
    },
    describe: (target) => connected(target, describe),
    check: checkFiles,
  });
  const draft: TuningService['draft'] = async (order) =>
    connected(order.target, async (connection) => {
      // A failure to remove old drafts must not prevent a new one.
      await removeOldDrafts(samples, () => experiments.list()).catch((error: unknown) =>
        given.onProblem({
          code: 'tuning.sample',
          path: '',
          message: `samples of earlier drafts could not be removed: ${messageOf(error)}`,
        }),
      );
      const { definition, documents, subject } = await draftOf(connection, order, samples);
      readDefinition(definition);
      return { text: formatYaml(definition), documents, subject };
    });
  return {
    tuner,
    service: {
      draft,
      plan: (...given) => tuner.plan(...given),
      start: (...given) => tuner.start(...given),
      list: () => tuner.list(),
      get: (id) => tuner.get(id),
      cancel: (id) => tuner.cancel(id),
      delete: (id, kept) => tuner.delete(id, kept),
    },
    takeUp: () => tuner.takeUp(),
    async leave(definition) {
      const file = sampleIn(definition);
      if (file !== undefined) await samples.remove(file);
    },
    close: () => tuner.close(),
  };
}
