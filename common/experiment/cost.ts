/** What an experiment will take: for the one who is about to start it. */
import { clusterChanges, differsByCluster, labelsOf, type ClusterChanges } from './asked-cluster';
import { definitionFor } from './cells';
import type { Definition } from './definition';
import { environmentKey, environmentLabel, type Environment } from './environment';
import { makePlan, type Plan } from './plan';
import { stockKey } from './preload';
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
  /** What stands at a time with all its copies, as sent, before Elasticsearch compresses it; bytes. */
  diskBytes: number;
  /** Labels of the environments that it asks for one after the other; one where nobody has to change anything. */
  environments: string[];
  /** Where the target is the embedded Elasticsearch: what it starts by itself; null for nothing. */
  clusters:
    | (ClusterChanges & {
        /** Labels of the environments that it waits for all the same. */ waitsFor: string[];
      })
    | null;
  /** What had to be assumed; '' when nothing was. */
  assumption: string;
  plan: Plan;
}

/**
 * Of one trial at a time, the largest; of indices that are loaded once for several trials, all that an environment asks for,
 * unless the cells come one after the other.
 */
function standingBytes(definition: Definition, plan: Plan): number {
  const standing = new Map<string, Map<string, number>>();
  plan.cells.forEach((cell, at) => {
    const own = { ...definitionFor(definition, cell), trials: 1 };
    const copies = 1 + (Number(flattenSettings(own.index.settings)['number_of_replicas'] ?? 1) || 0);
    const isShared = (own.preload?.reuse ?? 'never') !== 'never' && definition.order !== 'sequential';
    const place = isShared ? environmentKey(own.environment) : String(at);
    const stocks = standing.get(place) ?? new Map<string, number>();
    const stock = isShared ? stockKey(own) : '';
    standing.set(
      place,
      stocks.set(stock, Math.max(stocks.get(stock) ?? 0, makePlan(own).estimate.bytes * copies)),
    );
  });
  return Math.max(
    ...[...standing.values()].map((stocks) => [...stocks.values()].reduce((sum, bytes) => sum + bytes, 0)),
  );
}

/** Of a definition that was read by `readDefinition`, and of a run that begins where the labels are `begins`. */
export function costOf(definition: Definition, begins: Environment = {}): Cost {
  const plan = makePlan(definition, begins);
  const { ms, documents, assumption } = plan.estimate;
  const environments = sittingsOf(definition, plan).map(({ environment }) => environment);
  const changes = clusterChanges(definition, plan);
  const waitsFor = environments
    .filter((to, at) => at > 0 && !differsByCluster(environments[at - 1]!, to))
    .map((environment) => environmentLabel(labelsOf(environment)));
  return {
    cells: plan.cells.length,
    trials: definition.trials,
    ms,
    documents,
    diskBytes: standingBytes(definition, plan),
    environments: environments.map(environmentLabel),
    clusters: changes && { ...changes, waitsFor },
    assumption,
    plan,
  };
}
