/** A real Chromium for a test: pages that fail on console errors, screenshots as artefacts, and what axe finds. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';

const ROOT = path.resolve(__dirname, '../../..');
/** Not in git; CI may keep it. */
const ARTEFACTS = path.join(ROOT, 'build', 'screenshots');

/** Throws a sentence that says how to get one. */
export function chromiumFile(): string {
  const found = findChromium();
  if (found === undefined) {
    throw new Error(
      'the pages are tested in a real Chromium, and there is none: apt-get install chromium, or name one by DYNO_CHROMIUM',
    );
  }
  return found;
}

export interface Opened {
  browser: Browser;
  /** A context of its own; what its pages complain about is in `complaints`. */
  context(options?: { dark?: boolean; width?: number }): Promise<BrowserContext>;
  complaints: string[];
}

/** What a browser says that no page of ours caused: an answer with an error status is for the page to tell. */
const HARMLESS =
  /Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/;

export async function openChromium(): Promise<Opened> {
  const browser = await chromium.launch({
    executablePath: chromiumFile(),
    // The sandbox needs privileges that test machines lack; only our own pages on loopback are opened.
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

/** A page on which nothing has changed for so long is drawn, ms; longer than a frame, and than what a chart waits for. */
const STILL_MS = 150;
/** A page that shows a run changes all the time: its picture is taken then as it is, ms. */
const LONGEST_MS = 5000;

/** Resolves once nothing on the page changes any more, and every chart says that it is drawn. */
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

/** Keeps a picture of the whole page. The window is made as tall as the page: parts out of sight are not drawn. */
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

/** How far content may reach beyond the window, px: rounding of fractions. */
const ROUNDING = 1;

/** Parts with an edge of their own, which their content must not leave. */
const FRAMES = '.euiPanel, .euiCallOut, .euiFlyout, .euiModal, .euiPopover__panel';

/** What makes the page wider than its window, and frames that their content leaves; empty for a page that fits. */
export const wider = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const said = (element) => element.outerHTML.slice(0, 160);
    const left = [...document.querySelectorAll('${FRAMES}')].filter((frame) =>
      getComputedStyle(frame).overflowX === 'visible' && frame.scrollWidth > frame.clientWidth + ${ROUNDING});
    const { scrollWidth, clientWidth } = document.documentElement;
    // On a phone, a row of a table is a card: it does not scroll.
    const cards = clientWidth >= 575 ? [] : [...document.querySelectorAll('.euiTableRow')].filter((row) =>
      row.getBoundingClientRect().width > row.closest('table').parentElement.clientWidth + ${ROUNDING});
    const frames = [...left, ...cards].map((frame) => 'its content leaves ' + said(frame));
    if (scrollWidth <= clientWidth + ${ROUNDING}) return frames;
    const beyond = [...document.body.querySelectorAll('*')].filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      if (width === 0 || right <= clientWidth + ${ROUNDING}) return false;
      for (let above = element.parentElement; above !== null; above = above.parentElement)
        if (getComputedStyle(above).overflowX !== 'visible' && above.clientWidth < clientWidth) return false;
      return true;
    });
    return [...frames, 'the page is ' + (scrollWidth - clientWidth) + ' px wider than its window', ...beyond.slice(0, 5).map(said)];
  })()`);

const SERIOUS = ['serious', 'critical'];

/** What axe calls moderate, serious or critical on the page as it is, below `selector`. */
export const findings = (page: Page, selector = 'html'): Promise<string[]> =>
  findingsOf(page, selector, [...SERIOUS, 'moderate']);

/** What axe calls serious or critical, where a host draws a part of the page that is not ours. */
export const seriousFindings = (page: Page, selector = 'html'): Promise<string[]> =>
  findingsOf(page, selector, SERIOUS);

async function findingsOf(page: Page, selector: string, impacts: readonly string[]): Promise<string[]> {
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
