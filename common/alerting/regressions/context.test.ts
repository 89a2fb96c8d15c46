import { buildHistory } from '../../history/history';
import { madeHistoryRuns } from '../../history/testing/made-history';
import { CONTEXT_VARIABLES, contextOf, type Links } from './context';
import { evaluate, worstFirst } from './evaluate';
import { historyPath, resultPath } from './links';
import { regressionParamsSchema } from './params';
import { EXPERIMENT_REGRESSION } from './texts';

const params = regressionParamsSchema.parse({
  experiment: 'search es',
  metrics: ['search.latency.p95'],
  noNightFor: '36h',
});
const history = buildHistory(
  {
    experiment: { id: 'search es', name: 'Searches' },
    runs: madeHistoryRuns({
      runs: 30,
      factor: (run, cell) => (run >= 20 && cell === 1 ? 1.2 : 1),
      place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2' }),
    }),
  },
  { metrics: params.metrics },
);
const links: Links = {
  history: (...given) => `http://kibana/app/dyno${historyPath(...given)}`,
  result: (run) => `http://kibana/app/dyno${resultPath(run)}`,
};
const judged = worstFirst(evaluate(history, params, Date.parse(history.nights.at(-1)!.at)));

test('an alert says since when, by how much, what changed with it, and where to look', () => {
  expect(contextOf(judged[0]!, history, params, links)).toMatchObject({
    reason: expect.stringMatching(
      /^Regression of Searches: since 2026-11-21, Elasticsearch 9\.5\.3: search response time p95 with number_of_shards=5 \+\S+%, 95% interval \+\S+% to \+\S+%, worse$/,
    ) as string,
    level: 'regression',
    metric: 'search.latency.p95',
    cellName: 'number_of_shards=5',
    since: '2026-11-21T02:00:00.000Z',
    sinceRun: 'run-20',
    sinceLink: 'http://kibana/app/dyno/runs/run-20/result',
    beforeRun: 'run-19',
    change: expect.stringMatching(/^\+(19|2\d)(\.\d)?%$/) as string,
    interval: expect.stringMatching(/^\+\S+% to \+\S+%$/) as string,
    levelBefore: expect.stringMatching(/ms$/) as string,
    cause: expect.stringMatching(/^Changed in the same run: Elasticsearch .*9\.5\.3/) as string,
    margin: '+5%',
    nights: 30,
    link: 'http://kibana/app/dyno/experiments/search%20es/history?series=search.latency.p95&of=index.settings.number_of_shards%3D5',
  });
});

test('the alert about missing runs has no series, and no change', () => {
  const noRuns = judged.find(({ series }) => series === null)!;
  expect(contextOf(noRuns, history, params, links)).toMatchObject({
    ...{ level: 'ok', metric: '', change: '', sinceLink: '', ratio: '', cause: '' },
    link: 'http://kibana/app/dyno/experiments/search%20es/history',
  });
});

test('every documented variable has a value, and every variable in a message is documented', () => {
  const names = CONTEXT_VARIABLES.map(({ name }) => name);
  for (const judgement of judged)
    expect(Object.keys(contextOf(judgement, history, params, links))).toEqual(names);
  const { message, recoveryMessage } = EXPERIMENT_REGRESSION;
  for (const [, name] of `${message}${recoveryMessage}`.matchAll(/\{\{context\.(\w+)\}\}/g))
    expect(names).toContain(name);
});
