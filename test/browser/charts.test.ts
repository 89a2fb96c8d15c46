/**
 * Checks that the charts of results show the stored values: series, intervals and axes. What a chart shows is read from the debug state of
 * Elastic Charts.
 */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { makeRun, type MadeRun } from '../../common/analysis/testing/made-run';
import { EXAMPLE } from '../../common/example';
import type { DefinitionInput } from '../../common/experiment/definition';
import { madeHistoryRuns } from '../../common/history/testing/made-history';
import { isWholeSecond, loadEnd } from '../../common/measurement/sample';
import { intervalSeries, type CellFigures, type MetricName } from '../../common/report/chart/interval-series';
import { buildReport } from '../../common/report/model/build';
import { recordedIn } from '../../server/results/example-run';
import type { RecordedDocuments } from '../../server/results/timeline/from-documents';
import { openChromium, picture, wider, type Opened } from './support/chromium';
import { serveResults, type ResultsServer } from './support/made-results';

interface Point {
  x: number | string;
  y: number | null;
}

interface DrawnAxis {
  title: string;
  labels: string[];
  values: number[];
  gridlines: { x: number; y: number }[];
}

/** The debug state of a chart, from which tests read what is drawn. It does not contain the points of bubble series. */
interface Drawn {
  axes: { x: DrawnAxis[]; y: DrawnAxis[] };
  lines: { key: string; name: string; points: Point[] }[];
  areas: { key: string; lines: { y0: { points: Point[] }; y1: { points: Point[] } } }[];
  bars: { key: string; bars: Point[] }[];
  annotations: { id: string; data: { coordinates?: { y0: number; y1: number } } }[];
}

const SHARDS = 'index.settings.number_of_shards';
const SEARCHES: DefinitionInput = {
  version: 1,
  name: 'Shards against searches',
  hypothesis: '',
  expect: [`search.latency.p99 falls with ${SHARDS}`],
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } },
      executor: { 'constant-clients': { clients: 1 } },
    },
    {
      name: 'search',
      search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
      executor: { 'constant-clients': { clients: 1 } },
    },
  ],
  factors: { [SHARDS]: [1, 3, 12] },
  measure: { warmup: '10s', duration: '5m' },
  trials: 3,
};
const searches = (id: string, expect: string, rate = 2): MadeRun =>
  makeRun(
    { ...SEARCHES, expect: [expect] },
    ({ levels }) => ({
      tasks: {
        ingest: { rate: 8000, batch: 1000, cv: 0.1 },
        search: { rate, medianMs: 20 * Number(levels[SHARDS]) },
      },
    }),
    { id, seed: 3, withSamples: true },
  );
/** Runs by id. The recorded example is added to them before the first test. */
const RUNS: Record<string, RecordedDocuments> = {
  // The 600 searches of a trial are too few for a p99. The 1,800 searches of the same factor level together are enough.
  few: searches('few', `search.latency.p99 falls with ${SHARDS}`),
  many: searches('many', `search.latency.p99 falls with ${SHARDS}`, 40),
  store: searches('store', `index.store_bytes stays with ${SHARDS}`),
  gc: searches('gc', `cluster.gc stays with ${SHARDS}`),
};
RUNS['store']!.trials.forEach((trial, at) => (trial.index!.storeBytes = (300 + 5 * at) * 2 ** 20));
/** Histories of experiments: one with an outlier, and one with a run whose two trials differ a lot. */
const HISTORY_RUNS = madeHistoryRuns({ runs: 30, factor: (run) => (run === 12 ? 3 : 1) }).map((run, at) => ({
  ...run,
  figures: run.figures.map((figures) => ({
    ...figures,
    values:
      at === 7
        ? figures.values.map((value, n, all) => [value, all[n - 1]! / 50, 2][n % 3] ?? null)
        : figures.values,
  })),
}));

let server: ResultsServer;
let chromium: Opened;

beforeAll(async () => {
  const file = path.resolve(__dirname, '../../common/example/run.dyno-runs.gz');
  RUNS[EXAMPLE.run.id] = await recordedIn(file)();
  [server, chromium] = await Promise.all([
    serveResults({ runs: RUNS, histories: { searches: HISTORY_RUNS } }),
    openChromium(),
  ]);
}, 60_000);
afterAll(async () => {
  await chromium?.browser.close();
  await server?.close();
});

