/** What carries tunings on this host: for the server and for `dyno tune`. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { formatYaml } from '../../common/experiment/document';
import type { Definition } from '../../common/experiment/definition';
import type { TargetKnown } from '../../common/advice/knobs';
import { DynoError, type Problem } from '../../common/problem';
import { readDefinition } from '../../common/experiment/read';
import { createLeases } from '../results/leases';
import { discoverCluster } from '../target-cluster/cluster';
import type { Connection } from '../target-cluster/connection';
import { draftOf, sampleIn, type DraftOrder } from '../tuning/draft';
import { Tuner, type TunerParts } from '../tuning/tuner';
import type { ExperimentStore, TuningService } from '../routes/services';
import type { RunService } from '../run/queue/queue';
import type { Places } from './host';
import { createTuningStore } from './store/tunings';

interface Parts {
  runs: RunService;
  places: Pick<Places, 'results' | 'reader'>;
  /** Where samples of indices are kept, and files of experiments are read. */
  corpora: string;
  experiments: ExperimentStore;
  connect(target: string): Promise<Connection>;
  checkFiles(definition: Definition): Promise<void>;
  onProblem(problem: Problem): void;
  onChange?: TunerParts['onChange'];
}

export interface CarriedTunings {
  service: TuningService;
  tuner: Tuner;
  takeUp(): Promise<string[]>;
  close(): Promise<void>;
}

const describe = async (connection: Connection): Promise<TargetKnown> => {
  const { nodes, version, serverless } = await discoverCluster(connection);
  const data = nodes.filter((node) => node.data);
  return {
    dataNodes: data.length === 0 ? null : data.length,
    cores: data.length === 0 ? null : Math.min(...data.map(({ cores }) => cores)),
    version,
    serverless,
  };
};

export function createTuner(parts: Parts): CarriedTunings {
  const { runs, places, corpora, experiments, connect, checkFiles, onProblem, onChange } = parts;
  const connected = async <T>(target: string, work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connect(target);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const tuner = new Tuner({
    store: createTuningStore(places.results),
    leases: createLeases(places.results),
    runs,
    reader: places.reader,
    keepExperiment: async (text, definition) => (await experiments.create(text, definition)).id,
    removeExperiment: async (id) => {
      try {
        await experiments.delete(id);
      } catch (error) {
        if (!(error instanceof DynoError) || error.code !== 'experiment.not-found') throw error;
      }
    },
    removeSample: async (definition, stages) => {
      const file = sampleIn(definition);
      if (file === undefined) return false;
      const others = (await experiments.list()).filter(({ id }) => !stages.includes(id));
      if (others.some((other) => other.definition && sampleIn(other.definition) === file)) return false;
      await rm(path.join(corpora, file), { force: true });
      return true;
    },
    describe: (target) => connected(target, describe),
    check: checkFiles,
    onProblem,
    onChange,
  });
  const draft = async (order: DraftOrder): Promise<{ text: string; documents: number }> =>
    connected(order.target, async (connection) => {
      const { definition, documents } = await draftOf(connection, order, corpora);
      readDefinition(definition);
      return { text: formatYaml(definition), documents };
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
    close: () => tuner.close(),
  };
}
