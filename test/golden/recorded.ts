/**
 * How golden files are written and compared. Words are not figures: where a path holds a sentence for a person, only
 * whether there is one is kept. Everything else must be the same: numbers, labels, codes, units, answers, ids, and which
 * fields there are.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `DYNO_WRITE_GOLDEN=1`: what the code says now is written down, and git shows what has changed. */
export const IS_WRITING = process.env['DYNO_WRITE_GOLDEN'] === '1';

/** Stands for any text but the empty one. */
export const WORDS = '(words)';

/** Parts of a path stand between dots; `*` is anything within one part, `**` any number of parts. */
const matcher = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('.')
      .map((part) =>
        part === '**'
          ? '(?:[^\\u0000]+\\u0000)*'
          : `${part.replaceAll(/[()[\]{}+?^$|\\]/g, '\\$&').replaceAll('*', '[^\\u0000]+')}\\u0000`,
      )
      .join('')}$`,
  );

/** `value` as JSON has it, with the texts at the paths of `prose` replaced; other kinds of values stay as they are. */
export function withoutWords(value: unknown, prose: readonly string[]): unknown {
  const matchers = prose.map(matcher);
  const visit = (node: unknown, at: string): unknown => {
    if (typeof node === 'string')
      return node !== '' && matchers.some((matches) => matches.test(at)) ? WORDS : node;
    if (Array.isArray(node)) return node.map((item, place) => visit(item, `${at}${place}\u0000`));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [key, visit(item, `${at}${key}\u0000`)]),
    );
  };
  return visit(JSON.parse(JSON.stringify(value)), '');
}

const WIDTH = 118;

/** JSON of which what fits on a line stands on one: short to read, and a change of one figure is one line of a diff. */
export function formatGolden(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= WIDTH) return flat;
  const inner = `${indent} `;
  const items = Array.isArray(value)
    ? value.map((item) => `${inner}${formatGolden(item, inner)}`)
    : Object.entries(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatGolden(item, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

/** Compares `found` with the golden file, or writes it where that is asked for. */
export function expectGolden(file: string, found: unknown, prose: readonly string[] = []): void {
  const bare = withoutWords(found, prose);
  if (IS_WRITING) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${formatGolden(bare)}\n`);
  }
  if (!existsSync(file))
    throw new Error(`there is no golden file ${file}: write it with DYNO_WRITE_GOLDEN=1`);
  expect(bare).toStrictEqual(JSON.parse(readFileSync(file, 'utf8')));
}
