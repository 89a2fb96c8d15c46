/**
 * Tests what a run knows about the processes that generate its load. The index through which they communicate is simulated.
 * test/integration/seats.test.ts tests real loads.
 */
import { writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { readDefinition } from '../../../common/experiment/read';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { SeatProgress } from '../../../common/measurement/progress';
import type { Call } from '../../seats/bus';
import { Seats } from '../../seats/coordinator';
import { FakeBus } from '../../seats/testing/fake-bus';
import { serveOn, type Left } from '../../seats/worker';
import { madeFolder, madeRecord } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import { until } from '../../../test/support/until';
import { filesIn, RunSeats } from './seats';

const CALL: Call = {
  kind: 'call',
  run: { id: 'run-1', experiment: 'one' },
  coordinator: { host: 'here', pid: 1, instance: '1-1' },
  version: '1.2.3',
  seats: 2,
  shareMachine: false,
};

let bus: FakeBus;
let ending: AbortController;
let notes: string[];
let waits: string[];
let run: RunSeats;
beforeEach(() => {
  bus = new FakeBus();
  ending = new AbortController();
  notes = [];
  waits = [];
  const onNote = (note: string): void => void notes.push(note);
  run = new RunSeats(
    { note: onNote },
    new Seats({ ...CALL, onNote }, bus),
    { seats: 2, within: '30s' },
    [],
    ({ doing = '', advice = '' }) => waits.push(advice === '' ? doing : `${doing} (${advice})`),
    { advice: 'others lend seats', close: () => Promise.resolve() },
  );
});
afterEach(async () => {
  ending.abort(new Error('the test is over'));
  await run.close('the test is over');
});

const worker = (machine: string, zone: string, signal = ending.signal): Promise<Left> =>
  serveOn(
    {
      process: { host: machine, pid: 7, instance: `7-${machine}` },
      machine,
      cores: 2,
      version: CALL.version,
      labels: { zone },
      credentials: () => ({ headers: {}, verifyCertificates: true }),
      workerFile: 'none',
      folder: tmpdir(),
      onNote: () => undefined,
    },
    bus,
    CALL,
    signal,
  );

const shown = (): string[] =>
  run
    .progress()
    .map(({ state, holder }: SeatProgress) =>
      [state, holder?.host, ...(holder?.labels ?? [])].filter(Boolean).join(' '),
    );

test('each machine that takes a seat is noted once, with its labels, and the wait is reported until all seats are taken', async () => {
  expect(shown()).toEqual(['free', 'free']);
  void worker('load-1', 'a');
  const complete = run.complete(ending.signal);
  await until('the first has come', () => shown()[0] === 'taken load-1 zone=a');
  expect(shown()[1]).toBe('free');
  void worker('load-2', 'b');
  await complete;
  expect(shown()).toEqual(['taken load-1 zone=a', 'taken load-2 zone=b']);
  expect(notes).toEqual([
    expect.stringMatching(/^0 of 2 seats are taken: .*; others lend seats$/),
    'seat 1 of 2 is taken by load-1 (process 7, zone=a)',
    'seat 2 of 2 is taken by load-2 (process 7, zone=b)',
  ]);
  expect([...new Set(waits)]).toEqual([
    'waits for 2 machines (others lend seats)',
    'waits for 1 of 2 machines (others lend seats)',
    '',
  ]);
});

test('a seat whose machine has left is lost until another machine takes it', async () => {
  const leaves = new AbortController();
  void worker('load-1', 'a', leaves.signal);
  void worker('load-2', 'b');
  await run.complete(ending.signal);
  const at = shown().findIndex((text) => text.includes('load-1'));
  leaves.abort(new Error('its worker was ended'));
  await until('the first has left', () => shown()[at] === 'lost load-1 zone=a');
  void worker('load-3', 'c');
  const complete = run.complete(ending.signal);
  await until('another one has come', () => shown()[at] === 'taken load-3 zone=c');
  // The machine that left may still be allowed to send requests.
  await until('the lease', () =>
    waits.at(-1)?.startsWith('waits until a lost machine can no longer send requests'),
  );
  ending.abort(new Error('the test is over'));
  await expect(complete).rejects.toThrow('the test is over');
});

test('a seat on the machine of the carrier is detected, because the target may be there too', async () => {
  void worker('load-1', 'a');
  const complete = run.complete(ending.signal);
  await until('the first has come', () => shown()[0] !== 'free');
  expect(run.isHere).toBe(false);
  void worker(hostname(), 'b');
  await complete;
  expect(run.isHere).toBe(true);
});

const fileNamed = madeFolder();

test('the seats prove every file of a recording, and the single file of a corpus', async () => {
  const about = { startedAt: 0, origin: 'record', share: 1 } as const;
  // A file is full after a few blocks.
  const rotation = { rotateBytes: 2000, blockBytes: 1000 };
  const writer = await TrafficWriter.open(fileNamed('shop.traffic.gz'), about, rotation);
  for (let order = 0; order < 200; order += 1) await writer.write(madeRecord({ order, at: order }));
  const { files } = await writer.close();
  expect(files.length).toBeGreaterThan(2);
  for (const name of ['a.ndjson', 'a.2.ndjson']) writeFileSync(fileNamed(name), '{}\n');
  const definition = readDefinition({
    version: 1,
    name: 'a',
    index: { mapping: {} },
    tasks: [
      { name: 'shop', replay: { file: 'shop.traffic.gz' } },
      { name: 'again', replay: { file: 'shop.traffic.gz' } },
      { name: 'ingest', ingest: { source: { file: 'a.ndjson' } } },
    ],
  });
  expect(await filesIn({ cells: resolveCells(definition) }, path.dirname(fileNamed('a')))).toEqual([
    ...files.map((file) => path.basename(file)),
    'a.ndjson',
  ]);
});
