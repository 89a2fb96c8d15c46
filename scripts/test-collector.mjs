// Vets and tests the collector (Go), for `npm test`. Resolves to its counts; `ok` is false when anything failed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './bootstrap.mjs';

const COLLECTOR = join(ROOT, 'collector');

/** Runs `go` in the collector's folder; `onLine` gets standard output. Resolves to the exit code. */
const go = (args, onLine) =>
  new Promise((resolve) => {
    const child = spawn('go', args, {
      cwd: COLLECTOR,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'],
    });
    child.once('error', (error) => {
      const why =
        error.code === 'ENOENT' ? 'Go is missing: install it (Debian: golang, 1.26 or later)' : error.message;
      console.error(`dyno: ${why}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
    if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
  });

/** What `go test -json` tells of one test or package, see `go doc test2json`. */
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

export async function testCollector() {
  const { totals, read } = reader();
  const vetted = await go(['vet', './...']);
  const tested = vetted === 0 ? await go(['test', '-json', './...'], read) : 1;
  return { ok: tested === 0, ...totals };
}
