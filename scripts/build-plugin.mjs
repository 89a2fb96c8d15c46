// Packs the plugin for Kibana without a checkout of Kibana: `node scripts/build-plugin.mjs --kibana-version 9.5.3,8.19.4` writes
// build/dyno-<version>_<kibana>.zip for each version. The zips are reproducible: sorted and with a fixed date.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { browserOptions } from './build-app.mjs';
import { metricsTemplate } from './build-metrics-template.mjs';
import { EXAMPLE_RUN, undiciOfLoad } from './build.mjs';
import { presetsPlugin } from './presets.mjs';

const STAGE = join(ROOT, 'build', 'plugin');
const ID = 'dyno';

/**
 * Returns the plugin's manifest. All of its keys exist in every Kibana from 8.3 to 9.x, because Kibana does not start if a manifest has an
 * unknown key.
 */
export const manifestOf = (version, kibanaVersion) => ({
  id: ID,
  version,
  kibanaVersion,
  type: 'standard',
  owner: { name: 'Dyno' },
  description: 'The dynamometer for Elasticsearch',
  configPath: [ID],
  server: true,
  ui: true,
  requiredPlugins: ['features', 'taskManager'],
  optionalPlugins: [
    'alerting',
    'data',
    'encryptedSavedObjects',
    'home',
    'security',
    'spaces',
    'triggersActionsUi',
  ],
  requiredBundles: [],
});

const packageOf = (version, kibanaVersion, license) => ({
  name: ID,
  version,
  license,
  private: true,
  main: 'server/index.js',
  kibana: { version: kibanaVersion },
});

/**
 * Returns `text` (JavaScript) without the calls of `Function('return this')` and `eval` in some libraries. Kibana's content security policy
 * forbids code that creates functions from text. The library zod needs no change, because Dyno sets its option `jitless`
 * (common/experiment/definition.ts).
 */
