/** Names of data that is there already, as Elasticsearch takes them: comma lists, wildcards, and exclusions after a wildcard. */

/** What none of the names may hold: a colon would name another cluster, `<` a date that nobody could read back. */
const NAME = String.raw`[^\s\u0000-\u001f"\\/<>|?#:,]+`;
const FIRST = `(?![-+_])${NAME}|_all`;

export const EXISTING_NAMES = new RegExp(`^(?:${FIRST})(?:,(?:-?(?![-+_])${NAME}))*$`);

/** The names of a list, one by one. */
export const namesIn = (existing: string): string[] => existing.split(',');

const isPattern = (name: string): boolean => name.includes('*') || name === '_all' || name.startsWith('-');

/** Those that name one index, alias or data stream, and need no look at the cluster to be told. */
export const plainNames = (existing: string): string[] =>
  namesIn(existing).filter((name) => !isPattern(name));

/** Whether it may be more than one index, alias or data stream. */
export const isSeveral = (existing: string): boolean => {
  const names = namesIn(existing);
  return names.length > 1 || names.some(isPattern);
};
