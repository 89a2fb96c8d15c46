/** What an experiment will take: for the one who is about to start it. */
import { clusterChanges, differsByCluster, labelsOf, type ClusterChanges } from './requested-cluster';
import type { Definition } from './definition';
import { environmentLabel, type Environment } from './environment';
import { makePlan, type Plan } from './plan';
import { blocksOf } from './environment-blocks';
import { largestFootprint } from './disk-footprint';
import { mostTrials, untilDecided } from './trial-counts';

export interface Cost {
  cells: number;
  /** Of each cell, at most. */
  trials: number;
  /** The run ends earlier when its claims are decided. */
  isMost?: true;
  /** All trials, ms. */
  ms: number;
  /** Documents sent in all. */
  documents: number;
  /** The most that is on disk at one time with all its copies, as sent, before Elasticsearch compresses it; bytes. */
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

/** Of a definition that was read by `readDefinition`, and of a run that begins where the labels are `begins`. */
export function costOf(definition: Definition, begins: Environment = {}): Cost {
  const plan = makePlan(definition, begins);
  const { ms, documents, assumption } = plan.estimate;
  const environments = blocksOf(plan).map(({ environment }) => environment);
  const changes = clusterChanges(plan);
  const waitsFor = environments
    .filter((to, at) => at > 0 && !differsByCluster(environments[at - 1]!, to))
    .map((environment) => environmentLabel(labelsOf(environment)));
  return {
    cells: plan.cells.length,
    trials: mostTrials(definition.trials),
    ...(untilDecided(definition.trials) === null ? {} : { isMost: true }),
    ms,
    documents,
    diskBytes: largestFootprint(definition, plan),
    environments: environments.map(environmentLabel),
    clusters: changes && { ...changes, waitsFor },
    assumption,
    plan,
  };
}
