/**
 * Passes the shared clusters to the integration tests. Each of Jest's workers has one cluster. The test files of a worker use it one after
 * the other.
 */
import type { EmbeddedElasticsearch } from '../../../server/standalone/elasticsearch/start';

/** Name of the environment variable with the URLs of all shared clusters. Jest's set-up and the tests share nothing but the environment. */
export const SHARED_CLUSTERS = 'DYNO_TEST_ELASTICSEARCHES';
/**
 * Name of the environment variable with the URL of an existing cluster to use instead of the embedded Elasticsearch, such as
 * http://localhost:9200.
 */
export const GIVEN_CLUSTER = 'DYNO_TEST_GIVEN_ELASTICSEARCH';
/** Name of the environment variable with the URL of this worker's cluster. */
export const SHARED_CLUSTER = 'DYNO_TEST_ELASTICSEARCH';

// Jest loads the set-up and the tear-down as separate modules that share only the global object.
const holder = globalThis as typeof globalThis & { dynoSharedClusters?: EmbeddedElasticsearch[] };
export const sharedClusters = (holder.dynoSharedClusters ??= []);
