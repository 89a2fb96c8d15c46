// `npm start`: the standalone product, `dyno start`, from a checkout. Unlike `npm run dyno`, it builds the pages and lets the
// command build the collector while Elasticsearch starts. No run begins before, so that no compiler competes with what is
// measured.
import './ends.mjs';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOf, hostArchitecture } from './build-collector.mjs';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { buildApp } from './build-app.mjs';

/** What `dyno start` would run a collector for, see server/standalone/host.ts. */
const wantsCollector = (options, environment) =>
  process.platform === 'linux' &&
  ['x64', 'arm64'].includes(process.arch) &&
  environment.DYNO_ELASTICSEARCH === undefined &&
  !options.some((option) => /^(--no-collector|--elasticsearch(=.*)?|--help|-h)$/.test(option));

/** Of what the binary is made of; recorded answers, tests and texts are not. */
const isSource = (file) => /(^go\.(mod|sum)|(?<!_test)\.go|fields[^/]*\.yml)$/.test(file);

function isFresh(binary) {
  const built = statSync(binary, { throwIfNoEntry: false });
  if (!built) return false;
  const collector = join(ROOT, 'collector');
  const isOlder = (file) => built.mtimeMs < statSync(join(collector, file)).mtimeMs;
  return !readdirSync(collector, { recursive: true }).filter(isSource).some(isOlder);
}

/** The script that builds the collector where that is to be done, else null. */
function collectorToBuild() {
  return isFresh(binaryOf(hostArchitecture())) ? null : join(ROOT, 'scripts', 'build-collector.mjs');
}

/** What the command tells the pages of what was done before it, see server/standalone/start/steps.ts. */
const before = { at: Date.now(), steps: [], collector: null };

/** Does `work`, and says in a sentence that it is done and how many seconds it took. */
async function step(text, work) {
  const begun = performance.now();
  await work();
  const tookMs = performance.now() - begun;
  const seconds = Math.round(tookMs / 1000);
  // What was there already is no news.
  if (seconds === 0) return;
  before.steps.push({ text, tookMs });
  console.error(`${text} (${seconds}s).`);
}

process.argv.splice(2, 0, 'start');
await step('The packages are installed', bootstrap);
console.error('Building the pages ...');
await step('The pages are built', () =>
  buildApp().catch(() => fail('the pages could not be built (see above)')),
);
if (wantsCollector(process.argv.slice(3), process.env)) before.collector = collectorToBuild();
process.env.DYNO_START = JSON.stringify(before);
await import('./dyno.mjs');
