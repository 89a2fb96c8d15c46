/** Checks whether the results cluster responds. */
import type { Status } from '../../../common/api/host';
import { withDefaults, type ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DynoError, runError } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask } from '../../results/answer';

/** Timeout in ms of a request that a page waits for. */
export const PAGE_WAITS_MS = 5000;

/**
 * Returns the version of the cluster, or '' if the server is not Elasticsearch. Rejects with a DynoError. If the cluster responds with an
 * HTTP error, the message contains the status.
 */
export async function versionOf(cluster: ElasticsearchClient): Promise<string> {
  const bounded = withDefaults(cluster, { timeoutMs: PAGE_WAITS_MS });
  const identity = await ask(bounded, api.root(), 'read its version', {
    garbled: () => null,
    failed: ({ status }) => {
      throw runError('results.status', '', `it answers ${status}`);
    },
  });
  return identity?.version?.number ?? '';
}

export async function lookAtResults(
  results: ElasticsearchClient,
): Promise<Pick<Status['results'], 'version' | 'problem'>> {
  try {
    return { version: await versionOf(results), problem: '' };
  } catch (error) {
    if (error instanceof DynoError) return { version: '', problem: error.message };
    throw error;
  }
}
