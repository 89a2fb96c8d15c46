/** Keeps experiments in the results cluster: `dyno-experiments`. */
import type { Experiment } from '../../../common/api/experiments';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Definition } from '../../../common/experiment/definition';
import { readDefinitionText } from '../../../common/experiment/read';
import { inputError } from '../../../common/problem';
import { date, kept, keyword, text, type FieldMapping, type Fields } from '../../results/mappings/field';
import { idFromName } from '../../host/experiment-id';
import { Conflict, type ExperimentStore } from '../../routes/services';
import { DocumentIndex, type Versioned } from './document-index';

export const EXPERIMENTS = 'dyno-experiments';

interface StoredExperiment {
  id: string;
  name: string;
  text: string;
  /** As the text was read when it was kept. */
  definition: Definition;
  created: string;
  updated: string;
}

/** Neither analysed nor limited in length. */
const unindexed: FieldMapping = { type: 'text', index: false };

const fields: Fields<StoredExperiment> = {
  id: keyword,
  name: text,
  text: unindexed,
  definition: kept,
  created: date,
  updated: date,
};

/** Names of one beginning that are tried one after the other. */
const MOST_NAMESAKES = 1000;

const notFound = (id: string): Error =>
  inputError('experiment.not-found', 'id', 'there is no such experiment', { found: id });

/** What it says to this version of Dyno; an older one may have read it otherwise. */
function definitionOf({ text, definition }: StoredExperiment): Definition {
  try {
    return readDefinitionText(text, 'definition');
  } catch {
    return definition;
  }
}

const toExperiment = ({ id, version, source }: Versioned<StoredExperiment>): Experiment => ({
  id,
  version,
  text: source.text,
  definition: definitionOf(source),
  created: source.created,
  updated: source.updated,
});

/** `client`: of the cluster that keeps the results. */
export function createExperimentStore(client: ElasticsearchClient): ExperimentStore {
  const index = new DocumentIndex<StoredExperiment>(client, EXPERIMENTS, fields, 'experiments');

  async function get(id: string): Promise<Experiment> {
    const found = await index.get(id);
    if (!found) throw notFound(id);
    return toExperiment(found);
  }

  return {
    async list() {
      return (await index.list()).map(toExperiment);
    },

    get,

    async create(content, definition) {
      const base = idFromName(definition.name);
      const now = new Date().toISOString();
      for (let count = 1; count <= MOST_NAMESAKES; count++) {
        const id = count === 1 ? base : `${base}-${count}`;
        const source = { id, name: definition.name, text: content, definition, created: now, updated: now };
        const created = await index.create(id, source);
        if (created) return toExperiment(created);
      }
      throw inputError('experiment.name', 'name', 'too many experiments have this name', {
        found: definition.name,
      });
    },

    async save(id, content, definition, version) {
      const before = await index.get(id);
      if (!before) throw notFound(id);
      const updated = new Date().toISOString();
      const source = { ...before.source, name: definition.name, text: content, definition, updated };
      const saved = await index.replace(id, source, version);
      if (saved) return toExperiment(saved);
      throw new Conflict(
        {
          code: 'experiment.conflict',
          path: 'version',
          message: 'someone changed this experiment after it was loaded; nothing was saved',
        },
        await get(id),
      );
    },

    async delete(id) {
      if (!(await index.delete(id))) throw notFound(id);
    },
  };
}
