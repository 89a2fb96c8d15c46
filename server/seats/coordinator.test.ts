/**
 * Tests the coordinator, which controls the processes that generate load, while the results cluster is unreachable. The test plays the role
 * of such a process, and sets the time.
 */
import { DynoError } from '../../common/problem';
import type { FromSeat } from '../load/messages';
import type { LoadJob } from '../load/contract';
import { prepareLoad } from '../load/pool';
import { BEAT, type Beat } from './bus';
import { orders, reports } from './codec';
import { Seats } from './coordinator';
import { Inbox } from './mailbox';
import { BEAT_MS, boxFrom, boxTo, LEASE_MS, LOST_MS, type FromSeatProcess, type ToSeat } from './protocol';
import { FakeBus } from './testing/fake-bus';

const OFFER = 'offer-1';
const VERSION = '1.2.3';

const JOB: LoadJob = {
  indices: ['trial-1'],
  route: 'in-turn',
  target: { nodes: [], headers: {}, verifyCertificates: true, requestTimeoutMs: 0 },
  tasks: [],
  seed: 1,
  warmupMs: 0,
  measureMs: 60_000,
  documents: null,
  drainMs: 0,
};

let bus: FakeBus;
let seats: Seats;
let notes: string[];
/** Messages that the process that generates load has received. */
let received: ToSeat[];
let signs: NodeJS.Timeout;
let post: (...messages: FromSeatProcess[]) => void;

beforeEach(async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-20T01:00:00Z') });
  bus = new FakeBus();
  notes = [];
  received = [];
  let number = 0;
  post = (...messages) => {
    if (bus.isAway) return;
    bus.entries.set(`${boxFrom(OFFER)}-${number}`, { kind: 'parcel', text: reports.pack(messages) });
    number += 1;
  };
  const inbox = new Inbox(boxTo(OFFER), orders);
  // Like a worker, the test receives nothing while the cluster is unreachable.
  signs = setInterval(() => {
    if (bus.isAway) return;
    post({ kind: 'here' });
    received.push(...inbox.take(bus.entries));
  }, 500);
  await bus.put('worker-1', {
    kind: 'worker',
    offer: OFFER,
    process: { host: 'load-1', pid: 7, instance: '7-1' },
    machine: 'load-1',
    cores: 2,
    version: VERSION,
    labels: {},
  });
  seats = new Seats(
    {
      run: { id: 'run-1', experiment: 'one' },
      coordinator: { host: 'here', pid: 1, instance: '1-1' },
      version: VERSION,
      seats: 1,
      workers: 1,
      shareMachine: false,
      onNote: (note) => notes.push(note),
    },
    bus,
  );
  await after(seats.complete({ withinMs: 5000, onChange: () => undefined }, new AbortController().signal));
});

afterEach(async () => {
  clearInterval(signs);
  bus.isAway = false;
  await after(seats.close('the test is over'));
  jest.useRealTimers();
});

/** Returns the outcome of `work`. Until then, the simulated time passes. */
async function after<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  ended.catch(() => undefined);
  for (let passed = 0; !isOver && passed < 60_000; passed += 100) await jest.advanceTimersByTimeAsync(100);
  if (!isOver) throw new Error('it had not ended after a minute');
  return await ended;
}

/** Begins a load. The test itself then sends the reports that a process that generates load would send. Returns the running load. */
async function begin() {
  const load = prepareLoad(JOB, {
    workerFile: '',
    seating: seats.seating([]),
    onSample: () => undefined,
  });
  const before = received.length;
  await jest.advanceTimersByTimeAsync(1000);
  const prepared = received.slice(before).find((message) => message.kind === 'prepare');
  if (prepared === undefined) throw new Error(`it received ${JSON.stringify(received.slice(before))}`);
  const send = (message: FromSeat): void => post({ kind: 'report', load: prepared.load, message });
  const pinged = setInterval(() => {
    const pings = received.filter((one) => one.kind === 'order' && one.order.kind === 'ping').length;
    for (; answered < pings; answered += 1) send({ kind: 'pong' });
  }, 100);
  let answered = received.filter((one) => one.kind === 'order' && one.order.kind === 'ping').length;
  send({ kind: 'ready', leadMs: 100 });
  load.begin(Date.now() + (await after(load.ready)));
  clearInterval(pinged);
  await jest.advanceTimersByTimeAsync(1000);
  return load;
}

