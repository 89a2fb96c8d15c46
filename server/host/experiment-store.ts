/** Experiments as both hosts keep them: ids from names, versions, and what is said of conflicts. */
import type { Experiment } from '../../common/api/experiments';
import type { Definition } from '../../common/experiment/definition';
import { readDefinitionText } from '../../common/experiment/read';
import { inputError } from '../../common/problem';
import { Conflict, type ExperimentStore } from '../routes/services';
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

/** What texts say that were read before, the one that was asked for last the last; null for what this version refuses. */
const read = new Map<string, Definition | null>();
let charactersRead = 0;

/** Characters of the texts that are kept in {@link read}, with definitions of about the same size. */
const MOST_CHARACTERS = 10_000_000;

/** Of one text, so that a few large ones do not displace all others. */
const MOST_OF_ONE = 100_000;

function keep(text: string, definition: Definition | null): void {
  if (text.length > MOST_OF_ONE) return;
  if (!read.delete(text)) charactersRead += text.length;
  read.set(text, definition);
  for (const oldest of read.keys()) {
    if (charactersRead <= MOST_CHARACTERS) break;
    read.delete(oldest);
    charactersRead -= oldest.length;
  }
}

/**
 * What it says to this version of Dyno; an older one may have read it otherwise. Lists ask for it again and again, so it is
 * read once. What is too large to be kept there is read each time.
 */
function definitionOf({ text, definition }: KeptExperiment): Definition {
  const known = read.get(text) ?? (read.has(text) ? null : undefined);
  if (known !== undefined) {
    keep(text, known);
    return known ?? definition;
  }
  let own: Definition | null = null;
  try {
    own = readDefinitionText(text, 'definition');
  } catch {
    // As it was kept.
  }
  keep(text, own);
  return own ?? definition;
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

const toExperiment = (
  { id, version, source }: Versioned<KeptExperiment>,
  reading: (kept: KeptExperiment) => Definition = definitionOf,
): Experiment => ({
  id,
  version,
  text: source.text,
  definition: reading(source),
  created: source.created,
  updated: source.updated,
});

export function experimentStore(kept: VersionedStore<KeptExperiment>): ExperimentStore {
  async function stored(id: string): Promise<Versioned<KeptExperiment>> {
    const found = await kept.get(id);
    if (!found) throw notFound(id);
    return found;
  }

  return {
    async list() {
      return (await kept.list()).map((found) => toExperiment(found, listedDefinition));
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
