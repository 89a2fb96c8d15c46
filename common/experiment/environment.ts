/**
 * Labels of the cluster's surroundings, which Dyno usually cannot change. requested-cluster.ts lists those that it can change for the
 * embedded Elasticsearch.
 */
import { stringifyPlain } from '../json/exact';

/** Levels by label: `{ disk: 'premium' }`. */
export type Environment = Readonly<Record<string, string>>;

/** Formats labels: `disk: premium, machine: D4`; '' without labels. */
export const environmentLabel = (environment: Environment): string =>
  Object.entries(environment)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ');

/**
 * Returns how many labels `environment` has in addition to `labels`; infinity if it lacks one of `labels`. `labels` identifies the
 * environment with the smallest number.
 */
export const labelsBeside = (environment: Environment, labels: Environment): number =>
  Object.entries(labels).every(([name, level]) => environment[name] === level)
    ? Object.keys(environment).length - Object.keys(labels).length
    : Infinity;

/** Returns the same text for the same labels in any order. */
export function environmentKey(environment: Environment): string {
  const key = keys.get(environment) ?? stringifyPlain(Object.entries(environment).sort());
  keys.set(environment, key);
  return key;
}

/** Cache of keys. The key is needed for each trial of a plan, and most trials of a plan have the same environment object. */
const keys = new WeakMap<Environment, string>();
