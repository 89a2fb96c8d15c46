import type { RegressionContext } from '../../../common/alerting/regressions/context';
import type { RegressionParams, RegressionParamsInput } from '../../../common/alerting/regressions/params';
import { madeHistoryRuns } from '../../../common/history/testing/made-history';
import { historyMemory } from '../../results/history-memory';
import { fakeHistories, type FakeHistories } from '../../results/testing/fake-histories';
import type { KibanaElasticsearchClient } from '../sdk';
import { regressions } from './regressions';
import { kibanaRuleType } from './adapter';
import type { RuleType } from './sdk';
import { checkRuleType, fakeRule, type Checked } from './testing/fake-alerting';

const EXPERIMENT = { id: 'searches', name: 'Searches' };
const ALERT = 'searches/search.latency.p95/index.settings.number_of_shards=5';
const WATCHED = { experiment: EXPERIMENT.id, metrics: ['search.latency.p95'] };
const ONE_MORE_HOUR = 3_600_000;

/** History of an experiment with 50 runs. In runs 20 to 29, searches are slower with the second combination of factor levels. */
const HISTORY_RUNS = madeHistoryRuns({
  runs: 50,
  factor: (run, cell) => (cell === 1 && run >= 20 && run < 30 ? 1.2 : 1),
  place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2' }),
});

const unused: KibanaElasticsearchClient = {
  transport: { request: () => Promise.reject(new Error('the results lie elsewhere')) },
};

const typeFor = ({ client }: FakeHistories): RuleType<RegressionParams, RegressionContext> =>
  kibanaRuleType('dyno.experimentRegression', regressions, () => ({
    resultsOf: () => client,
    urlOf: (space, path) => `http://kibana/${space}${path}`,
    waitingSamples: () => Promise.resolve([]),
    histories: historyMemory(),
  }));

/** Creates a rule that is checked an hour after each run. */
function checking(version: 'old' | 'new', params: RegressionParamsInput = WATCHED, limit?: number) {
  const cluster = fakeHistories(EXPERIMENT, []);
  const check = fakeRule(typeFor(cluster), params, version, limit);
  return {
    cluster,
    after: (count: number, later = ONE_MORE_HOUR): Promise<Checked<RegressionContext>> => {
      cluster.runs.splice(0, Infinity, ...HISTORY_RUNS.slice(0, count));
      return check({ at: new Date(Date.parse(HISTORY_RUNS[count - 1]!.at) + later), client: unused });
    },
  };
}

test('Kibana accepts the rule type', () =>
  expect(() => checkRuleType(typeFor(fakeHistories(EXPERIMENT, [])))).not.toThrow());

test('a rule with wrong parameters is refused, with every path', () => {
  const validate = (params: unknown): unknown =>
    typeFor(fakeHistories(EXPERIMENT, [])).validate.params.validate(params);
  expect(() => validate({ least: -1, since: 'yesterday' })).toThrow(/experiment: .*least: .*since: /s);
  expect(validate({ experiment: 'searches' })).toMatchObject({ direction: 'worse', confirm: 3 });
});

test.each(['old', 'new'] as const)(
  'in an %s Kibana a regression alerts until the series recovers',
  async (version) => {
    const { after } = checking(version);
    expect(await after(20)).toEqual({ active: {}, recovered: {} });
    const alerts = await after(25);
    expect(alerts.active[ALERT]).toMatchObject({
      group: 'regression',
      context: {
        reason: expect.stringMatching(
          /^Regression of Searches: since 2026-11-21, .*9\.5\.3.*, worse$/,
        ) as string,
        sinceRun: 'run-20',
        beforeRun: 'run-19',
        cellName: 'number_of_shards=5',
        sinceLink: 'http://kibana/default/runs/run-20/result',
      },
    });
    // The alert is reported at every check while it lasts, whether a new run has ended or not, because Kibana counts an alert that is not
    // reported as recovered.
    expect(Object.keys((await after(25, 2 * ONE_MORE_HOUR)).active)).toEqual([ALERT]);
    expect(Object.keys((await after(30)).active)).toEqual([ALERT]);
    const { active, recovered } = await after(36);
    expect(active).toEqual({});
    expect(recovered[ALERT]).toMatchObject({
      ...{ level: 'ok', kind: 'recovery', sinceRun: 'run-30' },
      reason: expect.stringMatching(/^Recovered: Searches, since 2026-12-01: .*, recovered$/) as string,
    });
  },
);

test('a missing run raises an alert of the experiment, which recovers with the next run', async () => {
  const { after } = checking('new', { ...WATCHED, noNightFor: '30h' });
  expect((await after(15)).active).toEqual({});
  expect((await after(15, 31 * ONE_MORE_HOUR)).active).toMatchObject({
    searches: {
      group: 'nodata',
      context: { reason: 'No data: no run of Searches since 2026-11-15 02:00 UTC, longer than 30h' },
    },
  });
  const { active, recovered } = await after(16);
  expect(active).toEqual({});
  expect(recovered['searches']!.reason).toBe('Recovered: a run of Searches came at 2026-11-16 02:00 UTC');
});

test('an experiment that has not run yet raises only the alert of a missing run', async () => {
  const check = fakeRule(typeFor(fakeHistories(EXPERIMENT, [])), { ...WATCHED, noNightFor: '30h' }, 'new');
  const { active } = await check({ at: new Date(), client: unused });
  expect(active['searches']!.context.reason).toBe('No data: no run of searches has completed yet');
});

test('a metric that no run has fails the check: such a rule would be silent forever', async () => {
  const { after } = checking('new', { experiment: EXPERIMENT.id, metrics: ['search.latency.p50'] });
  await expect(after(20)).rejects.toThrow('no run of Searches has this metric in this cell');
});

test('alerts beyond Kibana’s limit are left out', async () => {
  const { after } = checking('new', { experiment: EXPERIMENT.id }, 1);
  expect(Object.keys((await after(26)).active)).toHaveLength(1);
});

test('it reads only its own space', async () => {
  const cluster = fakeHistories(EXPERIMENT, HISTORY_RUNS.slice(0, 10));
  await fakeRule(typeFor(cluster), WATCHED, 'new')({ at: new Date(), client: unused, spaceId: 'team' });
  expect(JSON.stringify(cluster.requests)).toContain('{"term":{"experiment.space":"team"}}');
});

test('View in app opens the history', () => {
  const { getViewInAppRelativeUrl: view } = typeFor(fakeHistories(EXPERIMENT, []));
  expect(view({ rule: { params: { experiment: 'shards & more' } as RegressionParams } })).toBe(
    '/app/dyno/experiments/shards%20%26%20more/history',
  );
});
