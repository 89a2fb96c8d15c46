/**
 * Writes and compares golden files. Of sentences for people, only their presence is kept. Everything else must be equal: numbers, labels,
 * codes, units, answers, ids, and the set of fields.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** True with `DYNO_WRITE_GOLDEN=1`: the current output is written to the golden files, and git shows the changes. */
export const IS_WRITING = process.env['DYNO_WRITE_GOLDEN'] === '1';

/** Placeholder for any text that is not empty. */
export const WORDS = '(words)';

/** Returns a matcher for paths with dots between their parts. `*` matches anything within one part, `**` any number of parts. */
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

/** Returns `value` as in JSON, with the texts at the paths in `prose` replaced. Other values stay unchanged. */
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

/** Formats JSON with everything that fits on one line on one line. So it is short, and a changed number is one line of a diff. */
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

/** Compares `found` with the golden file, or writes the file on request. */
export function expectGolden(file: string, found: unknown, prose: readonly string[] = []): void {
  const bare = withoutWords(found, prose);
  if (IS_WRITING) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${formatGolden(bare)}\n`);
  }
  if (!existsSync(file)) throw new Error(`no golden file ${file} exists: write it with DYNO_WRITE_GOLDEN=1`);
  expect(bare).toStrictEqual(JSON.parse(readFileSync(file, 'utf8')));
}
