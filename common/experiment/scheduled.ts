/**
 * Checks whether a schedule can start runs of a definition. This is not possible if a person would have to change the environment during
 * the run: nobody may be there at the scheduled time.
 */
import type { Problem } from '../problem';
import { differsByCluster } from './requested-cluster';
import type { Definition } from './definition';
import { environmentLabel } from './environment';
import { environmentsOf } from './environment-blocks';
import type { ResolvedCell } from './resolved-cells';

/**
 * Returns the problems of a definition's schedule. The factors of the definition must be valid. `startsClusters`: whether the host starts
 * the clusters of this target. If it does, a run can change between environments that differ only in the cluster.
 */
export function checkScheduled(
  { schedule }: Pick<Definition, 'schedule'>,
  cells: readonly ResolvedCell[],
  startsClusters: boolean,
): Problem[] {
  if (schedule === undefined) return [];
  const environments = environmentsOf(cells);
  if (environments.length < 2) return [];
  const areClusters = environments.every((environment) => differsByCluster(environments[0]!, environment));
  if (areClusters && startsClusters) return [];
  return [
    {
      code: 'definition.schedule',
      path: 'schedule',
      message: areClusters
        ? 'Dyno starts no clusters for this target: the run would wait for someone to change the environment, so it cannot have a schedule'
        : 'the run would wait for someone to change the environment, so it cannot have a schedule',
      found: environments.map((environment) => environmentLabel(environment) || 'no labels').join('; '),
      allowed: 'no schedule, or an experiment with one environment',
    },
  ];
}
