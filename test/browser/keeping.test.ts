/** Tests that no input is lost: when two people edit one experiment, when the server restarts, and when Elasticsearch is unavailable. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Definition } from '../../common/experiment/definition';
import { startElasticsearch, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { until } from '../support/until';
import { findings, openChromium, picture, wider, type Opened } from './support/chromium';
import { START_TIMEOUT_MS, startDyno, type DynoServer } from './support/server';

let dataFolder: string;
let elasticsearch: EmbeddedElasticsearch;
let server: DynoServer;
let chromium: Opened;

const DEFINITION = `# why this matters
version: 1
name: Two people
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 20 } }
    # Leaves the cores to the files that run beside this one.
    executor: { constant-clients: { clients: 2, think-time: 50ms } }
measure: { duration: 5s, warmup: 1s }
trials: 1
order: interleaved
seed: 1
`;

async function create(text: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/dyno/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-dyno-request': '1' },
    body: JSON.stringify({ text }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

beforeAll(async () => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'dyno-keeping-'));
  elasticsearch = await startElasticsearch({ dataFolder, heap: '512m' });
  [server, chromium] = await Promise.all([startDyno({ elasticsearch: elasticsearch.url }), openChromium()]);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await chromium?.browser.close();
  await server?.remove();
  await elasticsearch?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}, 120_000);

test('the second of two concurrent saves is refused with both versions shown, and overwrites nothing', async () => {
  const id = await create(DEFINITION);
  const [first, second] = await Promise.all([0, 1].map(async () => (await chromium.context()).newPage()));
  for (const page of [first!, second!]) {
    await page.goto(`${server.url}/experiments/${id}`);
    await page.getByRole('textbox', { name: 'Hypothesis' }).waitFor();
  }
  await first!.getByRole('textbox', { name: 'Hypothesis' }).fill('What the first believes');
  await first!.getByRole('button', { name: 'Save', exact: true }).click();
  await first!
    .getByText(/^Saved/)
    .first()
    .waitFor();

  await second!.getByRole('textbox', { name: 'Hypothesis' }).fill('What the second believes');
  await second!.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = second!.getByRole('dialog');
  await conflict.waitFor();
  const theirs = conflict.getByRole('textbox', { name: /^Saved/ });
  const mine = conflict.getByRole('textbox', { name: 'Yours' });
  expect(await theirs.locator('.cm-changedLine').allInnerTexts()).toEqual([
    expect.stringContaining('What the first believes'),
  ]);
  expect(await mine.locator('.cm-changedLine').allInnerTexts()).toEqual([
    expect.stringContaining('What the second believes'),
  ]);
  expect(await mine.innerText()).toMatch(/7 unchanged lines/);
  await mine.press('Enter');
  expect(await mine.locator('.cm-changedLine').count()).toBe(1);
  expect(await findings(second!, '[role=dialog]')).toEqual([]);
  await picture(second!, 'conflict');
  const kept = (await (await fetch(`${server.url}/api/dyno/experiments/${id}`)).json()) as { text: string };
  expect(kept.text).toMatch(/What the first believes/);
  expect(kept.text).toMatch(/^# why this matters/);

  await conflict.getByRole('button', { name: 'Overwrite their changes with mine' }).click();
  const stored = async (): Promise<string> =>
    (await fetch(`${server.url}/api/dyno/experiments/${id}`)).text();
  await until('the second’s text', async () => (await stored()).includes('What the second believes'));
  expect(await stored()).not.toContain('What the first believes');
});

test('unsaved input is still there after a reload of the page', async () => {
  const page = await (await chromium.context()).newPage();
  await page.goto(`${server.url}/experiments/new`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Not yet saved');
  await until('the draft', () =>
    page.evaluate<boolean>("Object.values(sessionStorage).some((text) => text.includes('Not yet saved'))"),
  );
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
  await until('the unsaved name', async () => (await name.inputValue()) !== '');
  expect(await name.inputValue()).toBe('Not yet saved');
});

/** Waits until an error with this text appears below a field. */
const mistake = (within: Page | Locator, says: RegExp): Promise<void> =>
  within.locator('.euiFormErrorText').filter({ hasText: says }).first().waitFor();

/**
 * Waits until no error with this text is shown. When an error disappears, the fields below it move, so a click at this moment would miss.
 */
