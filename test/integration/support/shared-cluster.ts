/** How the clusters that integration tests share are handed on: each of Jest's workers has one, its files take turns on it. */
import type { EmbeddedElasticsearch } from '../../../server/standalone/elasticsearch/start';

/** The variable with the URLs of all of them: Jest's set-up and the tests have nothing else in common. */
export const SHARED_CLUSTERS = 'DYNO_TEST_ELASTICSEARCHES';
/** The variable by which a person names one that is there, such as http://localhost:9200, in place of the embedded Elasticsearch. */
export const GIVEN_CLUSTER = 'DYNO_TEST_GIVEN_ELASTICSEARCH';
/** The variable with the URL of this worker's. */
export const SHARED_CLUSTER = 'DYNO_TEST_ELASTICSEARCH';

// Jest loads the set-up and the tear-down separately; only the global object is the same.
const holder = globalThis as typeof globalThis & { dynoSharedClusters?: EmbeddedElasticsearch[] };
export const sharedClusters = (holder.dynoSharedClusters ??= []);
