/** Whether the cluster that keeps the results answers. */
import type { Status } from '../../common/api/host';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask } from '../results/answer';

/** For an answer that a page waits for, ms. */
const STATUS_TIMEOUT_MS = 5000;

export async function lookAtResults(
  results: ElasticsearchClient,
): Promise<Pick<Status['results'], 'version' | 'problem'>> {
  try {
    const bounded = withDefaults(results, { timeoutMs: STATUS_TIMEOUT_MS });
    const told = await ask(bounded, api.root(), 'ask for its version', {
      garbled: () => null,
      failed: ({ status }) => `it answers ${status}`,
    });
    if (typeof told === 'string') return { version: '', problem: told };
    return { version: told?.version?.number ?? '', problem: '' };
  } catch (error) {
    if (error instanceof DynoError) return { version: '', problem: error.message };
    throw error;
  }
}
