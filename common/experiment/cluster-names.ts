/**
 * Names of the properties in an environment that Dyno itself applies if it starts the cluster. requested-cluster.ts explains their values.
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

/** Returns the ordinary labels of an environment, which only a person can change. */
export const labelsOf = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !isOfCluster(name)));

/** Returns whether Dyno itself can change one environment into the other, because they differ only in properties of the cluster. */
export const differsByCluster = (from: Environment, to: Environment): boolean =>
  environmentKey(labelsOf(from)) === environmentKey(labelsOf(to));

/**
 * Returns whether environments alternate: each repetition runs through all of them, each time on a new cluster. A drift of the machine then
 * affects all environments alike. Environments alternate only if they contain the label `engine`, because only then is it certain that Dyno
 * starts the clusters. All other properties are ordinary labels on some targets, where a person would have to change the cluster again and
 * again.
 */
export const takesTurns = (environments: readonly Environment[]): boolean =>
  environments.length > 1 &&
  environments.some((environment) => 'engine' in environment) &&
  environments.every((environment) => differsByCluster(environments[0]!, environment));
