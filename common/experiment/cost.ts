/** What an experiment will take: for the one who is about to start it. */
import { definitionFor } from './cells';
import type { Definition } from './definition';
import { environmentLabel } from './environment';
import { makePlan, type Plan } from './plan';
import { sittingsOf } from './sittings';
import { flattenSettings } from './path';

export interface Cost {
  cells: number;
  /** Of each cell. */
  trials: number;
  /** All trials, ms. */
  ms: number;
  /** Documents sent in all. */
  documents: number;
  /** The largest index that stands at a time with all its copies, as sent, before Elasticsearch compresses it; bytes. */
  diskBytes: number;
  /** Labels of the environments that it asks for one after the other; one where nobody has to change anything. */
  environments: string[];
  /** What had to be assumed; '' when nothing was. */
  assumption: string;
  plan: Plan;
}

/** Of a definition that was read by `readDefinition`. */
export function costOf(definition: Definition): Cost {
  const plan = makePlan(definition);
  const disk = plan.cells.map((cell) => {
    const own = { ...definitionFor(definition, cell), trials: 1 };
    const copies = 1 + (Number(flattenSettings(own.index.settings)['number_of_replicas'] ?? 1) || 0);
    return makePlan(own).estimate.bytes * copies;
  });
  const { ms, documents, assumption } = plan.estimate;
  return {
    cells: plan.cells.length,
    trials: definition.trials,
    ms,
    documents,
    diskBytes: Math.max(...disk),
    environments: sittingsOf(definition, plan).map(({ environment }) => environmentLabel(environment)),
    assumption,
    plan,
  };
}
