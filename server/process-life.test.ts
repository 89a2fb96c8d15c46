/** Tests with real child processes and the real process table. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isAlive, isStillAlive, thisProcess } from './process-life';

/** Larger than any process id of Linux. */
const NOBODY = 2 ** 22 + 1;

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Runs a line of shell and resolves to the first number that it prints. */
async function started(line: string): Promise<number> {
  child = spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = (await once(child.stdout!, 'data')) as [Buffer];
  return Number(text.toString().trim());
}

test('this process is alive, and differs from another one with its id', () => {
  const own = thisProcess();
  expect([isAlive(own.pid), isStillAlive(own)]).toEqual([true, true]);
  expect(isStillAlive({ ...own, instance: `${own.pid}-1` })).toBe(false);
  expect([isAlive(NOBODY), isStillAlive({ pid: NOBODY, instance: `${NOBODY}-` })]).toEqual([false, false]);
});

test('a process whose name contains parentheses and blanks differs from a later one with its id', async () => {
  const pid = await started(
    'exec node -e "process.title = \'a) R 1 (b\'; console.log(process.pid); setTimeout(() => {}, 60000)"',
  );
  expect(isAlive(pid)).toBe(true);
  expect(isStillAlive({ pid, instance: `${pid}-1` })).toBe(false);
});

test('a process that has ended and was not collected by its parent is not alive', async () => {
  const pid = await started("sh -c 'echo $$' & exec sleep 60");
  for (let waits = 0; isAlive(pid) && waits < 500; waits++) await new Promise((go) => setTimeout(go, 10));
  expect(() => process.kill(pid, 0)).not.toThrow();
  expect(isAlive(pid)).toBe(false);
});
