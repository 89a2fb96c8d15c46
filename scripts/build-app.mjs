// Bundles the page outside Kibana with esbuild: build/app/index.html, its entry and its lazily loaded parts, all with
// names that follow from their content, so that browsers may keep them. Beside each that is worth it goes its gzipped form,
// which the server sends to whoever takes it.
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
 * EUI fetches an icon when it is first shown. Those of the first bundle never are: as targets of that import each would become a
 * file of its own, and a first visit would wait for some 80 requests more.
 */
const iconsPlugin = {
  name: 'icons of the first bundle',
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

/** Of code that pages show; Markdown of the documents names them, too. */
const LANGUAGES = ['bash', 'ini', 'json', 'yaml'];

/** EUI brings 300 languages for its code blocks: 650 KB for each page that may show one. */
const languagesPlugin = {
  name: 'languages of code',
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

/** As every bundle of public/ is made: also the plugin's. */
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
  // Style sheets of packages are put into the page by who needs them: a lazily loaded part would come without.
  loader: { '.svg': 'dataurl', '.css': 'text', '.md': 'text' },
  tsconfig: 'public/tsconfig.json',
  plugins: [presetsPlugin, iconsPlugin, languagesPlugin],
  logLevel: 'warning',
};

/** Smaller ones fit into a packet as they are, bytes. */
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

/** As esbuild takes them. */
export const appOptions = {
  ...browserOptions,
  entryPoints: { app: ENTRY },
  outdir: APP_FOLDER,
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  metafile: true,
};

/**
 * Writes the page that loads the app, and returns the file of its entry. `more` makes what else its head holds; it is given
 * the URL of any other entry by its source file.
 */
export function writePage({ outputs }, more = () => '') {
  const outputOf = (source) => Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)[0];
  const urlOf = (source) => `/${relative(APP_FOLDER, join(ROOT, outputOf(source)))}`;
  const page = readFileSync(join(ROOT, 'public', 'standalone', 'index.html'), 'utf8');
  const text = page.replace('{{entry}}', urlOf(ENTRY)).replace('</head>', `${more(urlOf)}</head>`);
  writeFileSync(join(APP_FOLDER, 'index.html'), text);
  return outputOf(ENTRY);
}

/** Takes 1 to 3 s; rejects once esbuild has printed what is wrong. Resolves to what esbuild tells of its outputs. */
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

/** Bytes, gzipped, of what `output` needs at once. */
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