const failureOf = (work: Promise<unknown>): Promise<DynoError> =>
  after(
    work.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: unknown) => (error instanceof DynoError ? error : Promise.reject(error as Error)),
    ),
  );

const complete = (): Promise<void> =>
  seats.complete({ withinMs: 60_000, onChange: () => undefined }, new AbortController().signal);

test('a load fails with one message if the results cluster is away, once its seats have stopped', async () => {
  const load = await begin();
  let error: DynoError | undefined;
  load.done.catch((failure: DynoError) => (error = failure));
  bus.isAway = true;
  await jest.advanceTimersByTimeAsync(LOST_MS - 1000);
  expect(error).toBeUndefined();
  await jest.advanceTimersByTimeAsync(2000);
  expect(error?.code).toBe('seat.lost');
  expect(error?.message).toBe(
    'the seats cannot reach the results cluster, through which they are led: it has not answered for 8.5 s, so the seats have stopped their load: it is away',
  );
});

test('the next load waits until the results cluster is back, and then uses the same seats', async () => {
  const load = await begin();
  bus.isAway = true;
  await failureOf(load.done);
  const again = complete();
  let isComplete = false;
  again.then(
    () => (isComplete = true),
    () => undefined,
  );
  await jest.advanceTimersByTimeAsync(5000);
  expect(isComplete).toBe(false);
  expect(seats.isAway).toBe(true);

  const before = (bus.entries.get(BEAT) as Beat).number;
  bus.isAway = false;
  await after(again);
  expect(seats.isAway).toBe(false);
  // A process that receives a load is allowed to send requests by then.
  expect(bus.entries.get(BEAT)).toMatchObject({ seats: [OFFER] });
  expect((bus.entries.get(BEAT) as Beat).number).toBeGreaterThan(before);
  expect(seats.taken).toMatchObject([{ seat: 0, host: 'load-1' }]);
  const next = await begin();
  post({
    kind: 'report',
    load: 2,
    message: {
      kind: 'failed',
      problemKind: 'run',
      problems: [{ code: 'a.word', path: '', message: 'no file' }],
    },
  });
  expect((await failureOf(next.done)).message).toBe('seat 1 of 1 (process 7 on load-1): no file');
  expect(notes).toEqual([]);
});

test('the wait for a results cluster that does not come back ends with the cluster’s error', async () => {
  bus.isAway = true;
  await jest.advanceTimersByTimeAsync(1000);
  const { code, message } = await failureOf(
    seats.complete({ withinMs: 5000, onChange: () => undefined }, new AbortController().signal),
  );
  expect(code).toBe('seats.away');
  expect(message).toBe(
    'the results cluster, through which the seats are led, did not come back within 5 s: it is away',
  );
});

describe('a load that has failed', () => {
  /** Lets a load fail. Returns a function that returns whether requests of the load can no longer be sent. */
  const fail = async (): Promise<() => boolean> => {
    const load = await begin();
    const problems = [{ code: 'a.word', path: '', message: 'no file' }];
    post({ kind: 'report', load: 1, message: { kind: 'failed', problemKind: 'run', problems } });
    await failureOf(load.done);
    let isStill = false;
    void load.stilled.then(() => (isStill = true));
    await jest.advanceTimersByTimeAsync(3000);
    expect(received.at(-1)).toEqual({ kind: 'end', load: 1 });
    return () => isStill;
  };

  it('is still once its seat reports that', async () => {
    const isStill = await fail();
    expect(isStill()).toBe(false);
    post({ kind: 'ended', load: 1 });
    await jest.advanceTimersByTimeAsync(1000);
    expect(isStill()).toBe(true);
  });

  it('is still once the lease of its seat has expired, whatever the seat reports', async () => {
    const isStill = await fail();
    await jest.advanceTimersByTimeAsync(LEASE_MS + BEAT_MS - 4000);
    expect(isStill()).toBe(false);
    await jest.advanceTimersByTimeAsync(2000);
    expect(isStill()).toBe(true);
  });
});