async function noMistake(within: Page | Locator, says: RegExp): Promise<void> {
  const mistakes = within.locator('.euiFormErrorText').filter({ hasText: says });
  await until(`no mistake like ${String(says)}`, async () => (await mistakes.count()) === 0);
}

/** A definition with a task of each kind that has special fields. */
const WORK = `version: 1
name: Every field
index: { count: 2 }
tasks:
  - name: ingest
    ingest: { source: { generator: apache-access-lines } }
  - name: shop
    replay: { generator: storefront }
measure: { duration: 60s }
`;

test('the fields of parsing, replay, highest rate and preload are saved as typed', async () => {
  const id = await create(WORK);
  const [page, dark] = (await Promise.all(
    [false, true].map(async (isDark) => (await chromium.context({ dark: isDark })).newPage()),
  )) as [Page, Page];
  await page.goto(`${server.url}/experiments/${id}`);
  const ingest = page.getByRole('group', { name: 'Ingestion: ingest' });
  const shop = page.getByRole('group', { name: 'Replay: shop' });

  await ingest.getByLabel('Lines are parsed by').selectOption('Dyno’s parser threads');
  const patterns = ingest.getByLabel('Grok patterns');
  await patterns.fill('%{NOWHERE:ip} x');
  await mistake(ingest, /NOWHERE/);
  await patterns.fill('%{ORDER:order}\n%{COMBINEDAPACHELOG}');
  await ingest.getByLabel(/^Your own patterns/).fill("ORDER: '[A-Z]{2}-%{INT}'");
  await ingest.getByLabel('Parser threads').fill('65');
  await mistake(ingest, /at most 64|64 or less|<=64/);
  await ingest.getByLabel('Parser threads').fill('2');
  await ingest.getByLabel('Lines that do not match').selectOption('are skipped');
  await ingest.getByLabel('Field with the time').fill('when');
  await ingest.getByLabel('Time format').fill('dd/MMM/yyyy:HH:mm:ss Z');
  await mistake(ingest, /no pattern has this field/);
  await ingest.getByLabel('Field with the time').fill('timestamp');
  await noMistake(ingest, /no pattern has this field/);

  await ingest.getByRole('button', { name: /Load/ }).click();
  await page.getByRole('option', { name: /Highest sustained rate/ }).click();
  await ingest.getByRole('textbox', { name: 'Limit 1' }).fill('latency.p90 < soon');
  await mistake(ingest, /soon/);
  await ingest.getByRole('textbox', { name: 'Limit 1' }).fill('latency.p90 < 200ms');
  await noMistake(ingest, /soon/);
  await ingest.getByRole('button', { name: 'Add limit' }).click();
  await ingest.getByRole('textbox', { name: 'Limit 3' }).waitFor();
  await ingest.getByRole('button', { name: 'Remove limit 2' }).click();
  for (const [label, text] of Object.entries({
    'Start, requests per second': '20',
    'Maximum rate': '300.5',
    'Factor from step to step': '1.4',
    Precision: '10',
    'Settle time of each step': '2s',
    'Judged time of each step': '4s',
    'Hold time of the rate found': '8s',
    'Most requests in flight': '64',
  }))
    await ingest.getByLabel(label).fill(text);

  await shop.getByLabel('Requests', { exact: true }).selectOption('A recorded log or traffic');
  await shop.getByLabel('File', { exact: true }).fill('other.log');
  await shop.getByLabel('Requests', { exact: true }).selectOption('storefront');
  await shop.getByLabel('Each search goes to').selectOption('the index selected by a custom rule');
  const rule = shop.getByLabel('The rule');
  await rule.fill('{ field: store_id, modulo: 2, indices: [{ trial: 1 }] }');
  await mistake(shop, /an index for each remainder/);
  await rule.fill('{ field: store_id, modulo: 2, indices: [{ trial: 2 }, trial] }');
  await noMistake(shop, /an index for each remainder/);

  await page.getByRole('button', { name: 'Documents loaded beforehand' }).click();
  await page
    .getByLabel('A trial begins with')
    .selectOption('documents from a generator, a profile or a file');
  await page.getByLabel('Documents', { exact: true }).last().fill('2000');
  await page.getByLabel('Merge to segments per shard', { exact: true }).fill('1');
  await page.getByLabel('Loaded', { exact: true }).selectOption('once, with a copy for each trial');
  const source = page.getByLabel('Source, as YAML or JSON');
  await source.fill('generator: nobody');
  await mistake(page, /nobody/);
  await source.fill('generator: storefront');
  await noMistake(page, /nobody/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor();

  const { definition } = (await (await fetch(`${server.url}/api/dyno/experiments/${id}`)).json()) as {
    definition: Definition;
  };
  expect(definition.preload).toEqual({
    documents: 2000,
    'force-merge': 1,
    reuse: 'copy',
    source: expect.objectContaining({ generator: 'storefront' }),
  });
  const [first, second] = definition.tasks;
  expect(first!.ingest!.parse).toEqual({
    by: 'workers',
    workers: 2,
    pattern: ['%{ORDER:order}', '%{COMBINEDAPACHELOG}'],
    patterns: { ORDER: '[A-Z]{2}-%{INT}' },
    timestamp: { field: 'timestamp', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
    'on-failure': 'drop',
  });
  expect(first!.executor['highest-rate']).toEqual({
    start: 20,
    max: 300.5,
    limits: ['latency.p90 < 200ms', 'error_rate < 0.1%'],
    grow: 1.4,
    precision: 0.1,
    settle: '2s',
    step: '4s',
    hold: '8s',
    'max-clients': 64,
  });
  expect(second!.replay).toMatchObject({
    generator: 'storefront',
    route: { field: 'store_id', modulo: 2, indices: [{ trial: 2 }, 'trial'] },
  });
  expect(second!.replay).not.toHaveProperty('file');

  for (const one of [page, dark]) {
    await one.goto(`${server.url}/experiments/${id}`);
    await one.getByRole('button', { name: 'Documents loaded beforehand' }).click();
    expect(await one.getByLabel('Grok patterns').inputValue()).toBe('%{ORDER:order}\n%{COMBINEDAPACHELOG}');
    expect(await one.getByLabel('Precision').inputValue()).toBe('10');
    expect(await one.getByRole('textbox', { name: 'Limit 2' }).inputValue()).toBe('error_rate < 0.1%');
    expect(await findings(one)).toEqual([]);
    await picture(one, `editor-fields-${one === page ? 'light' : 'dark'}`);
  }
  expect(chromium.complaints).toEqual([]);
}, 120_000);

const CODE = `version: 1
name: Code
index:
  mapping: { properties: { customer: { type: keyword }, created: { type: date } } }
tasks:
  - name: search
    search: { requests: [{ name: one, body: { query: { match_all: {} } } }] }
measure: { duration: 60s }
`;

/** Waiting time, in ms, after which the editor begins a new undo step. It is longer than the `newGroupDelay` of CodeMirror's history. */
const UNDO_GROUP_MS = 600;

/** Returns the text of a code editor. */
const codeOf = async (editor: Locator): Promise<string> =>
  (await editor.locator('.cm-line').allTextContents()).join('\n');
const hasFocus = async (page: Page, editor: Locator): Promise<boolean> =>
  (await page.locator('.cm-focused').filter({ has: editor }).count()) > 0;

test('the editor of a search has completion, shows errors at their line and keeps numbers unchanged', async () => {
  const id = await create(CODE);
  const page = await (await chromium.context()).newPage();
  await page.goto(`${server.url}/experiments/${id}`);
  const body = page.getByRole('textbox', { name: 'Body of the search' });
  const offered = page.locator('.cm-tooltip-autocomplete li');
  await until('the editor', async () => (await body.getAttribute('aria-readonly')) === null);
  await body.fill('');
  await body.pressSequentially('{"query": {"ter');
  await offered.filter({ hasText: /^terms_set$/ }).waitFor();
  await offered.filter({ hasText: /^term$/ }).click();
  await page.keyboard.press('ArrowRight');
  await body.pressSequentially(': {"cust');
  await offered.filter({ hasText: /^customerkeyword$/ }).click();
  await page.keyboard.press('ArrowRight');
  await body.pressSequentially(': "a"');
  // The editor adds the closing brackets and quotes.
  expect(await codeOf(body)).toBe('{"query": {"term": {"customer": "a"}}}');
  const yaml = page.locator('[data-test-subj="dynoYaml"]');
  await until('the definition', async () => (await codeOf(yaml)).includes('customer: a }'));

  await body.fill('{ "min_score": 9007199254740993, "size": 1.0 }');
  await until('both numbers', async () =>
    (await codeOf(yaml)).includes('min_score: 9007199254740993, size: 1.0 }'),
  );
  expect(await codeOf(body)).toBe('{ "min_score": 9007199254740993, "size": 1.0 }');

  // The editor joins changes within half a second to one step of undo.
  await page.waitForTimeout(UNDO_GROUP_MS);
  await body.fill('{\n  "query": {\n    "term": ]\n  }\n}');
  await mistake(page, /line 3/);
  expect(await body.getAttribute('aria-invalid')).toBe('true');
  const field = page.locator('.cm-editor').filter({ has: body });
  await field.locator('.cm-lint-marker-error').first().waitFor();
  await field.locator('.cm-lintRange-error').first().hover();
  await page.locator('.cm-tooltip-lint').waitFor();
  await picture(page, 'editor-code-error-light');

  // Undo changes the text of the body until the definition contains this text. After this, it changes the definition.
  await page.keyboard.press('ControlOrMeta+z');
  await noMistake(page, /line 3/);
  expect(await codeOf(body)).toBe('{ "min_score": 9007199254740993, "size": 1.0 }');
  await page.keyboard.press('ControlOrMeta+z');
  await until('the earlier query', async () => (await codeOf(body)).includes('customer'));

  expect(await hasFocus(page, body)).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await until('the next field', async () => !(await hasFocus(page, body)));

  for (const [dark, width] of [
    [false, 1440],
    [true, 1440],
    [false, 390],
    [true, 390],
  ] as const) {
    const one = await (await chromium.context({ dark, width })).newPage();
    await one.goto(`${server.url}/experiments/${id}`);
    await one.getByRole('textbox', { name: 'Body of the search' }).waitFor();
    await one.getByRole('button', { name: 'Index', exact: true }).click();
    await one.getByRole('textbox', { name: 'Mapping, as YAML or JSON' }).waitFor();
    expect(await findings(one)).toEqual([]);
    expect(await wider(one)).toEqual([]);
    await picture(one, `editor-code-${width}-${dark ? 'dark' : 'light'}`);
    await one.close();
  }
  expect(chromium.complaints).toEqual([]);
}, 120_000);

test('a folder that is dropped on the import dialog is read with its subfolders', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-dropped-'));
  const file = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, 'geo', name)), { recursive: true });
    writeFileSync(path.join(folder, 'geo', name), text);
  };
  file(
    'track.json',
    JSON.stringify({
      version: 2,
      description: 'dropped',
      indices: [{ name: 'geo', body: 'mappings/index.json' }],
      corpora: [{ name: 'geo', documents: [{ 'source-file': 'documents.json', 'document-count': 1000 }] }],
      operations: [{ name: 'index', 'operation-type': 'bulk', 'bulk-size': 500 }],
      challenges: [{ name: 'append', default: true, schedule: [{ operation: 'index' }] }],
    }),
  );
  file('mappings/index.json', '{ "mappings": { "properties": { "dropped": { "type": "keyword" } } } }');
  // There are 120 files, because browsers return the entries of a folder in batches of 100.
  for (let at = 0; at < 120; at += 1) file(`notes/${at}.txt`, 'nothing');

  const page = await (await chromium.context()).newPage();
  await page.goto(`${server.url}/experiments`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const picker = page.getByLabel('Files with definitions');
  await picker.waitFor();
  const { x, y, width, height } = (await picker.boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  // Simulates a user who drags a folder from the file manager. The browser creates the data and reads the entries.
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', {
      type,
      x: x + width / 2,
      y: y + height / 2,
      data: { items: [], files: [path.join(folder, 'geo')], dragOperationsMask: 1 },
    });
  await page.getByText('This is a track of Rally. Dyno converts it to experiments.').waitFor();
  await page.getByRole('button', { name: 'Open in the editor' }).first().click();
  // A track is only converted if all of its files were read, including one in a subfolder.
  const yaml = page.locator('[data-test-subj="dynoYaml"]');
  await until('the definition', async () => (await codeOf(yaml)).includes('file: documents.json'));
  expect(chromium.complaints).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

