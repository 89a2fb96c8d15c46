/** Divides a plan into blocks, the trials of one environment. Between two blocks, somebody changes what Dyno cannot change. */
import { environmentKey, type Environment } from './environment';
import type { Plan, PlannedTrial } from './plan';
import type { ResolvedCell } from './resolved-cells';

export interface PlannedBlock {
  environment: Environment;
  /** In the order of the plan. */
  trials: readonly PlannedTrial[];
}

/** Returns the blocks in the order of the plan; a single one if the environment never changes. */
export function blocksOf({ cells, trials }: Pick<Plan, 'cells' | 'trials'>): PlannedBlock[] {
  const blocks: { environment: Environment; trials: PlannedTrial[] }[] = [];
  for (const trial of trials) {
    const { environment } = cells[trial.cell]!.definition;
    const last = blocks.at(-1);
    if (last && environmentKey(last.environment) === environmentKey(environment)) last.trials.push(trial);
    else blocks.push({ environment, trials: [trial] });
  }
  return blocks;
}

/** Returns the environments of all cells, in the order of the cells. */
export function environmentsOf(cells: readonly ResolvedCell[]): Environment[] {
  const found = new Map<string, Environment>();
  for (const { definition } of cells) {
    const { environment } = definition;
    const key = environmentKey(environment);
    if (!found.has(key)) found.set(key, environment);
  }
  return [...found.values()];
}
