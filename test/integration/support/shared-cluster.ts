/**
 * Passes the URLs of the shared clusters to the integration tests. Each Jest worker has one shared cluster. The test files of this worker
 * use the cluster one after the other.
 */
import type { EmbeddedElasticsearch } from '../../../server/standalone/elasticsearch/start';

/**
 * Name of the environment variable with the URLs of all shared clusters. The environment is the only way from Jest's set-up to the tests.
 */
export const SHARED_CLUSTERS = 'DYNO_TEST_ELASTICSEARCHES';
/**
 * Name of the environment variable with the URL of an existing cluster, such as http://localhost:9200. The tests then use it instead of the
 * embedded Elasticsearch.
 */
export const GIVEN_CLUSTER = 'DYNO_TEST_GIVEN_ELASTICSEARCH';
/** Name of the environment variable with the URL of this Jest worker's cluster. */
export const SHARED_CLUSTER = 'DYNO_TEST_ELASTICSEARCH';

// Jest loads the set-up and the tear-down as separate modules that share only the global object.
const holder = globalThis as typeof globalThis & { dynoSharedClusters?: EmbeddedElasticsearch[] };
export const sharedClusters = (holder.dynoSharedClusters ??= []);
