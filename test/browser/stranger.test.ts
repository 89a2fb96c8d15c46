/** Follows a new user of Dyno, from the empty list to a result that can be downloaded. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { EXAMPLE } from '../../common/example';
import { readDefinitionText } from '../../common/experiment/read';
import type { Report } from '../../common/report/model/report';
import { formatNumber } from '../../common/units/format';
import { until } from '../support/until';
import { findings, openChromium, picture, type Opened } from './support/chromium';
import { START_TIMEOUT_MS, startDyno, type DynoServer } from './support/server';

/** Maximum duration of the run in ms: three combinations of factor levels with two trials of 5 s each, on a busy machine. */
const RUN_TIMEOUT_MS = 300_000;
/** Time within which a live chart must change, in ms. It is updated every 3 s. */
const MOVES_WITHIN_MS = 15_000;
/** Whether the complete preset is run, which takes about eleven minutes. */
const WHOLE = process.env['DYNO_TEST_STRANGER'] === 'full';
/** Whether each page is checked in both themes: `npm run test:all` does so. `npm test` checks each page in only one of the themes. */
const IN_BOTH_THEMES = process.env['DYNO_TEST_THEMES'] === 'both';
const THEMES = ['light', 'dark'];

let server: DynoServer;
let chromium: Opened;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [server, chromium] = await Promise.all([startDyno(), openChromium()]);
  context = await chromium.context();
  page = await context.newPage();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await chromium?.browser.close();
  await server?.remove();
}, 90_000);

const runId = (): string => /\/runs\/([^/?]+)/.exec(page.url())![1]!;

test.each(IN_BOTH_THEMES ? THEMES : ['light'])(
  'shows published experiments by benchmark, and all published numbers of one, in the %s theme',
  async (theme) => {
    const own = await chromium.context({ dark: theme === 'dark' });
    const opened = await own.newPage();
    await opened.goto(server.url);
    await opened.getByRole('link', { name: 'Open in the editor: sematext-refresh' }).waitFor();
    await opened.getByRole('button', { name: /azure-queries: 17 experiments/ }).click();
    const link = opened.getByRole('link', { name: 'Open in the editor: azure-queries-only-replicas' });
    await link.scrollIntoViewIfNeeded();
    await picture(opened, `presets-${theme}`);
    expect(await findings(opened)).toEqual([]);
    await link.click();
    await opened.getByRole('button', { name: 'What was published' }).click();
    await opened.getByText('ms of Unique IP Count').waitFor();
    await picture(opened, `editor-published-${theme}`);
    expect(await findings(opened)).toEqual([]);
    await own.close();
  },
);

