/** Sittings: the trials of one environment, which are done in one go; between two of them somebody changes what Dyno cannot. */
import type { Problem } from '../problem';
import { cellsOf, definitionFor } from './cells';
import type { Definition } from './definition';
import { environmentKey, environmentLabel, type Environment } from './environment';
import type { Plan, PlannedTrial } from './plan';

export interface PlannedSitting {
  environment: Environment;
  /** In their order. */
  trials: readonly PlannedTrial[];
}

/** One after the other, as the plan orders its trials; one alone where the environment stays. */
export function sittingsOf(
  definition: Definition,
  { cells, trials }: Pick<Plan, 'cells' | 'trials'>,
): PlannedSitting[] {
  const sittings: { environment: Environment; trials: PlannedTrial[] }[] = [];
  for (const trial of trials) {
    const { environment } = definitionFor(definition, cells[trial.cell]!);
    const last = sittings.at(-1);
    if (last && environmentKey(last.environment) === environmentKey(environment)) last.trials.push(trial);
    else sittings.push({ environment, trials: [trial] });
  }
  return sittings;
}

/** Of all cells, in the order in which they name them. */
export function environmentsOf(definition: Definition): Environment[] {
  const found = new Map<string, Environment>();
  for (const cell of cellsOf(definition)) {
    const { environment } = definitionFor(definition, cell);
    const key = environmentKey(environment);
    if (!found.has(key)) found.set(key, environment);
  }
  return [...found.values()];
}

/** Nobody is there to change the environment of a run that starts by itself. Of factors that nothing is wrong with. */
export function checkScheduled(definition: Definition): Problem[] {
  if (definition.schedule === undefined) return [];
  const environments = environmentsOf(definition);
  if (environments.length < 2) return [];
  return [
    {
      code: 'definition.schedule',
      path: 'schedule',
      message:
        'a run over several environments waits for somebody to change them, so it cannot start by itself',
      found: environments.map((environment) => environmentLabel(environment) || 'no labels').join('; '),
      allowed: 'no schedule, or an experiment with one environment',
    },
  ];
}
