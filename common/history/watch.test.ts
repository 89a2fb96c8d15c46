import { renderHistory, renderHistoryCsv, renderWatchJunit, renderWatchMarkdown, sparkline } from './render';
import { buildHistory, type History } from './history';
import { madeHistoryRuns, type Planted } from './testing/made-history';
import { noticeOf, watchHistory, watchSentence } from './watch';

const historyOf = (planted: Planted): History =>
  buildHistory({
    experiment: { id: 'searches', name: 'Searches | nightly' },
    runs: madeHistoryRuns(planted),
  });

const slowFrom =
  (from: number, to = Infinity) =>
  (run: number, cell: number): number =>
    run >= from && run < to && cell === 1 ? 1.2 : 1;

const worse = historyOf({ runs: 30, factor: slowFrom(20) });
const steady = historyOf({ runs: 30 });
const recovered = historyOf({ runs: 40, factor: slowFrom(15, 28) });

test('a series whose newest confirmed change is for the worse is a regression', () => {
  const watch = watchHistory(worse);
  expect(watch.state).toBe('regression');
  expect(new Set(watch.regressions.map(({ label }) => label))).toEqual(new Set(['number_of_shards=5']));
  expect(watchSentence(worse, watch)).toBe(
    'a confirmed regression in 2 series, as of 2026-11-30 (run run-29)',
  );
});

test('a recovered or accepted change is not a regression', () => {
  expect(recovered.changes.map(({ kind }) => kind)).toContain('recovery');
  expect(watchHistory(recovered).state).toBe('no-regression');
  expect(watchHistory(worse, '2026-11-22T00:00:00Z').state).toBe('no-regression');
  expect(watchHistory(worse, '2026-11-21T00:00:00Z').state).toBe('regression');
});

test('steady runs are not a regression, and a few runs are too few for an answer', () => {
  expect(watchHistory(steady).state).toBe('no-regression');
  expect(watchHistory(historyOf({ runs: 2 })).state).toBe('too-few');
  const none = historyOf({ runs: 0 });
  expect(watchSentence(none, watchHistory(none))).toBe('no run of it has completed yet');
});

test('whether a series is still worse is unknown if the newest run does not measure it, and is dropped after a week', () => {
  const without = (since: number): History =>
    historyOf({ runs: 36, factor: slowFrom(20), lacks: (run, cell) => cell === 1 && run >= since });
  const watch = watchHistory(without(35));
  expect(watch).toMatchObject({ state: 'cannot-tell', regressions: [] });
  expect(new Set(watch.unmeasured.map(({ label }) => label))).toEqual(new Set(['number_of_shards=5']));
  expect(watch.silent.map(({ label }) => label)).toEqual(['number_of_shards=5', 'number_of_shards=5']);
  const sentence =
    'undecided: 2 series became worse, and the newest run did not measure them, as of 2026-12-06 (run run-35)';
  expect(watchSentence(without(35), watch)).toBe(sentence);
  expect(renderWatchMarkdown(without(35), watch)).toContain(
    '### Became worse, and the newest run did not measure it\n\n- since 2026-11-21: search',
  );
  expect(renderWatchJunit(without(35), watch)).toContain(
    'no data in the newest run; since 2026-11-21: search',
  );
  // A change may be accepted, but a run without data does not count as good.
  const accepted = watchHistory(without(35), '2026-11-22T00:00:00Z');
  expect(accepted).toMatchObject({ state: 'cannot-tell', unmeasured: [] });
  expect(watchSentence(without(35), accepted)).toBe(
    'undecided: the newest run has no data of search with number_of_shards=5, as of 2026-12-06 (run run-35)',
  );
  expect(watchHistory(without(30)).state).toBe('cannot-tell');
  expect(watchHistory(without(29)).state).toBe('no-regression');
});

test('a newest run without any data does not count as one without a regression', () => {
  const empty = historyOf({ runs: 30, lacks: (run) => run === 29 });
  const watch = watchHistory(empty);
  expect(watch.state).toBe('cannot-tell');
  expect(watchSentence(empty, watch)).toMatch(/^undecided: the newest run has no data of search with /);
  const xml = renderWatchJunit(empty, watch);
  expect(xml).toContain('failures="4"');
  expect(xml).toContain('no data in the newest run');
});

test('a webhook is notified of a change once, by the run that confirms it', () => {
  const notices = Array.from({ length: 15 }, (_, more) =>
    historyOf({ runs: 18 + more, factor: slowFrom(20) }),
  ).flatMap((history) => noticeOf(history, watchHistory(history)) ?? []);
  const ids = notices.flatMap(({ changes }) => changes.map(({ id }) => id));
  expect(notices[0]!.changes[0]!.lines[0]).toBe('Nothing that is recorded changed in the same run.');
  expect(notices[0]!.changes[0]!.cause.good).toMatchObject({ run: 'run-19' });
  expect(ids).toHaveLength(2);
  expect(ids).toContain('searches/search.latency.p95/index.settings.number_of_shards=5/run-20/worse');
});

