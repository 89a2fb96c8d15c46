/** Tests the dashboards in a real Kibana: Dyno installs and updates them, they show the data of a run, and copies stay unchanged. */
import type { Page } from 'playwright-core';
import type { Dashboard, Dashboards } from '../../common/api/dashboards';
import type { ErrorBody } from '../../common/api/error';
import type { Experiment } from '../../common/api/experiments';
import type { RunDetail } from '../../common/api/runs';
import { openChromium, picture, type Opened } from '../browser/support/chromium';
import { until } from '../support/until';
import { ask, base, describeKibana, describeSecured, logIn, makeUser } from './support/kibana';

const API = '/api/dyno';
const OBJECTS = '/api/saved_objects';
const KINDS = ['overview', 'history', 'transactions', 'pressure', 'waiting'] as const;

/** A definition with two combinations of factor levels, each with a trial of several seconds. */
const TEXT = `version: 1
name: Drawn in Kibana
target: local
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 200 } }
    executor: { constant-clients: { clients: 1 } }
factors: { index.settings.refresh_interval: [1s, 30s] }
measure: { warmup: 2s, duration: 8s }
trials: 1
`;

/** Time in ms after the installation of a dashboard within which changes do not count as edits by a user. */
const INSTALLING_MS = 5000;

interface SavedDashboard {
  id: string;
  updated_at: string;
  attributes: Record<string, unknown>;
  references: { type: string; id: string; name: string }[];
}

const listed = async (): Promise<Dashboard[]> =>
  (await ask<Dashboards>('GET', `${API}/dashboards`)).body.dashboards;

const statesOf = (dashboards: readonly Dashboard[]): string[] => dashboards.map(({ state }) => state);

/** Returns the expected states of all dashboards: `first` for the overview, `state` for the others. */
const all = (state: string, first = state): string[] => KINDS.map((_, at) => (at === 0 ? first : state));

const install = (replace: readonly string[] = []) =>
  ask<Dashboards>('POST', `${API}/dashboards`, { replace });

const saved = (id: string) => ask<SavedDashboard>('GET', `${OBJECTS}/dashboard/${id}`);

/** Changes attributes of a dashboard as a user would, and keeps the others. */
const edit = (id: string, attributes: object) => ask('PUT', `${OBJECTS}/dashboard/${id}`, { attributes });

async function removeAll(): Promise<void> {
  for (const { id } of await listed()) await ask('DELETE', `${OBJECTS}/dashboard/${id}`);
}

/** Waits until a change of a dashboard counts as an edit by a user. */
const afterInstalling = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, INSTALLING_MS + 1000));

async function finishedRun(): Promise<{ experiment: string; run: RunDetail['run']['run'] }> {
  const { body: experiment } = await ask<Experiment>('POST', `${API}/experiments`, { text: TEXT });
  const { body: started } = await ask<{ run: string }>('POST', `${API}/experiments/${experiment.id}/run`);
  const run = await until('the run’s end', async () => {
    const { body } = await ask<RunDetail>('GET', `${API}/runs/${started.run}`);
    if (body.run.run.state === 'failed') throw new Error(body.run.run.reason);
    return body.run.run.state === 'completed' ? body.run.run : undefined;
  });
  return { experiment: experiment.id, run };
}

