/** Keeps experiments as saved objects, in the user's space. */
import type { Experiment } from '../../common/api/experiments';
import type { Definition } from '../../common/experiment/definition';
import { readDefinitionText } from '../../common/experiment/read';
import { inputError } from '../../common/problem';
import { Conflict, type ExperimentStore } from '../routes/services';
import { idFromName } from '../host/experiment-id';
import { isVersion, unless } from './saved-object-errors';
import { EXPERIMENT_TYPE, SCHEMA } from './saved-objects';
import type { SavedObject, SavedObjectsClient } from './sdk-saved-objects';

interface StoredExperiment {
  schema: number;
  name: string;
  text: string;
  /** JSON of the text as it was read when it was kept: an object would be merged with its successor. */
  definition: string;
  created: string;
  updated: string;
}

const PAGE = 100;
/** Names of one beginning that are tried one after the other. */
const MOST_NAMESAKES = 1000;

const notFound = (id: string): Error =>
  inputError('experiment.not-found', 'id', 'there is no such experiment', { found: id });

/** What it says to this version of Dyno; an older one may have read it otherwise. */
function definitionOf({ text, definition }: StoredExperiment): Definition {
  try {
    return readDefinitionText(text, 'definition');
  } catch {
    return JSON.parse(definition) as Definition;
  }
}

const toExperiment = ({ id, version = '', attributes }: SavedObject<StoredExperiment>): Experiment => ({
  id,
  version,
  text: attributes.text,
  definition: definitionOf(attributes),
  created: attributes.created,
  updated: attributes.updated,
});

/** `objects`: of one user in one space. */
export function createExperimentStore(objects: SavedObjectsClient): ExperimentStore {
  async function stored(id: string): Promise<SavedObject<StoredExperiment>> {
    const found = await unless([400, 404], objects.get<StoredExperiment>(EXPERIMENT_TYPE, id));
    if (!found) throw notFound(id);
    return found;
  }

  const get = async (id: string): Promise<Experiment> => toExperiment(await stored(id));

  return {
    async list() {
      const found: Experiment[] = [];
      for (let page = 1; ; page++) {
        const { saved_objects: objectsOfPage, total } = await objects.find<StoredExperiment>({
          type: EXPERIMENT_TYPE,
          page,
          perPage: PAGE,
        });
        found.push(...objectsOfPage.map(toExperiment));
        if (page * PAGE >= total || objectsOfPage.length === 0) break;
      }
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    get,

    async create(text, definition) {
      const base = idFromName(definition.name);
      const now = new Date().toISOString();
      for (let count = 1; count <= MOST_NAMESAKES; count++) {
        const id = count === 1 ? base : `${base}-${count}`;
        const attributes: StoredExperiment = {
          schema: SCHEMA,
          name: definition.name,
          text,
          definition: JSON.stringify(definition),
          created: now,
          updated: now,
        };
        const created = await unless([409], objects.create(EXPERIMENT_TYPE, attributes, { id }));
        if (created) return toExperiment(created);
      }
      throw inputError('experiment.name', 'name', 'too many experiments have this name', {
        found: definition.name,
      });
    },

    async save(id, text, definition, version) {
      const { attributes: before } = await stored(id);
      const attributes: StoredExperiment = {
        ...before,
        schema: SCHEMA,
        name: definition.name,
        text,
        definition: JSON.stringify(definition),
        updated: new Date().toISOString(),
      };
      const saved =
        isVersion(version) &&
        (await unless([409], objects.update(EXPERIMENT_TYPE, id, attributes, { version })));
      if (saved) return get(id);
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
      await stored(id);
      if (
        !(await unless(
          [404],
          objects.delete(EXPERIMENT_TYPE, id).then(() => true),
        ))
      )
        throw notFound(id);
    },
  };
}
