import { refreshRun } from '../../analysis/testing/made-run';
import type { SearchProfile } from '../../profile/search-profile';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import { searchProfileTable, shortSearchProfileTable } from './search-profile';

type Of = (cell: number, repetition: number) => Record<string, SearchProfile | undefined>;

const HISTOGRAMS = { serviceHistogram: undefined, latencyHistogram: undefined };

/** Creates a report of trials with these profiles. `of`: returns the profiles of a trial by request. */
function withProfiles(of: Of): Report {
  const { run, trials } = refreshRun();
  for (const trial of trials) {
    const [task] = trial.tasks;
    const { service, latency } = task!;
    task!.requests = Object.fromEntries(
      Object.entries(of(trial.cell.index, trial.trial.repetition)).map(([name, profile]) => [
        name,
        { count: 1, failed: 0, service, latency, ...HISTOGRAMS, ...(profile && { profile }) },
      ]),
    );
  }
  return buildReport(run, trials);
}

const tableOf = (
  report: Report,
  build = shortSearchProfileTable,
): { columns: string[]; rows: string[][]; note: string } | null => {
  const table = build(report, report.tasks[0]!);
  return (
    table && {
      columns: table.columns.map(({ name }) => name),
      rows: table.rows.map((row) => row.map(({ text }) => text)),
      note: table.note,
    }
  );
};

test('each request has a share for each part, the largest first, and small parts are added up', () => {
  const table = tableOf(
    withProfiles((cell) => ({
      term: {
        searches: 2,
        parts: {
          query: { TermQuery: cell === 0 ? 500 : 300, BooleanQuery: 9 },
          rewrite: { rewrite: 8 },
          fetch: { FetchSourcePhase: cell === 0 ? 483 : 683 },
        },
      },
      all: cell === 0 ? undefined : { searches: 1, parts: { collector: { TotalHitCountCollector: 5 } } },
    })),
  )!;
  expect(table.columns).toEqual(['request', 'part', 'name', '1s', '5s', '30s']);
  expect(table.rows).toEqual([
    ['term', 'fetch', 'FetchSourcePhase', '48.3%', '68.3%', '68.3%'],
    ['term', 'query', 'TermQuery', '50%', '30%', '30%'],
    ['term', 'other', 'each below 1%', '1.7%', '1.7%', '1.7%'],
    ['all', 'collector', 'TotalHitCountCollector', '–', '100%', '100%'],
  ]);
});

test('the share is the mean over the trials, with its interval', () => {
  const report = withProfiles((cell, repetition) => ({
    term:
      cell === 2
        ? undefined
        : { searches: 2, parts: { query: { TermQuery: 60 - 10 * repetition }, fetch: { fetch: 40 } } },
  }));
  const trials = report.cells[0]!.tasks[0]!.throughput.values.length;
  const table = tableOf(report, searchProfileTable)!;
  expect(table.columns).toEqual(['request', 'part', 'name', '1s', '95% interval', '5s', '95% interval']);
  expect(table.rows).toEqual([
    ['term', 'query', 'TermQuery', '55.2%', '42.7% to 67.6%', '55.2%', '42.7% to 67.6%'],
    ['term', 'fetch', 'fetch', '44.8%', '32.4% to 57.3%', '44.8%', '32.4% to 57.3%'],
  ]);
  expect(table.note).toContain(`from ${2 * trials} profiled searches`);
});

test('a run without profiled searches has no table', () => {
  const report = withProfiles(() => ({ term: undefined }));
  expect(tableOf(report)).toBeNull();
  expect(shortSearchProfileTable(report, report.tasks[0]!)).toBeNull();
});
