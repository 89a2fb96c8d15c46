// Each file of tests as one piece, with what it imports of this project: Jest looks up and loads every module again for every
// file of tests, which took a third of the time of unit tests. Packages stay outside (see test-packages.mjs), and so does what
// Jest replaces: style sheets, the presets. `jest.config.cjs` has them made, and `bundled-test.mjs` hands them to Jest.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';

const FOLDER = join(ROOT, 'build', 'test-bundles');
const TEST = /\.test\.tsx?$/;
/** Replaces a module for those that import it, which a bundle has no longer as modules. */
const REPLACES_MODULES = /\bjest\.(do)?[mM]ock\(/;

/** Of the file of tests `test`, where its bundle is, if it has one. */
export const bundleOf = (test) => join(FOLDER, relative(ROOT, test).replace(TEST, '.test.js'));

const readText = (file) => readFileSync(file, 'utf8');

/** What a module says of its own place stays true. */
const ownPlaces = {
  name: 'own-places',
  setup(build) {
    build.onLoad({ filter: /\.(tsx?|mjs)$/ }, ({ path }) => {
      const text = readText(path);
      if (!/\b__(dir|file)name\b|\bimport\.meta\.url\b/.test(text)) return undefined;
      const places = {
        __dirname: dirname(path),
        __filename: path,
        'import.meta.url': pathToFileURL(path).href,
      };
      const contents = text.replaceAll(/\b(__dirname|__filename|import\.meta\.url)\b/g, (name) =>
        JSON.stringify(places[name]),
      );
      return { contents, loader: path.endsWith('.mjs') ? 'js' : path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/** Those of the folders; where `named` names some of them by their paths and nothing else, only those. */
function testsIn(folders, named) {
  const all = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => TEST.test(file))
      .map((file) => join(folder, file)),
  );
  const asked = named.filter((name) => TEST.test(name)).map((name) => resolve(name));
  return asked.length > 0 && asked.every((file) => all.includes(file)) ? asked : all;
}

/**
 * Bundles the tests in `folders`. `named`: what Jest was asked for; where that is paths of tests, only those are bundled. Takes
 * some 3 s for all of them.
 */
export async function bundleTests(folders, named = []) {
  const tests = [];
  for (const file of new Set(testsIn(folders, named))) {
    if (!REPLACES_MODULES.test(readText(file))) tests.push(file);
    // It may have had one before.
    else rmSync(bundleOf(file), { force: true });
  }
  if (tests.length === 0) return;
  const esbuild = await import('esbuild');
  mkdirSync(FOLDER, { recursive: true });
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: tests,
    outdir: FOLDER,
    outbase: ROOT,
    bundle: true,
    packages: 'external',
    external: ['dyno:presets', '*.css'],
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: '@emotion/react',
    sourcemap: 'external',
    plugins: [ownPlaces],
    logLevel: 'error',
  });
}
