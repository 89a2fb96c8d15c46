import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { manifestOf, missingFrom } from './command-package.mjs';
import { packTar } from './tar.mjs';

type Manifest = Record<'name' | 'version' | 'description' | 'license' | 'type' | 'engines', unknown>;
const own = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as Manifest;

test('the package asks for no other package and runs nothing when it is installed', () => {
  const manifest = manifestOf(own);
  expect(Object.keys(manifest).sort()).toEqual(
    ['bin', 'description', 'engines', 'license', 'name', 'type', 'version'].sort(),
  );
  expect(manifest).toMatchObject({
    name: 'dyno',
    version: own.version,
    bin: { dyno: 'bin/dyno.mjs' },
  });
});

const imports = (...all: { path: string; external?: boolean; kind?: string }[]): { outputs: object } => ({
  outputs: { 'build/dyno.js': { imports: all } },
});

test('a package holds every part that its command loads', () => {
  const metafile = imports(
    { path: 'build/dyno-parts/run-1.js', kind: 'dynamic-import' },
    { path: 'node:fs', external: true },
    { path: 'http', external: true },
    // A module of a later Node.js.
    { path: 'node:sqlite', external: true },
  );
  expect(missingFrom(['dyno.js', 'dyno-parts/run-1.js'], metafile)).toEqual([]);
  expect(missingFrom(['dyno.js'], metafile)).toEqual(['build/dyno.js imports build/dyno-parts/run-1.js']);
});

test('and nothing in it imports a package that nobody installs', () => {
  expect(missingFrom(['dyno.js'], imports({ path: 'undici', external: true }))).toEqual([
    'build/dyno.js imports undici',
  ]);
});

test('the same files give the same bytes, whenever and in whatever order they were written', () => {
  const [one, other] = [0, 1].map(() => mkdtempSync(path.join(tmpdir(), 'dyno-pack-'))) as [string, string];
  try {
    const pack = (folder: string, names: string[]): Buffer => {
      for (const name of names) writeFileSync(path.join(folder, name), name, { mode: 0o600 });
      const file = path.join(folder, 'made.tgz');
      packTar(file, folder, 'package', names, new Date(0));
      return readFileSync(file);
    };
    const made = pack(one, ['a', 'b']);
    expect(pack(other, ['b', 'a']).equals(made)).toBe(true);
    expect(gunzipSync(made).toString('latin1')).toContain('package/a');
  } finally {
    for (const folder of [one, other]) rmSync(folder, { recursive: true });
  }
});
