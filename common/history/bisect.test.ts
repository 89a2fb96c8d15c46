import { normal } from '../analysis/testing/made-run';
import { compareCells } from '../analysis/comparison';
import type { CellFigures } from '../analysis/blocks';
import { createRandom, deriveSeed, type Random } from '../random';
import {
  nextOfBisect,
  runsBetween,
  type BisectOutcome,
  type BisectStep,
  type Known,
  type StepAnswer,
} from './bisect';

const NAMES = ['A', 'B', 'C', 'D', 'E'];
const MARGIN = 0.05;
const DESIGN = {
  margin: MARGIN,
  order: 'interleaved',
  trials: { 'until-decided': { least: 3, most: 20 } },
} as const;

/**
 * Simulates a run that compares a candidate with the good end. The run tests after each repetition whether the metric rises, falls or stays
 * as the step claims, and ends when this is decided.
 */
function simulate({ relation, size }: BisectStep, ratio: number, cv: number, random: Random): StepAnswer {
  const cell = (): CellFigures => ({ environment: '', trials: [] });
  const [good, own] = [cell(), cell()];
  for (let repetition = 0; ; repetition += 1) {
    const day = 0.05 * normal(random);
    good.trials.push({ value: Math.exp(day + cv * normal(random)), repetition, order: 2 * repetition });
    own.trials.push({
      value: ratio * Math.exp(day + cv * normal(random)),
      repetition,
      order: 2 * repetition + 1,
    });
    if (repetition + 1 < DESIGN.trials['until-decided'].least) continue;
    const [found] = compareCells([good, own], [[1, 0]], DESIGN).comparisons;
    const { adjusted, word } = found!;
    const share = Number(/[\d.]+/.exec(size)?.[0] ?? 0) / 100;
    const bound = relation === 'rises' ? 1 + share : 1 - share;
    const isDecided =
      relation === 'stays'
        ? word !== 'undecided'
        : adjusted !== null && (adjusted.low > bound || adjusted.high < bound);
    if (isDecided || repetition + 1 === DESIGN.trials['until-decided'].most) return found!;
  }
}

function bisect(
  ratios: readonly number[],
  cv: number,
  random: Random,
): { outcome: BisectOutcome; steps: number } {
  const answers = new Map<number, Known>();
  for (;;) {
    const next = nextOfBisect(NAMES, answers, { margin: MARGIN });
    if ('outcome' in next) return { outcome: next.outcome, steps: answers.size };
    const { candidate } = next.step;
    expect(answers.has(candidate)).toBe(false);
    answers.set(candidate, simulate(next.step, ratios[candidate]!, cv, random));
  }
}

const TIMES = 200;

function outcomes(
  ratiosOf: (culprit: number) => number[],
  cv: number,
): { culprit: number; outcome: BisectOutcome; steps: number }[] {
  return Array.from({ length: TIMES }, (_, time) => {
    const culprit = 1 + (time % 4);
    const random = createRandom(deriveSeed(2026, 'bisect', time));
    return { culprit, ...bisect(ratiosOf(culprit), cv, random) };
  });
}

const planted = (culprit: number, ratio: number): number[] =>
  NAMES.map((_, at) => (at >= culprit ? ratio : 1));

test.each([1.2, 1 / 1.2])('a culprit of %d is found if trials vary by 2%', (ratio) => {
  const found = outcomes((culprit) => planted(culprit, ratio), 0.02);
  const right = found.filter(
    ({ culprit, outcome }) => outcome.answer === 'found' && outcome.first === culprit,
  );
  expect(right.length / TIMES).toBeGreaterThanOrEqual(0.95);
  expect(Math.max(...found.map(({ steps }) => steps))).toBeLessThanOrEqual(3);
});

test.each([
  ['of 1% where trials vary by 10%', 1.01, 0.1],
  ['of 1% where trials vary by 2%, which is within the margin', 1.01, 0.02],
  ['of 3% where trials vary by 20%', 1.03, 0.2],
])('no candidate is named for a difference %s', (_, ratio, cv) => {
  const found = outcomes((culprit) => planted(culprit, ratio), cv);
  const silent = found.filter(({ outcome }) => outcome.answer === 'cannot tell');
  expect(silent.length / TIMES).toBeGreaterThanOrEqual(0.95);
});

test('a wrong candidate is rarely named if the noise is half of the effect', () => {
  const found = outcomes((culprit) => planted(culprit, 1.2), 0.1);
  const wrong = found.filter(
    ({ culprit, outcome }) => outcome.answer === 'found' && outcome.first !== culprit,
  );
  expect(wrong.length / TIMES).toBeLessThanOrEqual(0.05);
});

const answer = (ratio: number, reach: number, more: Partial<StepAnswer> = {}): StepAnswer => ({
  ratio,
  adjusted: { low: ratio / (1 + reach), high: ratio * (1 + reach), level: 0.95 },
  word: ratio / (1 + reach) > 1 ? 'higher' : 'undecided',
  spread: 0.05,
  n: 20,
  reason: '',
  ...more,
});

const next = (answers: Record<number, Known>): ReturnType<typeof nextOfBisect> =>
  nextOfBisect(NAMES, new Map(Object.entries(answers).map(([at, known]) => [Number(at), known])), {
    margin: MARGIN,
  });

const outcomeOf = (answers: Record<number, Known>): BisectOutcome => {
  const found = next(answers);
  if (!('outcome' in found)) throw new Error('the bisect has not ended');
  return found.outcome;
};

