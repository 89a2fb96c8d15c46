/** Tests the first screen of a result: the answer, the effect, its interval and every trial are visible without scrolling. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openChromium, seriousFindings, type Opened } from './support/chromium';
import { MADE, serveResults, type ResultsServer } from './support/made-results';

/** Sizes of the window in px. `within`: height of the upper part of the page that must contain the whole first screen. */
const SIZES = [
  { name: 'desktop', width: 1440, height: 900, within: 480 },
  { name: 'phone', width: 390, height: 844, within: 700 },
];
const THEMES = ['light', 'dark'];
const PICTURES = path.resolve(__dirname, '../../build/screenshots/first-screen');

/** Test ids of elements that the first screen must show. */
const PARTS = ['dynoAnswer', 'dynoEffect', 'dynoEffectInterval', 'dynoFocusPlot'];

let server: ResultsServer;
let chromium: Opened;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  [server, chromium] = await Promise.all([serveResults(), openChromium()]);
}, 60_000);
afterAll(async () => {
  await chromium?.browser.close();
  await server?.close();
});

async function opened(
  id: string,
  { width, height }: { width: number; height: number },
  theme: string,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.context({ dark: theme === 'dark', width });
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.goto(`${server.url}/runs/${id}/result`);
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  return { context, page };
}

const ANSWERS = ['confirmed', 'refuted', 'undecided'];

describe.each(SIZES)('on a $name', (size) => {
  test.each(ANSWERS.flatMap((answer) => THEMES.map((theme) => [answer, theme] as const)))(
    'the first screen of a %s result shows verdict, effect, interval and every trial, %s',
    async (answer, theme) => {
      const { context, page } = await opened(answer, size, theme);
      await page.screenshot({ path: path.join(PICTURES, `${answer}-${size.name}-${theme}.png`) });
      for (const part of PARTS) {
        const box = (await page.locator(`[data-test-subj=${part}]`).boundingBox())!;
        expect({
          part,
          fits: box.y >= 0 && box.y + box.height <= size.within,
          bottom: box.y + box.height,
        }).toMatchObject({
          part,
          fits: true,
        });
        expect({ part, fits: box.x >= 0 && box.x + box.width <= size.width }).toEqual({ part, fits: true });
      }
      const dots = page.locator('[data-test-subj=dynoFocusPlot] circle.trial');
      expect(await dots.count()).toBe(MADE[answer]!().trials.length);
      // No content is wider than the page.
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
      await context.close();
    },
  );
});

test.each(Object.keys(MADE).filter((id) => !ANSWERS.includes(id)))(
  'a run that is %s also has a first screen',
  async (id) => {
    for (const size of SIZES) {
      const { context, page } = await opened(id, size, 'light');
      await page.screenshot({ path: path.join(PICTURES, `${id}-${size.name}-light.png`) });
      const box = (await page.locator('[data-test-subj=dynoAnswer]').boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(size.within);
      await context.close();
    }
  },
);

test.each(THEMES)('the verdict can be downloaded as a picture, in the %s theme', async (theme) => {
  const { context, page } = await opened('confirmed', SIZES[0]!, theme);
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText(/^Picture \(PNG\)/).click(),
  ]);
  expect(download.suggestedFilename()).toBe('bulks-of-10-against-bulks-of-1000-verdict.png');
  const file = path.join(PICTURES, `verdict-${theme}.png`);
  await download.saveAs(file);
  const png = readFileSync(file);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // The picture has twice as many pixels as on the screen, so that it is sharp.
  expect(png.readUInt32BE(16)).toBe(2400);
  await context.close();
});

test.each(SIZES)('no tab of a result is wider than a $name', async (size) => {
  const { context, page } = await opened('refuted', size, 'light');
  for (const tab of ['Latency', 'Cluster', 'Trials', 'Setup', 'Overview']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('region').first().waitFor();
    await page.screenshot({ path: path.join(PICTURES, `tab-${tab.toLowerCase()}-${size.name}.png`) });
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect({ tab, overflow }).toEqual({ tab, overflow: 0 });
  }
  await context.close();
});

test('no page logged errors to the console', () => {
  expect(chromium.complaints).toEqual([]);
});