describeKibana('Dyno’s dashboards in Kibana', () => {
  beforeAll(removeAll);

  test('they are installed once, and all of their references exist', async () => {
    expect(statesOf(await listed())).toEqual(all('missing'));
    const { status, body } = await install();
    expect({ status, states: statesOf(body.dashboards) }).toEqual({
      status: 200,
      states: all('current'),
    });
    expect(body.dashboards.map(({ kind }) => kind)).toEqual(KINDS);
    for (const { id, title } of body.dashboards) {
      const { body: found } = await saved(id);
      expect(found.attributes['title']).toBe(title);
      expect(found.references.length).toBeGreaterThan(3);
      for (const view of new Set(found.references.map((reference) => reference.id))) {
        expect((await ask('GET', `${OBJECTS}/index-pattern/${view}`)).status).toBe(200);
      }
    }
    const before = (await saved(body.dashboards[0]!.id)).body.updated_at;
    await install();
    expect((await saved(body.dashboards[0]!.id)).body.updated_at).toBe(before);
  });

  test('an update changes Dyno’s dashboards and leaves a copy unchanged', async () => {
    await removeAll();
    const [ours] = (await install()).body.dashboards;
    const { attributes, references } = (await saved(ours!.id)).body;
    const panelsJSON = String(attributes['panelsJSON']).replace(/(\[dyno-dashboard\]: # \()\d+ /, '$10 ');
    expect(panelsJSON).not.toBe(attributes['panelsJSON']);
    // A change right after the installation does not count as an edit, so the dashboard looks like one of an older version.
    await edit(ours!.id, { panelsJSON });
    expect(statesOf(await listed())).toEqual(all('current', 'older'));
    const { body: copy } = await ask<SavedDashboard>('POST', `${OBJECTS}/dashboard`, {
      attributes: { ...attributes, title: 'A copy', panelsJSON },
      references,
    });
    expect(statesOf((await install()).body.dashboards)).toEqual(all('current'));
    expect((await saved(ours!.id)).body.attributes['panelsJSON']).not.toBe(panelsJSON);
    const { body: after } = await saved(copy.id);
    expect(after.updated_at).toBe(copy.updated_at);
    expect(after.attributes).toEqual(copy.attributes);
    await ask('DELETE', `${OBJECTS}/dashboard/${copy.id}`);
  });

  test('edited dashboards are reported, and restored only on request', async () => {
    const [ours] = await listed();
    await afterInstalling();
    await edit(ours!.id, { description: 'mine' });
    expect(statesOf(await listed())).toEqual(all('current', 'changed'));
    await install();
    expect((await saved(ours!.id)).body.attributes['description']).toBe('mine');
    await install(['overview']);
    expect(statesOf(await listed())).toEqual(all('current'));
    expect((await saved(ours!.id)).body.attributes['description']).toBe(ours!.description);
  });

  describe('in the browser', () => {
    let opened: Opened;
    let page: Page;
    let known: Awaited<ReturnType<typeof finishedRun>>;

    beforeAll(async () => {
      known = await finishedRun();
      opened = await openChromium();
      page = await (await opened.context({ width: 1600 })).newPage();
      await logIn(page);
    });
    afterAll(async () => {
      await opened?.browser.close();
      await ask('DELETE', `${API}/experiments/${known.experiment}?runs=delete`);
    });

    /** Opens a dashboard from the run's page, as a user does. */
    const openFromRun = async ({ id, title }: Dashboard): Promise<void> => {
      await page.goto(`${base()}/app/dyno/runs/${known.run.id}`, { waitUntil: 'domcontentloaded' });
      await page.getByRole('button', { name: 'Dashboards', exact: true }).click({ timeout: 60_000 });
      await page.getByRole('menuitem', { name: title }).click();
      await page.waitForURL((url) => url.hash.startsWith(`#/view/${id}`));
    };

    const panels = () => page.locator('[data-test-subj="embeddablePanel"]');

    /** Scrolls until all panels are drawn, because Kibana draws only visible ones. */
    const drawn = async (): Promise<void> => {
      await page.setViewportSize({ width: 1600, height: 2800 });
      await until('every panel', async () => {
        const all = await panels().count();
        const done = await page.locator('[data-render-complete="true"]').count();
        return all > 10 && done >= all ? true : undefined;
      });
    };

    test('the overview is drawn with the run’s data, filtered to it, without an error or an empty panel', async () => {
      const [overview] = await listed();
      await openFromRun(overview!);
      await drawn();
      expect(await page.locator('[data-test-subj="queryInput"]').inputValue()).toBe(
        `run.id: "${known.run.id}"`,
      );
      const words = (await panels().allTextContents()).join('\n');
      expect(words).not.toMatch(/error|No results|Could not locate|not found/i);
      expect(words).toContain('refresh_interval=30s');
      expect(words).toMatch(/2\s*Trials completed/);
      await picture(page, 'kibana-dashboard-overview');
    });

    test('the dashboards of nodes are drawn, with panels that are empty only without a collector', async () => {
      const { body: collector } = await ask<{ shippers: unknown[] }>('GET', `${API}/collector`);
      for (const dashboard of (await listed()).filter(({ kind }) => ['pressure', 'waiting'].includes(kind))) {
        await openFromRun(dashboard);
        expect(new URL(page.url()).hash).toContain(dashboard.id);
        if (collector.shippers.length === 0) continue;
        await drawn();
        const words = (await panels().allTextContents()).join('\n');
        expect(words).not.toMatch(/error|No results|Could not locate|not found/i);
        await picture(page, `kibana-dashboard-${dashboard.kind}`);
      }
    });

    test('a link to another dashboard shows its panels', async () => {
      const [overview, , , pressure] = await listed();
      await openFromRun(overview!);
      await drawn();
      await page.setViewportSize({ width: 1600, height: 1000 });
      await page.getByRole('link', { name: 'node pressure', exact: true }).click();
      await page.waitForURL((url) => url.hash.startsWith(`#/view/${pressure!.id}`));
      const words = (): Promise<string> =>
        panels()
          .allTextContents()
          .then((texts) => texts.join('\n'));
      await until('its panels', async () => (await words()).includes('Highest write queue use') || undefined);
      await drawn();
      expect(await words()).not.toMatch(/Trials completed|Accepted while measured|Outcomes of the documents/);
      await picture(page, 'kibana-dashboard-linked');
    });

    test('a dashboard links back to the app', async () => {
      const [overview] = await listed();
      await openFromRun(overview!);
      await page.getByRole('link', { name: 'experiments', exact: true }).click({ timeout: 60_000 });
      await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor({ timeout: 60_000 });
      expect(new URL(page.url()).pathname).toBe(
        `${new URL(base()).pathname.replace(/\/$/, '')}/app/dyno/experiments`,
      );
    });

    test('the page of dashboards shows the state of each, and asks before it overwrites edits', async () => {
      const [overview] = await listed();
      await afterInstalling();
      await edit(overview!.id, { description: 'mine' });
      await page.setViewportSize({ width: 1400, height: 1000 });
      await page.goto(`${base()}/app/dyno/dashboards`, { waitUntil: 'domcontentloaded' });
      await page.getByText('edited', { exact: true }).waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Keep it' }).click();
      expect((await saved(overview!.id)).body.attributes['description']).toBe('mine');
      await page.getByRole('button', { name: 'Restore' }).click();
      await picture(page, 'kibana-dashboards-put-back');
      await page.getByRole('button', { name: 'Restore dashboard' }).click();
      await page.getByText('edited', { exact: true }).waitFor({ state: 'detached' });
      expect(statesOf(await listed())).toEqual(all('current'));
      await picture(page, 'kibana-dashboards');
    });
  });
});

describeSecured('Dyno’s dashboards in Kibana, with security', () => {
  test('the error for users who may not create dashboards names the privilege', async () => {
    const user = await makeUser('dyno-no-dashboards', {
      elasticsearch: { cluster: ['monitor'], indices: [] },
      feature: 'all',
    });
    const listing = await ask<ErrorBody>('GET', `${API}/dashboards`, undefined, user);
    expect(listing.status).toBe(403);
    const { status, body } = await ask<ErrorBody>('POST', `${API}/dashboards`, { replace: [] }, user);
    expect(status).toBe(403);
    expect(body.attributes.problems[0]).toMatchObject({ code: 'dashboards.forbidden' });
    expect(body.message).toContain('ask for Kibana’s privilege');
  });
});
