import {
  createHistogram,
  encodeHistogram,
  recordMs,
  summariseHistogram,
  type EncodedHistogram,
  type LatencySummary,
} from '../../measurement/histogram';
import type { RequestSummary, TrialDocument } from '../../measurement/trial';
import { buildReport } from '../model/build';
import { renderCsv } from '../render/csv';
import { makeRun, REFRESH } from '../../analysis/testing/made-run';
import { renderTerminal } from '../render/terminal';
import { requestsTable } from './requests';
import type { Table } from './table';

function times(...values: number[]): { summary: LatencySummary; histogram: EncodedHistogram } {
  const histogram = createHistogram();
  for (const value of values) recordMs(histogram, value);
  return { summary: summariseHistogram(histogram), histogram: encodeHistogram(histogram) };
}

function request(...values: number[]): RequestSummary {
  const { summary, histogram } = times(...values);
  return {
    count: values.length,
    failed: 0,
    service: summary,
    latency: summary,
    serviceHistogram: histogram,
    latencyHistogram: null,
  };
}

/** Returns two trials of a transaction with two parts, which have the times in `made`. */
function transactions(
  gap: string,
  made: (order: number) => { whole: number[]; requests: Record<string, RequestSummary> },
): { table: Table; terminal: string; csv: string } {
  const body = { query: { match_all: {} } };
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      tasks: [
        {
          name: 'queries',
          transaction: {
            requests: [
              { name: 'A', body },
              { name: 'B', body },
            ],
            gap,
          },
        },
      ],
      thresholds: [],
      expect: [],
      factors: {},
      trials: 2,
    },
    () => ({ tasks: { queries: { rate: 1 } } }),
  );
  const filled = trials.map((trial): TrialDocument => {
    const { whole, requests } = made(trial.trial.order);
    const { summary, histogram } = times(...whole);
    const [task] = trial.tasks;
    return { ...trial, tasks: [{ ...task!, service: summary, serviceHistogram: histogram, requests }] };
  });
  const report = buildReport(run, filled);
  return {
    table: requestsTable(report, 'queries')!,
    terminal: renderTerminal(report, { width: 120 }),
    csv: renderCsv(report),
  };
}

const texts = ({ rows }: Table): string[][] => rows.map((row) => row.map(({ text }) => text).slice(1));

test('parts are shown over all trials with their share, then the gaps and the whole', () => {
  const { table, terminal } = transactions('10ms', (order) => ({
    whole: [order === 0 ? 110 : 210],
    requests: { A: request(order === 0 ? 60 : 160), B: request(40) },
  }));
  expect(table.title).toBe('Parts of queries');
  expect(table.note).toContain('Parts and gaps add up to the whole.');
  expect(texts(table).map((row) => row.slice(0, 5))).toEqual([
    ['A', '2', '0', '110 ms', '68.8%'],
    ['B', '2', '0', '40 ms', '25%'],
    ['gaps, as stated', '', '', '10 ms', '6.25%'],
    ['whole', expect.any(String) as string, '0', '160 ms', '100%'],
  ]);
  expect(terminal).toContain('transactions/s');
});

test('time that the parts do not explain is described in words', () => {
  const { table } = transactions('0ms', () => ({
    whole: [150],
    requests: { A: request(60), B: request(40) },
  }));
  expect(table.note).toMatch(
    /parts of 100 ms leave 49.9 ms \(33.\d%\) of the mean of 150 ms unaccounted for/,
  );
  expect(texts(table).at(-1)![0]).toBe('whole');
});

test('trials of older versions, which stored no times of single requests, show dashes', () => {
  const { table } = transactions('0ms', () => {
    const old = request(60);
    delete old.serviceHistogram;
    delete old.latencyHistogram;
    return { whole: [60], requests: { A: old } };
  });
  expect(texts(table)[0]).toEqual(['A', '2', '0', '–', '–', '–', '–', '–', '–']);
  expect(table.note).toContain('older version');
});

test('the CSV has a row for each part below the row of the whole', () => {
  const { csv } = transactions('0ms', () => ({
    whole: [100],
    requests: { A: request(60), B: request(40) },
  }));
  const [header, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const columns = ['task', 'request', 'with a time (requests)', 'failed (requests)', 'service mean (ms)'];
  expect(rows.map((row) => columns.map((name) => row[header!.indexOf(name)]))).toEqual([
    ['queries', '', '2', '', expect.stringMatching(/^100\b/)],
    ['queries', 'A', '2', '0', expect.stringMatching(/^60\b/)],
    ['queries', 'B', '2', '0', expect.stringMatching(/^40\b/)],
  ]);
  for (const row of rows) expect(row).toHaveLength(header!.length);
});

test('searches of a replay are listed by type, then again by their route', () => {
  const route = { field: 'store_id', modulo: 2, indices: ['trial', 'trial'], names: ['even', 'odd'] };
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      tasks: [{ name: 'shop', replay: { generator: 'storefront', route } }],
      thresholds: [],
      expect: [],
      factors: {},
      trials: 1,
    },
    () => ({ tasks: { shop: { rate: 1 } } }),
  );
  // The requests are in the order of the log.
  const requests = { aggregated: request(30), odd: request(30), product: request(10), even: request(10) };
  const filled = trials.map((trial): TrialDocument => ({
    ...trial,
    tasks: [{ ...trial.tasks[0]!, requests }],
  }));
  const table = requestsTable(buildReport(run, filled), 'shop')!;
  expect(texts(table).map(([name]) => name)).toEqual(['product', 'aggregated', 'even', 'odd']);
  expect(table.note).toContain('even, odd: the same searches again, by the index that they were sent to.');
});

test('searches of a replay that only some cells have are listed by the types and names of each cell', () => {
  const shop = (names: string[]): { tasks: object[] } => ({
    tasks: [
      {
        name: 'shop',
        replay: {
          generator: 'storefront',
          route: { field: 'store_id', modulo: 2, indices: ['trial', 'trial'], names },
        },
      },
    ],
  });
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      thresholds: [],
      expect: [],
      factors: [shop(['even', 'odd']), shop(['left', 'right'])],
      trials: 1,
    },
    () => ({ tasks: { shop: { rate: 1 } } }),
  );
  const filled = trials.map((trial): TrialDocument => ({
    ...trial,
    tasks: [
      {
        ...trial.tasks[0]!,
        requests:
          trial.cell.index === 0
            ? { aggregated: request(30), odd: request(30), product: request(10), even: request(10) }
            : { right: request(30), product: request(10), left: request(10) },
      },
    ],
  }));
  const table = requestsTable(buildReport(run, filled), 'shop')!;
  expect(texts(table).map(([name]) => name)).toEqual([
    ...['product', 'aggregated', 'even', 'odd'],
    ...['product', 'left', 'right'],
  ]);
  expect(table.note).toContain('even, odd, left, right: the same searches again');
});
