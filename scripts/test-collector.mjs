// Checks and tests the collector (Go) for `npm test`: vet, staticcheck, tests, a short fuzz test, the cost of one period with 100 nodes,
// and the manifests for Kubernetes. Resolves to the numbers of tests; vet, staticcheck and the fuzz test count as one test each. `ok` is
// false if anything failed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './bootstrap.mjs';
import { goEnvironment } from './go.mjs';

const COLLECTOR = join(ROOT, 'collector');

/** Go package that contains the fuzz test and the benchmark. */
const NODE = './module/dyno/node';
const FUZZ_TIME = '10s';
/**
 * Limit of the CPU time in which Dyno's collector processes one collection of metrics from a cluster of 100 nodes, in ms. Processing means
 * parsing, calculating changes, and creating events.
 */
const COST_BAR_MS = 20;

/** Runs `go` in the collector's folder. `onLine` is called with each line of the standard output. Resolves to the exit code. */
const go = async (args, onLine) => {
  const environment = await goEnvironment();
  return await new Promise((resolve) => {
    const child = spawn('go', args, {
      cwd: COLLECTOR,
      env: { ...environment, CGO_ENABLED: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('error', (error) => {
      console.error(`dyno: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
    createInterface({ input: child.stdout }).on('line', onLine);
  });
};

/**
 * Returns `read`, which gets each line of the output of `go test -json`, and the totals that it counts. For the format, see `go doc
 * test2json`.
 */
function reader() {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const output = new Map();
  const countOf = { pass: 'passed', fail: 'failed', skip: 'skipped' };
  const read = (line) => {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      console.log(line);
      return;
    }
    const { Action: action, Package: name, Test: test, Output: text } = event;
    const key = `${name} ${test ?? ''}`;
    if (action === 'output') output.set(key, (output.get(key) ?? '') + text);
    const count = countOf[action];
    if (count === undefined) return;
    if (test !== undefined) totals[count] += 1;
    if (count === 'failed') process.stdout.write(output.get(key) ?? '');
    if (test === undefined && count !== 'skipped')
      console.log(`${count === 'passed' ? 'PASS' : 'FAIL'} ${name}`);
    output.delete(key);
  };
  return { totals, read };
}

/**
 * Runs a Go check that counts as one test in `totals`. If it fails, its output is printed. `remark`: gets the lines of the output, and
 * returns a text to print after the result.
 */
async function check(name, args, totals, remark = () => '') {
  const lines = [];
  const passed = (await go(args, (line) => lines.push(line))) === 0;
  totals[passed ? 'passed' : 'failed'] += 1;
  if (!passed) console.log(lines.join('\n'));
  console.log(`${passed ? 'PASS' : 'FAIL'} ${name}${passed ? remark(lines) : ''}`);
  return passed;
}

/**
 * Returns the number of tested inputs as text. The number is read from a line such as `fuzz: elapsed: 10s, execs: 48210 (4409/sec), new
 * interesting: 12 (total: 240)`.
 */
const inputsOf = (lines) => {
  const inputs = lines.flatMap((line) => /execs: (\d+)/.exec(line)?.[1] ?? []).at(-1);
  return `: ${inputs ?? 'no'} hostile responses in ${FUZZ_TIME}`;
};

/**
 * Prints the CPU time and the elapsed time of one collection of metrics. This check never fails, because both depend on the machine. CPU
 * time includes garbage collection on other cores. Elapsed time also depends on other programs on the machine.
 */
async function printCost() {
  const lines = [];
  await go(['test', NODE, '-run', '^$', '-bench', '^BenchmarkHundredNodes$'], (line) => lines.push(line));
  const result = lines.find((line) => line.startsWith('BenchmarkHundredNodes')) ?? '';
  const [clock, processor] = ['ns/op', 'cpu-ms/op'].map((unit) => {
    const words = result.split(/\s+/);
    return Number(words[words.indexOf(unit) - 1]);
  });
  if (Number.isNaN(clock + processor)) {
    console.log(`${lines.join('\n')}\n100 nodes: the benchmark reported no time`);
    return;
  }
  const verdict = processor < COST_BAR_MS ? 'within' : 'NOT within';
  console.log(
    `100 nodes: ${processor.toFixed(1)} ms of CPU time per period, ${verdict} the limit of ${COST_BAR_MS} ms ` +
      `(${(clock / 1e6).toFixed(1)} ms of wall time)`,
  );
}

export async function testCollector() {
  const { totals, read } = reader();
  // If Go is missing or the code does not compile, all other checks would only repeat the same errors.
  if (!(await check('go vet', ['vet', './...'], totals))) return { ok: false, ...totals };
  const outcomes = [
    await check('staticcheck', ['tool', '-modfile=tools/go.mod', 'staticcheck', './...'], totals),
    (await go(['test', '-json', './...'], read)) === 0,
    await check('manifests for Kubernetes', ['test', '-C', '../deploy/kubernetes', './...'], totals),
    await check(
      'fuzz',
      [
        ...['test', NODE, '-run', '^$', '-fuzz', '^FuzzEvents$'],
        ...['-fuzztime', FUZZ_TIME, '-fuzzminimizetime', '10x'],
      ],
      totals,
      inputsOf,
    ),
  ];
  await printCost();
  return { ok: outcomes.every(Boolean), ...totals };
}
