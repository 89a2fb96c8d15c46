/**
 * Labels for everything around the cluster, such as disks, which Dyno usually cannot change. requested-cluster.ts lists the properties that
 * Dyno can change for the embedded Elasticsearch.
 */
import { stringifyPlain } from '../json/exact';

/** Labels of an environment with their levels: `{ disk: 'premium' }`. */
export type Environment = Readonly<Record<string, string>>;

/** Returns the labels as text: `disk: premium, machine: D4`. Returns '' without labels. */
export const environmentLabel = (environment: Environment): string =>
  Object.entries(environment)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ');

/**
 * Returns the number of labels that `environment` has in addition to `labels`. Returns Infinity if `environment` lacks one of `labels`. Of
 * several environments, `labels` best describes the one with the smallest result.
 */
export const labelsBeside = (environment: Environment, labels: Environment): number =>
  Object.entries(labels).every(([name, level]) => environment[name] === level)
    ? Object.keys(environment).length - Object.keys(labels).length
    : Infinity;

/** Returns a text that identifies these labels. It does not depend on their order. */
export function environmentKey(environment: Environment): string {
  const key = keys.get(environment) ?? stringifyPlain(Object.entries(environment).sort());
  keys.set(environment, key);
  return key;
}

/**
 * Cache of the results of {@link environmentKey}. Each trial of a plan needs its key, and most trials share the same environment object.
 */
const keys = new WeakMap<Environment, string>();
