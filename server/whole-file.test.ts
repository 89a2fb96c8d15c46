import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { thisProcess } from './process-life';
import { isDraft, newDraft, writeWhole } from './whole-file';

let hasLinks = true;
jest.mock('node:fs/promises', () => {
  const real = jest.requireActual<typeof promises>('node:fs/promises');
  const link = (from: string, to: string): Promise<void> =>
    hasLinks
      ? real.link(from, to)
      : Promise.reject(Object.assign(new Error('no hard links'), { code: 'EPERM' }));
  return { ...real, link };
});

/** Larger than any process id of Linux. */
const NOBODY = 2 ** 22 + 1;

let folder: string;
beforeEach(() => {
  hasLinks = true;
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a file is replaced as a whole and keeps its mode', async () => {
  const file = path.join(folder, 'report.md');
  await writeWhole(file, 'first', { mode: 0o600 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o640);
  await writeWhole(file, 'second');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['second', 0o640]);
  expect(readdirSync(folder)).toEqual(['report.md']);
});

test('a concurrent reader finds the old content or the new one, never a part', async () => {
  const file = path.join(folder, 'report.json');
  const contents = ['a', 'b'].map((letter) => letter.repeat(2_000_000));
  await writeWhole(file, contents[0]!);
  let writing = true;
  const seen = new Set<string>();
  const reader = (async () => {
    while (writing) {
      const text = readFileSync(file, 'utf8');
      seen.add(`${text[0]} ${text.length}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (const content of [...contents, ...contents]) await writeWhole(file, content);
  writing = false;
  await reader;
  expect([...seen].filter((what) => !/^[ab] 2000000$/.test(what))).toEqual([]);
});

test('after a failed write the file is unchanged, and no temporary file is left', async () => {
  const file = path.join(folder, 'kept.txt');
  writeFileSync(file, 'kept');
  // A folder with the name of the file cannot be replaced, so that the write fails at its last step.
  const taken = path.join(folder, 'taken');
  mkdirSync(path.join(taken, 'inside'), { recursive: true });
  await expect(writeWhole(taken, 'text')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  await expect(writeWhole(file, 'text', { exclusive: true })).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(file, 'utf8')).toBe('kept');
  expect(readdirSync(folder).sort()).toEqual(['kept.txt', 'taken']);
});

test('a symbolic link stays a link', async () => {
  writeFileSync(path.join(folder, 'real.txt'), 'old');
  symlinkSync('real.txt', path.join(folder, 'link.txt'));
  await writeWhole(path.join(folder, 'link.txt'), 'new');
  expect(readFileSync(path.join(folder, 'real.txt'), 'utf8')).toBe('new');
  expect(readdirSync(folder).sort()).toEqual(['link.txt', 'real.txt']);
});

test('of several exclusive writes to one file, one succeeds', async () => {
  const file = path.join(folder, 'key');
  const made = await Promise.allSettled(
    Array.from({ length: 5 }, (_, i) => writeWhole(file, `${i}`, { exclusive: true })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('a write removes the drafts that killed processes left of the same file, and no others', async () => {
  const file = path.join(folder, 'run.gz');
  const own = await newDraft(file);
  const { instance } = thisProcess();
  const killed = own.replace(instance, `${NOBODY}-1`);
  // A later process has the same id.
  const reused = own.replace(instance, `${process.pid}-1`);
  const ofOtherFile = killed.replace('run.gz', 'other-run.gz');
  const ofOtherMachine = killed.replace(/[0-9a-f]{8}(?=-\d+-1-)/, '00000000');
  const drafts = [own, killed, `${killed}.2`, reused, ofOtherFile, ofOtherMachine];
  expect(new Set(drafts).size).toBe(6);
  expect(drafts.map(isDraft)).toEqual(drafts.map(() => true));
  for (const draft of drafts) writeFileSync(draft, 'half');
  await writeWhole(file, 'whole');
  expect(readdirSync(folder).sort()).toEqual(
    [file, own, ofOtherFile, ofOtherMachine].map((name) => path.basename(name)).sort(),
  );
});

test('without hard links, an exclusive write does not overwrite a file either', async () => {
  hasLinks = false;
  const file = path.join(folder, 'key');
  await writeWhole(file, 'first', { exclusive: true });
  await expect(writeWhole(file, 'second', { exclusive: true })).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['key']);
});
