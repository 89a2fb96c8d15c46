import { refreshRun } from '../../analysis/testing/made-run';
import type { SearchProfile } from '../../profile/search-profile';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import { searchProfileTable, shortSearchProfileTable } from './search-profile';

const HISTOGRAMS = { serviceHistogram: undefined, latencyHistogram: undefined };

/** Creates a report of trials with these profiles. `of`: returns the profile of a request, for the index of a trial's cell. */
function withProfiles(of: (cell: number) => Record<string, SearchProfile | undefined>): Report {
  const { run, trials } = refreshRun();
  for (const trial of trials) {
    const [task] = trial.tasks;
    const { service, latency } = task!;
    task!.requests = Object.fromEntries(
      Object.entries(of(trial.cell.index)).map(([name, profile]) => [
        name,
        { count: 1, failed: 0, service, latency, ...HISTOGRAMS, ...(profile && { profile }) },
      ]),
    );
  }
  return buildReport(run, trials);
}

const tableOf = (report: Report): { columns: string[]; rows: string[][]; note: string } | null => {
  const table = searchProfileTable(report, report.tasks[0]!);
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

test('the profiles of all trials are added up', () => {
  const report = withProfiles(() => ({ term: { searches: 2, parts: { query: { TermQuery: 5 } } } }));
  const {
    requests: [request],
    throughput,
  } = report.cells[0]!.tasks[0]!;
  const trials = throughput.values.length;
  expect(trials).toBeGreaterThan(1);
  expect(request!.profile).toEqual({ searches: 2 * trials, parts: { query: { TermQuery: 5 * trials } } });
  expect(tableOf(report)!.note).toContain(`of ${2 * trials} profiled searches`);
});

test('a run without profiled searches has no table', () => {
  const report = withProfiles(() => ({ term: undefined }));
  expect(tableOf(report)).toBeNull();
  expect(shortSearchProfileTable(report, report.tasks[0]!)).toBeNull();
});
