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

/** Returns the labels of an environment that Dyno does not apply. Only a person can change what they describe. */
export const labelsOf = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !isOfCluster(name)));

/**
 * Returns whether Dyno can change one environment into the other. It can if they differ only in properties of the cluster that Dyno starts.
 */
export const differsByCluster = (from: Environment, to: Environment): boolean =>
  environmentKey(labelsOf(from)) === environmentKey(labelsOf(to));

/**
 * Returns whether environments alternate: each repetition runs through all of them, each time on a new cluster, so that a drift of the
 * machine affects all environments equally. Environments alternate only if they contain the label `engine`, because only then is it certain
 * that Dyno starts the clusters. On some targets, all other labels describe changes that a person would have to make again in every
 * repetition.
 */
export const takesTurns = (environments: readonly Environment[]): boolean =>
  environments.length > 1 &&
  environments.some((environment) => 'engine' in environment) &&
  environments.every((environment) => differsByCluster(environments[0]!, environment));
