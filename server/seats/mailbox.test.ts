import type { Bus } from './bus';
import { CommonClock } from './common-clock';
import { orders, packCounted, reports, unpackCounted, type Codec } from './codec';
import { Inbox, Outbox } from './mailbox';
import type { FromSeatProcess, ToSeat } from './protocol';
import { FakeBus } from './testing/fake-bus';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function take(bus: Bus, inbox: Inbox<number>): Promise<number[]> {
  return inbox.take(await bus.read(inbox.wanted()));
}

const numbers: Codec<number> = {
  pack: (messages) => JSON.stringify(messages),
  unpack: (text) => JSON.parse(text) as number[],
};

test('counts are unpacked unchanged, also empty and large ones', () => {
  const counted = Uint32Array.of(9, 1, 12, 4_000_000_000, 40_000, 7);
  expect(packCounted(counted)).toEqual([9, 1, 3, 4_000_000_000, 39_988, 7]);
  for (const one of [counted, new Uint32Array(0)]) expect(unpackCounted(packCounted(one))).toEqual(one);
});

test('Infinity is unpacked unchanged', () => {
  const order = { kind: 'order', load: 1, order: { kind: 'rate', until: Infinity } } as unknown as ToSeat;
  expect(orders.unpack(orders.pack([order]))).toEqual([order]);
  const alive: FromSeatProcess = {
    kind: 'report',
    load: 1,
    message: { kind: 'alive', reach: { sinceAnswerMs: Infinity, silentMs: 0, example: '' } },
  };
  expect(reports.unpack(reports.pack([alive]))).toEqual([alive]);
});

test('messages arrive once and in order, however they were posted and read', async () => {
  const bus = new FakeBus();
  const outbox = new Outbox(bus, 'to-a', numbers, () => undefined);
  const inbox = new Inbox('to-a', numbers);
  outbox.post(1);
  outbox.post(2);
  await soon();
  expect(bus.entries.size).toBe(1);
  for (const number of [3, 4, 5, 6, 7]) {
    outbox.post(number);
    await soon();
  }
  const read = [
    await take(bus, inbox),
    await take(bus, inbox),
    await take(bus, inbox),
    await take(bus, inbox),
  ];
  expect(read.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await take(bus, inbox)).toEqual([]);
  expect(inbox.done()).toHaveLength(6);
  expect(inbox.done()).toEqual([]);
});

test('messages wait while the cluster is away', async () => {
  const bus = new FakeBus();
  const outbox = new Outbox(bus, 'to-a', numbers, () => undefined);
  const inbox = new Inbox('to-a', numbers);
  bus.isAway = true;
  outbox.post(1);
  await soon();
  outbox.post(2);
  outbox.withdraw((number) => number === 2);
  outbox.post(3);
  bus.isAway = false;
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([...(await take(bus, inbox)), ...(await take(bus, inbox))]).toEqual([1, 3]);
});

test('a parcel whose response was lost is not sent twice', async () => {
  const bus = new FakeBus();
  const { create } = FakeBus.prototype;
  let lost = 0;
  bus.create = async (...args) => {
    const made = await create.apply(bus, args);
    if (lost++ === 0) throw new Error('the answer was lost');
    return made;
  };
  const broken: string[] = [];
  const outbox = new Outbox(bus, 'to-a', numbers, ({ code }) => broken.push(code));
  outbox.post(1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(broken).toEqual([]);
  expect(await take(bus, new Inbox('to-a', numbers))).toEqual([1]);
});

test('a process that posts under the name of another one breaks that outbox', async () => {
  const bus = new FakeBus();
  const broken: string[] = [];
  new Outbox(bus, 'to-a', numbers, () => undefined).post(1);
  new Outbox(bus, 'to-a', numbers, ({ code }) => broken.push(code)).post(2);
  await soon();
  expect(broken).toEqual(['seats.taken']);
});

test('the common clock is as precise as the fastest responses allow', async () => {
  let now = 1000;
  // The node is 5 s ahead. Latencies of both directions differ, and one request coincides with a pause.
  const ways: [number, number][] = [
    [30, 200],
    [4, 4],
    [1, 9],
    [2, 1],
    [50, 1],
    [3, 5],
    [7, 7],
    [9, 9],
    [40, 40],
    [40, 40],
    [40, 40],
    [40, 40],
  ];
  const bus = {
    time: () => {
      const [there, back] = ways.shift()!;
      now += there;
      const time = now + 5000;
      now += back;
      return Promise.resolve(time);
    },
  };
  const clock = new CommonClock(bus, () => now);
  const { errorMs } = await clock.measure();
  expect(errorMs).toBeLessThanOrEqual(2);
  expect(Math.abs(clock.timeAt(now) - (now + 5000))).toBeLessThanOrEqual(errorMs);
  expect(clock.tickAt(clock.timeAt(1234))).toBeCloseTo(1234);
});
