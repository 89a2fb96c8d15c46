import type { Bus } from './bus';
import { CommonClock } from './common-clock';
import { Inbox, Outbox, packMessages, unpackMessages } from './mailbox';
import { FakeBus } from './testing/fake-bus';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function take(bus: Bus, inbox: Inbox<number>): Promise<number[]> {
  return inbox.take(await bus.read(inbox.wanted()));
}

test('counts and times that nobody knows survive the way', () => {
  const message = { counts: Uint32Array.of(0, 7, 4_000_000_000), sinceAnswerMs: Infinity, none: null };
  expect(unpackMessages(packMessages([message]))).toEqual([message]);
});

test('messages arrive once and in their order, however they were posted and read', async () => {
  const bus = new FakeBus();
  const outbox = new Outbox<number>(bus, 'to-a', () => undefined);
  const inbox = new Inbox<number>('to-a');
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

test('what cannot be delivered waits for a cluster that is away', async () => {
  const bus = new FakeBus();
  const outbox = new Outbox<number>(bus, 'to-a', () => undefined);
  const inbox = new Inbox<number>('to-a');
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

test('a parcel whose answer was lost is not sent twice', async () => {
  const bus = new FakeBus();
  const { create } = FakeBus.prototype;
  let lost = 0;
  bus.create = async (...args) => {
    const made = await create.apply(bus, args);
    if (lost++ === 0) throw new Error('the answer was lost');
    return made;
  };
  const broken: string[] = [];
  const outbox = new Outbox<number>(bus, 'to-a', ({ code }) => broken.push(code));
  outbox.post(1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(broken).toEqual([]);
  expect(await take(bus, new Inbox('to-a'))).toEqual([1]);
});

test('whoever posts in the name of another ends it', async () => {
  const bus = new FakeBus();
  const broken: string[] = [];
  new Outbox<number>(bus, 'to-a', () => undefined).post(1);
  new Outbox<number>(bus, 'to-a', ({ code }) => broken.push(code)).post(2);
  await soon();
  expect(broken).toEqual(['seats.taken']);
});

test('the common clock is known as well as the fastest answer tells', async () => {
  let now = 1000;
  // Of the node 5 s ahead; ways there and back differ, and one question met a pause.
  const ways: [number, number][] = [
    [30, 200],
    [4, 4],
    [1, 9],
    [2, 1],
    [50, 1],
    [3, 5],
    [7, 7],
    [9, 9],
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
  expect(errorMs).toBe(2);
  expect(Math.abs(clock.timeAt(now) - (now + 5000))).toBeLessThanOrEqual(errorMs);
  expect(clock.tickAt(clock.timeAt(1234))).toBeCloseTo(1234);
});
