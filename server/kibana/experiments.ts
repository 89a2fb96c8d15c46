/** Stores experiments as saved objects in the user's space. */
import type { Definition } from '../../common/experiment/definition';
import { experimentStore, type ExperimentMemory, type KeptExperiment } from '../host/stores/experiment-store';
import { converted } from '../host/stores/versioned';
import type { ExperimentStore } from '../routes/services';
import { savedObjectStore } from './saved-object-store';
import { EXPERIMENT_TYPE } from './saved-objects';
import type { SavedObjectsClient } from './sdk-saved-objects';

interface StoredExperiment extends Omit<KeptExperiment, 'definition'> {
  /**
   * Definition as JSON text. It is not stored as an object, because Kibana would merge the old and the new object when the definition
   * changes.
   */
  definition: string;
}

/**
 * Creates the store. `objects`: client of one user in one space. `memory`: cache of experiments that were read for lists. Default: a new
 * cache.
 */
export const createExperimentStore = (
  objects: SavedObjectsClient,
  memory?: ExperimentMemory,
): ExperimentStore =>
  experimentStore(
    converted(
      savedObjectStore<StoredExperiment>(objects, EXPERIMENT_TYPE),
      ({ definition, ...more }) => ({ ...more, definition: JSON.parse(definition) as Definition }),
      ({ definition, ...more }) => ({ ...more, definition: JSON.stringify(definition) }),
    ),
    memory,
  );
