// SHA256SUMS, as `sha256sum --check` reads it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUMS = 'SHA256SUMS';

/** Of all other files in `folder`, in the order of their names; returns the text that is written. */
export function writeSums(folder) {
  const names = readdirSync(folder)
    .filter((name) => name !== SUMS)
    .sort();
  const sumOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const text = names.map((name) => `${sumOf(name)}  ${name}\n`).join('');
  writeFileSync(join(folder, SUMS), text);
  return text;
}
