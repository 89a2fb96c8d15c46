/**
 * Names of the files of a recording. When a file is large enough, the recorder starts the next one: `shop.traffic.gz`, `shop.2.traffic.gz`,
 * `shop.3.traffic.gz`.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

const ENDING = /(?:\.traffic)?\.gz$/i;

const split = (name: string): { stem: string; ending: string } => {
  const ending = ENDING.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
};

/** Returns the path of a file of a recording. `first`: path of the first file. `part`: number of the file, from 1. */
export function partName(first: string, part: number): string {
  if (part === 1) return first;
  const { stem, ending } = split(first);
  return `${stem}.${part}${ending}`;
}

/** Returns the numbers of all existing files of a recording after the first file, ascending. Rejects if the folder cannot be read. */
export async function furtherParts(first: string): Promise<number[]> {
  const { stem, ending } = split(path.basename(first));
  const names = await readdir(path.dirname(first));
  return names
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(ending))
    .map((name) => name.slice(stem.length + 1, name.length - ending.length))
    .filter((number) => /^[1-9]\d{0,8}$/.test(number) && number !== '1')
    .map(Number)
    .sort((a, b) => a - b);
}
