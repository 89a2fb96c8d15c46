import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../../process-life';
import { until } from '../../../test/support/until';
import { buildCollector } from './build-collector';
import { unfollowed } from './steps';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function script(text: string): string {
  const file = path.join(folder, 'script.mjs');
  writeFileSync(file, text);
  return file;
}

const never = new AbortController().signal;

test('resolves if the script succeeds, and rejects if it fails', async () => {
  await buildCollector(script(''), unfollowed, never);
  await expect(buildCollector(script('process.exit(3)'), unfollowed, never)).rejects.toThrow('see above');
});

test('starts nothing without a script', async () => {
  const steps = { carry: () => Promise.reject(new Error('something was')) };
  await expect(buildCollector(null, steps, never)).resolves.toBeUndefined();
});

test('aborting the start kills the script and its children', async () => {
  const pids = path.join(folder, 'pids');
  const file = script(`
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const { pid } = spawn('sleep', ['60']);
    writeFileSync(${JSON.stringify(pids)}, [process.pid, pid].join());
  `);
  const givenUp = new AbortController();
  const built = buildCollector(file, unfollowed, givenUp.signal);
  await until('both have begun', () => existsSync(pids) && readFileSync(pids, 'utf8').includes(','));
  givenUp.abort();
  await expect(built).rejects.toThrow('aborted');
  const started = readFileSync(pids, 'utf8').split(',').map(Number);
  await until('both have ended', () => !started.some(isAlive));
});
