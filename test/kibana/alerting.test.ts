/** Tests the rule for the bulk rejection rate in a real Kibana: an alert starts, changes its level, recovers, and states the reason. */
import type { Page } from 'playwright-core';
import type { RulePast } from '../../common/api/rules';
import type { RunDetail } from '../../common/api/runs';
import { installTemplates } from '../../server/results/templates';
import { aSample } from '../../server/results/testing/made-documents';
import { openChromium, picture, type Opened } from '../browser/support/chromium';
import { until } from '../support/until';
import {
  ask,
  askElasticsearch,
  base,
  describeKibana,
  describeWithElasticsearch,
  logIn,
} from './support/kibana';
import { createRule, type AlertMessage, type WatchedRule } from './support/rules';

/** URL of an Elasticsearch that rejects bulks because its write queue is small, as with `thread_pool.write.queue_size: 4`. */
const SMALL_QUEUE = process.env['SMALL_QUEUE_URL'];

const QUEUE =
  'rejected execution of TimedRunnable{x} on TaskExecutionTimeTrackingEsThreadPoolExecutor[name = n/write, queue capacity = 4]';

let rules: WatchedRule[] = [];
const rule = async (...given: Parameters<typeof createRule>): Promise<WatchedRule> => {
  const made = await createRule(...given);
  rules.push(made);
  return made;
};
afterEach(async () => {
  for (const made of rules) await made.remove();
  rules = [];
});

describeKibana('The rule type of Dyno in Kibana', () => {
  test('invalid parameters are refused, each with its path', async () => {
    const { status, body } = await ask<{ message: string }>('POST', '/api/alerting/rule', {
      name: 'Wrong',
      rule_type_id: 'dyno.bulkRejectionRate',
      consumer: 'alerts',
      schedule: { interval: '1m' },
      notify_when: 'onActionGroupChange',
      params: { warning: 0.5, critical: 0.1, groupBy: 'node' },
      actions: [],
    });
    expect(status).toBe(400);
    expect(body.message).toContain('critical:');
    expect(body.message).toContain('groupBy:');
  });
});

describeKibana('The form of a new rule in Kibana', () => {
  const NAME = 'Watched by a rule';
  let opened: Opened;
  let page: Page;
  let id: string;

  interface Found {
    data: { id: string; params: { experiments?: string[] } }[];
  }
  const saved = async (): Promise<Found['data']> =>
    (
      await ask<Found>(
        'GET',
        `/api/alerting/rules/_find?search_fields=name&search=${encodeURIComponent(`"${NAME}"`)}`,
      )
    ).body.data;
  const removeRules = async (): Promise<void> => {
    for (const found of await saved()) await ask('DELETE', `/api/alerting/rule/${found.id}`);
  };

  beforeAll(async () => {
    await removeRules();
    const text = `version: 1\nname: ${NAME}\ntasks:\n  - name: ingest\n    ingest: { source: { generator: systembase } }\n`;
    ({ id } = (await ask<{ id: string }>('POST', '/api/dyno/experiments', { text })).body);
    opened = await openChromium();
    page = await (await opened.context({ width: 1600 })).newPage();
    await logIn(page);
  });
  afterAll(async () => {
    await opened?.browser.close();
    await removeRules();
    await ask('DELETE', `/api/dyno/experiments/${id}`);
  });

  test('keeps the experiment of the page that opened it, although Kibana mounts the form more than once', async () => {
    await page.goto(`${base()}/app/dyno/runs?experiment=${id}`, { waitUntil: 'domcontentloaded' });
    await page.getByRole('link', { name: 'Alert on rejections' }).first().click({ timeout: 60_000 });
    await page.waitForURL(/triggersActions\/rule/);
    if (!page.url().includes('/rule/create/')) {
      const hint = page
        .locator('.euiToast')
        .filter({ hasText: 'Click Create rule, then choose Bulk rejection rate' });
      await hint.waitFor({ timeout: 60_000 });
      await hint.locator('[data-test-subj="toastCloseButton"]').click();
      await page
        .locator('[data-test-subj="createFirstRuleButton"], [data-test-subj="createRuleButton"]')
        .first()
        .click({ timeout: 60_000 });
      await page.locator('[data-test-subj="dyno.bulkRejectionRate-SelectOption"]').click({ timeout: 60_000 });
    }
    await page.getByText('Add one action for each level that should notify you').waitFor({ timeout: 60_000 });
    // The experiment must be preselected before anything is typed.
    await page.getByText(NAME, { exact: true }).first().waitFor();
    await picture(page, 'kibana-new-rule');
    await page
      .locator('[data-test-subj="ruleNameInput"], [data-test-subj="ruleDetailsNameInput"]')
      .first()
      .fill(NAME);
    await page
      .locator('[data-test-subj="saveRuleButton"], [data-test-subj="rulePageFooterSaveButton"]')
      .first()
      .click();
    // Kibana asks for confirmation because the rule has no actions.
    await page
      .locator(
        '[data-test-subj="confirmModalConfirmButton"], [data-test-subj="confirmCreateRuleModal"] button >> nth=-1',
      )
      .first()
      .click();
    const [rule] = await until('the rule', async () => {
      const found = await saved();
      return found.length > 0 ? found : undefined;
    });
    expect(rule!.params).toMatchObject({ experiments: [id] });
  });
});

