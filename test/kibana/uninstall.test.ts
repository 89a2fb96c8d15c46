/** Tests Kibana after the plugin was removed, and the plugin after it was installed again. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Dashboards } from '../../common/api/dashboards';
import type { Experiment } from '../../common/api/experiments';
import type { RunDetail, RunSummary } from '../../common/api/runs';
import type { Target } from '../../common/api/targets';
import { openChromium } from '../browser/support/chromium';
import { until } from '../support/until';
import { ask, askElasticsearch, base, describeWithElasticsearch, logIn } from './support/kibana';
import { createRule, type WatchedRule } from './support/rules';

/**
 * Path of a program that the environment provides. Called with `remove` or `install`, it stops Kibana, removes or installs the plugin with
 * Kibana's own installer, and starts Kibana again. It ends when Kibana is available.
 */
const SWITCH = process.env['KIBANA_SWITCH'];
const SWITCHING_MS = 900_000;

const API = '/api/dyno';

const TEXT = `version: 1
name: Outlives the plugin
target: local
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 200 } }
    executor: { constant-clients: { clients: 1 } }
measure: { warmup: 1s, duration: 3s }
trials: 1
schedule: 'every 1m'
`;

const TARGET = {
  id: 'outlives',
  title: 'Outlives the plugin',
  hosts: ['http://127.0.0.1:9'],
  credentials: { kind: 'basic', username: 'elastic', password: 'geheim' },
  ca: null,
  verifyCertificates: true,
};

interface KibanaStatus {
  status: { overall: { level: string }; plugins: Record<string, { level: string }> };
}

interface Rule {
  execution_status: { status: string; last_execution_date: string };
}

async function switchPlugin(step: 'remove' | 'install'): Promise<void> {
  await promisify(execFile)(SWITCH!, [step], { timeout: SWITCHING_MS });
}

const runsOf = async (experiment: string): Promise<RunSummary[]> =>
  (await ask<{ runs: RunSummary[] }>('GET', `${API}/runs?experiment=${experiment}`)).body.runs;

(SWITCH ? describeWithElasticsearch : describe.skip)('Removing Dyno from Kibana', () => {
  let experiment: Experiment;
  let run: string;
  let dashboards: Dashboards['dashboards'];
  let rule: WatchedRule;
  let back = '';

  beforeAll(async () => {
    ({ body: experiment } = await ask<Experiment>('POST', `${API}/experiments`, { text: TEXT }));
    await ask('DELETE', `${API}/targets/${TARGET.id}`);
    expect((await ask('POST', `${API}/targets`, TARGET)).status).toBe(201);
    ({ dashboards } = (await ask<Dashboards>('POST', `${API}/dashboards`, { replace: [] })).body);
    rule = await createRule('uninstall', { window: '1m', experiments: [experiment.id] });
    const started = await ask<{ run: string }>('POST', `${API}/experiments/${experiment.id}/run`);
    ({ run } = started.body);
    await until('the run’s end', async () => {
      const { body } = await ask<RunDetail>('GET', `${API}/runs/${run}`);
      return body.run.run.state === 'completed' ? true : undefined;
    });
  }, 180_000);

  afterAll(async () => {
    await rule?.remove();
    await ask('DELETE', `${API}/targets/${TARGET.id}`);
    await ask('DELETE', `${API}/experiments/${experiment.id}?runs=delete`);
  });

  test(
    'Kibana starts without it, works normally, and keeps Dyno’s data',
    async () => {
      await switchPlugin('remove');
      const { body } = await ask<KibanaStatus>('GET', '/api/status');
      expect(body.status.overall.level).toBe('available');
      expect(Object.keys(body.status.plugins)).not.toContain('dyno');
      expect((await ask('GET', `${API}/runs`)).status).toBe(404);
      for (const { id } of dashboards)
        expect((await ask('GET', `/api/saved_objects/dashboard/${id}`)).status).toBe(200);
      const kept = await askElasticsearch<{ hits: { total: { value: number } } }>(
        'POST',
        '/dyno-runs-*/_search',
        { size: 0, query: { term: { 'run.id': run } } },
      );
      expect(kept.body.hits.total.value).toBe(1);
      const { browser, context } = await openChromium();
      try {
        const page = await (await context()).newPage();
        await logIn(page);
        for (const app of ['home', 'management/insightsAndAlerting/triggersActions/rules']) {
          await page.goto(`${base()}/app/${app}`, { waitUntil: 'domcontentloaded' });
          await page.locator('h1').first().waitFor({ timeout: 90_000 });
        }
      } finally {
        await browser.close();
      }
    },
    SWITCHING_MS + 120_000,
  );

  test(
    'after a new installation it finds experiments, targets, results and dashboards',
    async () => {
      back = new Date().toISOString();
      await switchPlugin('install');
      const found = await ask<Experiment>('GET', `${API}/experiments/${experiment.id}`);
      expect(found).toMatchObject({ status: 200, body: { text: experiment.text } });
      const { body: detail } = await ask<RunDetail>('GET', `${API}/runs/${run}`);
      expect(detail.run).toMatchObject({ run: { state: 'completed' }, experiment: { id: experiment.id } });
      const { body: known } = await ask<{ targets: Target[] }>('GET', `${API}/targets`);
      expect(known.targets.find(({ id }) => id === TARGET.id)).toMatchObject({
        title: TARGET.title,
        hosts: TARGET.hosts,
        credentials: { kind: 'basic', username: 'elastic' },
      });
      const { body: listing } = await ask<Dashboards>('GET', `${API}/dashboards`);
      expect(listing.dashboards).toEqual(dashboards);
    },
    SWITCHING_MS,
  );

  test('its schedules and rules continue', async () => {
    const scheduled = await until(
      'a run by the schedule',
      async () =>
        (await runsOf(experiment.id)).find(
          (found) => found.started > back && found.id !== run && found.state === 'completed',
        ),
      180_000,
    );
    const { body: detail } = await ask<RunDetail>('GET', `${API}/runs/${scheduled.id}`);
    expect(detail.run.events[0]!.message).toBe('asked for by its schedule');
    await until('the rule', async () => {
      const { body } = await ask<Rule>('GET', `/api/alerting/rule/${rule.id}`);
      const { status, last_execution_date } = body.execution_status;
      return last_execution_date > back && ['ok', 'active'].includes(status) ? true : undefined;
    });
  }, 300_000);
});