async function open(address: string, { dark = false, width = 1440 } = {}): Promise<Page> {
  const page = await (await chromium.context({ dark, width })).newPage();
  await page.addInitScript('globalThis._echDebugStateFlag = true');
  await page.goto(server.url + address);
  return page;
}

/** Returns the debug state of the chart whose title matches. Waits until the chart is drawn completely. */
async function drawn(page: Page, title: RegExp): Promise<Drawn> {
  const figure = page.getByRole('figure', { name: title }).first();
  await figure.scrollIntoViewIfNeeded();
  const status = figure.locator('.echChartStatus[data-ech-render-complete=true]');
  await status.waitFor({ state: 'attached' });
  return JSON.parse((await status.getAttribute('data-ech-debug-state'))!) as Drawn;
}

/**
 * Returns the values at both ends of an axis. They are calculated from the ticks, whose grid lines have known positions in a plot of `size`
 * px.
 */
function span(axis: DrawnAxis, along: 'x' | 'y', size: number): { min: number; max: number } {
  const places = axis.gridlines.map((line) => line[along]).sort((a, b) => (along === 'y' ? b - a : a - b));
  const values = [...axis.values].sort((a, b) => a - b);
  const perPx = (values.at(-1)! - values[0]!) / (places.at(-1)! - places[0]!);
  const at = (place: number): number => values[0]! + (place - places[0]!) * perPx;
  const ends = [at(0), at(size)];
  return { min: Math.min(...ends), max: Math.max(...ends) };
}

const numbers = (points: readonly Point[]): number[] => points.flatMap(({ y }) => (y === null ? [] : [y]));
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const rounded = (values: readonly number[]): number[] =>
  sorted(values).map((value) => Number(value.toPrecision(9)));

const valuesOf = (id: string, task: string, metric: MetricName): CellFigures[] => {
  const { run, trials } = RUNS[id]!;
  return intervalSeries(buildReport(run, trials), task, metric).flatMap((cell) => cell ?? []);
};

/** Returns what a chart with intervals shows: the values of trials (points) and the upper ends of intervals (bars). */
const intervalsIn = ({ lines, bars }: Drawn): { trials: number[]; highs: number[] } => ({
  trials: lines.filter(({ key }) => key.includes('trials-')).flatMap(({ points }) => numbers(points)),
  highs: bars.flatMap((series) => numbers(series.bars)),
});

test.each([
  [EXAMPLE.run.id, 'ingest', 'p99', '?metric=p99', /^Response time, p99 of ingest/],
  [EXAMPLE.run.id, 'ingest', 'throughput', '', /^Throughput, .* of ingest/],
  ['few', 'search', 'p99', '', /^Response time, p99 of search/],
  ['many', 'search', 'p99', '', /^Response time, p99 of search/],
  ['gc', 'ingest', 'cluster.gc', '', /^Cluster: .*number_of_shards/],
] as const)(
  '%s: the chart of %s %s shows every trial and interval',
  async (id, task, metric, query, title) => {
    const page = await open(`/runs/${id}/result${query}`);
    const chart = await drawn(page, title);
    const cells = valuesOf(id, task, metric);
    const { trials, highs } = intervalsIn(chart);
    expect(cells.length).toBeGreaterThan(1);
    expect(rounded(trials)).toEqual(rounded(cells.flatMap(({ values }) => values)));
    const intervals = cells.flatMap(({ low, high }) =>
      low === null || high === null ? [] : [{ low, high }],
    );
    expect(intervals).toHaveLength(cells.length);
    expect(rounded(highs)).toEqual(rounded(intervals.map(({ high }) => high)));
    await page.context().close();
  },
);

test('sizes have the unit of the axis, with round ticks', async () => {
  const page = await open('/runs/store/result');
  const chart = await drawn(page, /^Index store bytes by/);
  const cells = valuesOf('store', 'ingest', 'index.store_bytes');
  expect(rounded(intervalsIn(chart).trials)).toEqual(
    rounded(cells.flatMap(({ values }) => values.map((value) => value / 2 ** 20))),
  );
  for (const label of chart.axes.y[0]!.labels) expect(label).toMatch(/^\d+ MB$/);
  await page.context().close();
});

