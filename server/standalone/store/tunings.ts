/** Keeps tunings in the results cluster: `dyno-tunings`. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { runError } from '../../../common/problem';
import { date, kept, keyword, type Fields } from '../../results/mappings/field';
import type { KeptTuning, TuningStore } from '../../tuning/tuner';
import { DocumentIndex } from './document-index';

export const TUNINGS = 'dyno-tunings';

interface StoredTuning extends KeptTuning {
  id: string;
  state: string;
  updated: string;
}

const fields: Fields<StoredTuning> = {
  id: keyword,
  state: keyword,
  updated: date,
  tuning: kept,
  carrier: kept,
};

/** Others that change it at the same moment are few. */
const MOST_CONFLICTS = 20;

const stored = ({ tuning, carrier }: KeptTuning): StoredTuning => ({
  id: tuning.id,
  state: tuning.state,
  updated: new Date().toISOString(),
  tuning,
  carrier,
});

/** `client`: of the cluster that keeps the results. */
export function createTuningStore(client: ElasticsearchClient): TuningStore {
  const documents = new DocumentIndex<StoredTuning>(client, TUNINGS, fields, 'tunings');
  return {
    list: async () => (await documents.list()).map(({ source }) => source),
    get: async (id) => (await documents.get(id))?.source,
    create: async (given) => (await documents.create(given.tuning.id, stored(given))) !== undefined,
    delete: async (id) => void (await documents.delete(id)),
    async update(id, change) {
      for (let tried = 0; tried < MOST_CONFLICTS; tried += 1) {
        const found = await documents.get(id);
        if (found === undefined) return undefined;
        const changed = change(found.source);
        if (changed === undefined) return found.source;
        const saved = await documents.replace(id, stored(changed), found.version);
        if (saved !== undefined) return saved.source;
      }
      throw runError('tuning.conflict', '', `the tuning ${id} is changed by others all the time`);
    },
  };
}
