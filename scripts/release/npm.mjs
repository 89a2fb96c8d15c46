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

/** Date of all files. npm sets the same date when it packs a package. */
const DATE = new Date('1985-10-26T08:15:00Z');

/** Files that are copied unchanged into the package. The README links to the docs. */
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

/**
 * Builds the file that is executed when a user calls `dyno`. It first checks the version of Node.js. If a signal such as Ctrl-C ends the
 * command, it prints the name of the signal.
 */
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
 * Builds the pages (build/app) and returns all files of the package, as contents by name. Also returns esbuild's `metafiles` of the
 * bundles, which list the third-party packages.
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
 * Writes the package `dyno-<version>.tgz` to the folder `out`, and resolves to the paths of the written files. `notices(metafiles)` returns
 * the text with third-party licences (`THIRD-PARTY.txt` in the package), or undefined for none. `metafiles` are esbuild's metafiles of the
 * bundles.
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
    // npm requires that all files are in one folder called `package`.
    packTar(file, stage, 'package', [...files.keys()], DATE);
    return [file];
  } finally {
    rmSync(stage, { recursive: true });
  }
}
