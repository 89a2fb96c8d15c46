import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..');
const page = readFileSync(path.join(__dirname, 'MONITORING.md'), 'utf8');

/** Source code of the server, without tests. It contains every message that the server may log. */
const sources = ['common', 'server']
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|testing/.test(name))
      .map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8')),
  )
  .join('\n');

const [, logs = ''] = page.split('## Log lines and what to do');
const rows = logs
  .split('\n')
  .filter((line) => /^\| (?!---|line contains|code)/.test(line))
  .map((line) => line.split('|').slice(1, -1));
const quotedIn = (cells: readonly string[]): string[] =>
  cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted]) => quoted!));

test('the server can log every line of MONITORING.md', () => {
  const lines = rows.filter((cells) => cells.length === 3).flatMap(([line]) => quotedIn([line!]));
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.filter((line) => !sources.includes(line))).toEqual([]);
});

test('the source has every code of MONITORING.md', () => {
  const codes = rows.flatMap((cells) => quotedIn([cells.at(cells.length === 3 ? 1 : 0)!]));
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});
