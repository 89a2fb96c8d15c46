// `npm start`: runs `dyno start` from a checkout. Unlike `npm run dyno`, it also builds the pages. If necessary, the command then builds
// the collector while Elasticsearch starts. Runs only start afterwards, so that the compiler does not disturb a measurement.
import './ends.mjs';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOf, hostArchitecture } from './build-collector.mjs';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { buildApp } from './build-app.mjs';

/** Returns whether `dyno start` with these options would start Dyno's collector; see server/standalone/host.ts. */
const wantsCollector = (options, environment) =>
  process.platform === 'linux' &&
  ['x64', 'arm64'].includes(process.arch) &&
  environment.DYNO_ELASTICSEARCH === undefined &&
  !options.some((option) => /^(--no-collector|--elasticsearch(=.*)?|--help|-h)$/.test(option));

/** Returns whether a file in the collector's folder affects the binary. Recorded responses, tests and other texts do not. */
const isSource = (file) => /(^go\.(mod|sum)|(?<!_test)\.go|fields[^/]*\.yml)$/.test(file);

function isFresh(binary) {
  const built = statSync(binary, { throwIfNoEntry: false });
  if (!built) return false;
  const collector = join(ROOT, 'collector');
  const isOlder = (file) => built.mtimeMs < statSync(join(collector, file)).mtimeMs;
  return !readdirSync(collector, { recursive: true }).filter(isSource).some(isOlder);
}

/** Returns the path of the script that builds Dyno's collector. Null if the binary is newer than all sources. */
function collectorToBuild() {
  return isFresh(binaryOf(hostArchitecture())) ? null : join(ROOT, 'scripts', 'build-collector.mjs');
}

/**
 * Steps that were executed before the command started. The page that is shown during the start lists them; see
 * server/standalone/start/steps.ts.
 */
const before = { at: Date.now(), steps: [], collector: null };

/** Executes `work`, then prints `text` with the duration. Steps that take less than half a second are not printed. */
async function step(text, work) {
  const begun = performance.now();
  await work();
  const tookMs = performance.now() - begun;
  const seconds = Math.round(tookMs / 1000);
  // A step that had nothing to do is neither printed nor shown.
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
