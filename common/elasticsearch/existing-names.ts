/** Names of data that is there already, as Elasticsearch takes them: comma lists, wildcards, and exclusions after a wildcard. */

/** What none of the names may hold: a colon would name another cluster, `<` a date that nobody could read back. */
const NAME = String.raw`[^\s\u0000-\u001f"\\/<>|?#:,]+`;
const FIRST = `(?![-+_])${NAME}|_all`;

export const EXISTING_NAMES = new RegExp(`^(?:${FIRST})(?:,(?:-?(?![-+_])${NAME}))*$`);

/**
 * Indices in which Dyno keeps what is its own, as patterns: results, markers, leases, what the server stores. Not those of trials, whose
 * names people choose: they carry a mark.
 */
export const OWN_INDICES: readonly string[] = [
  ...['dyno-runs-*', 'dyno-trials-*', 'dyno-samples-*', 'dyno-metrics*', 'dyno-seats-*', 'dyno-markers*'],
  ...['dyno-lease*', 'dyno-claims*', 'dyno-schedules*', 'dyno-annotations*', 'dyno-experiments*'],
  ...['dyno-targets*', 'dyno-tunings*', 'dyno-corpora*'],
];

/** The names of a list, one by one. */
export const namesIn = (existing: string): string[] => existing.split(',');

const isPattern = (name: string): boolean => name.includes('*') || name === '_all' || name.startsWith('-');

/** Those that name one index, alias or data stream, and need no look at the cluster to be told. */
export const plainNames = (existing: string): string[] =>
  namesIn(existing).filter((name) => !isPattern(name));

/** Whether `pattern` takes a name that begins with `prefix`. */
function mayTake(pattern: string, prefix: string): boolean {
  if (pattern === '_all') return true;
  const fixed = pattern.split('*')[0]!;
  return pattern.includes('*') && (fixed.startsWith(prefix) || prefix.startsWith(fixed));
}

/**
 * As it is addressed: where a wildcard could take indices of Dyno's own, without those and without `more`, names of others. Exclusions are
 * patterns, for Elasticsearch 7 refuses those that name nothing.
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

/** Whether it may be more than one index, alias or data stream. */
export const isSeveral = (existing: string): boolean => {
  const names = namesIn(existing);
  return names.length > 1 || names.some(isPattern);
};