const withoutEvaluation = (text) =>
  text
    .replace(/\b(new )?Function\((['"])return this;?\2\)\(\)/g, 'globalThis')
    // hdr-histogram-js loads zlib of Node.js with this code. If that fails, it uses the package pako.
    .replace(/\beval\('require\("zlib"\)\.\w+'\)/g, '(() => { throw new Error("not Node.js"); })()');

/** Matches names of theme variables of EUI. These names look like class names, but must not be renamed. */
const THEME = /^eui(ColorVis|Theme)/;
const ownName = (name) => (THEME.test(name) ? name : `dynoE${name.slice(1)}`);

/**
 * Returns `text` with renamed class names of EUI, such as `dynoEuiFlexItem` instead of `euiFlexItem`. Otherwise, the styles of Kibana's own
 * EUI would also apply. Names in strings and in selectors are renamed. Selectors such as `[class*='euiLink']` stay unchanged, because they
 * match class names that Emotion creates.
 */
const withOwnClassNames = (text) =>
  text
    .replace(/(?<![*^$|~]=)(['"])([\w -]*\beui[A-Z][\w -]*)\1/g, (whole, quote, names) =>
      whole.replace(names, names.replace(/(?<![\w-])eui[A-Z]\w*/g, ownName)),
    )
    .replace(/(?<![\w)\]?])\.(eui[A-Z]\w*)/g, (_, name) => `.${ownName(name)}`);

/** Matches the paths of files that contain class names of EUI. */
const EUI = /[\\/](node_modules[\\/]@elastic[\\/]eui|public)[\\/]/;

const kibanaCompatible = {
  name: 'kibana-compatible',
  setup(build) {
    build.onLoad({ filter: /\.([cm]?js|tsx?)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const tame = withoutEvaluation(EUI.test(path) ? withOwnClassNames(text) : text);
      if (tame === text) return undefined;
      return { contents: tame, loader: /\.(tsx?)$/.exec(path)?.[1] ?? 'js' };
    });
  },
};

const serverOptions = (version) => ({
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  minifySyntax: true,
  legalComments: 'none',
  // `@kbn/config-schema` is not bundled, because Kibana provides it to plugins.
  external: ['@kbn/config-schema', './dyno.js'],
  define: { DYNO_VERSION: JSON.stringify(version) },
  plugins: [presetsPlugin, undiciOfLoad],
  logLevel: 'warning',
});

/** Returns all files below `folder`, sorted, with paths relative to it. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** Builds the files of the plugin that are the same for every Kibana. Resolves to esbuild's metafile of each bundle. */
async function bundle(version) {
  const esbuild = await import('esbuild');
  rmSync(STAGE, { recursive: true, force: true });
  const metafiles = [];
  try {
    const server = await esbuild.build({
      ...serverOptions(version),
      entryPoints: {
        index: './server/index.ts',
        dyno: './server/kibana/plugin.ts',
        worker: './server/load/worker.ts',
        'certify-target': './server/certify/target-process.ts',
        analysis: './server/analysis/thread.ts',
        traffic: './server/traffic/inspect/thread.ts',
      },
      outdir: join(STAGE, 'server'),
      metafile: true,
    });
    const browser = {
      ...browserOptions,
      legalComments: 'none',
      plugins: [...browserOptions.plugins, kibanaCompatible],
    };
    const outdir = join(STAGE, 'target', 'public');
    const { metafile } = await esbuild.build({
      ...browser,
      entryPoints: { app: './public/kibana/app.tsx', 'rule-form': './public/kibana/rule-form.tsx' },
      outdir,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      metafile: true,
    });
    const builtOf = (source) => {
      const [file] = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
        entryPoint?.endsWith(source),
      );
      return JSON.stringify(basename(file));
    };
    const entry = await esbuild.build({
      ...browser,
      splitting: false,
      format: 'iife',
      entryPoints: { [`${ID}.plugin`]: './public/index.ts' },
      outdir,
      define: {
        ...browser.define,
        DYNO_APP: builtOf('/app.tsx'),
        DYNO_RULE_FORM: builtOf('/rule-form.tsx'),
      },
      metafile: true,
    });
    metafiles.push(server.metafile, metafile, entry.metafile);
  } finally {
    await esbuild.stop();
  }
  writeFileSync(join(STAGE, 'server', 'metrics-template.json'), JSON.stringify(await metricsTemplate()));
  copyFileSync(EXAMPLE_RUN, join(STAGE, 'server', 'example.dyno-runs.gz'));
  return metafiles;
}

/**
 * Returns a hash of all files of the plugin. The plugin's version contains this hash, because browsers cache the files of a version for a
 * year.
 */
function contentHash() {
  const hash = createHash('sha256');
  for (const file of filesOf(STAGE)) hash.update(`${file}\0`).update(readFileSync(join(STAGE, file)));
  return hash.digest('hex').slice(0, 8);
}

/** Date of all files in the zip. It is constant, so that equal contents give equal zips. Dates in zips begin in 1980. */
const DATE = new Date(1980, 0, 1);
/** Mode of all files in the zip. Without a mode, extracted files would have no permissions. */
const FILE_MODE = 0o100644;

async function pack(file, contents) {
  const { default: yazl } = await import('yazl');
  const zip = new yazl.ZipFile();
  for (const [path, content] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
    zip.addBuffer(content, path, { mtime: DATE, mode: FILE_MODE, forceDosTimestamp: true });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/**
 * Builds the zips and resolves to their paths. `textsOf`: returns additional files for the zips, as contents by name. It gets esbuild's
 * metafiles of the bundles.
 */
export async function buildPlugin(kibanaVersions, textsOf = () => ({})) {
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(STAGE, { recursive: true });
  const texts = textsOf(await bundle(version));
  const built = `${version}-${contentHash()}`;
  const zips = [];
  for (const kibanaVersion of kibanaVersions) {
    const contents = new Map(
      filesOf(STAGE).map((file) => [`kibana/${ID}/${file}`, readFileSync(join(STAGE, file))]),
    );
    const json = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
    contents.set(`kibana/${ID}/kibana.json`, json(manifestOf(built, kibanaVersion)));
    contents.set(`kibana/${ID}/package.json`, json(packageOf(version, kibanaVersion, license)));
    for (const [name, text] of Object.entries(texts)) contents.set(`kibana/${ID}/${name}`, Buffer.from(text));
    const file = join(ROOT, 'build', `${ID}-${version}_${kibanaVersion}.zip`);
    await pack(file, contents);
    zips.push(file);
  }
  return zips;
}

/**
 * First version of Kibana whose Node.js is new enough for the package undici. Kibana 8.12.2 contains Node.js 18.18.2, and Kibana 8.19
 * contains Node.js 22.
 */
const FIRST_KIBANA = [8, 18];
/**
 * Command-line option that skips the check of Kibana's Node.js. It is for users who run Kibana with another Node.js than the one that
 * Kibana contains.
 */
export const OTHER_NODE = '--other-node';

/** Returns the reason why the plugin cannot run in this version of Kibana; '' if it can run. */
export function kibanaRefusal(kibanaVersion) {
  const [major, minor] = kibanaVersion.split('.').map(Number);
  const [firstMajor, firstMinor] = FIRST_KIBANA;
  if (major > firstMajor || (major === firstMajor && minor >= firstMinor)) return '';
  return `Kibana ${kibanaVersion} contains a Node.js older than 20.18.1, which Dyno needs: use Kibana ${FIRST_KIBANA.join('.')} or newer, or add ${OTHER_NODE} if you run Kibana on a newer Node.js than the one that it contains`;
}

/** Returns the versions of Kibana in the arguments. Ends the command with a message if a version is missing or invalid. */
function wantedVersions(args) {
  const list = args.flatMap((arg, i) =>
    arg === '--kibana-version'
      ? [args[i + 1] ?? '']
      : arg.startsWith('--kibana-version=')
        ? [arg.slice(17)]
        : [],
  );
  const versions = list.join(',').split(',').filter(Boolean);
  const wrong = versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version));
  if (versions.length === 0 || wrong.length > 0) {
    const found = wrong.length > 0 ? ` (found "${wrong.join(', ')}")` : '';
    fail(`--kibana-version needs exact versions of Kibana, such as 9.5.3,8.19.4${found}`);
  }
  const refusal = args.includes(OTHER_NODE) ? '' : versions.map(kibanaRefusal).find((why) => why !== '');
  if (refusal) fail(refusal);
  return [...new Set(versions)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  const versions = wantedVersions(process.argv.slice(2));
  for (const file of await buildPlugin(versions)) {
    console.log(`${relative(ROOT, file)}: ${(readFileSync(file).length / 1e6).toFixed(2)} MB`);
  }
}
