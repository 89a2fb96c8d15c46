// Bundles the server side with esbuild: build/dyno.js (the command), build/worker.js (a load generator's thread) and
// build/certify-target.js (the process against which the generator is certified).
// Beside them go the index template of the collector's events, which runs install whether a collector is built or not, and the
// recorded example.
// Packages are bundled too: a command starts in half the time, and so does each load thread of each trial. What is bundled stays in
// the checkout; nobody is given it.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { buildMetricsTemplate } from './build-metrics-template.mjs';
import { presetsPlugin } from './presets.mjs';

export const ENTRIES = {
  dyno: './server/standalone/cli.ts',
  worker: './server/load/worker.ts',
  'certify-target': './server/certify/target-process.ts',
};

/** The recorded example, which the pages of both hosts show; see scripts/record-example.mjs. */
export const EXAMPLE_RUN = join(ROOT, 'common', 'example', 'run.ndjson');

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

/** `entries`: output name -> source file. Takes about 0.3 s; rejects once esbuild has printed what is wrong. */
export async function build(entries = ENTRIES) {
  const esbuild = await import('esbuild');
  await buildMetricsTemplate();
  copyFileSync(EXAMPLE_RUN, join(ROOT, 'build', 'example.ndjson'));
  try {
    await esbuild.build(serverOptions(entries));
  } finally {
    // Its helper process would outlive the build otherwise, as long as the command runs.
    await esbuild.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  await buildOrFail();
}
