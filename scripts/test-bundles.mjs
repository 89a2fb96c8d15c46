// Each file of tests as one piece, with what it imports of this project: Jest looks up and loads every module again for every
// file of tests, which took a third of the time of unit tests. Packages stay outside (see test-packages.mjs), and so does what
// Jest replaces: style sheets, the presets. `jest.config.cjs` has them made, and `bundled-test.mjs` hands them to Jest.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';

const FOLDER = join(ROOT, 'build', 'test-bundles');
const GROUPS = join(ROOT, 'build', 'test-groups');
const TEST = /\.test\.tsx?$/;
/** Replaces a module for those that import it, which a bundle has no longer as modules. */
const REPLACES_MODULES = /\bjest\.(do)?[mM]ock\(/;
/** What is compared stands in a file that is named after the test's own. */
const HAS_SNAPSHOTS = /\.toMatchSnapshot\(/;

/** Of the file of tests `test`, where its bundle is, if it has one; a group of files is one. */
export const bundleOf = (test) =>
  test.startsWith(GROUPS) ? test : join(FOLDER, relative(ROOT, test).replace(TEST, '.test.js'));

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

/** Of every bundle. */
const BUNDLING = {
  absWorkingDir: ROOT,
  outbase: ROOT,
  bundle: true,
  packages: 'external',
  external: ['dyno:presets', '*.css'],
  // As scripts/build-app.mjs has it.
  loader: { '.md': 'text' },
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: '@emotion/react',
  sourcemap: 'external',
  logLevel: 'error',
};

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
  await esbuild.build({ ...BUNDLING, entryPoints: tests, outdir: FOLDER, plugins: [ownPlaces] });
}

/**
 * Where all unit tests run, those files that lie beside each other are loaded as one: a new global object, and the modules that
 * they have in common, cost more than the tests of most of them. Each is a `describe` of its path. Who names files gets them alone.
 */
export const areGrouped = () => process.env.DYNO_TEST_GROUPS === 'yes';

const OF_A_GROUP = 12;

const groupName = 'dyno-group:';
const groupsOf = (groups) => ({
  name: 'groups',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${groupName}`) }, ({ path }) => ({
      path: path.slice(groupName.length),
      namespace: groupName,
    }));
    build.onLoad({ filter: /./, namespace: groupName }, ({ path }) => ({
      contents: groups
        .get(path)
        .map(
          (file) =>
            `describe(${JSON.stringify(relative(ROOT, file))}, () => void require(${JSON.stringify(file)}));`,
        )
        .join('\n'),
      resolveDir: ROOT,
    }));
  },
});

/**
 * Bundles the tests with the extension `ending` in `folders` by groups; resolves to the folder where these are, and to the tests
 * that are in none of them.
 */
export async function bundleGroups(project, folders, ending) {
  const folder = join(GROUPS, project);
  rmSync(folder, { recursive: true, force: true });
  const tests = testsIn(folders, [])
    .filter((file) => extname(file) === ending)
    .sort();
  const alone = tests.filter((file) => {
    const text = readText(file);
    return REPLACES_MODULES.test(text) || HAS_SNAPSHOTS.test(text);
  });
  const others = tests.filter((file) => !alone.includes(file));
  const groups = new Map();
  for (let from = 0; from < others.length; from += OF_A_GROUP)
    groups.set(`${String(groups.size + 1).padStart(2, '0')}`, others.slice(from, from + OF_A_GROUP));
  const esbuild = await import('esbuild');
  await esbuild.build({
    ...BUNDLING,
    entryPoints: [...groups.keys()].map((name) => ({ in: `${groupName}${name}`, out: `${name}.test` })),
    outdir: folder,
    plugins: [groupsOf(groups), ownPlaces],
  });
  return { folder, alone };
}
