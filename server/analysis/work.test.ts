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

test('a report that another thread builds is the one that this thread builds', async () => {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  const told = buildReport(run, trials, { published: null, samples: [] });
  expect(await copying('report', { run, published: null }, { trials })).toEqual(told);
  const whole = buildReport(run, trials, { published: null, samples });
  const file = await copying('file', { run, published: null, format: 'csv' }, { trials, samples });
  expect(file).toBe(renderCsv(whole));
});

async function* inParts<T>(all: readonly T[], size: number): AsyncGenerator<T[]> {
  for (let from = 0; from < all.length; from += size) yield structuredClone(all.slice(from, from + size));
}

test('runs that another thread analyses give what they give here, gaps and metrics of the cluster included', async () => {
  const nights = madeHistoryRuns({
    nights: 40,
    factor: (night, cell) => (night >= 25 && cell === 1 ? 1.15 : 1),
    lacks: (night, cell) => night === 3 && cell === 0,
  });
  const runs = nights.map(({ run }) => run);
  const facts = nights.map(factsOf);
  // In their stored form and in reverse order.
  const packed = nights.map((night) => ({ ...night, ...packHistoryRun(night) })).reverse();
  for (const clusterMetrics of [undefined, ['cluster.merges.count']]) {
    const here = analyseRuns(nights, new Map(), clusterMetrics);
    expect(here.series.length).toBeGreaterThan(1);
    const order = { runs, definitions: new Map(), clusterMetrics };
    const found = await analyseHistoryBy(copying)(order, inParts(packed, 7));
    expect(found).toEqual({
      nights: facts,
      asked: [],
      found: { bands: here.bands, cuts: here.cuts, series: here.series },
    });
  }
});
