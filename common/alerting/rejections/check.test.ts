import type { RuleState } from './evaluate';
import { judgeCheck, windowsOfCheck } from './check';
import { rejectionParamsSchema } from './params';
import { figures } from './testing/made-figures';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const params = rejectionParamsSchema.parse({ warning: 0.1, critical: 0.5, window: '1m' });
const nobody = new Map<string, never>();

const blindSince = (since: Record<string, number>, groups: RuleState['groups'] = {}): RuleState => ({
  groups,
  blindSince: since,
});

describe('the windows of a check', () => {
  const until = (before: RuleState | undefined, now: number, blind: Map<string, never> = nobody) =>
    windowsOfCheck(params, before, now, blind).map(({ from, to }) => [from / MINUTE, to / MINUTE]);

  test('are a single one, unless the data of a group has become complete', () => {
    expect(until(undefined, 10 * MINUTE)).toEqual([[9, 10]]);
    const still = new Map([['a', {} as never]]);
    expect(until(blindSince({ a: 5 * MINUTE }), 10 * MINUTE, still)).toEqual([[9, 10]]);
    expect(until(blindSince({ a: 9.5 * MINUTE }), 10 * MINUTE)).toEqual([[9, 10]]);
  });

  test('extend back without gaps to the time since which data was incomplete', () => {
    expect(until(blindSince({ a: 8 * MINUTE, b: 7.5 * MINUTE }), 10 * MINUTE)).toEqual([
      [7, 8],
      [8, 9],
      [9, 10],
    ]);
  });

  test('are longer if there would be too many, and cover at most the last day', () => {
    const hour = until(blindSince({ a: 10 * HOUR }), 11 * HOUR + MINUTE);
    expect(hour).toHaveLength(13);
    expect(hour[0]).toEqual([600, 605]);
    expect(until(blindSince({ a: 0 }), 100 * HOUR)[0]![0]).toBeCloseTo(76 * 60, 6);
  });
});

test('the worst window of a group whose data has become complete is reported with its times, and remembered', () => {
  const before = blindSince({ a: 0 }, { a: { name: 'A', level: 'nodata', seen: 0, judged: 0 } });
  const windows = windowsOfCheck(params, before, 3 * MINUTE, nobody);
  const found = [
    [figures(0.2), figures(0.9, { group: 'b' })],
    [figures(0.7)],
    [figures(0), figures(0, { group: 'b' })],
  ];
  const { judgements, state } = judgeCheck(params, windows, found, before, nobody);
  expect(judgements).toMatchObject([
    {
      group: 'a',
      level: 'critical',
      was: 'nodata',
      at: { from: MINUTE, to: 2 * MINUTE },
      figures: { rejected: 700 },
    },
    // Group b was judged in time, so its level does not change.
    { group: 'b', level: 'ok' },
  ]);
  expect(state).toMatchObject({ groups: { a: { level: 'critical' } } });
  expect(state.blindSince).toBeUndefined();
});

test('a group whose runs have ended in the meantime is reported too', () => {
  const before = blindSince({ a: 0 });
  const windows = windowsOfCheck(params, before, 2 * MINUTE, nobody);
  const { judgements, state } = judgeCheck(params, windows, [[figures(0.2)], []], before, nobody);
  expect(judgements).toMatchObject([{ group: 'a', level: 'warning', was: 'ok', at: { from: 0 } }]);
  expect(state.groups['a']).toMatchObject({ level: 'warning' });
});

test('the time since which the data of a group is incomplete is kept', () => {
  const check = (before: RuleState | undefined, now: number, since: number) =>
    judgeCheck(
      params,
      [{ from: now - MINUTE, to: now }],
      [[]],
      before,
      new Map([['a', { name: 'A', since }]]),
    );
  const first = check(undefined, 2 * MINUTE, MINUTE);
  const second = check(first.state, 3 * MINUTE, 2 * MINUTE);
  expect(second.state.blindSince).toEqual({ a: MINUTE });
  expect(second.judgements).toMatchObject([{ group: 'a', level: 'nodata', ground: 'waiting' }]);
});
