/** Names the missing privileges of a user on the results after Elasticsearch has rejected a request. */
import type { Privilege } from '../../common/api/route';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { NEEDS } from '../../common/privileges';
import { DynoError } from '../../common/problem';
import { lackedPrivileges } from '../target-cluster/cluster';

/**
 * The same error with what is missing and the role that grants it; anything else as it is. `privilege`: of the route. Never
 * rejects: where the cluster cannot say what is missing, its refusal has to do.
 */
export async function withMissingPrivileges(
  error: unknown,
  privilege: Privilege,
  results: () => ElasticsearchClient,
): Promise<unknown> {
  if (!(error instanceof DynoError) || error.code !== 'results.forbidden') return error;
  const { role, elasticsearch } = NEEDS[privilege === 'read' ? 'look' : 'run'];
  const { cluster, indices: index } = elasticsearch;
  try {
    const { user, lacked } = await lackedPrivileges(results(), { cluster, index });
    if (lacked.length === 0) return error;
    const [first, ...rest] = error.problems;
    const missing = `the user ${user} lacks ${lacked.join(', ')}, which the role ${role} grants`;
    return new DynoError(error.kind, [
      { ...first!, message: `${first!.message}. Missing: ${missing}` },
      ...rest,
    ]);
  } catch {
    return error;
  }
}
