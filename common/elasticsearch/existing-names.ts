/**
 * Names of indices, aliases and data streams that exist before a run. A definition lists them in Elasticsearch's syntax: comma-separated,
 * with wildcards, and with exclusions after a wildcard.
 */

/** Pattern of a name. It excludes a colon, which would refer to another cluster, and `<`, which would start date math. */
const NAME = String.raw`[^\s\u0000-\u001f"\\/<>|?#:,]+`;
const FIRST = `(?![-+_])${NAME}|_all`;

export const EXISTING_NAMES = new RegExp(`^(?:${FIRST})(?:,(?:-?(?![-+_])${NAME}))*$`);

/**
 * Patterns of the indices with Dyno's internal data, such as results, leases of runs and schedules. The patterns do not cover indices of
 * trials, whose names users choose. Dyno recognises indices of trials by a mark in their metadata.
 */
export const OWN_INDICES: readonly string[] = [
  ...[
    'dyno-runs-*',
    'dyno-trials-*',
    'dyno-samples-*',
    'dyno-profiles-*',
    'dyno-metrics*',
    'dyno-seats-*',
    'dyno-markers*',
  ],
  ...['dyno-lease*', 'dyno-claims*', 'dyno-schedules*', 'dyno-annotations*', 'dyno-experiments*'],
  ...['dyno-targets*', 'dyno-tunings*', 'dyno-corpora*'],
];

/** Splits a list of names. */
export const namesIn = (existing: string): string[] => existing.split(',');

const isPattern = (name: string): boolean => name.includes('*') || name === '_all' || name.startsWith('-');

/** Returns the names without wildcards. They can be used without a request that resolves wildcards. */
export const plainNames = (existing: string): string[] =>
  namesIn(existing).filter((name) => !isPattern(name));

/** Returns whether `pattern` contains a wildcard and can match a name that begins with `prefix`. */
function mayTake(pattern: string, prefix: string): boolean {
  if (pattern === '_all') return true;
  const fixed = pattern.split('*')[0]!;
  return pattern.includes('*') && (fixed.startsWith(prefix) || prefix.startsWith(fixed));
}

/**
 * Returns the list of names for use in requests. If a wildcard could match indices with Dyno's internal data, the list excludes these
 * indices. `more`: further names to exclude. Exclusions end with `*`, because Elasticsearch 7 refuses the exclusion of a name that does not
 * exist.
 */
export function withoutOwn(existing: string, more: readonly string[] = []): string {
  const names = namesIn(existing);
  const patterns = names.filter((name) => isPattern(name) && !name.startsWith('-'));
  const left = [
    ...OWN_INDICES.filter((own) => patterns.some((pattern) => mayTake(pattern, own.replace(/\*$/, '')))),
    ...more.map((name) => `${name}*`),
  ].map((own) => `-${own}`);
  return [...names, ...left.filter((own) => !names.includes(own))].join();
}

/** Returns whether the name may refer to more than one index, alias or data stream. */
export const isSeveral = (existing: string): boolean => {
  const names = namesIn(existing);
  return names.length > 1 || names.some(isPattern);
};
