/** After Elasticsearch has rejected a request, finds out which privileges on the results the user lacks. */
import type { Privilege } from '../../common/api/route';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { NEEDS } from '../../common/privileges';
import { DynoError } from '../../common/problem';
import { lackedPrivileges } from '../target-cluster/cluster';

/**
 * Adds the missing privileges, and the role that grants them, to a permission error. Returns other errors unchanged. `privilege`: the
 * privilege that the route requires. If the cluster cannot report the missing privileges, the error is returned unchanged. Never rejects.
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
