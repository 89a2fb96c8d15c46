/**
 * Rules for stored experiments: how an experiment gets its id, and how conflicting changes are detected by their versions. Kibana and the
 * standalone server use the same rules.
 */
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
  /** Definition that was parsed from the text when it was stored. */
  definition: Definition;
  /** Time of creation, ISO 8601 in UTC. */
  created: string;
  updated: string;
}

/** Maximum number of ids that are tried if several experiments have the same name. */
const MOST_NAMESAKES = 1000;

const notFound = (id: string): Error =>
  inputError('experiment.not-found', 'id', 'there is no such experiment', { found: id });

/**
 * Returns the definition as this version of Dyno parses the stored text. The stored definition may differ, because an older version of Dyno
 * may have parsed the text.
 */
function definitionOf({ text, definition }: KeptExperiment): Definition {
  try {
    return readDefinitionText(text, 'definition');
  } catch {
    // The stored definition is returned, because this version rejects the text.
    return definition;
  }
}

/**
 * Keys of a definition whose values lists of experiments show. The parser always sets these keys, at least to a default. If a stored
 * definition lacks one of these keys, an older version of Dyno has stored it.
 */
const LISTED = ['name', 'hypothesis', 'tags', 'target', 'factors', 'trials'] as const;

/**
 * Returns the stored definition if it has all keys that a list shows. Otherwise parses the text again. A definition with a schedule is
 * always parsed again, because scheduled runs use it.
 */
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

/** Cache of experiments for lists. In one process, all stores of the same experiments share it. */
export type ExperimentMemory = ReadOnce<ListedExperiment>;

/** Maximum total size of the cached definitions, in characters of JSON. This is enough for a few thousand definitions. */
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
