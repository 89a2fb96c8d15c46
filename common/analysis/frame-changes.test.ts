import { frameChanges, undecidable, type ProfiledShares } from './frame-changes';

const DESIGN = { order: 'interleaved', trials: 5, isApart: false } as const;

/** Returns trials with these shares of the first frame. `others`: number of further frames, whose shares differ a little between trials. */
function trials(first: readonly number[], { samples = 200, others = 20, seed = 1 } = {}): ProfiledShares[] {
  return first.map((share, repetition) => ({
    repetition,
    samples,
    shares: Float64Array.from({ length: others + 1 }, (_, frame) =>
      frame === 0 ? share : 0.05 + 0.01 * Math.sin(1000 * seed * frame + 7 * repetition),
    ),
  }));
}

const compare = (
  cell: ProfiledShares[],
  against: ProfiledShares[],
  design: Parameters<typeof frameChanges>[3] = DESIGN,
): NonNullable<ReturnType<typeof frameChanges>> =>
  frameChanges(cell, against, [...cell[0]!.shares.keys()], design)!;

const isDecided = (...of: Parameters<typeof compare>): boolean => compare(...of)[0]!.isDecided;

const LOW = [0.1, 0.11, 0.09, 0.1, 0.1];
const HIGH = [0.2, 0.22, 0.21, 0.2, 0.2];

test('a difference in points is decided with its interval, and frames that are alike are not', () => {
  const [first, ...rest] = compare(trials(HIGH, { seed: 2 }), trials(LOW));
  expect(first!.difference).toBeCloseTo(0.106);
  expect(first!.interval.low).toBeGreaterThan(0.04);
  expect(first!.interval.level).toBe(0.95);
  expect(first!.adjusted.low).toBeLessThan(first!.interval.low);
  expect(first!.adjusted.low).toBeGreaterThan(0);
  expect(first!.isDecided).toBe(true);
  expect(rest.filter((change) => change.isDecided)).toEqual([]);
});

test('a frame that few samples contain is not decided, even if it is missing in all trials of the other cell', () => {
  const sixth = LOW.map(() => 1 / 6);
  const none = LOW.map(() => 0);
  expect(isDecided(trials(sixth, { samples: 6 }), trials(none, { samples: 6, seed: 2 }))).toBe(false);
  expect(isDecided(trials(sixth), trials(none, { seed: 2 }))).toBe(true);
});

test('a burst in one trial, or in most trials of a cell, is not decided', () => {
  const none = LOW.map(() => 0);
  for (const bursts of [
    [0.9, 0, 0, 0, 0],
    [0, 0.4, 0, 0.4, 0.4],
    [0.4, 0.4, 0, 0.4, 0.4],
  ])
    expect(isDecided(trials(bursts, { samples: 10_000, seed: 2 }), trials(none, { samples: 10_000 }))).toBe(
      false,
    );
});

test('a change of all cells from one repetition to the next is removed, if the cells alternate', () => {
  const drift = [0.2, 0.4, 0.3, 0.6, 0.5];
  const cell = trials(
    drift.map((share) => share + 0.1),
    { samples: 5000, seed: 2 },
  );
  const against = trials(drift, { samples: 5000 });
  expect(isDecided(cell, against)).toBe(true);
  expect(isDecided(cell, against, { ...DESIGN, isApart: true })).toBe(false);
});

test('trials of the same repetition are compared, and a repetition with one trial is left out', () => {
  const cell = trials([...HIGH, 0.9]);
  const against = trials([0.9, ...LOW]).map((trial, at) => ({ ...trial, repetition: (at + 5) % 6 }));
  expect(compare(cell.slice(0, 5), against.slice(1))[0]!.difference).toBeCloseTo(0.106);
});

test('cells that ran one after another are never decided', () => {
  const sequential = { ...DESIGN, order: 'sequential' } as const;
  expect(isDecided(trials(HIGH), trials(LOW), sequential)).toBe(false);
  expect(undecidable(sequential, 5)).toMatch('order: sequential');
});

test('a frame that comes and goes widens the intervals of all others, and more so with few trials', () => {
  const widthWith = (repetitions: number, comesAndGoes: boolean): number => {
    const [cell, against] = [0, 1].map((side) =>
      trials(
        Array.from({ length: repetitions }, (_, at) => (comesAndGoes && (at + side) % 2 === 0 ? 0.5 : 0)),
      ),
    );
    const { low, high } = compare(cell!, against!)[1]!.interval;
    return high - low;
  };
  const widened = (repetitions: number): number =>
    widthWith(repetitions, true) / widthWith(repetitions, false);
  expect(widened(5)).toBeGreaterThan(1.5);
  expect(widened(4)).toBeGreaterThan(1.5 * widened(5));
});

test('two trials of a cell have an interval and no decision, and one trial has neither', () => {
  const [change] = compare(trials(HIGH.slice(0, 2)), trials(LOW));
  expect(change).toMatchObject({ isDecided: false });
  expect(change!.difference).toBeCloseTo(0.11);
  expect(undecidable(DESIGN, 2)).toMatch('at least 3 trials');
  expect(undecidable(DESIGN, 0)).toMatch('no stacks to compare');
  expect(frameChanges(trials([0.2]), trials(LOW), [0], DESIGN)).toBeNull();
});

test('further frames widen only the interval that decides', () => {
  const width = ({ low, high }: { low: number; high: number }): number => high - low;
  const [cell, against] = [trials(HIGH), trials(LOW)];
  const few = frameChanges(cell, against, [0, 1], DESIGN)![1]!;
  const many = frameChanges(cell, against, [0, ...Array<number>(100).fill(1)], DESIGN)!.at(-1)!;
  expect(width(many.adjusted)).toBeGreaterThan(1.3 * width(few.adjusted));
});

test('intervals are wider if the run could have ended after each repetition', () => {
  const untilDecided = { ...DESIGN, trials: { 'until-decided': { least: 3, most: 20 } } };
  const [change, looked] = [DESIGN, untilDecided].map(
    (design) => compare(trials(HIGH), trials(LOW), design)[0]!,
  );
  expect(looked!.adjusted.low).toBeLessThan(change!.adjusted.low);
});

test('a frame without weight in the compared trials has no difference', () => {
  const none = LOW.map(() => 0);
  expect(compare(trials(none), trials(none))[0]).toMatchObject({
    difference: 0,
    interval: { low: 0, high: 0 },
    isDecided: false,
  });
});
