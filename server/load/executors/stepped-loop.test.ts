import { NOT_YET } from './due-times';
import { SteppedTimes } from './stepped-loop';

const STEPS = [
  { from: 0, until: 1000, perSecond: 10 },
  { from: 1500, until: 2500, perSecond: 7 },
  { from: 3000, until: 3100, perSecond: 100 },
];

const times = (index: number, of: number): SteppedTimes => {
  const own = new SteppedTimes({ index, of });
  STEPS.forEach((step) => {
    own.follow(step);
  });
  return own;
};

const dues = (own: SteppedTimes): number[] => {
  const all: number[] = [];
  while (own.due(all.length) < NOT_YET) all.push(own.due(all.length));
  return all;
};

test('every step begins a new schedule, and nothing is due between two steps', () => {
  const all = dues(times(0, 1));
  expect(all.slice(0, 11)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1500]);
  expect(all).toHaveLength(27);
  expect(all.at(-1)).toBe(3090);
});

test('what comes after the last step is not known yet', () => {
  const own = new SteppedTimes({ index: 0, of: 1 });
  expect([own.due(0), own.dueBefore(1e9)]).toEqual([NOT_YET, 0]);
  own.follow(STEPS[0]!);
  expect([own.due(9), own.due(10)]).toEqual([900, NOT_YET]);
});

test.each([2, 3, 8])('%i shares take turns and together do exactly the steps', (of) => {
  const shares = Array.from({ length: of }, (_, index) => times(index, of));
  const together = shares.flatMap(dues).sort((a, b) => a - b);
  expect(together).toEqual(dues(times(0, 1)));
  for (const time of [0, 0.5, 100, 1000, 1200, 1500.5, 2499, 3050, 9999]) {
    const sum = shares.reduce((total, share) => total + share.dueBefore(time), 0);
    expect(sum).toBe(together.filter((due) => due < time).length);
  }
});

test('a share without a client has nothing to send', () => {
  const own = times(2, 2);
  expect([own.due(0), own.dueBefore(9999)]).toEqual([Infinity, 0]);
});
