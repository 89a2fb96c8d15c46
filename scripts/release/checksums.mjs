// Writes SHA256SUMS for `sha256sum --check`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUMS = 'SHA256SUMS';

/** Writes the SHA-256 checksums of all other files in `folder`, sorted by name. Returns the text of the file. */
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
