/**
 * Divides a plan into environment blocks. A block consists of successive trials in one environment. Between two blocks, a person makes a
 * change that Dyno cannot make, or Dyno starts another cluster.
 */
import { environmentKey, type Environment } from './environment';
import type { ResolvedCell } from './resolved-cells';

export interface PlannedTrial {
  order: number;
  /** Index into the plan's cells. */
  cell: number;
  repetition: number;
}

export interface PlannedBlock {
  environment: Environment;
  /** Trials of the block, in the order of the plan. */
  trials: readonly PlannedTrial[];
}

interface Planned {
  cells: readonly ResolvedCell[];
  trials: readonly PlannedTrial[];
}

/** Divides trials into blocks. A new block begins when the result of `keyOf` differs from that of the previous trial. */
function dividedBy({ cells, trials }: Planned, keyOf: (trial: PlannedTrial) => string): PlannedBlock[] {
  const blocks: { environment: Environment; trials: PlannedTrial[] }[] = [];
  let key: string | undefined;
  for (const trial of trials) {
    if (keyOf(trial) === key) blocks.at(-1)!.trials.push(trial);
    else blocks.push({ environment: cells[trial.cell]!.definition.environment, trials: [trial] });
    key = keyOf(trial);
  }
  return blocks;
}

/** Returns whether the environments of a plan alternate: an environment occurs again after another one. */
export const areInTurn = (plan: Planned): boolean => divided(plan).isInTurn;

/** Returns the blocks of a plan, in the order of the plan. If the environment never changes, there is only one block. */
export const blocksOf = (plan: Planned): PlannedBlock[] => divided(plan).blocks;

function divided(plan: Planned): { blocks: PlannedBlock[]; isInTurn: boolean } {
  const keyOf = ({ cell }: PlannedTrial): string => environmentKey(plan.cells[cell]!.definition.environment);
  const blocks = dividedBy(plan, keyOf);
  const isInTurn = blocks.length > new Set(blocks.map(({ environment }) => environmentKey(environment))).size;
  // If environments alternate, each repetition gets new clusters, because the performance of a JVM differs from start to start.
  return isInTurn
    ? { blocks: dividedBy(plan, (trial) => `${trial.repetition} ${keyOf(trial)}`), isInTurn }
    : { blocks, isInTurn };
}

/** Returns the distinct environments of the cells, in the order of the cells. */
export function environmentsOf(cells: readonly ResolvedCell[]): Environment[] {
  const found = new Map<string, Environment>();
  for (const { definition } of cells) {
    const { environment } = definition;
    const key = environmentKey(environment);
    if (!found.has(key)) found.set(key, environment);
  }
  return [...found.values()];
}
