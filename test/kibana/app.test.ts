/** The app within a real Kibana: from a published experiment to its result, and away without a trace. */
import type { Page } from 'playwright-core';
import { openChromium, picture, type Opened } from '../browser/support/chromium';
import { ask, base, describeKibana, logIn } from './support/kibana';

/** Of Kibana's own page. */
const NOT_OURS = /Content Security Policy|Failed to load resource|\[Deprecat|net::ERR_/;

/** Of a published experiment in its quick form, as short as can be. */
const shortened = (text: string): string =>
  text
    .replace(/^name: .*$/m, 'name: Published and shortened')
    .replace(/^measure:\n(?: +.*\n)+/m, 'measure: { warmup: 1s, duration: 3s }\n')
    .replace(/^trials: .*$/m, 'trials: 1');

describeKibana('Dyno in Kibana, in the browser', () => {
  let opened: Opened;
  let page: Page;
  const complaints = (): string[] => opened.complaints.filter((text) => !NOT_OURS.test(text));

  beforeAll(async () => {
    opened = await openChromium();
    page = await (await opened.context()).newPage();
    await logIn(page);
  });
  afterAll(() => opened?.browser.close());

  const open = async (path: string): Promise<void> => {
    await page.goto(`${base()}/app/dyno${path}`, { waitUntil: 'domcontentloaded' });
    await page.locator('.dynoInKibana h1').first().waitFor({ timeout: 60_000 });
  };

  test('every page renders, with its breadcrumbs and its title', async () => {
    for (const [path, title] of [
      ['/experiments', 'Experiments'],
      ['/runs', 'Runs'],
      ['/compare', 'Compare'],
      ['/targets', 'Targets'],
      ['/collector', 'Collector'],
    ] as const) {
      await open(path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.title()).toContain(`${title} - Dyno`);
      await picture(page, `kibana-${title.toLowerCase()}`);
    }
    expect(complaints()).toEqual([]);
  });

  test('a published experiment is shortened, saved, run, watched, and its result read', async () => {
    await open('/experiments/new?preset=sematext-refresh&scale=quick');
    const editor = page.locator('.dynoInKibana .cm-content');
    await editor.waitFor();
    const text = await editor.evaluate((element) =>
      [...element.children].map(({ textContent }) => textContent).join('\n'),
    );
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(shortened(`${text}\n`));
    await page.getByRole('heading', { level: 1, name: 'Published and shortened' }).waitFor();
    await picture(page, 'kibana-editor');
    await page.getByRole('button', { name: 'Save and run' }).click();
    await page.waitForURL(/\/runs\/[^/]+$/, { timeout: 30_000 });
    const run = new URL(page.url()).pathname.split('/').at(-1)!;
    await page.getByText('running', { exact: true }).first().waitFor();
    await picture(page, 'kibana-run');
    await page.getByText('completed', { exact: true }).first().waitFor({ timeout: 90_000 });
    await page.getByRole('link', { name: 'Result', exact: true }).click();
    await page.waitForURL(/\/result/);
    await page.getByRole('heading', { name: 'What was varied, and what came of it' }).waitFor();
    await picture(page, 'kibana-result');
    expect(complaints()).toEqual([]);
    expect((await ask('DELETE', `/api/dyno/runs/${run}`)).status).toBe(200);
    await ask('DELETE', '/api/dyno/experiments/published-and-shortened');
  });

  test('Kibana’s other apps find nothing of ours once it is left', async () => {
    await open('/experiments');
    await page.evaluate('window.stillTheSamePage = true');
    await page.locator('[data-test-subj="logo"]').click();
    await page.waitForURL(/\/app\/home/);
    await page.locator('h1').first().waitFor({ timeout: 60_000 });
    expect(await page.evaluate('window.stillTheSamePage')).toBe(true);
    expect(await page.locator('.dynoInKibana, style[data-emotion^="dyno"]').count()).toBe(0);
    expect(complaints()).toEqual([]);
  });
});