describeWithElasticsearch('Alerts of Dyno in Kibana', () => {
  const experiment = { id: 'alerting-test', name: 'Alerting test', target: 'local' };

  /** Stores results of the last three seconds, as a run would. In each second, `rejected` of `attempted` documents were rejected. */
  async function samples(rejected: number, more: object = {}, attempted = 1000): Promise<void> {
    const now = Date.now();
    const lines = Array.from({ length: 3 }, (_, second) => {
      const whole = aSample('alerting-run', 'alerting-run-0', second);
      return JSON.stringify({
        ...whole,
        '@timestamp': new Date(now - second * 1000).toISOString(),
        experiment: { ...experiment, ...more },
        counts: { ...whole.counts, attempted, rejected, accepted: attempted - rejected, failed: 0 },
        failures:
          rejected === 0 ? {} : { es_rejected_execution_exception: { count: rejected, example: QUEUE } },
      });
    });
    const month = new Date(now).toISOString().slice(0, 7).replace('-', '.');
    const body = lines.map((line) => `{"create":{}}\n${line}\n`).join('');
    const answer = await askElasticsearch<{ errors: boolean }>(
      'POST',
      `/dyno-samples-${month}/_bulk?refresh=true`,
      body,
    );
    expect(answer).toMatchObject({ status: 200, body: { errors: false } });
  }

  const forget = async (): Promise<void> => {
    const query = { term: { 'experiment.id': experiment.id } };
    const found = await askElasticsearch<{ hits?: { hits: { _index: string; _id: string }[] } }>(
      'POST',
      '/dyno-samples-*/_search?ignore_unavailable=true&size=1000',
      { query },
    );
    for (const { _index, _id } of found.body.hits?.hits ?? [])
      await askElasticsearch('DELETE', `/${_index}/_doc/${encodeURIComponent(_id)}?refresh=true`);
  };
  beforeAll(() =>
    installTemplates({
      request: async ({ method, path, body }) => (await askElasticsearch(method, path, body)) as never,
    }),
  );
  beforeEach(forget);
  afterAll(forget);

  /**
   * Stores results as a running run does, until the alert rule has sent `messages` messages. Returns the messages. New results are stored
   * all the time, because Kibana may check late and the rule only reads a recent time window.
   */
  async function whileMeasuring(
    made: WatchedRule,
    messages: number,
    rejected: number,
    more: object = {},
    attempted = 1000,
  ): Promise<AlertMessage[]> {
    const begun = Date.now();
    for (let sent = await made.messages(); ; sent = await made.messages()) {
      if (sent.length >= messages) return sent;
      if (Date.now() - begun > 90_000) throw new Error(`${sent.length} of ${messages} messages after 90 s`);
      await samples(rejected, more, attempted);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }

  const watch = { window: '10s', warning: 0.1, critical: 0.5, experiments: [experiment.id] };

  test('a rule reports warning, critical and recovered once each, with numbers, cause and link', async () => {
    const made = await rule('alerting-levels', watch);
    await samples(0);
    await whileMeasuring(made, 1, 200);
    // The level stays the same, so the rule sends nothing.
    await samples(120);
    await whileMeasuring(made, 2, 900);
    // With this many documents, no window that includes earlier rejections is at the warning level.
    const sent = await whileMeasuring(made, 3, 0, {}, 1_000_000);
    expect(sent.map(({ actionGroup }) => actionGroup)).toEqual(['warning', 'critical', 'recovered']);
    expect(sent[0]).toMatchObject({
      alert: experiment.id,
      group: experiment.name,
      level: 'warning',
      previousLevel: 'ok',
      cause: 'full write queue',
      causeKind: 'write-queue',
      warningThreshold: '10%',
      recoveryThreshold: '5%',
      run: 'alerting-run',
      window: '10s',
    });
    expect(sent[0]!.link).toMatch(/\/app\/dyno\/runs\/alerting-run$/);
    expect(sent[1]).toMatchObject({ level: 'critical', previousLevel: 'warning' });
    expect(Number(sent[1]!.rejected)).toBeGreaterThanOrEqual(0.5 * Number(sent[1]!.attempts));
    expect(sent[2]).toMatchObject({ level: 'ok', previousLevel: 'critical' });
    expect(sent[2]!.reason).toMatch(/^Recovered: /);
  });

  test('deliberate rejections are ignored, unless the rule includes them', async () => {
    const quiet = await rule('alerting-quiet', watch);
    const loud = await rule('alerting-loud', { ...watch, silenceProvoked: false });
    expect(await whileMeasuring(loud, 1, 900, { provokesRejections: true })).toMatchObject([
      { level: 'critical' },
    ]);
    expect(await quiet.messages()).toEqual([]);
  });

  test('missing data causes an alert if the rule says so', async () => {
    const made = await rule('alerting-nodata', { ...watch, noData: 'alert' });
    expect(await made.waitForMessages(1)).toMatchObject([{ actionGroup: 'nodata', alert: 'no data' }]);
  });

  test('a rule can be tried on past data', async () => {
    await samples(900);
    const { status, body } = await ask<RulePast>('POST', '/api/dyno/rules/test', {
      params: watch,
      windows: 3,
      until: new Date(Date.now() + 1000).toISOString(),
    });
    expect(status).toBe(200);
    expect(body.windows).toHaveLength(3);
    expect(body.windows.at(-1)?.judgements).toMatchObject([
      { group: experiment.id, level: 'critical', rate: 0.9, cause: 'full write queue' },
    ]);
  });
});

(SMALL_QUEUE ? describeWithElasticsearch : describe.skip)('Alerts on a cluster that rejects', () => {
  const text = `version: 1
name: Rejections in Kibana
target: small-queue
spread: given-hosts
index: { settings: { number_of_shards: 4, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: apache-logs }, bulk: { docs: 500 }, retries: { attempts: 0 } }
    executor: { constant-clients: { clients: 24 } }
measure: { warmup: 0s, duration: 25s }
trials: 1
`;

  test('real rejections fire the alert, which ends with the load', async () => {
    await ask('POST', '/api/dyno/targets', {
      id: 'small-queue',
      title: 'Small queue',
      hosts: [SMALL_QUEUE],
      credentials: { kind: 'none' },
      ca: null,
      verifyCertificates: true,
    });
    const { body: experiment } = await ask<{ id: string }>('POST', '/api/dyno/experiments', { text });
    const made = await rule('alerting-real', { window: '15s', experiments: [experiment.id] });
    try {
      await expectToFireAndEnd(experiment.id, made);
    } finally {
      await ask('DELETE', `/api/dyno/experiments/${experiment.id}?runs=delete`);
      await ask('DELETE', '/api/dyno/targets/small-queue');
    }
  });

  async function expectToFireAndEnd(experiment: string, made: WatchedRule): Promise<void> {
    const { body: begun } = await ask<{ run: string }>('POST', `/api/dyno/experiments/${experiment}/run`);
    const [fired] = await made.waitForMessages(1);
    expect(fired).toMatchObject({ causeKind: 'write-queue', run: begun.run });
    expect(Number(fired!.rejected)).toBeGreaterThan(0);
    await until('the run’s end', async () => {
      const { body } = await ask<RunDetail>('GET', `/api/dyno/runs/${begun.run}`);
      return body.run.run.ended === null ? undefined : true;
    });
    const ended = await until('the alert’s end', async () =>
      (await made.messages()).find(({ actionGroup }) => actionGroup === 'recovered'),
    );
    expect(ended.reason).toContain('has no data');
  }
});
