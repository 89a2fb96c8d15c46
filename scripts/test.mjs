// `npm test`: runs all checks that a change must pass, in stages, the fastest first. `node scripts/test.mjs PART` runs one part. `node
// scripts/test.mjs all` (`npm run test:all`) runs more presets and themes, which takes a few minutes longer. Further arguments are passed
// to Jest. If a stage fails, the later ones run too, and the exit code is not 0. At the end, the duration and the time budget of each part
// are printed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { bootstrap, checkNode, fail, ROOT } from './bootstrap.mjs';
import { build } from './build.mjs';
import { buildApp } from './build-app.mjs';
import { buildCollector } from './build-collector.mjs';
import { checkPrerequisites } from './prerequisites.mjs';
import { testCollector } from './test-collector.mjs';
import {
  BUDGETS,
  closestToBudgets,
  INSTRUMENT_LANES,
  lanesHere,
  MOST_S,
  timetable,
} from '../test/budgets.mjs';

// The part `kibana` runs only if it is named, because it needs a Kibana with the plugin. The variable KIBANA_URL contains its address.
const PARTS = ['lint', 'unit', 'collector', 'plugin', 'integration', 'browser', 'kibana'];
/** Version of Kibana for which the plugin is packed and checked. Plugins for other versions differ only in their manifest. */
const CHECKED_KIBANA = '9.5.3';
const ALL = 'all';
const [first, ...others] = process.argv.slice(2);
if (first !== undefined && !first.startsWith('-') && ![ALL, ...PARTS].includes(first)) {
  fail(`unknown part "${first}" (allowed: ${[...PARTS, ALL].join(', ')})`);
}
const part = PARTS.includes(first) ? first : undefined;
const isAll = first === ALL;
const jestArguments = part || isAll ? others : process.argv.slice(2);
// With `all`, more presets are run, and the pages are tested in both themes. See test/integration/support/preset-report.ts and
// test/browser/stranger.test.ts.
if (isAll) Object.assign(process.env, { DYNO_TEST_PRESETS: 'all', DYNO_TEST_THEMES: 'both' });

const results = mkdtempSync(join(tmpdir(), 'dyno-test-'));
process.on('exit', () => rmSync(results, { recursive: true, force: true }));
const failedStages = [];
/** Names of failed tests, with their files. They are printed again after the long output of all tests. */
const failedTests = [];
const totals = { passed: 0, failed: 0, skipped: 0 };
/** Duration of each part that has a time budget, in s. */
const taken = {};
const secondsSince = (start) => (Date.now() - start) / 1000;

/** Child processes that are running. Ctrl-C sends SIGINT to them directly, but SIGTERM must be forwarded to them. */
const children = new Set();
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => children.forEach((child) => child.kill('SIGTERM')));
let interrupted = false;

/**
 * Runs a program in node_modules. Resolves to whether it succeeded, and to its output. With the default `stdio`, the output is printed
 * immediately instead.
 */
const run = (command, args, stdio = 'inherit') =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules', command), ...args], {
      cwd: ROOT,
      stdio: ['ignore', stdio, stdio],
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.once('close', (code, signal) => {
      children.delete(child);
      interrupted ||= signal !== null || code === 130;
      resolve({ passed: code === 0, output });
    });
  });

async function stage(name, action) {
  if (interrupted) return;
  console.log(`\n== ${name}`);
  const start = Date.now();
  const passed = await action().catch((error) => {
    console.error(error);
    return false;
  });
  if (!passed) failedStages.push(name);
  if (name in BUDGETS) taken[name] = secondsSince(start);
  console.log(`== ${name}: ${passed ? 'passed' : 'FAILED'} in ${secondsSince(start).toFixed(1)} s`);
}

/**
 * Runs programs that do not depend on each other. At most two run at the same time, because each uses one core. The output of each program
 * is printed when it ends.
 */
