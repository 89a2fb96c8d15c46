/** Creates ids of experiments from their names. */

const ID_LENGTH = 80;

/** Id that the URLs of the app use for an experiment that is not saved yet. */
const RESERVED = 'new';

/**
 * Returns the id for a name: `Refresh interval (quick)` becomes `refresh-interval-quick`. The command `dyno` uses the same rule to name its
 * runs.
 */
export function idFromName(name: string): string {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, ID_LENGTH)
    .replaceAll(/^-|-$/g, '');
  return id === '' || id === RESERVED ? `${id}-experiment`.replace(/^-/, '') : id;
}
