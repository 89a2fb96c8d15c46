/** What the run of a definition takes of its target beyond what every run takes. */
import { definitionFor } from '../../../common/experiment/cells';
import type { Definition } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import { MORE_NEEDS } from '../../../common/privileges';
import type { Privileges } from '../../target-cluster/cluster';
import { parsesInTarget } from '../trial/parse-check';

/** Indices that serve several trials are copied, or their caches emptied: no lesser privilege covers that. */
const REUSING = 'manage';

export function privilegesBeyond(definition: Definition, plan: Plan): Privileges {
  const cells = plan.cells.map((cell) => definitionFor(definition, cell));
  const changesCluster = cells.some(({ cluster }) => Object.keys(cluster.settings).length > 0);
  const reuses = cells.some(({ preload }) => preload !== undefined && preload.reuse !== 'never');
  return {
    cluster: [
      ...(changesCluster ? [MORE_NEEDS.cluster] : []),
      ...(parsesInTarget({ definition, plan }) ? [MORE_NEEDS.pipelines] : []),
    ],
    index: reuses ? [REUSING] : [],
  };
}
