// Bundles the server side with esbuild, in the folder build:
// - dyno.js: the command, with the parts that it loads when needed in dyno-parts,
// - worker.js: a load thread,
// - certify-target.js: the process against which the load generator is certified,
// - analysis.js: the thread that builds reports,
// - traffic.js: the thread that surveys recorded traffic,
// - record.js: the thread that writes recorded traffic.
//
// Also writes the index template of the collector's events (which runs install even without a collector), the recorded example, and the
// Python script that lets Rally expand a track.
//
// Packages are bundled too. Commands and load threads then start in half the time, and the command can be installed without packages
// (scripts/release/npm.mjs).
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import {
  METRICS_TEMPLATE_FILE,
  metricsTemplateInputs,
  metricsTemplateText,
} from './build-metrics-template.mjs';
import { writeBuild, writeFiles } from './freshness.mjs';
import { presetInputs, presetsPlugin } from './presets.mjs';

export const ENTRIES = {
  dyno: './server/standalone/cli.ts',
  worker: './server/load/worker.ts',
  'certify-target': './server/certify/target-process.ts',
  analysis: './server/analysis/thread.ts',
  traffic: './server/traffic/inspect/thread.ts',
  record: './server/traffic/record/thread.ts',
};

/**
 * File with a run that Dyno shows as an example, both in Kibana and on the standalone server. scripts/record-example.mjs records this run.
 */
export const EXAMPLE_RUN = join(ROOT, 'common', 'example', 'run.dyno-runs.gz');

/** Path of the Python script that `dyno import rally --python` executes. */
export const EXPAND_SCRIPT = join(ROOT, 'server', 'import', 'rally-expand.py');

const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

/**
 * esbuild plugin for the worker threads that send requests. It bundles only two modules of the package undici, without `fetch`, WebSockets,
 * caches and mocks, so that the threads start faster. If a thread imports anything else of undici, the build fails.
 */
export const undiciOfLoad = {
  name: 'undici-of-load',
  setup(build) {
    const isLoad = (importer) => importer.startsWith(join(ROOT, 'server', 'load'));
    build.onResolve({ filter: /^undici$/ }, ({ path, importer }) =>
      isLoad(importer) ? { path, namespace: 'undici-of-load' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'undici-of-load' }, () => ({
      contents: `export { default as buildConnector } from 'undici/lib/core/connect.js';
        export { default as Client } from 'undici/lib/dispatcher/client.js';`,
      resolveDir: ROOT,
    }));
  },
};

/** Like {@link build}, but ends the command with a message if the build fails. */
export const buildOrFail = (entries) => build(entries).catch(() => fail('the build failed (see above)'));

/** Returns esbuild's options for the server side. `entries`: names of the bundles, with their source files. */
export function serverOptions(entries = ENTRIES) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: 'build',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Defines `require`. Packages that are not ES modules need it, and so does `eval` in hdr-histogram-js.
    banner: { js: REQUIRE },
    // Removing white space makes bundles faster to parse at each start. Names are kept, because stack traces show them.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    // Source maps do not contain the texts of the sources. Stack traces only need lines, and --enable-source-maps would also read the
    // texts.
    sourcesContent: false,
    define: { DYNO_VERSION: JSON.stringify(version) },
    plugins: [presetsPlugin, undiciOfLoad],
    logLevel: 'warning',
  };
}

/**
 * Folder (in the folder build) of the files into which the command is split: `dyno-parts/<name>-<hash>.js`. The command loads each file
 * when it needs the file.
 */
const PARTS = 'dyno-parts';

/** Returns source files that no bundle imports, but that also affect the build. If one of them changes, a new build is necessary. */
const inputsBeside = () => [
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
  ...['bootstrap', 'build', 'build-metrics-template', 'freshness', 'presets'].map(
    (name) => `scripts/${name}.mjs`,
  ),
  relative(ROOT, EXAMPLE_RUN),
  relative(ROOT, EXPAND_SCRIPT),
  ...presetInputs(),
  ...metricsTemplateInputs(),
];

/**
 * Builds one bundle without writing it. Returns the contents of its files by name (relative to the root), and esbuild's metafile. Imported
 * files come before the files that import them.
 */
async function bundle(esbuild, options) {
  const { outputFiles, metafile } = await esbuild.build({ ...options, write: false, metafile: true });
  const isEntry = ({ path }) => metafile.outputs[relative(ROOT, path)]?.entryPoint !== undefined;
  const files = [...outputFiles]
    .sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
    .map(({ path, contents }) => [relative(ROOT, path), contents]);
  return { files, metafile };
}

/**
 * Builds the bundles of `entries`, the index template and the example run, without writing them. Returns the contents of the files by name
 * (relative to the root), and esbuild's metafiles. Rejects after esbuild has printed the errors.
 *
 * The bundle of the command consists of several files, so that each subcommand only loads what it needs. `isPackage`: whether the files are
 * for an installed package (true) or for a checkout.
 */
export async function bundles(entries = ENTRIES, { isPackage = false } = {}) {
  const esbuild = await import('esbuild');
  const { dyno, ...others } = entries;
  const optionsOf = (some) => {
    const options = serverOptions(some);
    return { ...options, define: { ...options.define, DYNO_IS_PACKAGE: String(isPackage) } };
  };
  const split = { splitting: true, chunkNames: `${PARTS}/[name]-[hash]` };
  try {
    const made = await Promise.all([
      bundle(esbuild, optionsOf(others)),
      ...(dyno === undefined ? [] : [bundle(esbuild, { ...optionsOf({ dyno }), ...split })]),
    ]);
    const beside = [
      [relative(ROOT, METRICS_TEMPLATE_FILE), await metricsTemplateText()],
      ['build/example.dyno-runs.gz', readFileSync(EXAMPLE_RUN)],
      ['build/rally-expand.py', readFileSync(EXPAND_SCRIPT)],
    ];
    return {
      // The command comes last, so that all files that it loads exist when it is written.
      files: new Map([...beside, ...made.flatMap(({ files }) => files)]),
      metafiles: made.map(({ metafile }) => metafile),
    };
  } finally {
    // esbuild's helper process would otherwise keep running until the command ends.
    await esbuild.stop();
  }
}

/**
 * Builds the {@link bundles} and writes them to the folder build, in about half a second. `entries`: names of the bundles, each with its
 * source file.
 */
export async function build(entries = ENTRIES) {
  const begun = Date.now();
  const { files, metafiles } = await bundles(entries);
  if (entries.dyno === undefined) {
    writeFiles(ROOT, files);
    return;
  }
  const sources = metafiles
    .flatMap((metafile) => Object.keys(metafile.inputs))
    // Names with a prefix are not files. An esbuild plugin creates such inputs from files that are in the list too.
    .filter((input) => !/^[\w-]+:/.test(input));
  writeBuild(ROOT, { files, inputs: [...sources, ...inputsBeside()], begun, parts: `build/${PARTS}` });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  await buildOrFail();
}
