/** How the cluster that all integration tests share is handed on. */
import type { EmbeddedElasticsearch } from '../../../server/standalone/elasticsearch/start';

/** The variable with its URL: Jest's set-up and the tests have nothing else in common. */
export const SHARED_CLUSTER = 'DYNO_TEST_ELASTICSEARCH';

// Jest loads the set-up and the tear-down separately; only the global object is the same.
const holder = globalThis as typeof globalThis & { dynoSharedCluster?: { running?: EmbeddedElasticsearch } };
export const sharedCluster = (holder.dynoSharedCluster ??= {});
