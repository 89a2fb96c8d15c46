/** What stands around the cluster and Dyno cannot change, as labels; asked-cluster.ts has those that it sometimes can. */

/** Label to level: `{ disk: 'premium' }`. */
export type Environment = Readonly<Record<string, string>>;

/** `disk: premium, machine: D4`; '' without labels. */
export const environmentLabel = (environment: Environment): string =>
  Object.entries(environment)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ');

/** The same text for the same labels, in whatever order they stand. */
export const environmentKey = (environment: Environment): string =>
  JSON.stringify(Object.entries(environment).sort());
