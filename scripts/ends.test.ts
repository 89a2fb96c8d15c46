import { spawn } from 'node:child_process';
import path from 'node:path';

const ENDS = path.join(__dirname, 'ends.mjs');

/** Runs code in a new process, sends it SIGTERM, and resolves to its exit code or signal and its output. */
async function terminated(code: string): Promise<{ end: number | string | null; output: string }> {
  const script = `import ${JSON.stringify(ENDS)};
    ${code};
    setTimeout(() => {}, 60_000);
    console.log('there');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  return new Promise((resolve) =>
    child.once('close', (exitCode, signal) => resolve({ end: signal ?? exitCode, output })),
  );
}

test('a command without signal handlers prints the signal and ends by it', async () => {
  expect(await terminated('')).toEqual({ end: 'SIGTERM', output: 'dyno: ended by SIGTERM\n' });
});

test('a command with signal handlers handles them alone', async () => {
  expect(await terminated("process.on('SIGTERM', () => process.exit(7))")).toEqual({ end: 7, output: '' });
});
