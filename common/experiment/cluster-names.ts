/**
 * Some labels of an environment are settings of a cluster, such as the number of nodes. Dyno starts a cluster with these settings. This
 * file lists the names of these labels; requested-cluster.ts explains their values.
 */
import { environmentKey, type Environment } from './environment';

export const CLUSTER_NAMES = [
  'engine',
  'nodes',
  'heap',
  'version',
  'distribution',
  'client-nodes',
  'node-attribute',
  'index-buffer',
  'write-queue',
  'write-threads',
] as const;
export type ClusterName = (typeof CLUSTER_NAMES)[number];

export const isOfCluster = (name: string): name is ClusterName => CLUSTER_NAMES.some((own) => own === name);

/** Returns the labels of an environment that Dyno only stores. What they describe, such as disks, only a person can change. */
export const labelsOf = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !isOfCluster(name)));

/**
 * Returns whether Dyno itself can change the environment `from` into the environment `to`. It can if they differ only in properties of the
 * cluster that Dyno starts.
 */
export const differsByCluster = (from: Environment, to: Environment): boolean =>
  environmentKey(labelsOf(from)) === environmentKey(labelsOf(to));

/**
 * Returns whether the run alternates between these environments. Each repetition then runs through all of them, each time on a new cluster.
 * A drift of the machine thus affects all environments equally.
 *
 * This requires the label `engine`, because only this label ensures that Dyno starts the clusters. With other labels, a person might have
 * to change the cluster again and again.
 */
export const takesTurns = (environments: readonly Environment[]): boolean =>
  environments.length > 1 &&
  environments.some((environment) => 'engine' in environment) &&
  environments.every((environment) => differsByCluster(environments[0]!, environment));
