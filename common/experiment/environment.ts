/** What surrounds the cluster and Dyno cannot change, as labels; requested-cluster.ts has those that it sometimes can. */
import { stringifyPlain } from '../json/exact';

/** Label to level: `{ disk: 'premium' }`. */
export type Environment = Readonly<Record<string, string>>;

/** `disk: premium, machine: D4`; '' without labels. */
export const environmentLabel = (environment: Environment): string =>
  Object.entries(environment)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ');

/** How many labels it carries beside these; infinitely many where it lacks one of them: who carries fewest is meant. */
export const labelsBeside = (environment: Environment, labels: Environment): number =>
  Object.entries(labels).every(([name, level]) => environment[name] === level)
    ? Object.keys(environment).length - Object.keys(labels).length
    : Infinity;

/** The same text for the same labels, in whatever order they stand. */
export function environmentKey(environment: Environment): string {
  const key = keys.get(environment) ?? stringifyPlain(Object.entries(environment).sort());
  keys.set(environment, key);
  return key;
}

/** Of a plan, each trial is asked for it, and few have environments of their own. */
const keys = new WeakMap<Environment, string>();
