/**
 * Tests runs whose load several processes generate together. The processes communicate through a real Elasticsearch. The target counts the
 * requests of each process.
 */
import path from 'node:path';
import { decodeHistogram } from '../../common/measurement/histogram';
import type { Sample } from '../../common/measurement/sample';
import { DynoError } from '../../common/problem';
import type { LoadJob, LoadOutcome, TaskJob } from '../../server/load/contract';
import { prepareLoad } from '../../server/load/pool';
import { thisProcess } from '../../server/process-life';
import { BUS_PREFIX } from '../../server/seats/bus';
import {
  openSeats as openOn,
  type Seats,
  type SeatsSetting,
  type SeatState,
} from '../../server/seats/coordinator';
import { reports } from '../../server/seats/codec';
import { Connection } from '../../server/target-cluster/connection';
import { madeRecord } from '../../server/traffic-file/testing/made-records';
import { TrafficWriter } from '../../server/traffic-file/writer';
import { version } from '../../package.json';
import { workplace, type Running, type Workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { accepted, FOUND, job, Target } from './support/load';
import { searchJob } from '../../common/tasks/search';

const url = sharedElasticsearch();

const WITHIN_MS = 60_000;

let results: Connection;
let target: Target;
let node: string;
/** Number of requests by the API key with which they were sent. */
let asked: Map<string, number>;
/** Requests of recorded traffic in the order of their arrival, with the key with which they were sent. */
let arrived: { key: string; mark: string }[];
let places: Workplace[];
let opened: Seats[];

beforeEach(async () => {
  results = new Connection({ hosts: [url()] });
  asked = new Map();
  arrived = [];
  places = [];
  opened = [];
  target = new Target((documents, { headers, url: sent }) => {
    const key = headers.authorization ?? '';
    const mark = /preference=([\d-]+)/.exec(sent ?? '')?.[1];
    if (mark !== undefined) arrived.push({ key, mark });
    asked.set(key, (asked.get(key) ?? 0) + 1);
    return { status: 200, body: documents.length > 0 ? accepted(documents.length) : FOUND, after: 2 };
  });
  node = await target.listen();
});

afterEach(async () => {
  for (const seats of opened) await seats.close('the test is over');
  for (const place of places) place.remove();
  await target.close();
  await results.close();
});

/** Starts a worker with its own API key. */
function startWorker(name: string, ...more: string[]): Running {
  const place = workplace({ DYNO_TARGET_API_KEY: name });
  places.push(place);
  return place.start('worker', '--join', url(), ...more);
}

async function openSeats(seats: number, more: Partial<SeatsSetting> = {}): Promise<Seats> {
  const made = await openOn(results, {
    run: { id: `run-${seats}-${Date.now()}`, experiment: 'seats' },
    coordinator: thisProcess(),
    version,
    seats,
    workers: 1,
    shareMachine: true,
    onNote: () => undefined,
    ...more,
  });
  opened.push(made);
  return made;
}

const complete = async (seats: Seats): Promise<SeatState[]> => {
  await seats.complete({ withinMs: WITHIN_MS, onChange: () => undefined }, new AbortController().signal);
  return seats.taken;
};

const search: TaskJob = {
  name: 'search',
  operation: searchJob({ name: 'all', body: { size: 0 } }),
  executor: { kind: 'constant-rate', perSecond: 100, maxClients: 20 },
};
const closed: TaskJob = {
  ...search,
  executor: { kind: 'constant-clients', clients: 2, thinkTimeMs: 20 },
};

interface Carried {
  outcome: LoadOutcome;
  samples: Sample[];
}

async function carry(seats: Seats, load: LoadJob, onBegun: () => void = () => undefined): Promise<Carried> {
  const samples: Sample[] = [];
  const going = prepareLoad(load, {
    workerFile: '',
    seating: seats.seating([]),
    onSample: (sample) => samples.push(sample),
  });
  const leadMs = await going.ready;
  going.begin(Date.now() + leadMs);
  setTimeout(onBegun, leadMs + 500);
  try {
    return { outcome: await going.done, samples };
  } finally {
    await going.stilled;
  }
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DynoError ? error.code : String(error)),
  );

const busesLeft = async (): Promise<number> =>
  Object.keys((await ask('GET', `${url()}/${BUS_PREFIX}*`)).body).length;

