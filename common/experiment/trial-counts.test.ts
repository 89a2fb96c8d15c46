import { readDefinition } from './read';
import { makePlan } from './plan';
import { mostTrials, trialsText, untilDecided } from './trial-counts';

const define = (more: object): ReturnType<typeof readDefinition> =>
  readDefinition({
    version: 1,
    name: 'Refresh',
    expect: ['ingest.throughput rises with index.settings.refresh_interval'],
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    factors: { 'index.settings.refresh_interval': ['1s', '30s'] },
    trials: { 'until-decided': {} },
    ...more,
  });

test('the defaults are at least three and at most twenty repetitions', () => {
  const { trials } = define({});
  expect(untilDecided(trials)).toEqual({ least: 3, most: 20 });
  expect([mostTrials(trials), trialsText(trials)]).toEqual([20, '3 to 20 trials']);
  expect(makePlan(define({})).trials).toHaveLength(40);
});

test('a number stays a number', () => {
  const { trials } = define({ trials: 5 });
  expect([untilDecided(trials), mostTrials(trials), trialsText(trials)]).toEqual([null, 5, '5 trials']);
});

test.each([
  ['no claim', { expect: [] }, 'trials.until-decided: there is nothing to decide'],
  ['one cell after another', { order: 'sequential' }, 'cannot be compared after each repetition'],
  ['most below least', { trials: { 'until-decided': { least: 9, most: 5 } } }, 'most: is less than “least”'],
  [
    'fewer than three',
    { trials: { 'until-decided': { least: 2 } } },
    'least: out of range (found 2; allowed: at least 3)',
  ],
  ['an unknown key', { trials: { 'until-sure': {} } }, 'trials.until-sure: unknown key'],
  [
    'several environments',
    {
      factors: { 'environment.disk': ['ssd', 'hdd'] },
      expect: ['ingest.throughput rises with environment.disk'],
    },
    'cells of several environments run one after another',
  ],
])('%s is refused', (_, more, message) => {
  expect(() => define(more)).toThrow(message);
});
