/**
 * Tests the process that executes a run and a process that generates load together, in one process. test/integration/seats.test.ts tests
 * real loads.
 */
import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DynoError } from '../../common/problem';
import { until } from '../../test/support/until';
import type { LoadJob } from '../load/contract';
import { prepareLoad } from '../load/pool';
import type { Call } from './bus';
import { Seats } from './coordinator';
import { proofOf } from './files';
import { FakeBus } from './testing/fake-bus';
import { serveOn, work, type Left, type WorkerSetting } from './worker';

const CALL: Call = {
  kind: 'call',
  run: { id: 'run-1', experiment: 'one' },
  coordinator: { host: 'here', pid: 1, instance: '1-1' },
  version: '1.2.3',
  seats: 1,
  shareMachine: false,
};

let there: string;
let here: string;
let bus: FakeBus;
let seats: Seats;
let notes: string[];
let ending: AbortController;
beforeEach(() => {
  there = mkdtempSync(path.join(tmpdir(), 'dyno-there-'));
  here = mkdtempSync(path.join(tmpdir(), 'dyno-here-'));
  bus = new FakeBus();
  notes = [];
  ending = new AbortController();
  seats = new Seats({ ...CALL, onNote: (note) => notes.push(note) }, bus);
});
afterEach(async () => {
  ending.abort(new Error('the test is over'));
  await seats.close('the test is over');
  for (const folder of [there, here]) rmSync(folder, { recursive: true });
});

const settingOf = (machine: string): Omit<WorkerSetting, 'results'> => ({
  process: { host: machine, pid: 7, instance: `7-${machine}` },
  machine,
  cores: 2,
  version: CALL.version,
  labels: {},
  credentials: () => ({ headers: {}, verifyCertificates: true }),
  workerFile: 'none',
  folder: here,
  onNote: () => undefined,
});

const worker = (machine: string): Promise<Left> => serveOn(settingOf(machine), bus, CALL, ending.signal);

const complete = (): Promise<void> =>
  seats.complete({ withinMs: 5000, onChange: () => undefined }, ending.signal);

test('a machine has one seat, however many workers run on it', async () => {
  void worker('load-1');
  await complete();
  expect(seats.taken).toMatchObject([{ seat: 0, host: 'load-1', cores: 2 }]);
  expect(await worker('load-1')).toEqual({
    why: 'a worker of this machine has offered itself already',
    hadSeat: false,
  });
});

test('a worker that ends gives its seat back, and another machine takes it', async () => {
  const left = worker('load-1');
  await complete();
  await new Promise((resolve) => setTimeout(resolve, 500));
  ending.abort(new Error('its worker was ended by SIGTERM'));
  expect(await left).toEqual({ why: 'its worker was ended by SIGTERM', hadSeat: true });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(notes).toEqual([
    'seat 1 of 1 (process 7 on load-1) has left: its worker was ended by SIGTERM; 0 seats of 1 left',
  ]);
  ending = new AbortController();
  void worker('load-2');
  for (let tries = 0; seats.taken.length === 0 && tries < 20; tries += 1)
    await Promise.race([complete(), new Promise((resolve) => setTimeout(resolve, 500))]);
  expect(seats.taken).toMatchObject([{ seat: 0, host: 'load-2' }]);
});

test('a worker that waits for a long time leaves no listeners behind', async () => {
  let looks = 0;
  const request = (): Promise<never> => {
    looks += 1;
    return Promise.reject(new Error('no answer'));
  };
  const working = work(
    { ...settingOf('load-1'), results: { request }, onNote: (note) => notes.push(note) },
    {},
    ending.signal,
  );
  await until('three looks', () => looks === 3);
  expect(getEventListeners(ending.signal, 'abort').length).toBeLessThan(2);
  ending.abort(new Error('the test is over'));
  await working;
  expect(notes).toEqual(['no answer']);
});

describe('a load that reads a file', () => {
  const failureOf = async (): Promise<DynoError> => {
    writeFileSync(path.join(there, 'corpus.ndjson'), '{"a":1}\n');
    const proof = await proofOf('corpus.ndjson', there);
    const source = { kind: 'file', file: proof.path, format: 'ndjson', repeat: true } as const;
    const job: LoadJob = {
      indices: ['trial-1'],
      route: 'in-turn',
      target: { nodes: [], headers: {}, verifyCertificates: true, requestTimeoutMs: 0 },
      tasks: [
        {
          name: 'ingest',
          operation: {
            kind: 'ingest',
            source,
            parse: null,
            bulk: { docs: 1 },
            retries: { attempts: 0, baseMs: 0, maxMs: 0 },
          },
          executor: { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 },
        },
      ],
      seed: 1,
      warmupMs: 0,
      measureMs: 1000,
      documents: null,
      drainMs: 0,
    };
    void worker('load-1');
    await complete();
    const load = prepareLoad(job, {
      workerFile: '',
      seating: seats.seating([proof]),
      onSample: () => undefined,
    });
    return await load.ready.then(
      () => Promise.reject(new Error('it is ready')),
      (error: unknown) => error as DynoError,
    );
  };

  it('fails if a machine lacks the file, and names the machine', async () => {
    const { code, message } = await failureOf();
    expect(code).toBe('seat.no-file');
    expect(message).toContain(
      'seat 1 of 1 (process 7 on load-1): this machine cannot read corpus.ndjson (ENOENT)',
    );
  });

  it('fails if a machine has a different file', async () => {
    writeFileSync(path.join(here, 'corpus.ndjson'), '{"b":22}\n');
    const { code, message } = await failureOf();
    expect(code).toBe('seat.other-file');
    expect(message).toContain(
      'corpus.ndjson differs from the file on the machine that carries the run (9 bytes here, 8 there)',
    );
  });
});
