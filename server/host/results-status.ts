/** Whether the cluster that keeps the results answers. */
import type { Status } from '../../common/api/host';
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError } from '../../common/problem';

/** For an answer that a page waits for, ms. */
const STATUS_TIMEOUT_MS = 5000;

export async function lookAtResults(
  results: ElasticsearchClient,
): Promise<Pick<Status['results'], 'version' | 'problem'>> {
  try {
    const { status, body } = await results.request<{ version?: { number?: string } } | null>({
      method: 'GET',
      path: '/',
      timeoutMs: STATUS_TIMEOUT_MS,
    });
    const version = body?.version?.number ?? '';
    return isSuccess(status) ? { version, problem: '' } : { version: '', problem: `it answers ${status}` };
  } catch (error) {
    if (error instanceof DynoError) return { version: '', problem: error.message };
    throw error;
  }
}
