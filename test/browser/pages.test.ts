/**
 * Checks every page, in both themes and three widths, for accessibility problems that axe finds and for content that is wider than the
 * window.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { EXAMPLE } from '../../common/example';
import { resolvePlan } from '../../common/experiment/plan';
import { historyRunOf } from '../../common/history/history-run';
import { findPreset } from '../../common/presets';
import { presetYaml } from '../../common/presets/preset';
import { recordedIn, type ExampleRun } from '../../server/results/example-run';
import { packHistoryRun } from '../../server/results/stored-history-run';
import { createResultsWriter } from '../../server/results/writer';
import { Connection } from '../../server/target-cluster/connection';
import { findings, openChromium, picture, wider, type Opened } from './support/chromium';
import { START_TIMEOUT_MS, startDyno, type DynoServer } from './support/server';

const WIDTHS = [390, 1024, 1440];
/** Whether each page is checked in both themes: `npm run test:all` does so. `npm test` checks each page in only one of the themes. */
const IN_BOTH_THEMES = process.env['DYNO_TEST_THEMES'] === 'both';
const THEMES = ['light', 'dark'];
const themesOf = (at: number): string[] => (IN_BOTH_THEMES ? THEMES : [THEMES[at % 2]!]);
const EXPERIMENT = EXAMPLE.run.experiment.id;
/** Dates of the runs of one experiment. The last runs are slower. */
const DAYS = Array.from({ length: 12 }, (_, at) => `2026-11-${at + 10}`);
const SLOWER_FROM = 8;
const runOn = (day: string): string => `${day.replaceAll('-', '')}-010341-5494`;
/** Two runs: one before the change and one after it. */
const RUNS = [runOn(DAYS[SLOWER_FROM - 1]!), runOn(DAYS[SLOWER_FROM]!)];
const TUNING = 'tuning-20261126t165738-ab1z';

let server: DynoServer;
let chromium: Opened;

const PAGES: readonly [name: string, address: string, ready: RegExp][] = [
  ['experiments', '/experiments', /of tunings/],
  ['editor-new', '/experiments/new', /What and where/],
  ['editor', `/experiments/${EXPERIMENT}`, /What and where/],
  ['history', `/experiments/${EXPERIMENT}/history`, /\d+ runs as a table/],
  ['account', '/accounts/sematext-refresh', /The published numbers as printed/],
  ['account-azure', '/accounts/azure-ingestion', /The published numbers as printed/],
  ['runs', '/runs', /Refresh interval against/],
  ['run', `/runs/${RUNS[0]}`, /trials completed/],
  ['result', `/runs/${RUNS[0]}/result`, /refresh_interval/],
  ['compare', `/compare?runs=${RUNS.join(',')}`, /Differences/],
  ['compare-empty', '/compare', /Choose the runs to compare/],
  ['tune', '/tune', /Nothing has been tuned yet/],
  ['tune-new', '/tune/new', /Show the plan/],
  ['targets', '/targets', /green|yellow/],
  ['target', '/targets/local', /Answered within/],
  ['target-new', '/targets/new', /Test the connection/],
  ['traffic', '/traffic', /No recording exists yet/],
  ['collector', '/collector', /dynobeat/],
  ['about', '/about', /Results cluster/],
  ['docs', '/docs/definition', /Keys of a definition/],
  ['docs-search', '/docs/experiments?q=schedule', /\d+ sections/],
  ['not-found', '/nowhere', /This page does not exist/],
];

async function create(text: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/dyno/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-dyno-request': '1' },
    body: JSON.stringify({ text }),
  });
  expect(answer.status).toBe(201);
}

