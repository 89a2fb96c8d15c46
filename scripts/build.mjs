// Bundles the server side with esbuild: build/dyno.js (the command) with its parts in build/dyno-parts, build/worker.js (a load
// generator's thread), build/certify-target.js (the process against which the generator is certified) and build/analysis.js (the
// thread that builds reports).
// Beside them go the index template of the collector's events, which runs install whether a collector is built or not, the
// recorded example, and the Python script that has Rally expand a track.
// Packages are bundled too: a command starts in half the time, and so does each load thread of each trial, and the command can be
// installed without them (scripts/release/npm.mjs).
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
};

/** The recorded example, which the pages of both hosts show; see scripts/record-example.mjs. */
export const EXAMPLE_RUN = join(ROOT, 'common', 'example', 'run.dyno-runs.gz');

/** The Python script of `dyno import rally --python`. */
export const EXPAND_SCRIPT = join(ROOT, 'server', 'import', 'rally-expand.py');

const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

/**
 * undici without its `fetch`, WebSockets, caches and mocks where a load is generated: a load thread, of which each trial starts some,
 * would read them first. What else is imported there is missing, and ends the build.
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

/** As {@link build}, for commands that cannot go on without. */
export const buildOrFail = (entries) => build(entries).catch(() => fail('the build failed (see above)'));

/** As esbuild takes them; `entries`: output name -> source file. */
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
    // Of packages that are no ES modules, and read by `eval` in hdr-histogram-js.
    banner: { js: REQUIRE },
    // What is parsed at each start; names stay.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    // Stack traces need lines, not texts; whoever starts with --enable-source-maps reads all of it.
    sourcesContent: false,
    define: { DYNO_VERSION: JSON.stringify(version) },
    plugins: [presetsPlugin, undiciOfLoad],
    logLevel: 'warning',
  };
}

/** The command's parts, which it loads when it needs them: `build/dyno-parts/<name>-<hash>.js`. */
const PARTS = 'dyno-parts';

/** What is read beside that which esbuild tells of. */
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

/** The files of one bundle, name below the root -> content, those before others that import them; and what esbuild tells of it. */
async function bundle(esbuild, options) {
  const { outputFiles, metafile } = await esbuild.build({ ...options, write: false, metafile: true });
  const isEntry = ({ path }) => metafile.outputs[relative(ROOT, path)]?.entryPoint !== undefined;
  const files = [...outputFiles]
    .sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
    .map(({ path, contents }) => [relative(ROOT, path), contents]);
  return { files, metafile };
}

/**
 * The bundles of `entries`, and the template and the example that go with them, without writing them: `files`, name below the root -> content,
 * and what esbuild tells of them. The command is split into parts, for it is started anew for each word; everything else is one
 * file. Rejects once esbuild has printed what is wrong. `isPackage`: of the command as it is installed without a checkout.
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
      // The command comes last: with it, all that it loads is there.
      files: new Map([...beside, ...made.flatMap(({ files }) => files)]),
      metafiles: made.map(({ metafile }) => metafile),
    };
  } finally {
    // Its helper process would outlive the build otherwise, as long as the command runs.
    await esbuild.stop();
  }
}

/** {@link bundles}, written into the folder build. `entries`: output name -> source file. Takes about half a second. */
export async function build(entries = ENTRIES) {
  const begun = Date.now();
  const { files, metafiles } = await bundles(entries);
  if (entries.dyno === undefined) {
    writeFiles(ROOT, files);
    return;
  }
  const sources = metafiles
    .flatMap((metafile) => Object.keys(metafile.inputs))
    // With a name before it is what plugins make, of files that are named beside.
    .filter((input) => !/^[\w-]+:/.test(input));
  writeBuild(ROOT, { files, inputs: [...sources, ...inputsBeside()], begun, parts: `build/${PARTS}` });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  await buildOrFail();
}
