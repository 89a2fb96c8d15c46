/** Whether the cluster that keeps the results answers. */
import type { Status } from '../../../common/api/host';
import { withDefaults, type ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DynoError, runError } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask } from '../../results/answer';

/** For an answer that a page waits for, ms. */
export const PAGE_WAITS_MS = 5000;

/** '' where something else answers. Rejects with a DynoError that names the status of another answer. */
export async function versionOf(cluster: ElasticsearchClient): Promise<string> {
  const bounded = withDefaults(cluster, { timeoutMs: PAGE_WAITS_MS });
  const identity = await ask(bounded, api.root(), 'ask for its version', {
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
