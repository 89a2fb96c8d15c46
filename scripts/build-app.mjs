// Bundles the pages of the standalone server with esbuild: build/app/index.html, the entry file, and the parts that are loaded when needed.
// File names contain a hash of the content, so that browsers can cache the files. Larger files are also written as gzip, which the server
// sends to clients that accept gzip.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { presetsPlugin } from './presets.mjs';

export const APP_FOLDER = join(ROOT, 'build', 'app');

const ICONS = 'public/ui/icons.ts';

/**
 * esbuild plugin for EUI's icons. EUI imports each icon when it is first shown. Without this plugin, each icon would be a separate file,
 * and the browser would send about 80 additional requests at the first visit.
 */
const iconsPlugin = {
  name: 'bundled-icons',
  setup(build) {
    const own = new Set(
      [...readFileSync(join(ROOT, ICONS), 'utf8').matchAll(/components\/icon\/(assets\/\w+)'/g)].map(
        ([, file]) => `./${file}`,
      ),
    );
    build.onResolve({ filter: /^\.\/assets\// }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && importer.endsWith('icon_map.js') && own.has(path)
        ? { path: 'brought', namespace: 'brought-icon' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'brought-icon' }, () => ({ contents: 'export {}' }));
  },
};

/** Languages for which code on the pages has syntax highlighting. */
const LANGUAGES = ['bash', 'ini', 'json', 'yaml'];

/**
 * esbuild plugin that bundles syntax highlighting only for {@link LANGUAGES}. Without it, EUI's code blocks would add 300 languages (650
 * KB) to each page with code.
 */
const languagesPlugin = {
  name: 'code-languages',
  setup(build) {
    build.onResolve({ filter: /^refractor$/ }, () => ({ path: 'some', namespace: 'languages' }));
    build.onLoad({ filter: /./, namespace: 'languages' }, () => ({
      contents: `import refractor from 'refractor/core.js';
        ${LANGUAGES.map((name) => `import ${name} from 'refractor/lang/${name}.js';`).join('\n')}
        for (const language of [${LANGUAGES.join(', ')}]) refractor.register(language);
        export const { highlight, listLanguages, register } = refractor;
        export default refractor;`,
      resolveDir: ROOT,
    }));
  },
};

/** esbuild options for all bundles of public/, both for the standalone pages and for the Kibana plugin. */
export const browserOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome111', 'firefox111', 'safari16.4'],
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: '@emotion/react',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Style sheets of packages are imported as text, and the modules that need them insert them into the page. esbuild would not load them
  // with the parts that are loaded when needed.
  loader: { '.svg': 'dataurl', '.css': 'text', '.md': 'text' },
  tsconfig: 'public/tsconfig.json',
  plugins: [presetsPlugin, iconsPlugin, languagesPlugin],
  logLevel: 'warning',
};

/**
 * Minimum size of a file in bytes for which a compressed copy (gzip) is also written. Smaller files fit into one network packet without
 * compression.
 */
const WORTH_GZIPPING = 1400;

async function gzipAssets() {
  const folder = join(APP_FOLDER, 'assets');
  await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const whole = await readFile(join(folder, name));
      if (whole.length < WORTH_GZIPPING) return;
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(whole, { level: 9 }));
    }),
  );
}

const ENTRY = 'public/standalone/index.tsx';

/** esbuild options for the pages of the standalone server. */
export const appOptions = {
  ...browserOptions,
  entryPoints: { app: ENTRY },
  outdir: APP_FOLDER,
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  metafile: true,
};

/**
 * Writes the HTML page that loads the app, and returns the name of the app's script. `more`: returns additional HTML for the head. It gets
 * a function that returns the URL of the script built from a source file.
 */
export function writePage({ outputs }, more = () => '') {
  const outputOf = (source) => Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)[0];
  const urlOf = (source) => `/${relative(APP_FOLDER, join(ROOT, outputOf(source)))}`;
  const page = readFileSync(join(ROOT, 'public', 'standalone', 'index.html'), 'utf8');
  const text = page.replace('{{entry}}', urlOf(ENTRY)).replace('</head>', `${more(urlOf)}</head>`);
  writeFileSync(join(APP_FOLDER, 'index.html'), text);
  return outputOf(ENTRY);
}

/**
 * Builds the pages in 1 to 3 s. Resolves to esbuild's metafile and the name of the app's script. Rejects after esbuild has printed the
 * errors.
 */
export async function buildApp() {
  const esbuild = await import('esbuild');
  rmSync(APP_FOLDER, { recursive: true, force: true });
  try {
    const { metafile } = await esbuild.build(appOptions);
    await gzipAssets();
    return { metafile, entry: writePage(metafile) };
  } finally {
    await esbuild.stop();
  }
}

/**
 * Returns the compressed size of a file and of all files that it imports statically, in bytes (gzip). `seen`: files that are already
 * counted.
 */
export function firstLoad({ outputs }, output, seen = new Set()) {
  if (seen.has(output)) return 0;
  seen.add(output);
  const own = gzipSync(readFileSync(join(ROOT, output)), { level: 9 }).length;
  return outputs[output].imports
    .filter(({ kind }) => kind === 'import-statement')
    .reduce((sum, { path }) => sum + firstLoad({ outputs }, path, seen), own);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  const { metafile, entry } = await buildApp().catch(() => fail('the build failed (see above)'));
  console.log(`first load: ${(firstLoad(metafile, entry) / 1e6).toFixed(2)} MB gzipped`);
}
