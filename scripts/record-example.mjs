// `npm run record-example`: executes the run of the example again, on this machine and the embedded Elasticsearch, in about twelve minutes.
// Writes common/example: the run as a file of `dyno results export`, and the label that the pages show. Options: `--machine TEXT` (machine
// in the label; detected by default), `--note TEXT` (sentences about the measurement), `--file RUNS` (a file of an earlier `dyno results
// export` instead of a new run).
import './ends.mjs';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { build, buildOrFail, EXAMPLE_RUN } from './build.mjs';

const COMMAND = join(ROOT, 'build', 'dyno.js');
const PRESET = 'sematext-refresh';
/**
 * Refresh intervals that the example run compares. The preset of this experiment has three levels. The run has only two, so that there is
 * time for more trials of each.
 */
const LEVELS = ['1s', '30s'];
const MEASURE = { 'burn-in': '10s', warmup: '5s', duration: '30s' };
const TRIALS = 8;
const NOTE =
  'Shorter than the experiment that it repeats: two intervals instead of three, on one node, with eight trials of 30 seconds each.';

const { values } = parseArgs({
  options: { machine: { type: 'string' }, note: { type: 'string' }, file: { type: 'string' } },
});

/** Describes this machine, such as `2 cores (AMD EPYC), 24 GB of memory, Linux`. */
function thisMachine() {
  const model = (os.cpus()[0]?.model ?? '')
    .replaceAll(/\(R\)|\(TM\)|CPU|@.*$|Processor/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return `${os.cpus().length} cores${model === '' ? '' : ` (${model})`}, ${memory} GB of memory, ${os.type()}`;
}

/** Executes the run of the example. Its data are stored in `folder`. Resolves to the path of the exported file. */
async function carry(folder) {
  const { parse, stringify } = await import('yaml');
  const dyno = (...args) => {
    const { status } = spawnSync(process.execPath, [COMMAND, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DYNO_DATA: join(folder, 'data'), DYNO_ELASTICSEARCH: undefined },
    });
    return status;
  };
  const preset = spawnSync(process.execPath, [COMMAND, 'presets', PRESET, '--scale', 'quick'], {
    encoding: 'utf8',
  });
  const definition = parse(preset.stdout);
  // Without `environment`, Dyno measures the embedded Elasticsearch, which has one node.
  delete definition.environment;
  const file = join(folder, 'example.yml');
  const factors = { 'index.settings.refresh_interval': LEVELS };
  writeFileSync(file, stringify({ ...definition, factors, measure: MEASURE, trials: TRIALS }));
  const report = join(folder, 'report.json');
  const status = dyno('run', file, '--no-collector', '--report', report);
  // Exit code 1 means that a threshold failed or the claim was refuted, which is a valid result.
  if (status !== 0 && status !== 1) fail(`the run ended with exit code ${status} (see above)`);
  const { run } = JSON.parse(readFileSync(report, 'utf8'));
  const runs = join(folder, 'example.dyno-runs.gz');
  if (dyno('results', 'export', run.id, '--file', runs) !== 0) fail('the run was not exported (see above)');
  return runs;
}

await bootstrap();
await buildOrFail();
const folder = mkdtempSync(join(os.tmpdir(), 'dyno-example-'));
// If this user is root, Elasticsearch runs as another user, which needs access to this folder.
chmodSync(folder, 0o755);
try {
  const file = readFileSync(values.file ?? (await carry(folder)));
  // The label is created by the same code as on the pages.
  await build({ 'record-example': './server/routes/example.ts' });
  const { exampleLabel } = await import('../build/record-example.js');
  const label = await exampleLabel(file, {
    machine: values.machine ?? thisMachine(),
    note: values.note ?? NOTE,
  });
  writeFileSync(EXAMPLE_RUN, file);
  writeFileSync(join(ROOT, 'common', 'example', 'label.json'), `${JSON.stringify(label, null, 2)}\n`);
  console.log(`${label.run.id}: ${label.run.sentence}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
