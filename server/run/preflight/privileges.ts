/** What the run of a definition takes of its target beyond what every run takes. */
import type { Plan } from '../../../common/experiment/plan';
import { MORE_NEEDS } from '../../../common/privileges';
import type { Privileges } from '../../target-cluster/cluster';
import { parsesInTarget } from '../trial/parse-check';

/** Indices that serve several trials are copied, or their caches emptied: no lesser privilege covers that. */
const REUSING = 'manage';

export function privilegesBeyond(plan: Plan): Privileges {
  const cells = plan.cells.map(({ definition }) => definition);
  const changesCluster = cells.some(({ cluster }) => Object.keys(cluster.settings).length > 0);
  const reuses = cells.some(({ preload }) => preload !== undefined && preload.reuse !== 'never');
  return {
    cluster: [
      ...(changesCluster ? [MORE_NEEDS.cluster] : []),
      ...(parsesInTarget(plan) ? [MORE_NEEDS.pipelines] : []),
    ],
    index: reuses ? [REUSING] : [],
  };
}