async function stages(part, programs) {
  const began = Date.now();
  const left = [...programs];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined && !interrupted; next = left.shift()) {
      const [name, command, ...args] = next;
      const start = Date.now();
      const { passed, output } = await run(command, args, 'pipe');
      if (!passed) failedStages.push(name);
      const seconds = secondsSince(start).toFixed(1);
      console.log(`\n== ${name}\n${output}== ${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
    }
  };
  await Promise.all([lane(), lane()]);
  taken[part] = secondsSince(began);
}

/** Returns the source folders that exist and contain sources. Others must be omitted, because dependency-cruiser refuses them. */
const sourceFolders = () =>
  ['common', 'server', 'public', 'test', 'scripts'].filter(
    (folder) =>
      existsSync(join(ROOT, folder)) &&
      readdirSync(join(ROOT, folder), { recursive: true }).some((file) => /\.(tsx?|mjs)$/.test(file)),
  );

async function jest(projects, ...more) {
  const outputFile = join(results, `${projects.join('-')}.json`);
  const { passed } = await run('jest/bin/jest.js', [
    '--selectProjects',
    ...projects,
    '--passWithNoTests',
    '--json',
    `--outputFile=${outputFile}`,
    ...more,
    ...jestArguments,
  ]);
  if (!existsSync(outputFile)) return false;
  const outcome = JSON.parse(readFileSync(outputFile, 'utf8'));
  totals.passed += outcome.numPassedTests;
  // A test file that could not be loaded reports no tests. It counts as one failure.
  totals.failed += outcome.numFailedTests + outcome.numRuntimeErrorTestSuites;
  totals.skipped += outcome.numPendingTests + outcome.numTodoTests;
  for (const { name, startTime, endTime, status, assertionResults } of outcome.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    // A test file that could not be loaded reports no tests.
    if (status === 'failed' && failed.length === 0) failed.push('(the file could not be loaded)');
    failedTests.push(...failed.map((test) => `${relative(ROOT, name)}: ${test}`));
    // The key is `integration/run` for test/integration/run.test.ts.
    const file = `${basename(dirname(name))}/${basename(name, '.test.ts')}`;
    if (file in BUDGETS) taken[file] = (endTime - startTime) / 1000;
  }
  return passed;
}

checkNode();
await checkPrerequisites(part);
await bootstrap();
const began = Date.now();
await stage('build', () =>
  // The builds run one after the other, because the end of each one stops esbuild's helper process.
  build()
    .then(buildApp)
    .then(
      () => true,
      () => false,
    ),
);
if (part === undefined || part === 'lint') {
  await stages('lint', [
    ['oxlint', 'oxlint/bin/oxlint', '--report-unused-disable-directives', '.'],
    ['tsc public', 'typescript-7/bin/tsc', '-p', 'public'],
    ['tsc', 'typescript-7/bin/tsc', '-p', '.'],
    ['oxfmt', 'oxfmt/bin/oxfmt', '--check'],
    [
      'depcruise',
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...sourceFolders(),
    ],
    ['prose', '../scripts/prose/check.mjs'],
  ]);
}
if (part === undefined || part === 'unit') {
  // The tests run in the time zone of New York. In UTC, which build machines often use, they would not notice if a time in UTC was read as
  // local time.
  const { TZ } = process.env;
  process.env.TZ = 'America/New_York';
  // By default, Jest would leave one of two cores idle. A third worker uses them while tests wait.
  // Jest's workers keep memory of every file that they ran. Above the limit, they are replaced: otherwise, garbage collection of 2 GB
  // costs more CPU time than the tests, and limits of CPU time in tests fail.
  await stage('unit', () => jest(['unit', 'components'], '--maxWorkers=3', '--workerIdleMemoryLimit=1GB'));
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
}
if (part === undefined || part === 'collector') {
  await stage('collector', async () => {
    const { ok, passed, failed, skipped } = await testCollector();
    totals.passed += passed;
    totals.failed += failed;
    totals.skipped += skipped;
    return ok;
  });
}
if (part === undefined || part === 'plugin') {
  await stage('plugin', async () => {
    // These modules are imported only here, because they need packages that may not be installed earlier.
    const { buildPlugin } = await import('./build-plugin.mjs');
    const { checkPlugin } = await import('./check-plugin.mjs');
    const [zip] = await buildPlugin([CHECKED_KIBANA]);
    const demands = await checkPlugin(zip);
    const unmet = demands.filter(([, why]) => why !== '');
    for (const [demand, why] of unmet) console.log(`FAIL ${demand}: ${why}`);
    totals.passed += demands.length - unmet.length;
    totals.failed += unmet.length;
    return unmet.length === 0;
  });
}
if (part === undefined || part === 'integration' || part === 'browser') {
  await stage('build collector', () =>
    buildCollector().then(
      () => true,
      (error) => {
        console.error(`dyno: ${error.message}`);
        return false;
      },
    ),
  );
}
const atATime = (lanes) => (jestArguments.length > 0 ? '--runInBand' : `--maxWorkers=${lanes}`);
const real = ['integration', 'browser'].filter((project) => part === undefined || part === project);
if (real.length > 0) await stage(real.join(' and '), () => jest(real, atATime(lanesHere())));
if (real.includes('integration'))
  await stage('instrument', () => jest(['instrument'], atATime(INSTRUMENT_LANES)));
if (part === 'kibana') await stage('kibana', () => jest(['kibana'], '--runInBand'));

const seconds = secondsSince(began);
const isWhole = part === undefined && jestArguments.length === 0 && !interrupted;
console.log(`\n${timetable(taken, isWhole ? seconds : undefined, isAll)}`);
const closest = closestToBudgets(taken, isAll);
if (closest !== '') console.log(`\n${closest}`);
// Exceeding the time budget only prints a message, because the machine may have cold caches or other work.
if (isWhole && seconds > MOST_S)
  console.log(
    `It took ${Math.round(seconds / 60)} minutes; with warm caches and a free machine it should take under ${MOST_S / 60}.`,
  );

console.log('');
if (interrupted) console.log('Interrupted.');
if (failedStages.length > 0) console.log(`Failed: ${failedStages.join(', ')}`);
for (const test of failedTests) console.log(`  ${test}`);
const { passed, failed, skipped } = totals;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
// Machines with all prerequisites, such as those of the workflows, set this variable. Skipped tests count as failures there.
const isIncomplete = process.env['DYNO_TEST_NO_SKIPS'] === '1' && skipped > 0;
if (isIncomplete) console.log('Skipped tests count as failed, because DYNO_TEST_NO_SKIPS is set.');
process.exitCode = interrupted ? 130 : failedStages.length > 0 || isIncomplete ? 1 : 0;
