// Packages of many files, each as one for the tests, as the bundles have them: Jest loads every file of a package again for
// every file of tests, and some hundred small ones take it longer than most of the tests.
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

const FOLDER = join(ROOT, 'build', 'test-packages');
const require = createRequire(join(ROOT, 'package.json'));

const PACKAGES = [
  'hdr-histogram-js',
  'undici',
  'yaml',
  'zod',
  '@fastify/compress',
  '@stdlib/stats-base-dists-f-cdf',
  '@stdlib/stats-base-dists-normal-cdf',
  '@stdlib/stats-base-dists-t-quantile',
];

/** EUI's own build for tests has icons that need not be fetched; its ids, all the same, would tie labels to any field. */
const EUI = {
  name: '@elastic/eui',
  entry: '@elastic/eui/test-env',
  // What components import too, React and Emotion, must be there once.
  packages: 'external',
  plugins: [
    {
      name: 'own-ids',
      setup: (build) =>
        build.onResolve({ filter: /\/html_id_generator$/ }, () => ({
          path: require.resolve('@elastic/eui/lib/services/accessibility/html_id_generator.js'),
        })),
    },
  ],
};

const versionOf = (name) => {
  const file = join(ROOT, 'node_modules', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
};

/** Resolve to what Jest's `moduleNameMapper` takes; they make only what is missing. */
export const bundleTestPackages = () => bundleAll(PACKAGES.map((name) => ({ name })));
export const bundleTestComponents = () => bundleAll([EUI]);

async function bundleAll(packages) {
  const mapped = {};
  for (const { name, entry = name, ...options } of packages) {
    const file = join(FOLDER, `${name.replaceAll('/', '-')}-${versionOf(name)}.cjs`);
    if (!existsSync(file)) await bundle(require.resolve(entry), file, options);
    mapped[`^${name}$`] = file;
  }
  return mapped;
}

async function bundle(entry, file, options) {
  const { build } = await import('esbuild');
  mkdirSync(dirname(file), { recursive: true });
  const half = `${file}.${process.pid}`;
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: half,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
    ...options,
  });
  // As one piece, for another process may make it too.
  renameSync(half, file);
}
