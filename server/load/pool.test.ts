/** Tests that hanging threads are named and terminated. Uses real threads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LoadJob } from './contract';
import { prepareLoad } from './pool';

/** Long enough for threads that do not hang, even if the machine does other work. */
const SILENT_MS = 1000;

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-pool-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Writes the code of load threads to a file, and returns its path. The threads follow orders. If thread number 1 (from 0) receives the
 * order `when`, it executes the code `hangs` instead, and gives no further sign of life.
 */
function threads(when: string, hangs: string): string {
  const file = path.join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
    const send = (message) => parentPort.postMessage(message);
    const reach = { sinceAnswerMs: 0, silentMs: 0, example: '' };
    let hanging = false;
    let second;
    parentPort.on('message', ({ kind, job }) => {
      if (kind === 'prepare') {
        second = job.share.index === 1;
        setInterval(() => hanging || send({ kind: 'seconds', seconds: [], health: {}, reach }), ${SILENT_MS / 10});
      }
      if (second && kind === '${when}') { hanging = true; ${hangs}; return; }
      if (kind === 'prepare') send({ kind: 'ready' });
      if (kind === 'ping') send({ kind: 'pong' });
    });`,
  );
  return file;
}

const job: LoadJob = {
  indices: ['dyno-hang'],
  route: 'in-turn',
  target: { nodes: [], headers: {}, verifyCertificates: true, requestTimeoutMs: 0 },
  tasks: [
    {
      name: 'ingest',
      operation: {
        kind: 'ingest',
        source: { kind: 'generator', generator: 'systembase' },
        parse: null,
        bulk: { docs: 10 },
        retries: { attempts: 0, baseMs: 0, maxMs: 0 },
      },
      executor: { kind: 'constant-clients', clients: 2, thinkTimeMs: 0 },
    },
  ],
  seed: 1,
  warmupMs: 0,
  measureMs: 60_000,
  documents: null,
  drainMs: 0,
};

const endOf = async (when: string, hangs: string, more: Partial<LoadJob> = {}): Promise<unknown> => {
  const load = prepareLoad(
    { ...job, ...more },
    { workerFile: threads(when, hangs), workers: 2, silentMs: SILENT_MS, onSample: () => undefined },
  );
  load.ready.then(
    (leadMs) => load.begin(Date.now() + leadMs),
    () => undefined,
  );
  return await load.done.then(
    () => 'ended',
    (error: unknown) => error,
  );
};

test('a load thread that blocks before the load is named and ended', async () => {
  await expect(endOf('prepare', 'for (;;);')).resolves.toMatchObject({
    code: 'generator.stuck',
    message: 'load thread 2 of 2 gave no sign of life for 1 s and was terminated because it hangs',
  });
});

test('a load thread that blocks under load is named and ended', async () => {
  await expect(endOf('begin', 'for (;;);')).resolves.toMatchObject({
    code: 'generator.stuck',
    message: 'load thread 2 of 2 gave no sample for 1 s and was terminated because it hangs',
  });
});

test('load threads that speak on but do not end after the drain are named and ended', async () => {
  await expect(endOf('none', '', { measureMs: 100, drainMs: 100 })).resolves.toMatchObject({
    code: 'generator.stuck',
    message:
      'load threads 1, 2 of 2 had not ended 0.5 s after the drain and were terminated because they hang',
  });
});
