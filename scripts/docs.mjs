// `npm run docs`: writes the generated parts of docs/: the tables of docs/definition.md, docs/figures.md and docs/opensearch.md.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';

/** TypeScript code that exports everything from which the tables in docs/ are generated. */
const LANGUAGE = `
  export { definitionSchema } from './common/experiment/definition';
  export { EXECUTORS } from './common/executors/registry';
  export { PARAMETER_KINDS } from './common/parameters/registry';
  export { REQUEST_KINDS } from './common/requests/registry';
  export { TASK_KINDS } from './common/tasks/registry';
  export { DURATION_FORM } from './common/units/duration';
  export { BYTES_FORM } from './common/units/bytes';
  export { METRIC_GROUPS, SOURCE_NAMES } from './common/measurement/node-metric';
  export { FEATURES } from './common/elasticsearch/capabilities';
  export { NODE_METRICS } from './common/measurement/node-metrics';`;

/** Bundles the code in {@link LANGUAGE} and imports it. */
async function load() {
  const { build } = await import('esbuild');
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'build', 'reference-'));
  try {
    const outfile = join(folder, 'definition.mjs');
    await build({
      stdin: { contents: LANGUAGE, resolveDir: ROOT },
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await bootstrap();
const { definitionBlocks, missingIn, REFERENCE_FILE, withTables } =
  await import('./definition-reference.mjs');
const { CAPABILITIES_FILE, withCapabilities } = await import('./capabilities-reference.mjs');
const { FIGURES_FILE, withFigures } = await import('./cluster-figures-reference.mjs');
const language = await load();
const blocks = definitionBlocks(language);
const missing = missingIn(blocks);
if (missing.length > 0) fail(missing.join('\n'));
writeFileSync(REFERENCE_FILE, withTables(readFileSync(REFERENCE_FILE, 'utf8'), blocks));
const figures = readFileSync(FIGURES_FILE, 'utf8');
const { NODE_METRICS, METRIC_GROUPS, SOURCE_NAMES } = language;
writeFileSync(FIGURES_FILE, withFigures(figures, NODE_METRICS, METRIC_GROUPS, SOURCE_NAMES));
writeFileSync(
  CAPABILITIES_FILE,
  withCapabilities(readFileSync(CAPABILITIES_FILE, 'utf8'), language.FEATURES),
);
console.log(`${REFERENCE_FILE}\n${FIGURES_FILE}\n${CAPABILITIES_FILE}`);
