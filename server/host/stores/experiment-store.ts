/** Experiments as both hosts keep them: ids from names, versions, and what is said of conflicts. */
import type { Experiment } from '../../../common/api/experiments';
import type { Definition } from '../../../common/experiment/definition';
import { readDefinitionText } from '../../../common/experiment/read';
import { inputError } from '../../../common/problem';
import { ReadOnce } from '../../results/read-once';
import { Conflict, type ExperimentStore, type ListedExperiment } from '../../routes/services';
import { idFromName } from './experiment-id';
import type { Versioned, VersionedStore } from './versioned';

export interface KeptExperiment {
  name: string;
  text: string;
  /** As the text was read when it was kept. */
  definition: Definition;
  /** ISO 8601, UTC. */
  created: string;
  updated: string;
}

/** Names of one beginning that are tried one after the other. */
const MOST_NAMESAKES = 1000;

const notFound = (id: string): Error =>
  inputError('experiment.not-found', 'id', 'there is no such experiment', { found: id });

/** What it says to this version of Dyno; an older one may have read it otherwise. */
function definitionOf({ text, definition }: KeptExperiment): Definition {
  try {
    return readDefinitionText(text, 'definition');
  } catch {
    // This version refuses it: as it was kept.
    return definition;
  }
}

/** Parts that lists tell of, each of which has a default: where one is missing, an older version kept it. */
const LISTED = ['name', 'hypothesis', 'tags', 'target', 'factors', 'trials'] as const;

/** As it was read when it was kept, if that is enough for a list: what has a schedule is started from there. */
function listedDefinition(kept: KeptExperiment): Definition {
  const { definition } = kept;
  const isEnough =
    definition.schedule === undefined && LISTED.every((part) => definition[part] !== undefined);
  return isEnough ? definition : definitionOf(kept);
}

const toExperiment = ({ id, version, source }: Versioned<KeptExperiment>): Experiment => ({
  id,
  version,
  text: source.text,
  definition: definitionOf(source),
  created: source.created,
  updated: source.updated,
});

const toListed = ({ id, version, source }: Versioned<KeptExperiment>): ListedExperiment => ({
  id,
  version,
  definition: listedDefinition(source),
  created: source.created,
  updated: source.updated,
});

/** What lists have read, for all stores of one process that keep the same experiments. */
export type ExperimentMemory = ReadOnce<ListedExperiment>;

/** Characters of the definitions that are kept, as JSON: some thousands of them. */
const MOST_CHARACTERS = 10_000_000;

export const experimentMemory = (): ExperimentMemory =>
  new ReadOnce(MOST_CHARACTERS, ({ definition }) => JSON.stringify(definition).length);

export function experimentStore(
  kept: VersionedStore<KeptExperiment>,
  memory = experimentMemory(),
): ExperimentStore {
  async function stored(id: string): Promise<Versioned<KeptExperiment>> {
    const found = await kept.get(id);
    if (!found) throw notFound(id);
    return found;
  }

  return {
    async list() {
      const listed = await memory.of(
        await kept.stamps(),
        async (ids) => new Map((await kept.getMany(ids)).map((found) => [found.id, toListed(found)])),
      );
      return [...listed.values()];
    },

    async get(id) {
      return toExperiment(await stored(id));
    },

    async create(text, definition) {
      const base = idFromName(definition.name);
      const now = new Date().toISOString();
      const source = { name: definition.name, text, definition, created: now, updated: now };
      for (let count = 1; count <= MOST_NAMESAKES; count++) {
        const created = await kept.create(count === 1 ? base : `${base}-${count}`, source);
        if (created) return toExperiment(created);
      }
      throw inputError('experiment.name', 'name', 'too many experiments have this name', {
        found: definition.name,
      });
    },

    async save(id, text, definition, version) {
      const { source: before } = await stored(id);
      const updated = new Date().toISOString();
      const source = { ...before, name: definition.name, text, definition, updated };
      const saved = await kept.replace(id, source, version);
      if (saved) return toExperiment(saved);
      throw new Conflict(
        {
          code: 'experiment.conflict',
          path: 'version',
          message: 'someone changed this experiment after it was loaded; nothing was saved',
        },
        toExperiment(await stored(id)),
      );
    },

    async delete(id) {
      if (!(await kept.delete(id))) throw notFound(id);
    },
  };
}