test('a time range without runs says so', () => {
  const none = { ...steady, nights: [] };
  expect(renderHistory(none)).toBe('Searches | nightly: 0 runs\nNo run of it has completed in this time.');
});

test('a history in a terminal has a line for each series, and its changes below', () => {
  const lines = renderHistory(worse, { width: 120 }).split('\n');
  expect(lines[0]).toBe('Searches | nightly: 30 runs, 2026-11-01 to 2026-11-30');
  expect(lines.filter((line) => /[▁▂▃▄▅▆▇█]{12}$/.test(line))).toHaveLength(4);
  expect(lines.join('\n')).toMatch(
    /number_of_shards=5\n[^=]*search response time p95 .* worse +\+\S+% since 2026-11-21/,
  );
  expect(lines.every((line) => line.length <= 120)).toBe(true);
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(worse.changes[0]!.sentence);
});

test('a regression stays one while its newest runs look like another change, and both are shown', () => {
  const twice = historyOf({
    runs: 41,
    factor: (run, cell) => (cell === 1 && run >= 20 ? (run >= 39 ? 1.6 : 1.2) : 1),
  });
  const p95 = twice.series.find(({ metric, label }) => metric.endsWith('p95') && label.endsWith('=5'))!;
  expect(p95).toMatchObject({ now: 'suspect', standing: 'worse' });
  const watch = watchHistory(twice);
  expect(watch.state).toBe('regression');
  expect(watch.regressions).toHaveLength(2);
  expect(watchSentence(twice, watch)).toMatch(
    /^a confirmed regression in 2 series.*; 2 series may have changed/,
  );
  expect(renderHistory(twice, { width: 140 })).toMatch(
    /response time p95 .* worse, suspect +\+\S+% since 2026-11-21/,
  );
  expect(renderHistory(steady, { width: 140 })).toMatch(/response time p95 .* steady /);
});

test('below each change is what else changed in its run, for people and for build servers', () => {
  const history = historyOf({
    runs: 30,
    factor: slowFrom(20),
    merges: (run) => (run >= 20 ? 56 : 40),
    place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3 <b>' : '9.5.2' }),
  });
  const watch = watchHistory(history);
  const changed = 'Changed in the same run: Elasticsearch 9.5.2 → 9.5.3';
  const terminal = renderHistory(history, { width: 100 });
  expect(terminal).toContain(`\n    ${changed} <b>.\n    Cluster metrics that changed with it: merges +`);
  expect(terminal.split('\n').every((line) => line.length <= 100)).toBe(true);
  expect(renderWatchMarkdown(history, watch)).toContain(`\n  - ${changed}`);
  expect(renderWatchJunit(history, watch)).toContain(
    `>${changed} &lt;b&gt;.\nCluster metrics that changed with it: merges +`,
  );
});

test('a chart of one line shows the newest runs from their lowest to their highest, and gaps', () => {
  expect(sparkline([9, 1, null, 2, 3], 4)).toBe('▁ ▅█');
  expect(sparkline([4, 4], 9)).toBe('▄▄');
});

test('a history as CSV has a row for each run and series', () => {
  const [header, ...rows] = renderHistoryCsv(worse).trimEnd().split('\n');
  expect(header).toBe('run,at,metric,cell,mean,deviation,trials,level,outlier,changed,note');
  expect(rows).toHaveLength(4 * 30);
  expect(rows.filter((row) => row.endsWith(',worse,'))).toHaveLength(2);
});

test('a build server gets a failed case for each series that is worse', () => {
  const xml = renderWatchJunit(worse, watchHistory(worse));
  expect(xml).toContain('<testsuite name="history" tests="4" failures="2" errors="0" skipped="0"');
  expect(xml).toContain('<failure message="since 2026-11-21: search');
  const few = historyOf({ runs: 2 });
  expect(renderWatchJunit(few, watchHistory(few))).toContain('failures="0" errors="0" skipped="4"');
});

test('a pull request gets the state, what became worse, and the series', () => {
  const text = renderWatchMarkdown(worse, watchHistory(worse));
  expect(text).toContain('## Searches \\| nightly');
  expect(text).toContain('### Became worse\n\n- since 2026-11-21: search');
  expect(text.match(/^\| search /gm)).toHaveLength(4);
  expect(renderWatchMarkdown(steady, watchHistory(steady))).toContain('**no confirmed regression, as of');
});
