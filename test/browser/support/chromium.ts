/** Provides a real Chromium for tests. Records console errors, stores screenshots, and runs the accessibility checker axe. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';

const ROOT = path.resolve(__dirname, '../../..');
/** Folder of the screenshots. It is not in git, but CI may store it. */
const ARTEFACTS = path.join(ROOT, 'build', 'screenshots');

/** Returns the path of Chromium. If it is missing, throws an error that says how to install it. */
export function chromiumFile(): string {
  const found = findChromium();
  if (found === undefined) {
    throw new Error(
      'Chromium is needed to test the pages, but was not found: apt-get install chromium, or set DYNO_CHROMIUM to its path',
    );
  }
  return found;
}

export interface Opened {
  browser: Browser;
  /** Opens a separate browser context. Console errors of its pages are added to `complaints`. */
  context(options?: { dark?: boolean; width?: number }): Promise<BrowserContext>;
  complaints: string[];
}

/** Matches console messages that tests ignore, for example about a response with an error status. The page itself shows such an error. */
const HARMLESS =
  /Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/;

export async function openChromium(): Promise<Opened> {
  const browser = await chromium.launch({
    executablePath: chromiumFile(),
    // The sandbox needs privileges that test machines lack. The tests open only our own pages on loopback.
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
  });
  const complaints: string[] = [];
  return {
    browser,
    complaints,
    async context({ dark = false, width = 1400 } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 1000 },
        colorScheme: dark ? 'dark' : 'light',
        acceptDownloads: true,
        reducedMotion: 'reduce',
      });
      context.on('page', (page) => {
        page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack ?? error.message}`));
        page.on('console', (message) => {
          if (message.type() === 'error' && !HARMLESS.test(message.text()))
            complaints.push(`${page.url()}: ${message.text()}`);
        });
      });
      return context;
    },
  };
}

/**
 * Time without changes, in ms, after which a page counts as completely drawn. It is longer than one frame of the screen, and longer than
 * charts wait before they draw.
 */
const STILL_MS = 150;
/**
 * Maximum time, in ms, to wait until a page stops changing. After this time, the picture is taken anyway, because the page of an active run
 * never stops changing.
 */
const LONGEST_MS = 5000;

/** Resolves when the page no longer changes and every chart reports that it is drawn, at the latest after {@link LONGEST_MS}. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let timer;
    const end = () => { observer.disconnect(); clearTimeout(longest); resolve(); };
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (document.querySelector('[data-ech-render-complete="false"]') === null) end();
        else look();
      }, ${STILL_MS});
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const longest = setTimeout(() => { clearTimeout(timer); end(); }, ${LONGEST_MS});
    look();
  })`);
}

const TALLEST = 12_000;

/** Stores a picture of the whole page. Makes the window as tall as the page before, because content outside of the window is not drawn. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(ARTEFACTS, { recursive: true });
  const before = page.viewportSize()!;
  const height = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...before, height: Math.min(TALLEST, await height()) });
  await drawn(page);
  await page.setViewportSize({ ...before, height: Math.min(TALLEST, await height()) });
  await drawn(page);
  await page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`) });
  await page.setViewportSize(before);
}

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }[];
}

/** Number of px by which content may exceed the window. Browsers round fractions of px. */
const ROUNDING = 1;

/** Selector of elements with a border. Their content must not be wider than they are. */
const FRAMES = '.euiPanel, .euiCallOut, .euiFlyout, .euiModal, .euiPopover__panel';

/**
 * Returns a text for each element that makes the page wider than its window, and for each bordered element that is narrower than its
 * content.
 */
export const wider = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const htmlOf = (element) => element.outerHTML.slice(0, 160);
    const left = [...document.querySelectorAll('${FRAMES}')].filter((frame) =>
      getComputedStyle(frame).overflowX === 'visible' && frame.scrollWidth > frame.clientWidth + ${ROUNDING});
    const { scrollWidth, clientWidth } = document.documentElement;
    // On a phone, table rows are cards, which do not scroll.
    const cards = clientWidth >= 575 ? [] : [...document.querySelectorAll('.euiTableRow')].filter((row) =>
      row.getBoundingClientRect().width > row.closest('table').parentElement.clientWidth + ${ROUNDING});
    const frames = [...left, ...cards].map((frame) => 'the content exceeds ' + htmlOf(frame));
    if (scrollWidth <= clientWidth + ${ROUNDING}) return frames;
    const beyond = [...document.body.querySelectorAll('*')].filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      if (width === 0 || right <= clientWidth + ${ROUNDING}) return false;
      for (let above = element.parentElement; above !== null; above = above.parentElement)
        if (getComputedStyle(above).overflowX !== 'visible' && above.clientWidth < clientWidth) return false;
      return true;
    });
    return [...frames, 'the page is ' + (scrollWidth - clientWidth) + ' px wider than its window', ...beyond.slice(0, 5).map(htmlOf)];
  })()`);

const SERIOUS = ['serious', 'critical'];

/** Returns the accessibility problems that axe rates as moderate, serious or critical, in the element `selector`. */
export const findings = (page: Page, selector = 'html'): Promise<string[]> =>
  findingsOf(page, selector, [...SERIOUS, 'moderate']);

/**
 * Returns the accessibility problems that axe rates as serious or critical, in the element `selector`. Used for Dyno's pages in Kibana,
 * because Kibana itself draws parts of them.
 */
export const seriousFindings = (page: Page, selector = 'html'): Promise<string[]> =>
  findingsOf(page, selector, SERIOUS);

/** Resolves when all animations of the page have ended, except endless animations. During animations, axe would measure wrong colours. */
const faded = (page: Page): Promise<unknown> =>
  page.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.then(() => null, () => null)))`);

async function findingsOf(page: Page, selector: string, impacts: readonly string[]): Promise<string[]> {
  await faded(page);
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (within) =>
      (globalThis as unknown as { axe: { run(part: string, options: object): Promise<AxeResult> } }).axe.run(
        within,
        { resultTypes: ['violations'] },
      ),
    selector,
  );
  return violations
    .filter(({ impact }) => impact !== null && impacts.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
