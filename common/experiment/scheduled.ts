/** Whether a run can start by itself: nobody is there then to change an environment. */
import type { Problem } from '../problem';
import { differsByCluster } from './requested-cluster';
import type { Definition } from './definition';
import { environmentLabel } from './environment';
import { environmentsOf } from './environment-blocks';
import type { ResolvedCell } from './resolved-cells';

/**
 * What is wrong with the schedule of a definition whose factors nothing is wrong with. `startsClusters`: whether the host
 * starts the target's clusters by itself, so that nobody need change what only those differ in.
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
