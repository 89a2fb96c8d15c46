import { createRandom, deriveSeed } from '../random';
import { againstBaseline, type AgainstBaseline, type BaselineAnswer } from './baseline';
import { analyseHistory, type Series } from './changes';
import type { Point } from './columns';
import { madeHistoryRuns, madeSeries } from './testing/made-history-runs';

const MARGIN = 0.05;
const noise = { within: 0.01, between: 0.01 };

function compare(
  all: readonly Point[][],
  points: readonly number[],
  better: Series['better'] = 'lower',
): (AgainstBaseline | null)[] {
  const series = all.map((points) => madeSeries(points, better));
  const answers = analyseHistory(series, [], { margin: MARGIN });
  const compared = series.map((own, at) => ({ ...own, ...answers[at]! }));
  return againstBaseline(compared, points, { margin: MARGIN });
}

const stepped = (by: number, seed = 1, quiet = noise): Point[] =>
  madeHistoryRuns(quiet, 40, createRandom(deriveSeed(seed, 'baseline')), (run) =>
    run < 20 ? 1000 : 1000 * by,
  );

const first = Array.from({ length: 10 }, (_, run) => run);

test.each<[number, Series['better'], BaselineAnswer]>([
  [1.2, 'lower', 'worse'],
  [1.2, 'higher', 'better'],
  [0.8, 'lower', 'better'],
  [0.8, 'higher', 'worse'],
  [1, 'lower', 'same'],
])('a level of %p where %s is better is %s', (by, better, answer) => {
  const [found] = compare([stepped(by)], first, better);
  expect(found).toMatchObject({ answer, nights: 10 });
  expect(found!.ratio).toBeCloseTo(by, 1);
  expect(found!.interval!.low).toBeLessThan(by);
  expect(found!.interval!.high).toBeGreaterThan(by);
});

test('a single run as baseline has the noise of one run, so the interval is wider', () => {
  const width = (points: readonly number[]): number => {
    const { interval } = compare([stepped(1.2)], points)[0]!;
    return Math.log(interval!.high / interval!.low);
  };
  expect(width([3])).toBeGreaterThan(2 * width(first));
});

test('with noisy runs, or with only two, the answer is undecided', () => {
  const noisy = { within: 0.1, between: 0.1 };
  expect(compare([stepped(1.05, 2, noisy)], [0])[0]).toMatchObject({ answer: 'cannot-tell' });
  const one = stepped(1).slice(0, 1);
  expect(compare([one], [0])[0]).toMatchObject({ answer: 'cannot-tell', interval: null });
});

test('a step of less than the margin is not worse by more than the margin', () => {
  const quiet = { within: 0.004, between: 0.002 };
  const [found] = compare([stepped(1.03, 3, quiet)], first);
  expect(found!.ratio).toBeCloseTo(1.03, 2);
  expect(found!.answer).toBe('same');
});

test('the comparison needs a value of the series in the baseline', () => {
  expect(compare([stepped(1)], [])).toEqual([null]);
});

test('a baseline with runs of two levels has the variance of both', () => {
  const two = Array.from({ length: 40 }, (_, run) => run);
  const [mixed, alone] = [compare([stepped(1.3)], two)[0]!, compare([stepped(1.3)], first)[0]!];
  const width = ({ interval }: AgainstBaseline): number => Math.log(interval!.high / interval!.low);
  expect(width(mixed)).toBeGreaterThan(width(alone));
});

test.each([[1], [10], [40]])(
  'a metric that was 0 in all runs is the same with %p of them as baseline',
  (runs) => {
    const none = Array.from({ length: 40 }, () => ({ mean: 0, deviation: 0, trials: 3 }));
    expect(
      compare(
        [none],
        Array.from({ length: runs }, (_, run) => run),
      )[0],
    ).toMatchObject({
      baseline: 0,
      newest: 0,
      difference: 0,
      differenceInterval: { low: 0, high: 0 },
      answer: 'same',
    });
  },
);

test('a metric that is sometimes 0 is compared by differences', () => {
  const points = Array.from({ length: 30 }, (_, run) => ({
    mean: run < 15 ? (run % 3 === 0 ? 0 : 1) : 50 + (run % 3),
    deviation: 0.1,
    trials: 3,
  }));
  const [found] = compare([points], first);
  expect(found).toMatchObject({ ratio: null, interval: null, answer: 'worse' });
  expect(found!.difference).toBeCloseTo(50, -1);
});

test('of 200 steady series of one experiment hardly any is called worse, whichever run is the baseline', () => {
  const experiments = 30;
  let alarms = 0;
  for (let experiment = 0; experiment < experiments; experiment += 1) {
    const all = Array.from({ length: 50 }, (_, at) =>
      madeHistoryRuns({ ...noise, tail: 0.5 }, 30, createRandom(deriveSeed(9, experiment, at))),
    );
    const found = compare(all, [experiment % 30]);
    if (found.some((one) => one!.answer === 'worse' || one!.answer === 'better')) alarms += 1;
  }
  // If the difference is exactly the margin, the probability is 5% in each of 30 experiments. Without a difference, it is far lower.
  expect(alarms).toBeLessThanOrEqual(2);
});
