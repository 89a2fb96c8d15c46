/**
 * Tests the app in a real Kibana, from a published experiment to its result. Also tests that nothing of the app stays in other apps of
 * Kibana.
 */
import type { Page } from 'playwright-core';
import type { Experiment } from '../../common/api/experiments';
import type { RunDetail } from '../../common/api/runs';
import { findPreset, PRESETS } from '../../common/presets';
import { presetYaml } from '../../common/presets/preset';
import { openChromium, picture, seriousFindings, type Opened } from '../browser/support/chromium';
import { until } from '../support/until';
import { ask, base, chooseDark, describeKibana, logIn } from './support/kibana';
import { countListeners, leftListeners, traces } from './support/traces';

/**
 * Matches console messages of Kibana itself. Those about NODE_ENV come from libraries that Kibana 8.12 shares; they also appear on its
 * login page.
 */
const NOT_OURS =
  /Content Security Policy|Failed to load resource|\[Deprecat|net::ERR_|minified code outside of NODE_ENV/;

/** Returns whether a message is about a request of Kibana itself that Kibana refused because it is starting or busy. */
const isKibanasRequest = (text: string): boolean =>
  text.includes('HttpFetchError') && !text.includes('/plugin/dyno/');

/** Returns the shortest possible definition of a published experiment. */
const shortened = (text: string): string =>
  text
    .replace(/^name: .*$/m, 'name: Published and shortened')
    .replace(/^measure:\n(?: +.*\n)+/m, 'measure: { warmup: 1s, duration: 3s }\n')
    .replace(/^( +documents:) \d+$/m, '$1 2000')
    .replace(/^trials: .*$/m, 'trials: 1');

describeKibana('Dyno in Kibana, in the browser', () => {
  let opened: Opened;
  let page: Page;
  const complaints = (): string[] =>
    opened.complaints.filter((text) => !NOT_OURS.test(text) && !isKibanasRequest(text));

  beforeAll(async () => {
    opened = await openChromium();
    page = await (await opened.context()).newPage();
    await logIn(page);
  });
  afterAll(async () => {
    await chooseDark(false);
    await opened?.browser.close();
  });
  beforeEach(() => opened.complaints.splice(0));

  const open = async (path: string): Promise<void> => {
    await page.goto(`${base()}/app/dyno${path}`, { waitUntil: 'domcontentloaded' });
    await page.locator('.dynoInKibana h1').first().waitFor({ timeout: 60_000 });
  };

  const PAGES = [
    ['/experiments', 'Experiments'],
    ['/experiments/new', 'New experiment'],
    ['/runs', 'Runs'],
    ['/compare', 'Compare'],
    ['/targets', 'Targets'],
    ['/targets/local', 'The cluster of this Kibana'],
    ['/targets/new', 'New target'],
    ['/privileges', 'Privileges'],
    ['/collector', 'Collector'],
    ['/about', 'About'],
  ] as const;

  /** Checks the layout and accessibility of the current page. */
  async function judge(): Promise<void> {
    // EUI adds marks for the clipboard at the ends of table rows, which must be invisible.
    const seen = await page.evaluate(
      `[...document.querySelectorAll('.dynoInKibana [data-tabular-copy-marker]')]
        .filter((mark) => mark.getBoundingClientRect().right > 0).length`,
    );
    expect(seen).toBe(0);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(await seriousFindings(page, '.dynoInKibana')).toEqual([]);
    expect(complaints()).toEqual([]);
  }

  describe.each(['light', 'dark'] as const)('in %s', (theme) => {
    beforeAll(() => chooseDark(theme === 'dark'));

    test.each(PAGES)('%s renders, with its breadcrumbs and its title', async (path, title) => {
      await open(path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.title()).toContain(`${title} - `);
      await page.waitForLoadState('networkidle');
      await judge();
      await picture(page, `kibana-${title.toLowerCase().replaceAll(' ', '-')}-${theme}`);
    });
  });

  test('an error for a missing privilege links to the needed privileges, which can be copied', async () => {
    const refusal = {
      statusCode: 403,
      error: 'Forbidden',
      message: 'the credentials for the results cluster may not read runs',
      attributes: {
        problems: [{ code: 'results.forbidden', path: '', message: 'the credentials may not read runs' }],
      },
    };
    await page.route('**/api/dyno/runs?*', (route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify(refusal) }),
    );
    await open('/runs');
    await page.getByRole('link', { name: 'Required privileges' }).click();
    await page.waitForURL(/\/privileges$/);
    await page.unroute('**/api/dyno/runs?*');
    await page.getByText('PUT _security/role/dyno_user').waitFor();
    await page.getByRole('button', { name: 'View only' }).click();
    await page.getByText('PUT _security/role/dyno_viewer').waitFor();
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(2);
    expect(complaints()).toEqual([]);
  });

  test('completed actions are reported as Kibana’s own toasts', async () => {
    const target = { title: 'Notified', hosts: ['http://127.0.0.1:9'], ca: null, verifyCertificates: true };
    await ask('DELETE', '/api/dyno/targets/notified');
    await ask('POST', '/api/dyno/targets', { id: 'notified', ...target, credentials: { kind: 'none' } });
    await open('/targets/notified');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const toasts = page.locator('.euiGlobalToastList');
    await toasts.getByText('Saved the target Notified').waitFor();
    expect(await page.locator('[class*="dynoEuiGlobalToastList"]').count()).toBe(0);
    expect((await ask('DELETE', '/api/dyno/targets/notified')).status).toBe(200);
    expect(complaints()).toEqual([]);
  });

  test('Kibana’s search finds the pages of Dyno, and its home page shows Dyno', async () => {
    await open('/experiments');
    await page.locator('[data-test-subj="nav-search-input"]').fill('Dyno');
    await page.getByRole('option', { name: /Collector/ }).waitFor();
    // Without this setting, the home page only shows a welcome.
    await page.evaluate("localStorage.setItem('home:welcome:show', 'false')");
    await page.goto(`${base()}/app/home`, { waitUntil: 'domcontentloaded' });
    await page.getByRole('link', { name: 'Dyno', exact: true }).click({ timeout: 60_000 });
    await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor();
    expect(new URL(page.url()).pathname).toContain('/app/dyno');
  });

  test.each([
    ['sematext-refresh', 'Overview', 'Results by factor'],
    // Its lines are parsed in separate threads.
    ['logsearch-parsers', 'Trials', 'Parsing of the lines of ingest'],
    ['bigcommerce-indices-8', 'Trials', 'Lines of the log of shop, over all trials with their warm-up'],
  ])(
    'the published experiment %s can be shortened, saved, run and watched, and has a result',
    async (preset, tab, heading) => {
      await open(`/experiments/new?preset=${preset}&scale=quick`);
      const editor = page.locator('.dynoInKibana .cm-content').last();
      await editor.waitFor();
      const published = findPreset(preset)!;
      expect(await editor.textContent()).toContain(published.summary);
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(shortened(presetYaml(published, 'quick')));
      await page.getByRole('heading', { level: 1, name: 'Published and shortened' }).waitFor();
      await picture(page, `kibana-editor-${preset}`);
      await page.getByRole('button', { name: 'Save and run' }).click();
      // If a cluster of one node cannot show everything that was published, Dyno asks for confirmation.
      const asked = page.getByRole('alertdialog').getByRole('button', { name: 'Run', exact: true });
      await until(
        'the run, or a question before it',
        async () => /\/runs\/[^/]+$/.test(page.url()) || (await asked.isVisible()),
      );
      if (await asked.isVisible()) await asked.click();
      await page.waitForURL(/\/runs\/[^/]+$/, { timeout: 30_000 });
      const run = new URL(page.url()).pathname.split('/').at(-1)!;
      await page.getByText('running', { exact: true }).first().waitFor();
      await picture(page, `kibana-run-${preset}`);
      await page.getByText('completed', { exact: true }).first().waitFor({ timeout: 90_000 });
      await page.getByRole('link', { name: 'Result', exact: true }).click();
      await page.waitForURL(/\/result/);
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('heading', { name: heading }).waitFor();
      await picture(page, `kibana-result-${preset}`);
      expect(complaints()).toEqual([]);
      expect((await ask('DELETE', `/api/dyno/runs/${run}`)).status).toBe(200);
      await ask('DELETE', '/api/dyno/experiments/published-and-shortened');
    },
  );

  test('the profile of a run is shown in both themes, and can be downloaded', async () => {
    const text = JSON.stringify({
      version: 1,
      name: 'Profiled in Kibana',
      index: { settings: { number_of_shards: 1, number_of_replicas: 0 }, mapping: 'apache-logs' },
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 100 } },
          executor: { 'constant-clients': { clients: 2 } },
        },
        { name: 'queries', search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] } },
      ],
      factors: { 'index.settings.refresh_interval': ['200ms', '30s'] },
      measure: {
        ...{ warmup: '0s', duration: '5s', profile: 'hot-threads', 'profile-interval': '200ms' },
        'profile-searches': true,
      },
      trials: 2,
    });
    await ask('DELETE', '/api/dyno/experiments/profiled-in-kibana?runs=delete');
    const { id } = (await ask<Experiment>('POST', '/api/dyno/experiments', { text })).body;
    const { run } = (await ask<{ run: string }>('POST', `/api/dyno/experiments/${id}/run`)).body;
    await until(
      'the end of the run',
      async () => (await ask<RunDetail>('GET', `/api/dyno/runs/${run}`)).body.run.run.state === 'completed',
      120_000,
    );
    for (const theme of ['light', 'dark']) {
      await chooseDark(theme === 'dark');
      await open(`/runs/${run}/result?tab=cluster`);
      await page.getByRole('heading', { name: 'Where the CPU went' }).waitFor();
      const chart = page.locator('[data-test-subj=dynoFlameChart]');
      await chart.waitFor();
      expect(await chart.locator('g').count()).toBeGreaterThan(10);
      await chart.scrollIntoViewIfNeeded();
      await judge();
      await picture(page, `kibana-profile-${theme}`);
    }
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /Firefox Profiler/ }).click();
    expect((await download).suggestedFilename()).toMatch(/json$/);
    expect((await ask('DELETE', `/api/dyno/experiments/${id}?runs=delete`)).status).toBe(200);
  });

  describe('with an experiment in the list', () => {
    let id: string;
    beforeAll(async () => {
      const text = presetYaml(PRESETS[0]!, 'quick').replace(/^name: .*$/m, 'name: Listed in Kibana');
      ({ id } = (await ask<Experiment>('POST', '/api/dyno/experiments', { text })).body);
    });
    afterAll(() => ask('DELETE', `/api/dyno/experiments/${id}`));

    test('sticky and floating parts stay below Kibana’s headers', async () => {
      await open('/experiments/new');
      await page.getByRole('button', { name: 'Add ingestion' }).scrollIntoViewIfNeeded();
      await page.evaluate('window.scrollTo(0, 600)');
      const save = page.getByRole('button', { name: 'Save and run' });
      // The click fails if something covers the button.
      await save.click({ trial: true });
      await page
        .locator('.dynoInKibana nav')
        .getByRole('link', { name: 'Experiments' })
        .click({ trial: true });
      await open('/experiments');
      const published = page.getByRole('button', { name: 'Published experiments' });
      await published.click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Close this dialog' })
        .click({ trial: true });
      await page.locator('[data-test-subj="logo"]').click({ trial: true });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await published.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
      expect(complaints()).toEqual([]);
    });

    test('Kibana’s other apps are unaffected after leaving Dyno', async () => {
      await countListeners(page);
      await open('/experiments/new');
      await page.locator('.dynoInKibana .cm-content').last().waitFor();
      await page.evaluate('window.stillTheSamePage = true');
      for (const part of ['Targets', 'Experiments']) {
        await page.locator('.dynoInKibana nav').getByRole('link', { name: part, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: part }).waitFor();
      }
      await page.getByRole('button', { name: 'Published experiments' }).click();
      await page.getByRole('dialog').waitFor();
      expect((await traces(page)).length).toBeGreaterThan(0);
      await page.locator('[data-test-subj="logo"]').click();
      await page.waitForURL(/\/app\/home/);
      await page.locator('h1').first().waitFor({ timeout: 60_000 });
      expect(await page.evaluate('window.stillTheSamePage')).toBe(true);
      expect(await traces(page)).toEqual([]);
      expect(await leftListeners(page)).toEqual([]);
      await page.goBack();
      await page.locator('.dynoInKibana h1').first().waitFor({ timeout: 60_000 });
      expect((await traces(page)).length).toBeGreaterThan(0);
      expect(complaints()).toEqual([]);
    });
  });
});
