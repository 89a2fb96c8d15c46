// Compiles the YAML files of common/presets to build/presets.json. Bundles and Jest use this file for the import `dyno:presets`. Dyno then
// need not parse YAML at run time, and an invalid YAML file fails the build instead of a run.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { importText, sourceText } from './source.mjs';

export const PRESETS_FILE = join(ROOT, 'build', 'presets.json');
const FOLDER = join(ROOT, 'common', 'presets');

/** Returns the paths and texts of all YAML files with presets. They are sorted, so that the result is the same on every machine. */
function presetTexts() {
  return readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file: relative(ROOT, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Returns all source files of the presets, including the code that reads them. Paths are relative to the root. */
export const presetInputs = () =>
  readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.name.includes('.test.'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

const builtFrom = () => (existsSync(PRESETS_FILE) ? JSON.parse(readFileSync(PRESETS_FILE, 'utf8')).from : '');

/**
 * Builds build/presets.json (half a second) if a preset or the code that reads presets has changed. Resolves to the path of the file.
 * Rejects with the problems of all presets.
 */
export async function buildPresets() {
  const texts = presetTexts();
  const reader = await sourceText('common/presets/read.ts');
  const from = createHash('sha256')
    .update(JSON.stringify([reader, texts]))
    .digest('hex');
  if (builtFrom() === from) return PRESETS_FILE;
  const { readPresets } = await importText(reader);
  mkdirSync(dirname(PRESETS_FILE), { recursive: true });
  const made = `${PRESETS_FILE}.${process.pid}`;
  writeFileSync(made, JSON.stringify({ from, presets: readPresets(texts) }));
  // The file is replaced atomically, because another process may be reading the old one.
  renameSync(made, PRESETS_FILE);
  return PRESETS_FILE;
}

/** esbuild plugin that resolves the import `dyno:presets`. In watch mode, esbuild builds again when a file of a preset changes. */
export const presetsPlugin = {
  name: 'presets',
  setup(build) {
    build.onResolve({ filter: /^dyno:presets$/ }, ({ path }) => ({ path, namespace: 'presets' }));
    build.onLoad({ filter: /./, namespace: 'presets' }, async () => {
      const watchFiles = presetTexts().map(({ file }) => join(ROOT, file));
      const watchDirs = [FOLDER, ...watchFiles.map((file) => dirname(file))];
      const watched = { watchFiles, watchDirs: [...new Set(watchDirs)] };
      try {
        return { contents: readFileSync(await buildPresets()), loader: 'json', ...watched };
      } catch (error) {
        return { errors: error.message.split('\n').map((text) => ({ text })), ...watched };
      }
    });
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  console.log(await buildPresets().catch((error) => fail(error.message)));
}
