import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DynoError } from '../../common/problem';
import { writeWhole } from '../whole-file';
import { asDiskError } from './disk-error';

let folder: string;
let before: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-disk-'));
  before = process.env['DYNO_DATA'];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (before === undefined) delete process.env['DYNO_DATA'];
  else process.env['DYNO_DATA'] = before;
});

async function failure(act: () => Promise<unknown>): Promise<DynoError> {
  const error = asDiskError(
    await act().then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  expect(error).toBeInstanceOf(DynoError);
  return error as DynoError;
}

test('names the file that exists instead of a folder, at any depth', async () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  for (const at of [file, path.join(file, 'a', 'b')]) {
    const { message, code } = await failure(() => mkdir(at, { recursive: true }));
    expect([code, message]).toEqual(['disk.not-a-folder', `${file}: is a file, where a folder is needed`]);
  }
  const { message } = await failure(() => writeWhole(path.join(file, 'x'), ''));
  expect(message).toBe(`${file}: is a file, where a folder is needed`);
});

test('suggests DYNO_DATA for a path in the data folder', async () => {
  process.env['DYNO_DATA'] = path.join(folder, 'data');
  writeFileSync(path.join(folder, 'data'), '');
  const { message } = await failure(() => mkdir(path.join(folder, 'data', 'spool'), { recursive: true }));
  expect(message).toBe(
    `${path.join(folder, 'data')}: is a file, where a folder is needed. Set DYNO_DATA to use another data folder`,
  );
});

test('names a folder that is read as a file, and a missing file', async () => {
  mkdirSync(path.join(folder, 'sub'));
  expect((await failure(() => writeFile(path.join(folder, 'sub'), ''))).message).toContain(
    'is a folder, where a file',
  );
  expect((await failure(() => readFile(path.join(folder, 'none')))).message).toBe(
    `${path.join(folder, 'none')}: there is no such file or folder`,
  );
});

test('does not convert errors of the network', async () => {
  const refused = Object.assign(new Error('connect EACCES'), { code: 'EACCES', syscall: 'connect' });
  expect(asDiskError(refused)).toBe(refused);
  const bug = new TypeError('x is not a function');
  expect(asDiskError(bug)).toBe(bug);
  await expect(open(folder).then((handle) => handle.close())).resolves.toBeUndefined();
});

/** Tries to mount a small file system at `at`; returns whether it worked. */
const mounted = (at: string): boolean =>
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at], { stdio: 'ignore' }).status === 0;

test('names the file that did not fit on a full disk, and removes it', async () => {
  const at = path.join(folder, 'small');
  mkdirSync(at);
  const isSmall = mounted(at);
  try {
    const file = path.join(at, 'large');
    // If mounting is not allowed, /dev/full of Linux is always full.
    const { code, message } = await failure(() =>
      isSmall ? writeWhole(file, Buffer.alloc(1_000_000, 1)) : writeFile('/dev/full', 'x'),
    );
    expect(code).toBe('disk.full');
    expect(message).toContain(isSmall ? `${file}: the disk is full` : 'the disk is full');
  } finally {
    if (isSmall) spawnSync('umount', [at]);
  }
});

test('lists all folders that Dyno writes to if the system does not name the full disk', () => {
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
  expect((asDiskError(full) as DynoError).message).toMatch(
    /^a disk is full: Dyno writes to .* \(DYNO_DATA\), .* \(DYNO_CACHE\) and .* \(TMPDIR\)$/,
  );
});

test('names the user who has no permission for a folder', async () => {
  const closed = path.join(folder, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  // Root has every permission, so the error is simulated.
  const error =
    process.getuid?.() === 0
      ? Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open', path: closed })
      : await writeFile(path.join(closed, 'x'), '').catch((thrown: unknown) => thrown);
  expect((asDiskError(error) as DynoError).message).toMatch(
    /closed.*: cannot be written to or read: the user \S+ has no permission for it or for a folder above it/,
  );
});
