import type { Figure, Measurement } from './measure';
import { judge, judgeFigure } from './verdict';

const figure = (said: number, truth: number, more: Partial<Figure> = {}): Figure => ({
  of: 'latency',
  key: 'p99',
  said,
  truth,
  ownMs: 0.1,
  doubted: false,
  ...more,
});

const measurement = (figures: Figure[], others = 0, accepted = 100): Measurement =>
  ({
    behaviour: 'constant',
    perSecond: 200,
    figures,
    said: { requests: 100, accepted, rejected: 0 },
    truth: { requests: 100, accepted: 100, rejected: 0 },
    generator: { machine: { others } },
  }) as Measurement;

test('a value is right within 1% or 0.3 ms, or off by as much as it states, or flagged, or wrong', () => {
  expect(judgeFigure(figure(5.2, 5))).toBe('right');
  expect(judgeFigure(figure(1008, 1000))).toBe('right');
  expect(judgeFigure(figure(20.5, 20, { ownMs: 0.4 }))).toBe('stated');
  expect(judgeFigure(figure(9, 5, { ownMs: 4, doubted: true }))).toBe('doubted');
  expect(judgeFigure(figure(20.5, 20))).toBe('wrong');
  // A time that is too short is as wrong as one that is too long.
  expect(judgeFigure(figure(4, 5))).toBe('wrong');
});

test('an instrument whose values are right or flagged is certified', () => {
  const { answer, why } = judge([measurement([figure(5.1, 5), figure(9, 5, { ownMs: 4, doubted: true })])]);
  expect(answer).toBe('certified');
  expect(why).toMatch(/^1 of 2 values are right/);
});

test('an instrument that miscounts, or is far off without a flag, is not certified, even on a busy machine', () => {
  expect(judge([measurement([figure(5, 5)], 0.9, 101)]).answer).toBe('not-certified');
  const far = judge([measurement([figure(9, 5)], 0.9)]);
  expect(far.answer).toBe('not-certified');
  expect(far.why).toMatch(/p99 of latency was reported as 9 ms, but is 5 ms/);
});

test('on a machine that others keep busy, values that cannot be distinguished from that work leave the result open', () => {
  const doubted = figure(9, 5, { ownMs: Infinity, doubted: true });
  expect(judge([measurement([doubted], 0.5)]).answer).toBe('busy');
  expect(judge([measurement([figure(5, 5)], 0.5)]).answer).toBe('certified');
});

test('on a quiet machine, an instrument that adds a tenth to a median of 5 ms is not certified', () => {
  const median = figure(6, 5, { key: 'p50', ownMs: 1, doubted: true });
  expect(judge([measurement([median])]).answer).toBe('not-certified');
});

test('a flagged median prevents the certification only if the instrument adds a tenth to 5 ms or more', () => {
  const median = (said: number, truth: number): Figure =>
    figure(said, truth, { key: 'p50', ownMs: 1, doubted: true });
  // It adds 0.4 ms, less than a tenth of 5 ms, although it reports that it may be more.
  expect(judge([measurement([median(2.4, 2), median(5.4, 5), median(8.6, 8.2)])]).answer).toBe('certified');
  expect(judge([measurement([median(5.6, 5)])]).answer).toBe('not-certified');
  expect(judge([measurement([median(9.1, 8.2)])]).answer).toBe('not-certified');
});

test('responses that came too late are not a miscount, but prevent the certification', () => {
  expect(judge([measurement([figure(5, 5)], 0.9, 90)]).answer).toBe('busy');
  const quiet = judge([measurement([figure(5, 5)], 0, 90)]);
  expect(quiet).toEqual({
    answer: 'not-certified',
    why: '10 responses came too late for the load generator (constant at 200/s)',
  });
});
