/** Estimates the cost of an experiment for a person who is about to start it. */
import { clusterChanges, differsByCluster, labelsOf, type ClusterChanges } from './requested-cluster';
import type { Definition } from './definition';
import { environmentLabel, type Environment } from './environment';
import { makePlan, type Plan } from './plan';
import { blocksOf } from './environment-blocks';
import { largestFootprint } from './disk-footprint';
import { mostTrials, untilDecided } from './trial-counts';

export interface Cost {
  cells: number;
  /** Maximum number of trials of each cell. */
  trials: number;
  /** Present if `trials` is a maximum, because the run ends once its claims are decided. */
  isMost?: true;
  /** Duration of all trials, in ms. */
  ms: number;
  /** Documents sent in total. */
  documents: number;
  /** Maximum size of all data on disk at one time, with replicas, before compression, in bytes. */
  diskBytes: number;
  /**
   * Labels of the environments that a person must provide, in the order of the run. If nobody has to change anything, the list has one
   * entry.
   */
  environments: string[];
  /** Clusters that Dyno starts itself if the target is the embedded Elasticsearch; null if there are no such clusters. */
  clusters:
    | (ClusterChanges & {
        /** Environments that somebody must still provide. */ waitsFor: string[];
      })
    | null;
  /** Assumptions on which the estimate is based, as text; '' without assumptions. */
  assumption: string;
  plan: Plan;
}

/** Estimates the cost of a definition that `readDefinition` returned. The run starts in the environment with the labels `begins`. */
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
