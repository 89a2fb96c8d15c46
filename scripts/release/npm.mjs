// Packs the `dyno` command as a complete npm package: bundles, pages and presets, without dependencies or a build. To use it: `npm install -g
// dyno-<version>.tgz`, then `dyno run ...`. The package is reproducible.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { APP_FOLDER, buildApp } from '../build-app.mjs';
import { bundles } from '../build.mjs';
import { BIN, manifestOf, missingFrom } from './command-package.mjs';
import { packTar } from './tar.mjs';

/** Date of every file. npm uses the same date when it packs. */
const DATE = new Date('1985-10-26T08:15:00Z');

/** Text files in the package. The README links to the docs. */
const TEXTS = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'collector/README.md',
  'server/MONITORING.md',
  'docs/images/result.png',
];

const read = (file) => readFileSync(join(ROOT, file));

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Builds the launcher, which checks the version of Node.js and prints the signal that ends it. */
async function launcher() {
  const esbuild = await import('esbuild');
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: ROOT,
      entryPoints: ['scripts/release/launcher.mjs'],
      bundle: true,
      platform: 'node',
      target: 'node14',
      supported: { 'top-level-await': true },
      format: 'esm',
      external: ['../dyno.js'],
      banner: { js: '#!/usr/bin/env node' },
      write: false,
    });
    return outputFiles[0].contents;
  } finally {
    await esbuild.stop();
  }
}

/**
 * Builds all files of the package (name -> content) and esbuild's `metafiles` of its bundles, which list third-party packages. Also builds the
 * pages (build/app).
 */
export async function makeCommand() {
  const { files: built, metafiles } = await bundles(undefined, { isPackage: true });
  const { metafile } = await buildApp();
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const manifest = manifestOf(JSON.parse(read('package.json')));
  const files = new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    [BIN, await launcher()],
    ...[...built].map(([name, content]) => [relative('build', name), content]),
    ...filesBelow(APP_FOLDER).map((file) => [`app/${relative(APP_FOLDER, file)}`, readFileSync(file)]),
    ...[...TEXTS, ...docs].map((name) => [name, read(name)]),
  ]);
  const missing = [...metafiles, metafile].flatMap((one) => missingFrom([...files.keys()], one));
  if (missing.length > 0) throw new Error(`the package of the command is incomplete: ${missing.join('; ')}`);
  return { manifest, files, metafiles: [...metafiles, metafile] };
}

/**
 * Writes `dyno-<version>.tgz` into `out` and resolves to the written paths. `notices` gets esbuild's metafiles and may return the text with
 * third-party licences (`THIRD-PARTY.txt` in the package).
 */
export async function packCommand(out, { notices = () => undefined } = {}) {
  const { manifest, files, metafiles } = await makeCommand();
  const text = notices(metafiles);
  if (text !== undefined) files.set('THIRD-PARTY.txt', text);
  const stage = mkdtempSync(join(tmpdir(), 'dyno-package-'));
  try {
    for (const [name, content] of files) {
      mkdirSync(dirname(join(stage, name)), { recursive: true });
      writeFileSync(join(stage, name), content, { mode: name === BIN ? 0o755 : 0o644 });
    }
    mkdirSync(out, { recursive: true });
    const file = join(out, `${manifest.name}-${manifest.version}.tgz`);
    // npm expects everything in one folder of this name.
    packTar(file, stage, 'package', [...files.keys()], DATE);
    return [file];
  } finally {
    rmSync(stage, { recursive: true });
  }
}
