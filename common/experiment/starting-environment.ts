/**
 * Decides in which environment a run with several environments starts. The run must start in the environment that the cluster has now. If
 * necessary, the user states this environment. The order of environments in the definition does not matter.
 */
import { inputError, type Problem } from '../problem';
import { REMOVED, shownSetting } from '../secrets/redact';
import { checkClusters, clusterNamesIn, labelsOf } from './requested-cluster';
import { environmentKey, environmentLabel, labelsBeside, type Environment } from './environment';
import { environmentsOf } from './environment-blocks';
import type { ResolvedCell } from './resolved-cells';

/** Parses labels such as `disk=premium`, as the command line and the HTTP API accept them. Throws a DynoError (input). */
export function parseStartingEnvironment(written: readonly string[]): Environment {
  return Object.fromEntries(
    written.map((label) => {
      const [, name, level] = /^\s*([^=]*[^=\s])\s*=\s*(.*\S)\s*$/.exec(label) ?? [];
      if (name === undefined || level === undefined) {
        throw inputError('run.environment', 'environment', 'needs name=value', {
          found: shownSetting(label),
        });
      }
      return [name, level];
    }),
  );
}

/** Returns labels in the form that {@link parseStartingEnvironment} reads. */
export const writeStartingEnvironment = (begins: Environment): string[] =>
  Object.entries(begins).map(([name, level]) => `${name}=${level}`);

/**
 * Returns the environments in which the run can start, in the order of the cells. If there is only one, the user has no choice.
 * `isStarted`: whether the host starts the clusters. If it does, environments that differ only in their cluster count as one.
 */
export function startingEnvironments(cells: readonly ResolvedCell[], isStarted: boolean): Environment[] {
  const found = new Map<string, Environment>();
  for (const whole of environmentsOf(cells)) {
    const environment = isStarted ? labelsOf(whole) : whole;
    const key = environmentKey(environment);
    // An environment without labels can only be selected by giving no labels. It must then be the first one.
    if (found.size > 0 && Object.keys(environment).length === 0) continue;
    if (!found.has(key)) found.set(key, environment);
  }
  return [...found.values()];
}

/**
 * Returns the problems of a run that starts in the environment with the labels `begins`. `startsClusters`: whether Dyno starts the
 * clusters.
 */
export const startProblems = (
  cells: readonly ResolvedCell[],
  begins: Environment,
  startsClusters: boolean,
): Problem[] => [
  ...(startsClusters ? checkClusters(cells) : []),
  ...checkStartingEnvironment(cells, begins, startsClusters),
];

/**
 * Returns a problem if the labels `begins` do not identify one environment. Labels that all environments have in common may be omitted.
 * Also returns a problem if `begins` contains a label that Dyno itself puts into effect.
 */
export function checkStartingEnvironment(
  cells: readonly ResolvedCell[],
  begins: Environment,
  isStarted: boolean,
): Problem[] {
  if (Object.keys(begins).length === 0) return [];
  const known = new Set(environmentsOf(cells).flatMap((environment) => Object.keys(environment)));
  // The value of an unknown label could be a secret, so the message does not contain it.
  const found = environmentLabel(
    Object.fromEntries(
      Object.entries(begins).map(([name, level]) => [name, known.has(name) ? level : REMOVED]),
    ),
  );
  const problem = (message: string, allowed: string): Problem[] => [
    { code: 'run.environment', path: 'environment', message, found, allowed },
  ];
  const set = isStarted ? clusterNamesIn(cells).filter((name) => name in begins) : [];
  if (set.length > 0) return problem(`Dyno itself sets ${set.join(', ')} here`, 'the other labels');
  const choices = startingEnvironments(cells, isStarted);
  const beside = choices.map((environment) => labelsBeside(environment, begins));
  const fewest = Math.min(...beside);
  const fitting = choices.filter((_, at) => fewest < Infinity && beside[at] === fewest);
  if (fitting.length === 1) return [];
  const listed = (environments: readonly Environment[]): string =>
    environments.map((environment) => environmentLabel(environment) || 'no labels').join('; ');
  return fitting.length === 0
    ? problem('the experiment has no such environment', listed(choices))
    : problem('several environments match: give more labels', listed(fitting));
}
