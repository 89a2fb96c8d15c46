import { refreshRun } from '../../common/analysis/testing/made-run';
import { analyseRuns } from '../../common/history/history';
import { madeHistoryRuns } from '../../common/history/testing/made-history';
import { buildReport } from '../../common/report/model/build';
import { renderCsv } from '../../common/report/render/csv';
import { factsOf } from '../../common/history/history-run';
import { packHistoryRun } from '../results/stored-history-run';
import { analyseHere, analyseHistoryBy, type Analysis } from './work';

/** Copies orders and answers, as a thread does. */
const copying: Analysis = async (name, order, lists) =>
  structuredClone(await analyseHere(name, structuredClone(order), lists));

test('a report from another thread equals the one from this thread', async () => {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  const built = buildReport(run, trials, { published: null, samples: [] });
  expect(await copying('report', { run, published: null }, { trials })).toEqual(built);
  const whole = buildReport(run, trials, { published: null, samples });
  const file = await copying(
    'file',
    { run, published: null, format: 'csv' },
    { trials, samples, profiles: [] },
  );
  expect(file).toBe(renderCsv(whole));
});

async function* inParts<T>(all: readonly T[], size: number): AsyncGenerator<T[]> {
  for (let from = 0; from < all.length; from += size) yield structuredClone(all.slice(from, from + size));
}

test('an analysis of runs in another thread equals the one here, including gaps and metrics of the cluster', async () => {
  const historyRuns = madeHistoryRuns({
    runs: 40,
    factor: (run, cell) => (run >= 25 && cell === 1 ? 1.15 : 1),
    lacks: (run, cell) => run === 3 && cell === 0,
  });
  const runs = historyRuns.map(({ run }) => run);
  const facts = historyRuns.map(factsOf);
  // In their stored form and in reverse order.
  const packed = historyRuns.map((run) => ({ ...run, ...packHistoryRun(run) })).reverse();
  for (const clusterMetrics of [undefined, ['cluster.merges.count']]) {
    const here = analyseRuns(historyRuns, new Map(), clusterMetrics);
    expect(here.series.length).toBeGreaterThan(1);
    const order = { runs, definitions: new Map(), clusterMetrics };
    const found = await analyseHistoryBy(copying)(order, inParts(packed, 7));
    expect(found).toEqual({
      runs: facts,
      asked: [],
      found: { bands: here.bands, cuts: here.cuts, series: here.series },
    });
  }
});
