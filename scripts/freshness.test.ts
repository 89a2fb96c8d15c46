import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isFresh, writeBuild } from './freshness.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'dyno-fresh-'));
  mkdirSync(path.join(root, 'server', 'load'), { recursive: true });
  writeFileSync(path.join(root, 'server', 'load', 'one.ts'), 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Returns a time long after the existing files were written, in ms since 1970. */
const later = (): number => Date.now() + 10_000;

/** Waits until the clock of the file system has advanced, so that a file that is changed now gets a new time. */
function untilClockTicks(): void {
  const timeOf = (name: string): number => {
    writeFileSync(path.join(root, name), '');
    return statSync(path.join(root, name)).ctimeMs;
  };
  const first = timeOf('probe');
  while (timeOf('probe') === first);
}

function build(
  files: Record<string, string> = { 'build/dyno.js': 'import', 'build/parts/a.js': 'a' },
  begun = later(),
): void {
  const inputs = ['server/load/one.ts'];
  writeBuild(root, { files: new Map(Object.entries(files)), inputs, begun, parts: 'build/parts' });
  untilClockTicks();
}

const write = (file: string, content: string): void => writeFileSync(path.join(root, file), content);

test('a build is fresh while nothing changes', () => {
  expect(isFresh(root)).toBe(false);
  build();
  expect(isFresh(root)).toBe(true);
});

test('a build is stale once a source has changed, even with the same size and time', () => {
  build();
  const source = path.join(root, 'server/load/one.ts');
  const { atime, mtime } = statSync(source);
  write('server/load/one.ts', 'two');
  utimesSync(source, atime, mtime);
  expect(isFresh(root)).toBe(false);
});

test.each([
  ['appears', () => write('server/load/two.ts', '')],
  ['is deleted', () => rmSync(path.join(root, 'server/load/one.ts'))],
  [
    'is renamed',
    () => renameSync(path.join(root, 'server/load/one.ts'), path.join(root, 'server/load/1.ts')),
  ],
  ['appears as a folder', () => mkdirSync(path.join(root, 'server/load.ts'))],
])('a build is stale once a source %s', (_, change) => {
  build();
  change();
  expect(isFresh(root)).toBe(false);
});

test.each([
  ['is missing', () => rmSync(path.join(root, 'build/parts/a.js'))],
  ['was written by another', () => write('build/dyno.js', 'import')],
])('a build is stale if an output %s', (_, change) => {
  build();
  change();
  expect(isFresh(root)).toBe(false);
});

test('a build with a truncated stamp is stale', () => {
  build();
  const stamp = path.join(root, 'build/dyno.stamp.json');
  writeFileSync(stamp, readFileSync(stamp, 'utf8').slice(0, -10));
  expect(isFresh(root)).toBe(false);
});

test('sources that changed during the build, or just before it, are built again', () => {
  build(undefined, Date.now());
  expect(isFresh(root)).toBe(false);
});

test('parts of the last build are kept for commands that are starting, and older ones are deleted', () => {
  for (const part of ['a', 'b', 'c']) build({ 'build/dyno.js': part, [`build/parts/${part}.js`]: part });
  expect(readdirSync(path.join(root, 'build/parts')).sort()).toEqual(['b.js', 'c.js']);
});
