import { regressionParamsSchema, type RegressionParamsInput } from './params';

test('with only an experiment, it watches all its series for changes for the worse', () => {
  expect(regressionParamsSchema.parse({ experiment: 'searches' })).toEqual({
    ...{ experiment: 'searches', metrics: [], cells: [], direction: 'worse', confirm: 3, silent: 'nothing' },
  });
});

test.each<[string, object, string]>([
  ['no experiment', { experiment: '' }, 'experiment'],
  ['a metric that claims could not name', { metrics: ['fast'] }, 'metrics.0'],
  ['a magnitude of nothing', { least: 0 }, 'least'],
  ['fewer runs than the analysis asks for', { confirm: 2 }, 'confirm'],
  ['half a run', { confirm: 3.5 }, 'confirm'],
  ['a silence of minutes', { noNightFor: '30m' }, 'noNightFor'],
  ['a silence that is not a duration', { noNightFor: 'a day' }, 'noNightFor'],
  ['an invalid day', { since: '2026-02-30' }, 'since'],
  ['an unknown key', { threshold: 3 }, ''],
])('%s is refused, with its path', (_, given, path) => {
  const { error } = regressionParamsSchema.safeParse({
    experiment: 'searches',
    ...given,
  } as RegressionParamsInput);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test.each(['2026-11-21', '2026-11-21T02:00:00Z', '2026-11-21T02:00:00+01:00'])('%s is a time', (since) => {
  expect(regressionParamsSchema.parse({ experiment: 'searches', since })).toMatchObject({ since });
});
