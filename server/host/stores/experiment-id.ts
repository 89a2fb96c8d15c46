/** Ids of experiments, made of their names. */

const ID_LENGTH = 80;

/** In the addresses of the app it stands for one that is not kept yet. */
const RESERVED = 'new';

/** `Refresh interval (quick)` is `refresh-interval-quick`, as runs of the command are called. */
export function idFromName(name: string): string {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, ID_LENGTH)
    .replaceAll(/^-|-$/g, '');
  return id === '' || id === RESERVED ? `${id}-experiment`.replace(/^-/, '') : id;
}
