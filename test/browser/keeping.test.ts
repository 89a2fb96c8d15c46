/** What must not be lost: two people on one experiment, a server that starts again, an Elasticsearch that is away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startElasticsearch, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { openChromium, picture, seriousFindings, type Opened } from './support/chromium';
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
    ingest: { source: { generator: systembase } }
measure: { duration: 5s, warmup: 1s }
trials: 1
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

/** Rejects after 30 s. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
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

test('the second save of an experiment is refused with both versions shown, and overwrites nothing', async () => {
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
  expect(await conflict.innerText()).toMatch(/What the first believes/);
  expect(await conflict.innerText()).toMatch(/What the second believes/);
  const kept = (await (await fetch(`${server.url}/api/dyno/experiments/${id}`)).json()) as { text: string };
  expect(kept.text).toMatch(/What the first believes/);
  expect(kept.text).toMatch(/^# why this matters/);

  await conflict.getByRole('button', { name: 'Save mine over theirs' }).click();
  await until(async () =>
    (await (await fetch(`${server.url}/api/dyno/experiments/${id}`)).text()).includes(
      'What the second believes',
    ),
  );
});

test('what was typed is still there after the page was loaded again', async () => {
  const page = await (await chromium.context()).newPage();
  await page.goto(`${server.url}/experiments/new`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Not yet saved');
  await until(() =>
    page.evaluate<boolean>("Object.values(sessionStorage).some((text) => text.includes('Not yet saved'))"),
  );
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
  await until(async () => (await name.inputValue()) === 'Not yet saved');
});

test('a run that waits for its next environment tells so, and is continued from its page', async () => {
  const experiment = await create(
    DEFINITION.replace('Two people', 'Two disks').replace('5s', '3s') +
      'factors: { environment.disk: [premium, standard] }\n',
  );
  const pages = await Promise.all(
    [false, true].map(async (dark) => (await chromium.context({ dark })).newPage()),
  );
  const [light, dark] = pages as [(typeof pages)[0], (typeof pages)[0]];
  // What stands now is chosen, in the editor as in the list.
  for (const page of pages) {
    await page.goto(`${server.url}/experiments/${experiment}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const stands = page.getByRole('combobox', { name: 'Environment that stands now' });
    expect(await stands.inputValue()).toBe('0');
    await stands.selectOption('disk: standard');
    await page.getByText('until you have set up disk: premium and continue it').waitFor();
    expect(await seriousFindings(page, '[role=alertdialog]')).toEqual([]);
    await picture(page, `run-begins-${page === light ? 'light' : 'dark'}`);
  }
  await dark.getByRole('button', { name: 'Not now' }).click();
  await light.goto(`${server.url}/experiments`);
  await light.getByRole('button', { name: /^Run now/ }).click();
  await light.getByRole('combobox').last().selectOption('disk: standard');
  await light.getByRole('button', { name: 'Run it' }).click();
  await light.waitForURL(/\/runs\/[^/]+$/);
  const run = /\/runs\/([^/]+)$/.exec(light.url())![1]!;
  for (const page of pages) await page.goto(`${server.url}/runs/${run}`);
  await light.getByText('Set up disk: premium, then continue').waitFor({ timeout: 60_000 });
  expect(await seriousFindings(light)).toEqual([]);
  await picture(light, 'run-waiting-light');
  await picture(dark, 'run-waiting-dark');
  await light.goto(`${server.url}/experiments`);
  await light.getByRole('link', { name: 'Waits for disk: premium' }).waitFor();
  await light.goto(`${server.url}/runs/${run}`);
  await light.getByRole('button', { name: 'Continue' }).first().click();
  const dialog = light.getByRole('dialog');
  await dialog.getByText(/answers there now/).waitFor();
  expect(await seriousFindings(light, '[role=dialog]')).toEqual([]);
  await picture(light, 'run-continue-light');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await light.getByRole('link', { name: 'Result', exact: true }).waitFor({ timeout: 60_000 });
  const shown = light.getByRole('combobox', { name: 'The part of the run that the charts show' });
  expect(await shown.inputValue()).toBe('environment disk: premium');
  await picture(light, 'run-continued-light');
  await light.goto(`${server.url}/runs/${run}/result`);
  await light.getByRole('heading', { name: 'Environments' }).waitFor();
  await light
    .getByText(/the word of their labels alone/)
    .first()
    .waitFor();
  await picture(light, 'result-environments-light');
  expect(chromium.complaints).toEqual([]);
}, 240_000);

test('a page reconnects to a server that was started again, and is right', async () => {
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
  await page.getByText('The cluster of this server').waitFor({ timeout: 30_000 });
}, 180_000);

test(
  'while Elasticsearch is away every page says so, and recovers by itself',
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
      const said = await page
        .getByText(/could not be loaded|not reachable|cannot be reached|could not use|connection refused/i)
        .first()
        .waitFor({ timeout: 15_000 })
        .then(
          () => true,
          () => false,
        );
      if (!said) silent.push(address);
    }
    expect(silent).toEqual([]);
    await page.goto(`${server.url}/experiments`);
    elasticsearch = await startElasticsearch({ dataFolder, port, heap: '512m' });
    await page.getByText('Two people').waitFor({ timeout: 60_000 });
  },
  START_TIMEOUT_MS,
);
