/**
 * Stores tunings in the storage of Kibana or the standalone server. A tuning is a series of experiments that looks for better settings of a
 * cluster.
 */
import { runError } from '../../../common/problem';
import type { KeptTuning, TuningStore } from '../../tuning/tuner';
import type { VersionedStore } from './versioned';

export interface StoredTuning extends KeptTuning {
  id: string;
  state: string;
  updated: string;
}

/**
 * Maximum number of attempts to update a tuning. An attempt fails only in the rare case that another process changes the same tuning at the
 * same time.
 */
const MOST_CONFLICTS = 20;

const stored = ({ tuning, carrier }: KeptTuning): StoredTuning => ({
  id: tuning.id,
  state: tuning.state,
  updated: new Date().toISOString(),
  tuning,
  carrier,
});

const withoutFields = ({ tuning, carrier }: StoredTuning): KeptTuning => ({ tuning, carrier });

/** Returns a store of tunings. If another process has changed a tuning in the meantime, an update is applied again to the newer version. */
export function tuningStore(documents: VersionedStore<StoredTuning>): TuningStore {
  return {
    list: async () => (await documents.list()).map(({ source }) => withoutFields(source)),
    get: async (id) => {
      const found = await documents.get(id);
      return found && withoutFields(found.source);
    },
    create: async (given) => (await documents.create(given.tuning.id, stored(given))) !== undefined,
    delete: async (id) => void (await documents.delete(id)),
    async update(id, change) {
      for (let tried = 0; tried < MOST_CONFLICTS; tried += 1) {
        const found = await documents.get(id);
        if (found === undefined) return undefined;
        const changed = change(withoutFields(found.source));
        if (changed === undefined) return withoutFields(found.source);
        if ((await documents.replace(id, stored(changed), found.version)) !== undefined) return changed;
      }
      throw runError('tuning.conflict', '', `the tuning ${id} is constantly changed by other processes`);
    },
  };
}