test('two machines together generate the requested rate with their own keys, and leave nothing behind', async () => {
  const workers = ['one', 'two'].map((name) => startWorker(name, '--once', '--label', `zone=${name}`));
  const seats = await openSeats(2);
  const taken = await complete(seats);
  expect(taken.map(({ seat }) => seat)).toEqual([0, 1]);
  expect(taken.map(({ labels }) => labels['zone']).sort()).toEqual(['one', 'two']);
  const { outcome, samples } = await carry(seats, job(node, [search], { measureMs: 3000, warmupMs: 1000 }));
  const [task] = outcome.tasks as [LoadOutcome['tasks'][number]];
  expect(task.offered).toBe(300);
  // Requests and their times belong to the phase in which they were due. `measured` counts requests by their end, so it may differ by one
  // or two. On a busy machine, the last requests may not be sent before the end.
  expect(task.total.attempted + task.unsent).toBe(400);
  expect(decodeHistogram(task.latency).totalCount).toBe(300);
  expect(outcome.workers).toBe(2);
  const unsent = outcome.seats.map(({ attempted }) => 200 - attempted);
  expect(Math.min(...unsent)).toBeGreaterThanOrEqual(0);
  expect(unsent.reduce((all, one) => all + one, 0)).toBe(task.unsent);
  expect(samples.filter(({ phase }) => phase === 'measure').map(({ offered }) => offered)).toEqual([
    100, 100, 100,
  ]);
  // For each key, as many requests arrived as its machine says that it sent.
  expect([...asked.keys()].sort()).toEqual(['ApiKey one', 'ApiKey two']);
  expect([...asked.values()].sort()).toEqual(outcome.seats.map(({ attempted }) => attempted).sort());
  // All processes of one machine share a clock, so only late threads make a start late. On a busy machine, threads have started 100 ms
  // late. On separate machines, the errors of the clocks would be added.
  expect(outcome.lateMs).toBeLessThan(300);
  for (const { clock } of seats.taken) expect(clock!.errorMs).toBeLessThan(50);

  await ask('POST', `${url()}/${BUS_PREFIX}*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: { text?: string } }[] } }>(
    'GET',
    `${url()}/${BUS_PREFIX}*/_search?size=1000&q=kind:parcel`,
  );
  const messages = body.hits.hits.map(({ _source }) => JSON.stringify(reports.unpack(_source.text ?? '')));
  expect(messages.some((text) => text.includes('prepare'))).toBe(true);
  expect(messages.filter((text) => text.includes('ApiKey'))).toEqual([]);

  await seats.close('the run is over');
  expect(await busesLeft()).toBe(0);
  for (const { ended } of workers) expect(await ended).toMatchObject({ code: 0 });
});

test('two machines replay whole connections of recorded traffic, each request once and in its order', async () => {
  const workers = ['one', 'two'].map((name) => startWorker(name, '--once'));
  const [CONNECTIONS, REQUESTS] = [6, 20];
  const place = workplace();
  places.push(place);
  const file = path.join(place.folder, 'shop.traffic.gz');
  const about = { startedAt: 0, origin: 'record', share: 1 } as const;
  // A file is full after a few blocks.
  const rotation = { rotateBytes: 2000, blockBytes: 1000 };
  const writer = await TrafficWriter.open(file, about, rotation);
  for (let number = 0; number < CONNECTIONS * REQUESTS; number += 1) {
    const [connection, order] = [number % CONNECTIONS, Math.floor(number / CONNECTIONS)];
    const answer = { status: 200, durationUs: 1000, bytes: 10 };
    const query = `preference=${connection}-${order}`;
    await writer.write(madeRecord({ connection, order, at: number * 10_000, query, answer }));
  }
  const { files } = await writer.close();
  expect(files.length).toBeGreaterThan(1);
  const replay: TaskJob = {
    name: 'replay',
    operation: {
      ...{ kind: 'replay', source: { kind: 'file', file }, traffic: 'traffic', types: null, indices: [] },
      ...{ rest: { trial: null }, mayWriteOwn: true, mayWriteExisting: false, engine: 'elasticsearch' },
      repeat: false,
      // Two connections share an id, so one machine sends both.
      found: { indices: [], startedAt: 0, firstAt: 0, lastAt: 0, groups: [[0, 3]] },
    },
    executor: { kind: 'recorded', speed: 1, maxClients: 50 },
  };
  const seats = await openSeats(2);
  await complete(seats);
  const { outcome } = await carry(seats, job(node, [replay], { measureMs: 20_000 }));
  expect(outcome.tasks[0]!.traffic).toMatchObject({ records: 120, sent: 120, leftOut: 0, unsent: 0 });
  expect(outcome.seats.map(({ attempted }) => attempted).sort()).toEqual([40, 80]);
  const byConnection = Array.from({ length: CONNECTIONS }, (_, connection) =>
    arrived.filter(({ mark }) => mark.startsWith(`${connection}-`)),
  );
  for (const [connection, own] of byConnection.entries()) {
    expect(own.map(({ mark }) => mark)).toEqual(
      Array.from({ length: REQUESTS }, (_, order) => `${connection}-${order}`),
    );
    expect(new Set(own.map(({ key }) => key)).size).toBe(1);
  }
  expect(byConnection[0]![0]!.key).toBe(byConnection[3]![0]!.key);
  expect([...asked.keys()].sort()).toEqual(['ApiKey one', 'ApiKey two']);
  await seats.close('the run is over');
  for (const { ended } of workers) expect(await ended).toMatchObject({ code: 0 });
});

test('a load whose machine dies ends with one error, and continues with another machine', async () => {
  const [first] = ['one', 'two'].map((name) => startWorker(name));
  const notes: string[] = [];
  const seats = await openSeats(2, { onNote: (note) => notes.push(note) });
  await complete(seats);
  const killed = carry(seats, job(node, [search], { measureMs: 60_000 }), () => first!.child.kill('SIGKILL'));
  expect(await codeOf(killed)).toBe('seat.lost');
  expect(notes).toEqual([
    expect.stringMatching(/^seat \d of 2 .* gave no sign of life for 8.5 s; 1 seat of 2 left$/),
  ]);
  // The other process has stopped sending too, so that its index can be removed.
  const sent = target.requests;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(target.requests).toBe(sent);

  startWorker('three');
  expect((await complete(seats)).length).toBe(2);
  const { outcome } = await carry(seats, job(node, [closed], { measureMs: 1000 }));
  expect(outcome.seats).toHaveLength(2);
  expect(outcome.tasks[0]!.measured.accepted).toBeGreaterThan(20);
  await seats.close('the run is over');
}, 90_000);

test('a machine that was suspended sends nothing when it wakes up', async () => {
  const workers = ['one', 'two'].map((name) => startWorker(name));
  const seats = await openSeats(2);
  await complete(seats);
  const [, second] = workers as [Running, Running];
  const load = carry(seats, job(node, [closed], { measureMs: 60_000, drainMs: 1000 }), () =>
    second.child.kill('SIGSTOP'),
  );
  expect(await codeOf(load)).toBe('seat.lost');
  const sent = asked.get('ApiKey two');
  second.child.kill('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(asked.get('ApiKey two')).toBe(sent);
  await seats.close('the run is over');
}, 60_000);

test('a worker of another version gets no seat, and a run without workers reports what is missing', async () => {
  startWorker('one');
  const notes: string[] = [];
  const seats = await openSeats(1, { version: '0.0.0', onNote: (note) => notes.push(note) });
  const missing = seats.complete({ withinMs: 8000, onChange: () => undefined }, new AbortController().signal);
  expect(await codeOf(missing)).toBe('seats.missing');
  expect(notes).toEqual([
    expect.stringContaining(`its Dyno is version ${version}, but the run needs version 0.0.0`),
  ]);
  await seats.close('the run is over');
  expect(await busesLeft()).toBe(0);
});

test('seats are refused if they would communicate over the cluster under test', async () => {
  const place = workplace();
  places.push(place);
  const definition = place.write('two.yml', {
    version: 1,
    name: 'two machines',
    load: { seats: 2 },
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    trials: 1,
  });
  const { code, stderr } = await place.dyno('run', definition, '--elasticsearch', url());
  expect(code).toBe(2);
  expect(stderr).toContain('more than one seat needs a results cluster other than the target');
});
