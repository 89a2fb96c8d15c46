import { findTrait, noteRun, resolveBaseline, type Annotations, type Baseline } from './annotations';
import { buildHistory, type History, type HistoryFilter } from './history';
import { renderHistory, renderHistoryCsv, renderWatchJunit, renderWatchMarkdown } from './render';
import { madeHistoryRuns, type Planted } from './testing/made-history';
import { watchHistory } from './watch';
import { baselineSentence, watchBaseline } from './watch-baseline';

const by = { author: 'anna', updated: '2026-11-30T10:00:00.000Z' };
const noted = { id: 'n', version: '1', author: 'anna', created: by.updated, updated: by.updated };

const slower: Planted = {
  runs: 30,
  factor: (run, cell) => (run >= 20 && cell === 1 ? 1.2 : 1),
  place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2', Dyno: '0.1.0' }),
};
const runs = madeHistoryRuns(slower);

const historyOf = (annotations: Partial<Annotations>, filter: HistoryFilter = {}): History =>
  buildHistory(
    {
      experiment: { id: 'searches', name: 'Searches' },
      runs,
      annotations: { notes: [], baseline: null, ...annotations },
    },
    filter,
  );

const version: Baseline = { trait: 'Elasticsearch', value: '9.5.2', since: null, ...by };

test('a baseline is a run, or all runs of a version, optionally only those from a time on', () => {
  expect(resolveBaseline({ run: 'run-3', ...by }, runs)).toMatchObject({
    label: 'run run-3',
    nights: [3],
    run: 'run-3',
  });
  expect(resolveBaseline(version, runs)).toMatchObject({
    label: 'Elasticsearch 9.5.2',
    nights: runs.slice(0, 20).map((_, at) => at),
    run: 'run-19',
  });
  const since = resolveBaseline({ ...version, since: '2026-11-15T00:00:00.000Z' }, runs);
  expect(since).toMatchObject({
    label: 'Elasticsearch 9.5.2 since 2026-11-15',
    nights: [14, 15, 16, 17, 18, 19],
  });
  expect(resolveBaseline({ run: 'gone', ...by }, runs)).toMatchObject({ nights: [], run: null });
});

test('a version is written with its trait, or without it if it is unambiguous', () => {
  expect(findTrait('9.5.2', runs)).toEqual({ trait: 'Elasticsearch', value: '9.5.2' });
  expect(findTrait('Dyno 0.1.0', runs)).toEqual({ trait: 'Dyno', value: '0.1.0' });
  expect(findTrait('9.9.9', runs)).toBeUndefined();
});

test('each series is compared with the baseline in one sentence', () => {
  const { series, baseline } = historyOf({ baseline: version });
  expect(baseline!.run).toBe('run-19');
  expect(series.map(({ against }) => against!.answer)).toEqual(['same', 'worse', 'same', 'worse']);
  expect(series[3]!.against!.sentence).toMatch(
    /^search response time p95 with number_of_shards=5 \+(19|2\d)(\.\d)?% against Elasticsearch 9\.5\.2, 95% interval \+\S+% to \+\S+%, worse by more than the margin of 5%$/,
  );
  const part = historyOf(
    { baseline: version },
    { metrics: ['search.latency.p95'], from: '2026-11-19T00:00:00Z' },
  );
  expect(part.series[1]!.against).toEqual(series[3]!.against);
  expect(part.baseline!.nights).toEqual([0, 1]);
  expect(historyOf({}).series.every(({ against }) => against === null)).toBe(true);
});

test('a build server fails if a series is worse than the baseline, and is notified if nothing can be decided', () => {
  const history = historyOf({ baseline: version });
  const found = watchBaseline(history)!;
  expect(found.state).toBe('worse');
  expect(baselineSentence(found)).toBe(
    'worse than the baseline (Elasticsearch 9.5.2) by more than the margin in 2 series',
  );
  const watch = { ...watchHistory(history, '2027-01-01T00:00:00Z'), againstBaseline: found };
  expect(renderWatchJunit(history, watch)).toContain('failures="2"');
  expect(renderWatchMarkdown(history, watch)).toContain('### Worse than the baseline\n\n- search');
  const newest = watchBaseline(historyOf({ baseline: { run: 'run-25', ...by } }))!;
  expect(newest.state).toBe('not-worse');
  const gone = watchBaseline(historyOf({ baseline: { run: 'gone', ...by } }))!;
  expect(gone.state).toBe('cannot-tell');
  expect(baselineSentence(gone)).toContain('no series has values in both; nothing to compare in 4 series');
  expect(watchBaseline(historyOf({}))).toBeUndefined();
});

test('a note belongs to its run, or to the run before its time', () => {
  expect(noteRun({ run: 'run-3', at: '2026-11-20T00:00:00Z' }, runs)).toBe(3);
  expect(noteRun({ run: null, at: '2026-11-04T12:00:00Z' }, runs)).toBe(3);
  expect(noteRun({ run: 'gone', at: '2026-11-04T12:00:00Z' }, runs)).toBe(3);
  expect(noteRun({ run: null, at: '2026-10-01T00:00:00Z' }, runs)).toBeNull();
});

test('notes and the baseline are shown in a terminal and in the CSV', () => {
  const notes = [
    { ...noted, run: 'run-3', at: '2026-11-04T02:00:00.000Z', text: 'the new disk' },
    { ...noted, run: null, at: '2026-11-20T12:00:00.000Z', text: 'a "release"\nof the index' },
  ];
  const history = historyOf({ notes, baseline: version });
  const text = renderHistory(history, { width: 140 });
  expect(text).toContain('Baseline: Elasticsearch 9.5.2, 20 runs');
  expect(text).toMatch(
    /Notes, the newest first:\n {2}- 2026-11-20, anna: a "release" of the index\n {2}- 2026-11-04 \(run run-3\), anna: the new disk/,
  );
  expect(text).toMatch(/\+\S+% worse/);
  const rows = renderHistoryCsv(history)
    .split('\n')
    .filter((row) => row.startsWith('run-3,'));
  expect(rows).toHaveLength(4);
  expect(rows.every((row) => row.endsWith(',the new disk'))).toBe(true);
  expect(historyOf({ notes }, { from: '2026-11-10T00:00:00Z' }).notes).toEqual([notes[1]]);
});
