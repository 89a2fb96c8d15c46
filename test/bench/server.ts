/**
 * Measures the pages of a large run with 100 trials and 60,000 samples on a real Elasticsearch: response times, and how long each
 * request blocks the server's event loop.
 */
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as Playwright from 'playwright-core';
import type { Browser } from 'playwright-core';
import { request } from 'undici';
import type * as Chromium from '../../scripts/chromium.mjs';
import { makeRun, type MadeRun } from '../../common/analysis/testing/made-run';
import type { DefinitionInput } from '../../common/experiment/definition';
import { AnalysisThread } from '../../server/analysis/analysis-thread';
import { analyseHere, type Analysis } from '../../server/analysis/work';
import { createExperimentHistory } from '../../server/results/experiment-history';
import { createResultsReader } from '../../server/results/reader';
import { storedRun, storedSample, storedTrial, type StoredDocument } from '../../server/results/stored';
import { installTemplates } from '../../server/results/templates';
import { createTimelineReader } from '../../server/results/timeline/timeline';
import { ReportMemory } from '../../server/routes/report-cache';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { Connection } from '../../server/target-cluster/connection';
import { hostileServer } from '../fuzz/server';
import { delaysDuring } from './event-loop';
import type { StatisticsTable } from './statistics';
import { figure, type Row } from './table';

const RUN = 'run-1';
const BULK = 500;
/** Maximum time that a request may block the server's event loop, in ms. */
export const MOST_BLOCKED_MS = 50;

