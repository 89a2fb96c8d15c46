import { evaluate, EVERYTHING, worstFirst, type Level, type RuleState } from './evaluate';
import type { WindowFigures } from './figures';
import { rejectionParamsSchema, type RejectionParamsInput } from './params';
import { figures } from './testing/made-figures';

const MINUTE = 60_000;

const params = (given: RejectionParamsInput = {}) =>
  rejectionParamsSchema.parse({ warning: 0.1, critical: 0.5, window: '1m', ...given });

/** Returns the level of group `a` after each check, one a minute. Null is a window without data. */
function levels(checks: (WindowFigures | null)[], given: RejectionParamsInput = {}): Level[] {
  let state: RuleState | undefined;
  return checks.map((check, minute) => {
    const verdict = evaluate(params(given), check === null ? [] : [check], state, minute * MINUTE);
    state = JSON.parse(JSON.stringify(verdict.state)) as RuleState;
    return verdict.judgements.find(({ group }) => group === 'a')?.level ?? 'ok';
  });
}

const ofRates = (rates: number[], given?: RejectionParamsInput): Level[] =>
  levels(
    rates.map((rate) => figures(rate)),
    given,
  );

describe('hysteresis', () => {
  test.each<[string, number[], Level[], RejectionParamsInput]>([
    ['a level begins at its threshold', [0.099, 0.1, 0.5], ['ok', 'warning', 'critical'], {}],
    [
      'a warning continues down to half of its threshold',
      [0.1, 0.05, 0.049],
      ['warning', 'warning', 'ok'],
      {},
    ],
    ['half of it alone does not cause a warning', [0.05, 0.09], ['ok', 'ok'], {}],
    [
      'a critical level continues in the same way',
      [0.5, 0.25, 0.24],
      ['critical', 'critical', 'warning'],
      {},
    ],
    ['from critical to fine at once', [0.6, 0.01], ['critical', 'ok'], {}],
    ['from critical to warning down to half of its threshold', [0.6, 0.06], ['critical', 'warning'], {}],
    [
      'a recovery of 0 waits for the last rejection',
      [0.1, 0.001, 0],
      ['warning', 'warning', 'ok'],
      { recovery: 0 },
    ],
    [
      'a recovery just below the warning holds nearly nothing',
      [0.1, 0.098, 0.5, 0.48],
      ['warning', 'ok', 'critical', 'warning'],
      { recovery: 0.099 },
    ],
    [
      'around a threshold it changes once',
      [0.1, 0.09, 0.11, 0.08, 0.1],
      ['warning', 'warning', 'warning', 'warning', 'warning'],
      {},
    ],
  ])('%s', (_, rates, expected, given) => expect(ofRates(rates, given)).toEqual(expected));
});

describe('too few attempts', () => {
  const few = figures(1, { attempted: 99 });
  test('are not judged', () => expect(levels([few])).toEqual(['ok']));
  test('the minimum is judged', () => expect(levels([figures(1, { attempted: 100 })])).toEqual(['critical']));
  test('keep a level for three windows, and then end it', () =>
    expect(levels([figures(0.6), few, few, few, few])).toEqual([
      'critical',
      'critical',
      'critical',
      'ok',
      'ok',
    ]));
  test('a judgement in between restarts the count', () =>
    expect(levels([figures(0.6), few, figures(0.6), few, few, few])).toEqual([
      ...(['critical', 'critical', 'critical', 'critical', 'critical'] as const),
      'ok',
    ]));
  test('an idle node does not stay critical', () => {
    const idle = figures(0, { attempted: 0 });
    expect(levels([figures(0.6), idle, idle, idle])).toEqual(['critical', 'critical', 'critical', 'ok']);
  });
});

describe('intentional rejections', () => {
  const silent = figures(0, { attempted: 0, silenced: 5000 });
  test('raise no alert', () => expect(levels([silent, silent])).toEqual(['ok', 'ok']));
  test('keep a level as long as they continue', () =>
    expect(levels([figures(0.2), silent, silent, silent, silent, silent])).toEqual(Array(6).fill('warning')));
  test('do not hide other rejections at the same time', () =>
    expect(levels([figures(0.6, { silenced: 5000 })])).toEqual(['critical']));
  test('are reported as such', () => {
    const { judgements } = evaluate(params(), [silent], undefined, 0);
    expect(judgements).toMatchObject([{ ground: 'silenced', level: 'ok' }]);
  });
});

describe('without data', () => {
  test('an alert ends, and no other alert is raised', () => {
    expect(levels([figures(0.6), null])).toEqual(['critical', 'ok']);
    expect(evaluate(params(), [], undefined, 0).judgements).toEqual([]);
  });

  test('a missing group raises an alert if the rule asks for that, which ends when data returns', () =>
    expect(levels([figures(0), null, null, figures(0)], { noData: 'alert' })).toEqual([
      'ok',
      'nodata',
      'nodata',
      'ok',
    ]));

  test('a group that returns with many rejections is judged at once', () =>
    expect(levels([figures(0), null, figures(0.6)], { noData: 'alert' })).toEqual([
      'ok',
      'nodata',
      'critical',
    ]));

  test('a group without data for a day is forgotten', () => {
    const asked = params({ noData: 'alert' });
    const first = evaluate(asked, [figures(0)], undefined, 0);
    const day = 24 * 60 * MINUTE;
    const missed = evaluate(asked, [], first.state, day - 1);
    expect(missed.judgements).toMatchObject([{ group: 'a', level: 'nodata' }]);
    const forgotten = evaluate(asked, [figures(0, { group: 'b' })], missed.state, day);
    expect(forgotten.judgements).toMatchObject([
      { group: 'b', level: 'ok' },
      { group: 'a', level: 'ok' },
    ]);
    expect(Object.keys(forgotten.state.groups)).toEqual(['b']);
  });

  test('a rule that has never found data reports that, until there is data', () => {
    const asked = params({ noData: 'alert' });
    const first = evaluate(asked, [], undefined, 0);
    expect(worstFirst(first.judgements)).toMatchObject([{ group: EVERYTHING, level: 'nodata' }]);
    const second = evaluate(asked, [figures(0)], first.state, MINUTE);
    expect(second.judgements).toContainEqual(
      expect.objectContaining({ group: EVERYTHING, level: 'ok', was: 'nodata' }),
    );
    expect(Object.keys(second.state.groups)).toEqual(['a']);
  });
});

test('each group is judged separately, and the worst alerts are first', () => {
  const found = [
    figures(0.2, { group: 'mild' }),
    figures(0.9, { group: 'worst' }),
    figures(0, { group: 'well' }),
    figures(0.6, { group: 'bad' }),
  ];
  const verdict = evaluate(params(), found, undefined, 0);
  expect(worstFirst(verdict.judgements).map(({ group, level }) => `${group} ${level}`)).toEqual([
    'worst critical',
    'bad critical',
    'mild warning',
    'well ok',
  ]);
  expect(Object.keys(verdict.state.groups)).toEqual(['mild', 'worst', 'bad']);
});
