/** Profiles of runs in files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aProfile } from '../../results/testing/made-documents';
import { madeRunFile } from '../../results/testing/made-run-file';
import { writeProfile, type ProfileOptions } from './profile';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-profile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, profiles: readonly object[]): string => {
  const file = path.join(folder, name);
  writeFileSync(file, madeRunFile(profiles));
  return file;
};
const own = aProfile('r', 'r-t01');
const profiled = fileOf('profiled.gz', [own]);

const STACK = 'n1;write;java.lang.Thread.run;a.B.c 5750';

/** Executes the command. Returns what it printed on standard output and on standard error. */
async function written(name: string, options: Partial<ProfileOptions> = {}) {
  const printed: string[] = [];
  const said: string[] = [];
  const console = {
    print: (text: string) => void printed.push(text),
    say: (text: string) => void said.push(text),
  } as unknown as Parameters<typeof writeProfile>[2];
  // Nothing listens on this port, so a command that used the results cluster would fail.
  const given: ProfileOptions = {
    results: 'http://127.0.0.1:9',
    event: 'cpu',
    format: 'collapsed',
    ...options,
  };
  expect(await writeProfile(name, given, console)).toBe(0);
  return { printed, said };
}

test('prints collapsed stacks, of a cell that is named by its label or its number', async () => {
  for (const cell of [undefined, own.cell.label, own.cell.id, String(own.cell.index)])
    expect(await written(profiled, { cell })).toEqual({ printed: [STACK], said: [] });
});

test('writes a file', async () => {
  const collapsed = path.join(folder, 'new', 'stacks.txt');
  expect(await written(profiled, { file: collapsed })).toEqual({
    printed: [],
    said: [`profile: ${collapsed}`],
  });
  expect(readFileSync(collapsed, 'utf8')).toBe(`${STACK}\n`);
  const firefox = path.join(folder, 'firefox.json');
  await written(profiled, { file: firefox, format: 'firefox' });
  expect(JSON.parse(readFileSync(firefox, 'utf8'))).toMatchObject({
    meta: { product: 'Shards' },
    threads: [{ name: 'write', pid: 'n1', samples: { weight: [5.75] } }],
  });
});

test('what does not exist is an error that names what exists', async () => {
  await expect(written(fileOf('none.gz', []), { cell: '0' })).rejects.toMatchObject({
    code: 'profile.none',
    problems: [{ allowed: expect.stringContaining('measure.profile') }],
  });
  await expect(written(profiled, { cell: '7' })).rejects.toMatchObject({
    code: 'profile.no-cell',
    problems: [{ found: '7', allowed: `${own.cell.index} (${own.cell.label})` }],
  });
  await expect(written(profiled, { event: 'alloc' })).rejects.toMatchObject({
    code: 'profile.no-event',
    problems: [{ found: 'alloc', allowed: 'cpu' }],
  });
});