test.each([
  ['many', 'search', 'p99', /^Search response time p99 by order/],
  ['store', 'ingest', 'index.store_bytes', /^Index store bytes by order/],
  ['gc', 'ingest', 'cluster.gc', /^Cluster .* by order/],
  // The trials have too few searches for a p99.
  ['few', 'search', 'throughput', /^Search throughput by order/],
] as const)('%s: the chart of trials in order shows %s %s', async (id, task, metric, title) => {
  const page = await open(`/runs/${id}/result?tab=trials`);
  const { lines, axes } = await drawn(page, title);
  const { points } = lines.find(({ key }) => key.includes('course'))!;
  const unit = axes.y[0]!.labels.some((label) => label.endsWith(' MB')) ? 2 ** 20 : 1;
  expect(rounded(numbers(points))).toEqual(
    rounded(valuesOf(id, task, metric).flatMap(({ values }) => values.map((value) => value / unit))),
  );
  await page.context().close();
});

test('throughput over time does not drop in the last second of the load', async () => {
  const page = await open(`/runs/${EXAMPLE.run.id}/result?tab=trials`);
  const { lines } = await drawn(page, /^Throughput of ingest by cell over time/);
  expect(lines.length).toBeGreaterThan(1);
  const { trials, samples } = RUNS[EXAMPLE.run.id]!;
  // The documents contain the last second only with a part of its requests.
  const partial = trials.filter(({ trial, times, tasks }) =>
    samples.some(
      (sample) =>
        sample.trial.id === trial.id &&
        !isWholeSecond(Date.parse(sample['@timestamp']), sample.phase, loadEnd(times)) &&
        sample.throughput < 0.5 * tasks[0]!.throughput,
    ),
  );
  expect(partial.length).toBeGreaterThan(0);
  for (const { name, points } of lines) {
    const measured = points.filter(({ x }) => Number(x) >= 0);
    const values = numbers(measured);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect({ name, falls: values.at(-1)! < 0.5 * mean }).toEqual({ name, falls: false });
  }
  await page.context().close();
});

test('a claim about a percentile also has a chart over time', async () => {
  const page = await open('/runs/few/result?tab=trials');
  const { lines, axes } = await drawn(page, /^Search response time p99 by cell over time/);
  expect(axes.y[0]!.title).toBe('Search response time p99');
  expect(lines).toHaveLength(3);
  await page.context().close();
});

test('the axis of a history contains every interval and every point', async () => {
  const page = await open('/experiments/searches/history?metric=search.latency.p95');
  const chart = await drawn(page, /^Search response time p95/);
  const intervals = chart.annotations
    .filter(({ id }) => id === 'intervals')
    .map(({ data }) => data.coordinates!);
  expect(intervals).toHaveLength(HISTORY_RUNS.length);
  const points = chart.lines
    .filter(({ key }) => /runs|standing/.test(key))
    .flatMap((line) => numbers(line.points));
  expect(points).toHaveLength(HISTORY_RUNS.length);
  const means = HISTORY_RUNS.map(({ figures }) => figures[1]!.values[0]!);
  expect(rounded(points)).toEqual(rounded(means));
  const canvas = page
    .getByRole('figure', { name: /^Search response time p95/ })
    .locator('canvas')
    .first();
  const [axis] = chart.axes.y;
  const { max } = span(axis!, 'y', (await canvas.boundingBox())!.height);
  const highest = Math.max(...intervals.map(({ y1 }) => y1), ...points);
  // The axis ends about 5% above the highest value.
  expect(max).toBeGreaterThan(1.02 * highest);
  await page.context().close();
});

const LOOKED_AT = [
  ['few', '/runs/few/result'],
  ['trials', '/runs/many/result?tab=trials'],
  ['latency', '/runs/many/result?tab=latency'],
  ['store', '/runs/store/result'],
  ['history', '/experiments/searches/history?metric=search.latency.p95'],
] as const;
/** Whether each page is checked in both themes: `npm run test:all` does so. `npm test` checks each page in only one of the themes. */
const IN_BOTH_THEMES = process.env['DYNO_TEST_THEMES'] === 'both';

test.each([1440, 390])(
  'pages with charts fit a window of %i px',
  async (width) => {
    for (const [at, [name, address]] of LOOKED_AT.entries())
      for (const dark of IN_BOTH_THEMES ? [false, true] : [at % 2 === 1]) {
        const page = await open(address, { dark, width });
        await page
          .locator('.echChartStatus[data-ech-render-complete=true]')
          .first()
          .waitFor({ state: 'attached' });
        await picture(page, `charts-${name}-${width}-${dark ? 'dark' : 'light'}`);
        expect({ name, beyond: await wider(page) }).toEqual({ name, beyond: [] });
        await page.context().close();
      }
  },
  400_000,
);

test('no page logged errors to the console', () => {
  expect(chromium.complaints).toEqual([]);
});