test('shows the result of the recorded example before the first run, without actions that would change it', async () => {
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Open its result' }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.locator('[data-test-subj=dynoFocusPlot] circle').first().waitFor();
  expect(await verdict.locator('circle.trial').count()).toBe(EXAMPLE.run.trials);
  await picture(page, 'example-light');
  await page.getByRole('link', { name: 'Timeline of the run' }).click();
  await page.locator('[data-test-subj=dynoChart-heatmap]').waitFor();
  for (const name of ['Delete', 'Cancel run', 'Continue'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
});

test('begins with a published experiment in two clicks', async () => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Run it now' }).waitFor();
  await page.getByRole('heading', { name: 'Repeat a published experiment' }).waitFor();
  await picture(page, 'experiments-empty-light');
  await page.getByRole('link', { name: 'Open in the editor: sematext-refresh' }).click();
  await page.getByRole('button', { name: 'Save and run' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Hypothesis' }).inputValue()).toMatch(/refresh interval/);
});

test('shows the estimated duration, and an error at its field and its line', async () => {
  const time = page.getByRole('group', { name: 'Measurement' }).getByRole('textbox', { name: 'Time' });
  const cost = page.getByRole('region', { name: 'Estimate' });
  await time.fill('soon');
  await page
    .getByText(/measure\.duration/)
    .first()
    .waitFor();
  // The duration is long enough for live charts, which are updated every 3 s.
  await time.fill(WHOLE ? '60s' : '5s');
  // When a message disappears, the fields below it move, so a click at this moment would miss.
  await page
    .getByText(/measure\.duration/)
    .first()
    .waitFor({ state: 'detached' });
  if (!WHOLE) {
    // Pauses leave CPU time for the test files that run in parallel.
    await page.getByRole('textbox', { name: 'Pause between requests' }).fill('300ms');
    const measurement = page.getByRole('group', { name: 'Measurement' });
    await measurement.getByRole('spinbutton', { name: 'Number', exact: true }).fill('2');
    await cost.getByText('3 × 2 = 6').waitFor();
    await measurement.getByRole('button', { name: 'More settings' }).click();
    await measurement.getByRole('textbox', { name: 'Warm-up before each' }).fill('1s');
    await measurement.getByRole('textbox', { name: 'Burn-in of the cluster' }).fill('1s');
  }
  const trials = WHOLE ? '3 × 3 = 9' : '3 × 2 = 6';
  await cost.getByText(trials).waitFor();
  expect(await cost.innerText()).toContain(trials);
});

test(
  'runs it, with live charts and growing counts',
  async () => {
    await page.getByRole('button', { name: 'Save and run' }).click();
    await page.waitForURL(/\/runs\/[^/]+$/);
    await page.getByText(/measure \d+s of/).waitFor({ timeout: 120_000 });
    const throughput = page.getByRole('region', { name: /^Throughput docs/ });
    await throughput.scrollIntoViewIfNeeded();
    const chart = throughput.locator('canvas');
    await chart.waitFor();
    const shot = (): Promise<string> => chart.screenshot().then((image) => image.toString('base64'));
    const first = await shot();
    await until('another picture of the chart', async () => (await shot()) !== first, MOVES_WITHIN_MS);
    await picture(page, 'run-live-light');
    expect(await findings(page)).toEqual([]);
    await page
      .getByRole('button', { name: 'Cancel run' })
      .waitFor({ state: 'detached', timeout: RUN_TIMEOUT_MS * 2 });
    await page.getByText(/^6 of 6 trials completed|^9 of 9 trials completed/).waitFor();
  },
  RUN_TIMEOUT_MS * 3,
);

test('shows the timeline of the nodes, from the collector that starts with Dyno', async () => {
  await page.getByRole('region', { name: /^CPU/ }).scrollIntoViewIfNeeded();
  await page
    .getByRole('region', { name: /^Write queue/ })
    .locator('canvas')
    .waitFor();
  expect(await page.getByRole('region', { name: /^CPU/ }).locator('canvas').count()).toBeGreaterThan(0);
  await picture(page, 'run-ended-light');
});

test('shows a verdict, and the same numbers on the page, in the CSV and in the command', async () => {
  const id = runId();
  await page.getByRole('link', { name: 'Result', exact: true }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  expect(await verdict.innerText()).toMatch(/confirmed|refuted|undecided/i);
  await picture(page, 'result-light');

  const cells = page.getByRole('region', { name: 'Cells', exact: true });
  await cells.scrollIntoViewIfNeeded();
  await cells.getByRole('row').nth(1).waitFor();
  const shown = await cells.getByRole('row').allInnerTexts();

  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText('CSV: one row per cell and task').click(),
  ]);
  const csv = readFileSync((await download.path())!, 'utf8');
  const [heading, ...lines] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const mean = heading!.indexOf('throughput mean (/s)');

  const command = path.resolve(__dirname, '../../build/dyno.js');
  const printed = spawnSync(process.execPath, [command, 'report', id, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, DYNO_DATA: path.join(server.folder, 'data'), NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(printed.stderr).not.toMatch(/error/i);
  const report = JSON.parse(printed.stdout) as Report;
  const means = report.cells.map(({ tasks }) => tasks[0]!.throughput.mean);
  expect(lines.map((line) => Number(line[mean]))).toEqual(means);
  for (const [at, { label }] of report.cells.entries()) {
    const level = label.split('=')[1]!;
    const row = shown.find((text) => text.startsWith(level));
    expect(row).toContain(formatNumber(means[at]));
  }
  // The page shows the first claim.
  expect((await verdict.innerText()).toLowerCase()).toContain(report.verdict.claims[0]!.answer);
});

test('shows the history that begins with the run, with a link back to the run', async () => {
  const id = runId();
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('heading', { name: /^Too few runs for an answer, 1 as of/ }).waitFor();
  await page.getByText('5 more runs are needed').waitFor();
  const rows = page.locator('[data-test-subj=dynoHistorySeries]');
  await rows.nth(1).getByRole('button').click();
  // The cell also contains an invisible sign of EUI for copied tables.
  const label = (await rows.nth(1).locator('td').nth(1).locator('.euiTableCellContent').innerText()).trim();
  await page.getByRole('figure', { name: new RegExp(`${label}$`) }).waitFor();
  expect(await page.locator('[data-test-subj=dynoHistorySeries][aria-current]').count()).toBe(1);
  await picture(page, 'history-light');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: '1 run as a table' }).click();
  await page.locator('.euiAccordion').getByRole('link').click();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  expect(runId()).toBe(id);
});

test('certifies the load generator, shows the progress, and can cancel it', async () => {
  await page.goto(`${server.url}/collector`);
  await page.getByRole('button', { name: 'Certify this instrument' }).click();
  await page.getByText(/\d+ of 14 measured\. Now: .+ at \d+ requests per second/).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel certification' }).click();
  await page.getByRole('button', { name: 'Certify this instrument' }).waitFor();
  await page.getByText('has never been certified').waitFor();
});

/** Definition of a slow experiment: a refresh every 100 ms, and ten documents in each bulk. */
const SLOW = `version: 1
name: Ten documents in each bulk
index: { name: ten, settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: 100ms } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 10 } }
    executor: { constant-clients: { clients: 1, think-time: 100ms } }
measure: { duration: 1s, warmup: 1s }
`;

test(
  'tunes a slow experiment, from the form and the plan to the recommended settings, without an index setting',
  async () => {
    const headers = { 'content-type': 'application/json', 'x-dyno-request': '1' };
    const body = JSON.stringify({ text: SLOW });
    await fetch(`${server.url}/api/dyno/experiments`, { method: 'POST', headers, body });
    await page.goto(`${server.url}/tune`);
    await page.getByRole('link', { name: 'Tune this index' }).click();
    await page.getByLabel('The definition of an experiment').click();
    await page.getByRole('combobox', { name: 'Experiment' }).selectOption('Ten documents in each bulk');
    // This time is enough to test one candidate.
    await page.getByRole('textbox', { name: 'Time for all experiments together' }).fill('120s');
    await page.getByRole('textbox', { name: 'Measured time of each trial' }).fill('1s');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByText('Documents in each bulk: 10 documents → 1,000 documents').waitFor();
    await page.getByText(/At most about 2m/).waitFor();
    await picture(page, 'tune-plan-light');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start the tuning' }).click();
    await page
      .getByText(/against the starting settings/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Settings to paste' }).waitFor({ timeout: RUN_TIMEOUT_MS });
    await picture(page, 'tune-result-light');
    expect(await findings(page)).toEqual([]);
    await page.getByText('confirmed in a separate comparison of').waitFor();
    // An index template for the indices of trials would change later trials.
    await page.getByText('No index setting changed, so there is no index template').waitFor();
    await page.getByText('1,000 documents', { exact: true }).waitFor();
    expect(await page.locator('[data-test-subj=dynoTuneTemplate]').count()).toBe(0);
  },
  RUN_TIMEOUT_MS + 60_000,
);

test('asks why a result differs: the editor has two cells with a profile, which can be saved and run', async () => {
  await page.goto(`${server.url}/runs/${EXAMPLE.run.id}/result`);
  await page.getByRole('button', { name: 'Find out why' }).click();
  await page.waitForURL(/\/experiments\/new$/);
  await page.getByRole('heading', { name: `Why: ${EXAMPLE.run.experiment.name}` }).waitFor();
  await page.getByRole('region', { name: 'Estimate' }).getByText('2 × 5 = 10').waitFor();
  expect(await page.locator('#dyno-problems').count()).toBe(0);
  await picture(page, 'editor-why-light');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/\/experiments\/why-/);
  const id = page.url().split('/').at(-1)!;
  const saved = (await (await fetch(`${server.url}/api/dyno/experiments/${id}`)).json()) as { text: string };
  // Dyno starts the nodes of this server.
  expect(readDefinitionText(saved.text, id).measure.profile).toBe('profiler');
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isEnabled()).toBe(true);
});

test('no page logged errors to the console', () => {
  expect(chromium.complaints).toEqual([]);
});

test('ends cleanly', async () => {
  expect(await server.stop()).toBe(0);
});