/** Definition of the large run: 20 combinations of factor levels with 5 trials each. Each trial has two tasks and is measured for 300 s. */
const LARGE: DefinitionInput = {
  version: 1,
  name: 'A large run',
  hypothesis: 'More shards index faster',
  expect: ['ingest.throughput rises with index.settings.number_of_shards'],
  index: { settings: { number_of_replicas: 0 }, mapping: 'apache-logs' },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
    {
      name: 'search',
      search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  factors: { 'index.settings.number_of_shards': Array.from({ length: 20 }, (_, at) => at + 1) },
  measure: { warmup: '30s', duration: '5m' },
  trials: 5,
};

export const madeLargeRun = (withSamples = true): MadeRun =>
  makeRun(
    LARGE,
    ({ index }) => ({
      tasks: {
        ingest: { rate: 12_000 + 300 * index, batch: 1000, medianMs: 150 },
        search: { rate: 400, medianMs: 5 },
      },
    }),
    { id: RUN, withSamples },
  );

async function store(client: Connection, documents: readonly StoredDocument[]): Promise<void> {
  for (let from = 0; from < documents.length; from += BULK) {
    const lines = documents
      .slice(from, from + BULK)
      .map(
        ({ index, id, source }) =>
          `${JSON.stringify({ index: { _index: index, _id: id } })}\n${JSON.stringify(source)}\n`,
      );
    const { body } = await client.request<{ errors?: boolean }>({
      method: 'POST',
      path: '/_bulk',
      body: lines.join(''),
      timeoutMs: 60_000,
    });
    if (body.errors !== false)
      throw new Error(`documents were not stored: ${JSON.stringify(body).slice(0, 500)}`);
  }
}

/** Stores the run and returns the number of its samples. */
async function storeLargeRun(client: Connection): Promise<number> {
  const { run, trials, samples } = madeLargeRun();
  const measured = samples.filter(({ phase }) => phase === 'measure');
  const now = Date.now();
  await store(client, [storedRun(run, now), ...trials.map((trial) => storedTrial(trial, now))]);
  for (let from = 0; from < measured.length; from += 10 * BULK)
    await store(client, measured.slice(from, from + 10 * BULK).map(storedSample));
  return measured.length;
}

export interface Measured {
  ms: number;
  /** Longest time for which the event loop was blocked, in ms. */
  blockedMs: number;
  bytes: number;
}

export async function get(url: string, encoding = 'identity'): Promise<Measured> {
  let found = { ms: 0, bytes: 0 };
  const delays = await delaysDuring(async () => {
    const since = performance.now();
    const { statusCode, body } = await request(url, { headers: { 'accept-encoding': encoding } });
    let bytes = 0;
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    found = { ms: performance.now() - since, bytes };
  });
  return { ...found, blockedMs: delays.max / 1e6 };
}

/** Size of the browser window, in px. It is as tall as the page, because charts outside of the window are not drawn. */
const VIEWPORT = { width: 1400, height: 6000 };
/** Time without changes, in ms, after which a page counts as complete. */
const STILL_MS = 700;
const VISITS = 5;
/** Maximum time in ms until the charts of a page must have appeared. */
const LONGEST_MS = 30_000;

/** Minimum number of charts that the page must show. */
const CHARTS = 3;

/** Script that waits until the charts are drawn. Its promise resolves to the time of the page's last change, in ms after the navigation. */
const LAST_CHANGE = `new Promise((resolve, reject) => {
  let last = performance.now();
  let timer;
  const look = () => {
    last = performance.now();
    clearTimeout(timer);
    timer = setTimeout(end, ${STILL_MS});
  };
  const drawn = (is) => document.querySelectorAll('[data-ech-render-complete="' + is + '"]').length;
  const end = () => {
    if (drawn(false) === 0 && drawn(true) >= ${CHARTS}) resolve(last);
    else if (performance.now() > ${LONGEST_MS}) reject(new Error('the page shows too few charts'));
    else timer = setTimeout(end, ${STILL_MS});
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  look();
})`;

/** Returns the time from the navigation to the last drawn chart, in ms: the median of some visits with a warm browser cache. */
async function visit(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  const times: number[] = [];
  // The first visit fills the browser cache and is not measured.
  for (let visits = 0; visits <= VISITS; visits += 1) {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    times.push(await page.evaluate<number>(LAST_CHANGE));
    await page.close();
  }
  await context.close();
  return times.slice(1).sort((a, b) => a - b)[Math.floor(VISITS / 2)]!;
}

/**
 * Measures the result page with each of the apps, one after the other. `apps`: folders of built pages. Returns no rows if Chromium is
 * missing.
 */
async function visitPages(serve: (app: string) => Promise<string>, apps: readonly string[]): Promise<Row[]> {
  const { findChromium } = (await import(path.resolve('scripts/chromium.mjs'))) as typeof Chromium;
  const executablePath = findChromium();
  if (executablePath === undefined) return [];
  // Playwright is not part of the bundle.
  const { chromium } = createRequire(path.resolve('package.json'))('playwright-core') as typeof Playwright;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const rows: Row[] = [];
    for (const app of apps) {
      const origin = new URL(await serve(app)).origin;
      const ms = await visit(browser, `${origin}/runs/${RUN}/result`);
      rows.push({ 'result page': app, ms: figure(ms), ratio: figure(ms / Number(rows[0]?.['ms'] ?? ms)) });
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/**
 * Measures each request of a page twice: with reports that are built in the event loop, as a command does, and with reports that are built
 * in a thread. Also measures the result page in Chromium. `apps`: folders of built pages, the baseline first.
 */
export async function benchServer(
  analysisFile: string,
  apps: readonly string[],
): Promise<{ tables: StatisticsTable[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-server-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  const client = new Connection({ hosts: [...cluster.urls] });
  const thread = new AnalysisThread(analysisFile);
  const failures: string[] = [];
  const close: (() => Promise<void>)[] = [() => thread.close()];
  try {
    await installTemplates(client);
    const samples = await storeLargeRun(client);
    const serve = async (analyse: Analysis, appFolder = folder): Promise<string> => {
      const app = await hostileServer(appFolder, (text) => failures.push(text), {
        results: createResultsReader(client),
        history: createExperimentHistory(client),
        timeline: createTimelineReader(client),
        reports: new ReportMemory(analyse),
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      close.push(() => app.close());
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/dyno/runs/${RUN}`;
    };
    const urls = { loop: await serve(analyseHere), thread: await serve(thread.analyse) };
    const asked = {
      'the report': '/report',
      'the report again': '/report',
      'the run': '',
      'its timeline': '/timeline',
      'how response times are distributed': '/distributions',
      'the report as a page': '/export?format=html',
    };
    // A first request, which is not measured, makes Node.js compile the code.
    for (const url of Object.values(urls)) await get(`${url}/export?format=csv`);
    const rows: Row[] = [];
    for (const [name, where] of Object.entries(asked)) {
      const own = await get(urls.loop + where);
      const other = await get(urls.thread + where);
      rows.push({
        request: name,
        'ms in the loop': figure(own.ms),
        'blocked ms': figure(own.blockedMs),
        'ms by a thread': figure(other.ms),
        'blocked by it ms': figure(other.blockedMs),
        ratio: figure(other.blockedMs / own.blockedMs),
        MB: figure(other.bytes / 1024 ** 2),
      });
      if (other.blockedMs > MOST_BLOCKED_MS)
        failures.push(
          `${name}: the loop was blocked for ${figure(other.blockedMs)} ms, ${MOST_BLOCKED_MS} at most`,
        );
    }
    const sent: Row[] = [];
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { ms, bytes } = await get(`${urls.thread}/report`, encoding);
      sent.push({ encoding, ms: figure(ms), KB: figure(bytes / 1024) });
    }
    const pages = await visitPages((app) => serve(thread.analyse, path.resolve(app)), apps);
    return {
      tables: [
        { title: `A run of 100 trials and ${samples} samples`, rows },
        { title: 'Its report over HTTP, from the cache', rows: sent },
        ...(pages.length > 0
          ? [
              {
                title: `Its result page in Chromium, to the last chart; median of ${VISITS} visits`,
                rows: pages,
              },
            ]
          : []),
      ],
      failures,
    };
  } finally {
    for (const end of close.reverse()) await end();
    await client.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
