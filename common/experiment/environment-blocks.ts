/** Blocks: the trials of one environment, which are done in one go; between two of them somebody changes what Dyno cannot. */
import { environmentKey, type Environment } from './environment';
import type { Plan, PlannedTrial } from './plan';
import type { ResolvedCell } from './resolved-cells';

export interface PlannedBlock {
  environment: Environment;
  /** In their order. */
  trials: readonly PlannedTrial[];
}

/** One after the other, as the plan orders its trials; one alone where the environment stays. */
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

/** Of all cells, in the order in which they name them. */
export function environmentsOf(cells: readonly ResolvedCell[]): Environment[] {
  const found = new Map<string, Environment>();
  for (const { definition } of cells) {
    const { environment } = definition;
    const key = environmentKey(environment);
    if (!found.has(key)) found.set(key, environment);
  }
  return [...found.values()];
}