test('a run that waits for its next environment says so, and can be continued from its page', async () => {
  const experiment = await create(
    DEFINITION.replace('Two people', 'Two disks').replace('5s', '3s') +
      'factors: { environment.disk: [premium, standard] }\n',
  );
  const pages = await Promise.all(
    [false, true].map(async (dark) => (await chromium.context({ dark })).newPage()),
  );
  const [light, dark] = pages as [(typeof pages)[0], (typeof pages)[0]];
  // The current environment can be chosen in the editor and in the list.
  for (const page of pages) {
    await page.goto(`${server.url}/experiments/${experiment}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const stands = page.getByRole('combobox', { name: 'Current environment' });
    expect(await stands.inputValue()).toBe('0');
    await stands.selectOption('disk: standard');
    await page.getByText('until you have set up disk: premium and continue the run').waitFor();
    expect(await findings(page, '[role=alertdialog]')).toEqual([]);
    await picture(page, `run-begins-${page === light ? 'light' : 'dark'}`);
  }
  await dark.getByRole('button', { name: 'Not now' }).click();
  await light.goto(`${server.url}/experiments`);
  await light
    .getByRole('row', { name: /Two disks/ })
    .getByRole('button', { name: 'Run now' })
    .click();
  await light.getByRole('combobox', { name: 'Current environment' }).selectOption('disk: standard');
  await light.getByRole('button', { name: 'Run', exact: true }).click();
  await light.waitForURL(/\/runs\/[^/]+$/);
  const run = /\/runs\/([^/]+)$/.exec(light.url())![1]!;
  for (const page of pages) await page.goto(`${server.url}/runs/${run}`);
  await light.getByText('Set up disk: premium, then continue').waitFor({ timeout: 60_000 });
  expect(await findings(light)).toEqual([]);
  await picture(light, 'run-waiting-light');
  await picture(dark, 'run-waiting-dark');
  await light.goto(`${server.url}/experiments`);
  await light.getByRole('link', { name: 'Waiting for disk: premium' }).waitFor();
  await light.goto(`${server.url}/runs/${run}`);
  await light.getByRole('button', { name: 'Continue' }).first().click();
  const dialog = light.getByRole('dialog');
  await dialog.getByText(/now answers at this address/).waitFor();
  expect(await findings(light, '[role=dialog]')).toEqual([]);
  await picture(light, 'run-continue-light');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await light.getByRole('link', { name: 'Result', exact: true }).waitFor({ timeout: 60_000 });
  const shown = light.getByRole('combobox', { name: 'The part of the run that the charts show' });
  expect(await shown.inputValue()).toBe('environment disk: premium');
  await picture(light, 'run-continued-light');
  await light.goto(`${server.url}/runs/${run}/result`);
  await light.locator('[data-test-subj="dynoFact-notes"]').click();
  await light
    .getByText(/known from their labels only/)
    .first()
    .waitFor();
  await light.goto(`${server.url}/runs/${run}/result?tab=setup`);
  await light.getByRole('heading', { name: 'Environments' }).waitFor();
  await picture(light, 'result-environments-light');
  expect(chromium.complaints).toEqual([]);
}, 240_000);

test('a page reconnects to a restarted server, and shows the current state', async () => {
  const page = await (await chromium.context()).newPage();
  await page.goto(`${server.url}/experiments`);
  await page.getByText('Two people').waitFor();
  await server.stop();
  await page.getByRole('link', { name: 'Targets' }).click();
  await page
    .getByText(/does not answer/)
    .first()
    .waitFor();
  await server.restart();
  const cluster = page.getByText('The cluster of this server');
  await cluster.waitFor({ timeout: 30_000 });
  expect(await page.getByText(/does not answer/).count()).toBe(0);
}, 180_000);

test(
  'every page reports an unavailable Elasticsearch, and recovers without a reload',
  async () => {
    const page = await (await chromium.context()).newPage();
    const port = Number(new URL(elasticsearch.url).port);
    await elasticsearch.stop();
    const silent: string[] = [];
    for (const address of [
      '/experiments',
      '/runs',
      '/collector',
      '/compare',
      '/experiments/two-people',
      '/targets/local',
    ]) {
      await page.goto(server.url + address);
      const reports = await page
        .getByText(/could not be loaded|not reachable|cannot be reached|could not use|connection refused/i)
        .first()
        .waitFor({ timeout: 15_000 })
        .then(
          () => true,
          () => false,
        );
      if (!reports) silent.push(address);
    }
    expect(silent).toEqual([]);
    await page.goto(`${server.url}/experiments`);
    elasticsearch = await startElasticsearch({ dataFolder, port, heap: '512m' });
    await page.getByText('Two people').waitFor({ timeout: 60_000 });
  },
  START_TIMEOUT_MS,
);
