import { spawn } from 'node:child_process';
import path from 'node:path';

const ENDS = path.join(__dirname, 'ends.mjs');

/** Starts a command, sends it SIGTERM once it is there, and resolves to how it ended and what it said. */
async function terminated(code: string): Promise<{ end: number | string | null; said: string }> {
  const script = `import ${JSON.stringify(ENDS)};
    ${code};
    setTimeout(() => {}, 60_000);
    console.log('there');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  return new Promise((resolve) =>
    child.once('close', (exitCode, signal) => resolve({ end: signal ?? exitCode, said })),
  );
}

test('a command that answers no signals yet says by which one it ended, and ends by it', async () => {
  expect(await terminated('')).toEqual({ end: 'SIGTERM', said: 'dyno: ended by SIGTERM\n' });
});

test('one that answers them itself is left to it', async () => {
  expect(await terminated("process.on('SIGTERM', () => process.exit(7))")).toEqual({ end: 7, said: '' });
});