test('the ends run first, then the candidate in the middle, which is bad if it is past half of their difference', () => {
  expect(next({})).toEqual({ step: { candidate: 4, relation: 'stays', size: '', from: 1, to: 4 } });
  expect(next({ 4: answer(1.21, 0.02) })).toEqual({
    step: { candidate: 2, relation: 'rises', size: 'by at least 10%', from: 1, to: 4 },
  });
  expect(next({ 4: answer(0.81, 0.02, { word: 'lower' }) })).toMatchObject({
    step: { relation: 'falls', size: 'by at least 10%' },
  });
});

test('an undecided step makes the answer a range of candidates, and says how many trials would decide', () => {
  expect(next({ 4: answer(1.21, 0.02), 2: answer(1.1, 0.2) })).toMatchObject({ step: { candidate: 1 } });
  const outcome = outcomeOf({
    4: answer(1.21, 0.02),
    2: answer(1.1, 0.2),
    1: answer(1, 0.02),
    3: answer(1.2, 0.02),
  });
  expect(outcome).toMatchObject({ answer: 'cannot tell', why: 'between', from: 2, to: 3 });
  expect(outcome.sentence).toBe(
    'undecided: the first bad one is one of C, D. C against A is +10% (95% interval −8.3% to +32%) after 20 trials of each: the difference is below the noise, where a trial varies by 5%; about 74 trials of each would decide',
  );
});

test('an undecided candidate is skipped if those after it are good', () => {
  expect(
    outcomeOf({ 4: answer(1.21, 0.02), 2: answer(1.1, 0.2), 1: answer(1, 0.02), 3: answer(1, 0.02) }),
  ).toMatchObject({ answer: 'found', first: 4 });
});

test('a candidate that differs from both ends is reported: several candidates changed the metric', () => {
  const outcome = outcomeOf({
    4: answer(1.44, 0.02),
    2: answer(1.2, 0.02),
    1: answer(1, 0.02),
    3: answer(1.4, 0.02),
  });
  expect(outcome.sentence).toContain('C against A is +20%');
  expect(outcome.sentence).toContain(
    'it differs from both ends, so more than one candidate changed the metric',
  );
});

test('a culprit that causes only a part of the difference is reported as such', () => {
  const { sentence } = outcomeOf({ 4: answer(1.44, 0.02), 2: answer(1.14, 0.02), 3: answer(1.26, 0.02) });
  expect(sentence).toContain('D is the first bad one: +26%');
  expect(sentence).toContain('of the difference between the ends, and other candidates the rest');
});

test('candidates that do the same as an end need no step', () => {
  expect(outcomeOf({ 4: answer(1.21, 0.02), 1: 'as good', 2: 'as good', 3: 'as bad' })).toMatchObject({
    answer: 'found',
    first: 3,
  });
  expect(outcomeOf({ 4: 'as good' }).sentence).toBe(
    'undecided: E does the same as A, so no candidate can have changed the metric',
  );
});

test('ends that are the same or undecided end the bisect at once', () => {
  expect(outcomeOf({ 4: answer(1.01, 0.01, { word: 'no difference within the margin' }) }).sentence).toBe(
    'undecided: E does not differ from A by more than the margin of 5%: +1% (95% interval ±0% to +2%)',
  );
  expect(outcomeOf({ 4: answer(1.05, 0.1) }).sentence).toMatch(
    /^undecided: whether E differs from A is undecided after 20 trials of each, \+5% .*: the difference is below the noise, where a trial varies by 5%; about \d+ trials of each would decide$/,
  );
  expect(
    outcomeOf({ 4: answer(1, 0, { ratio: null, adjusted: null, word: 'undecided', reason: 'one trial' }) })
      .sentence,
  ).toBe('undecided: E could not be compared with A (one trial)');
});

describe('the runs between two ends', () => {
  const runs = [
    '20261101-020000-aaaa',
    '20261102-020000-aaaa',
    '20261102-030000-bbbb',
    '20261103-020000-cccc',
  ].map((run) => ({ run }));
  const runsOf = (good: string, bad: string): string[] =>
    runsBetween(runs, { good, bad }).map(({ run }) => run.slice(6));
  const between = (good: string, bad: string) => () => runsOf(good, bad);

  test('include both ends, and an end can be the unambiguous beginning of an id', () => {
    expect(runsOf('20261101', '20261102-03')).toEqual(['01-020000-aaaa', '02-020000-aaaa', '02-030000-bbbb']);
    expect(runsOf('20261102-020000-aaaa', '20261103')).toHaveLength(3);
  });

  test('prefer an exact id over longer ids that begin with it', () => {
    expect(runsBetween([{ run: 'a' }, { run: 'ab' }, { run: 'abc' }], { good: 'a', bad: 'ab' })).toEqual([
      { run: 'a' },
      { run: 'ab' },
    ]);
  });

  test('refuse a beginning that several runs have, and list these runs', () => {
    expect(between('20261101', '20261102')).toThrow(
      '--bad: more than one run of the experiment begins like this (found 20261102; allowed: 20261102-020000-aaaa, 20261102-030000-bbbb)',
    );
    const many = Array.from({ length: 2000 }, (_, at) => ({ run: `2026-${at + 1000}` }));
    expect(() => runsBetween(many, { good: '2026', bad: '2026-1001' })).toThrow(
      '2026-1000, 2026-1001, 2026-1002, 2026-1003, 2026-1004 and 1,995 more',
    );
  });

  test('refuse an unknown run, and ends in the wrong order', () => {
    expect(between('20251101', '20261103')).toThrow(
      '--good: is no completed run of the experiment (found 20251101;',
    );
    expect(between('20261102-03', '20261101')).toThrow(
      '--bad: the good end must be the earlier run (found good 20261102-030000-bbbb, bad 20261101-020000-aaaa; allowed: a run after 20261102-030000-bbbb)',
    );
    expect(between('20261103', '20261103')).toThrow(
      'another --good: this one is the newest run of the experiment',
    );
  });
});
