/** Stores tunings in the results cluster, in `dyno-tunings`. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DocumentIndex } from '../../host/stores/document-index';
import { tuningStore, type StoredTuning } from '../../host/stores/tuning-store';
import { date, kept, keyword, type Fields } from '../../results/mappings/field';
import type { TuningStore } from '../../tuning/tuner';

export const TUNINGS = 'dyno-tunings';

const fields: Fields<StoredTuning> = {
  id: keyword,
  state: keyword,
  updated: date,
  tuning: kept,
  carrier: kept,
};

/** Creates the store. `client`: connection to the results cluster. */
export const createTuningStore = (client: ElasticsearchClient): TuningStore =>
  tuningStore(new DocumentIndex<StoredTuning>(client, TUNINGS, fields, 'tunings'));
