/** Stores tunings as saved objects in the user's space. There, every Kibana node can read them. */
import { tuningStore, type StoredTuning } from '../../host/stores/tuning-store';
import { converted } from '../../host/stores/versioned';
import type { KeptTuning, TuningStore } from '../../tuning/tuner';
import { savedObjectStore } from '../saved-object-store';
import { TUNING_TYPE } from '../saved-objects';
import type { SavedObjectsClient } from '../sdk-saved-objects';

/**
 * Stored attributes of a tuning. Values that are objects are stored as JSON texts. Otherwise, Kibana would merge new objects with old ones
 * when the tuning changes.
 */
interface KeptTexts extends Omit<StoredTuning, 'tuning' | 'carrier'> {
  tuning: string;
  carrier: string;
}

/** Creates the store. `objects`: client for one space, with the rights of a user or of Kibana itself. */
export const createTuningStore = (objects: SavedObjectsClient): TuningStore =>
  tuningStore(
    converted(
      savedObjectStore<KeptTexts>(objects, TUNING_TYPE),
      ({ tuning, carrier, ...more }) => ({
        ...more,
        tuning: JSON.parse(tuning) as KeptTuning['tuning'],
        carrier: JSON.parse(carrier) as KeptTuning['carrier'],
      }),
      ({ tuning, carrier, ...more }) => ({
        ...more,
        tuning: JSON.stringify(tuning),
        carrier: JSON.stringify(carrier),
      }),
    ),
  );
