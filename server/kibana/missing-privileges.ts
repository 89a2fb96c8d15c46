/** Finds out which privileges on the results a user lacks, after Elasticsearch has rejected a request of this user. */
import type { Privilege } from '../../common/api/route';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { NEEDS } from '../../common/privileges';
import { DynoError } from '../../common/problem';
import { lackedPrivileges } from '../target-cluster/cluster';

/**
 * If `error` is a permission error, adds the missing privileges and the role that grants them. Otherwise, or if the missing privileges
 * cannot be determined, returns the error unchanged. `privilege`: the privilege that the route requires. Never rejects.
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
