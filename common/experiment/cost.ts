/** Estimates the time, the documents and the disk space that an experiment needs, for the user who is about to start it. */
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
  /** Present if `trials` is only an upper limit, because the run ends when its claims are decided. */
  isMost?: true;
  /** Duration of all trials, in ms. */
  ms: number;
  /** Number of documents that all trials send. */
  documents: number;
  /** Largest amount of data on disk at one time, in bytes: with replicas, and without compression. */
  diskBytes: number;
  /**
   * Labels of the environments of the run, in the order in which the run uses them. From one to the next, the cluster or its machines must
   * change. Contains one entry if nothing changes during the run.
   */
  environments: string[];
  /** Clusters that Dyno starts itself if the target is the embedded Elasticsearch; null if there are no such clusters. */
  clusters:
    | (ClusterChanges & {
        /** Environments for which the run waits, because a person must change something that Dyno cannot change. */ waitsFor: string[];
      })
    | null;
  /** Assumptions of the estimate as text; '' without assumptions. */
  assumption: string;
  plan: Plan;
}

/**
 * Estimates what a definition costs. `definition`: result of `readDefinition`. `begins`: labels of the environment in which the run starts.
 */
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
