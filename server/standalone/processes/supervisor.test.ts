import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../process-life';
import { until } from '../../../test/support/until';
import { startServer, SUPERVISOR_SCRIPT } from './supervisor';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-supervisor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pidIn = (file: string): Promise<number> =>
  until(`a process id in ${file}`, () => {
    try {
      // The shell creates the file before it writes to it.
      return Number(readFileSync(file, 'utf8')) || undefined;
    } catch {
      return undefined;
    }
  });

/** A server that starts another process, like Elasticsearch's launcher; both write their process ids to files. */
const aServer = (onTerm = ':'): readonly string[] => [
  '/bin/sh',
  '-c',
  `${onTerm}; sleep 600 & echo $! > '${folder}/child'; echo $$ > '${folder}/server'; while :; do sleep 0.05; done`,
];
const start = (command = aServer()) =>
  startServer({
    command,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    logFile: join(folder, 'log'),
    identity: undefined,
    graceS: 20,
  });

jest.setTimeout(30_000);

describe('a supervised server', () => {
  it('ends with all its processes when it is stopped', async () => {
    const server = await start();
    const pids = [await pidIn(join(folder, 'server')), await pidIn(join(folder, 'child'))];
    expect(pids.every(isAlive)).toBe(true);
    await server.stop();
    await until('the end of all', () => !pids.some(isAlive));
    expect(server.exited).toBe(true);
  });

  it('gets time for an orderly shutdown', async () => {
    const server = await start(aServer(`trap 'sleep 0.2; echo in order; exit 0' TERM`));
    await pidIn(join(folder, 'server'));
    await server.stop();
    expect(readFileSync(join(folder, 'log'), 'utf8')).toMatch(/in order\n.*ended with code 0/);
  });

  it('ends immediately with all its processes when it is killed', async () => {
    const server = await start(aServer(`trap '' TERM`));
    const pids = [await pidIn(join(folder, 'server')), await pidIn(join(folder, 'child'))];
    expect(pids.every(isAlive)).toBe(true);
    await server.kill();
    await until('the end of all', () => !pids.some(isAlive));
    expect(server.exited).toBe(true);
  });

  it('reports its end and the exit code', async () => {
    const server = await start(['/bin/sh', '-c', 'echo oh no >&2; exit 7']);
    await server.exit;
    expect(readFileSync(join(folder, 'log'), 'utf8')).toMatch(/oh no\n.*code 7/);
  });

  it('can be stopped twice, and after its end', async () => {
    const server = await start();
    const pid = await pidIn(join(folder, 'server'));
    await Promise.all([server.stop(), server.stop()]);
    expect([server.exited, isAlive(pid)]).toEqual([true, false]);
    const log = readFileSync(join(folder, 'log'), 'utf8');
    await server.stop();
    await server.kill();
    expect(server.exited).toBe(true);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(log);
  });

  it('cannot start in a folder that does not exist', async () => {
    const failure = startServer({
      command: ['true'],
      cwd: join(folder, 'missing'),
      env: {},
      logFile: join(folder, 'log'),
      identity: undefined,
      graceS: 20,
    });
    await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'process.not-started' });
  });

  it('does not outlive its parent, even one that was killed with SIGKILL', async () => {
    const parentFile = join(folder, 'parent.cjs');
    const parts = ['-c', SUPERVISOR_SCRIPT, 'supervisor', '20', ...aServer()];
    writeFileSync(
      parentFile,
      `require('node:child_process').spawn('/bin/sh', ${JSON.stringify(parts)},
        { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }); setInterval(() => {}, 1000);`,
    );
    const parent = spawn(process.execPath, [parentFile], { stdio: 'ignore' });
    try {
      const pids = [await pidIn(join(folder, 'server')), await pidIn(join(folder, 'child'))];
      expect(pids.every(isAlive)).toBe(true);
      parent.kill('SIGKILL');
      await until('the end of all', () => !pids.some(isAlive));
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
