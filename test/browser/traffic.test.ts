/** Checks the pages of recorded traffic in both themes and two widths, with a recording that the server reads in a separate thread. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Target, TargetFacts } from '../../common/api/targets';
import { createTraffic, type HostTraffic } from '../../server/host/files/traffic';
import { trafficHandlers } from '../../server/routes/traffic';
import type { Handlers } from '../../server/routes/handler';
import type { Services } from '../../server/routes/services';
import { createServer } from '../../server/standalone/http/server';
import { writeShop } from '../../server/traffic/inspect/testing/made-traffic';
import { findings, openChromium, picture, wider, type Opened } from './support/chromium';

const BUILD = path.resolve(__dirname, '../../build');
const WIDTHS = [1440, 390];

const TARGET: Target = {
  id: 'shop',
  version: '1',
  title: 'Shop',
  hosts: ['https://shop.example:9200'],
  credentials: { kind: 'api-key', username: null },
  ca: null,
  verifyCertificates: true,
  builtIn: false,
  experiments: 0,
};
const FACTS: TargetFacts = {
  reachable: false,
  problem: 'the made target does not answer',
  tookMs: 1,
  cluster: null,
  nodes: [],
  missing: [],
  notes: [],
};

let folder: string;
let traffic: HostTraffic;
let server: Awaited<ReturnType<typeof createServer>>;
let url: string;
let chromium: Opened;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-traffic-pages-'));
  mkdirSync(path.join(folder, 'days'));
  traffic = createTraffic(folder, path.join(BUILD, 'traffic.js'));
  const handlers = {
    ...trafficHandlers({ traffic } as unknown as Services),
    listTargets: async () => ({ targets: [TARGET], secretsRefused: null }),
    inspectTarget: async () => FACTS,
  };
  server = await createServer({
    handlers: handlers as unknown as Handlers,
    access: { password: undefined, names: [] },
    appFolder: path.join(BUILD, 'app'),
    version: '0',
    log: () => undefined,
  });
  [chromium] = await Promise.all([
    openChromium(),
    writeShop(path.join(folder, 'days', 'shop.traffic.gz'), 6000),
    server.listen({ host: '127.0.0.1', port: 0 }),
  ]);
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await chromium?.browser.close();
  await server?.close();
  await traffic?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the accessibility problems that axe finds, and the content that is wider than the window, for two widths of the window. */
async function lookAt(page: Page, name: string): Promise<object[]> {
  const found: object[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `${name}-${width}`);
    const [beyond, axe] = [await wider(page), await findings(page)];
    if (beyond.length + axe.length > 0) found.push({ name, width, beyond, axe });
  }
  return found;
}

test.each(['light', 'dark'])(
  'the path from a target to its recording and to a replay is usable in the %s theme',
  async (theme) => {
    const page = await (await chromium.context({ dark: theme === 'dark' })).newPage();
    await page.goto(`${url}/targets/shop`);
    const recording = page.getByRole('link', { name: 'days/shop.traffic.gz' });
    await recording.waitFor();
    expect(await page.locator('code').first().innerText()).toContain(
      'dyno record --target https://shop.example:9200',
    );
    expect(await lookAt(page, `record-traffic-${theme}`)).toEqual([]);

    await recording.click();
    await page.getByRole('region', { name: 'Most frequent shapes' }).waitFor();
    await page.getByText('{query: {match: {title: text}}}').first().waitFor();
    expect(await page.getByRole('region', { name: 'What a replay leaves out' }).innerText()).toContain(
      'cluster',
    );
    expect(await lookAt(page, `traffic-${theme}`)).toEqual([]);

    await page.getByRole('link', { name: 'Replay this traffic' }).click();
    await page.waitForURL(
      /\/experiments\/new\?traffic=days%2Fshop\.traffic\.gz&target=shop&format=dyno&lasts=59990$/,
    );
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).first().inputValue()).toBe(
      'Replay of shop',
    );
    await page.context().close();
  },
  60_000,
);

test('no page logged errors to the console', () => {
  expect(chromium.complaints).toEqual([]);
});