/** Stores copies of the recorded example with other ids and days, as runs of this server. */
async function storeRuns(): Promise<void> {
  const status = (await (await fetch(`${server.url}/api/dyno/status`)).json()) as {
    results: { url: string };
  };
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-pages-'));
  const client = new Connection({ hosts: [status.results.url] });
  const writer = createResultsWriter({ client, spoolDir: folder, onProblem: () => undefined });
  const recorded = await recordedIn(path.resolve(__dirname, '../../common/example/run.dyno-runs.gz'))();
  const text = JSON.stringify({ run: recorded.run, trials: recorded.trials, samples: recorded.samples });
  for (const [at, day] of DAYS.entries()) {
    const own = text
      .replaceAll(EXAMPLE.run.id, runOn(day))
      .replaceAll(`${EXAMPLE.run.started.slice(0, 10)}T`, `${day}T`);
    const { run, trials, samples } = JSON.parse(own) as ExampleRun;
    const factor = (at < SLOWER_FROM ? 1 : 0.7) * (1 + 0.01 * (at % 3));
    for (const trial of trials) for (const task of trial.tasks) task.throughput *= factor;
    run.night = packHistoryRun(historyRunOf(run, resolvePlan(run), trials));
    for (const trial of trials) await writer.saveTrial(trial);
    // Only the charts over time of these runs are checked.
    if (RUNS.includes(run.run.id)) for (const sample of samples) writer.addSample(sample);
    await writer.saveRun(run);
  }
  await writer.flush(30_000);
  await writer.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}

beforeAll(async () => {
  [server, chromium] = await Promise.all([startDyno(), openChromium()]);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await chromium?.browser.close();
  await server?.remove();
}, 90_000);

async function open(page: Page, address: string, ready: RegExp): Promise<void> {
  await page.goto(server.url + address);
  await page.getByText(ready).locator('visible=true').first().waitFor();
}

/** Returns the accessibility problems of a page, and its content that is wider than the window, for all widths and the given themes. */
async function lookAt(name: string, address: string, ready: RegExp, themes: string[]): Promise<object[]> {
  const found: object[] = [];
  for (const theme of themes) {
    const context = await chromium.context({ dark: theme === 'dark', width: WIDTHS.at(-1) });
    const page = await context.newPage();
    await open(page, address, ready);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `${name}-${width}-${theme}`);
      const beyond = await wider(page);
      if (beyond.length > 0) found.push({ theme, width, beyond });
      // Menus and tables change their layout with the width.
      if (width === 1024) continue;
      const axe = await findings(page);
      if (axe.length > 0) found.push({ theme, width, axe });
    }
    await context.close();
  }
  return found;
}

test('the first page says what Dyno is for, without findings', async () => {
  expect(
    await lookAt('first-visit', '/', /Dyno measures how fast an Elasticsearch cluster/, themesOf(0)),
  ).toEqual([]);
}, 300_000);

describe('with runs of twelve days', () => {
  beforeAll(async () => {
    const preset = presetYaml(findPreset('sematext-refresh')!, 'quick');
    await create(preset);
    await create(
      `${preset}\ntags: [tuning, ${TUNING}]\n`.replace(/^name: .*$/m, 'name: "Tuning of logs: round 1"'),
    );
    await storeRuns();
  }, 120_000);

  test.each(PAGES.map((page, at) => [...page, themesOf(at)] as const))(
    '%s has no findings of axe, and fits its window',
    async (name, address, ready, themes) => {
      expect(await lookAt(name, address, ready, themes)).toEqual([]);
    },
    300_000,
  );

  test('the first Tab leads to a link that skips the menu', async () => {
    const page = await (await chromium.context()).newPage();
    await open(page, '/runs', /Refresh interval against/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to main content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('MAIN');
  });

  test('a sticky bar is below overlays of the page', async () => {
    const page = await (await chromium.context({ width: 390 })).newPage();
    await open(page, `/experiments/${EXPERIMENT}`, /What and where/);
    const level = await page.evaluate<number>(
      `Number(getComputedStyle(document.querySelector('[role=toolbar]')).zIndex)`,
    );
    // EUI draws overlay masks at this z-index.
    expect(level).toBeLessThan(1000);
  });
});

test('no page logged errors to the console', () => {
  expect(chromium.complaints).toEqual([]);
});
