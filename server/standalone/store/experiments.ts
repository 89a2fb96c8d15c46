/** Stores experiments in the results cluster, in `dyno-experiments`. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { experimentStore, type KeptExperiment } from '../../host/stores/experiment-store';
import { converted } from '../../host/stores/versioned';
import { date, kept, keyword, text, type FieldMapping, type Fields } from '../../results/mappings/field';
import type { ExperimentStore } from '../../routes/services';
import { DocumentIndex } from '../../host/stores/document-index';

export const EXPERIMENTS = 'dyno-experiments';

interface StoredExperiment extends KeptExperiment {
  id: string;
}

/** Mapping of a text field that is not indexed. Such a field accepts texts of any length. */
const unindexed: FieldMapping = { type: 'text', index: false };

const fields: Fields<StoredExperiment> = {
  id: keyword,
  name: text,
  text: unindexed,
  definition: kept,
  created: date,
  updated: date,
};

/** Creates the store. `client`: connection to the results cluster. */
export const createExperimentStore = (client: ElasticsearchClient): ExperimentStore =>
  experimentStore(
    converted(
      new DocumentIndex<StoredExperiment>(client, EXPERIMENTS, fields, 'experiments'),
      (stored) => stored,
      (source, id) => ({ ...source, id }),
    ),
  );
