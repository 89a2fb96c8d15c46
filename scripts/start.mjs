// `npm start`: the standalone product, `dyno start`, from a checkout. Unlike `npm run dyno` it builds the pages, and the
// collector if Go is there: before anything runs, so that no compiler competes with what is measured.
import './ends.mjs';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOf, checkGo, buildCollector, hostArchitecture } from './build-collector.mjs';
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

function stateOf(binary) {
  const built = statSync(binary, { throwIfNoEntry: false });
  if (!built) return 'missing';
  const collector = join(ROOT, 'collector');
  const isOlder = (file) => built.mtimeMs < statSync(join(collector, file)).mtimeMs;
  return readdirSync(collector, { recursive: true }).filter(isSource).some(isOlder) ? 'outdated' : 'fresh';
}

async function bringCollector() {
  const state = stateOf(binaryOf(hostArchitecture()));
  if (state === 'fresh') return;
  try {
    checkGo();
  } catch (error) {
    // That it is missing is the command's to say.
    if (state === 'outdated') console.error(`The collector is older than its sources: ${error.message}`);
    return;
  }
  console.error(
    state === 'missing'
      ? 'Building the collector, once: this takes some minutes, before anything is measured'
      : 'Building the collector again, because its sources have changed',
  );
  await buildCollector().catch((error) => console.error(`The collector is not built: ${error.message}`));
}

process.argv.splice(2, 0, 'start');
await bootstrap();
await buildApp().catch(() => fail('the pages could not be built (see above)'));
if (wantsCollector(process.argv.slice(3), process.env)) await bringCollector();
await import('./dyno.mjs');
