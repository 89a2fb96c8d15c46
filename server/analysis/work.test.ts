import { refreshRun } from '../../common/analysis/testing/made-run';
import { analyseNights } from '../../common/history/history';
import { madeNights } from '../../common/history/testing/made-history';
import { buildReport } from '../../common/report/model/build';
import { renderCsv } from '../../common/report/render/csv';
import { analyseNightsBy, carryOut, type Analysis } from './work';

/** What goes to another thread and back is copied both ways. */
const copying: Analysis = async (name, order, lists) =>
  structuredClone(carryOut(name, structuredClone(order), structuredClone(lists)));

test('a report that another thread builds is the one that this thread builds', async () => {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  const told = buildReport(run, trials, { published: null, samples: [] });
  expect(await copying('report', { run, published: null }, { trials })).toEqual(told);
  const whole = buildReport(run, trials, { published: null, samples });
  const file = await copying('file', { run, published: null, format: 'csv' }, { trials, samples });
  expect(file).toBe(renderCsv(whole));
});

test('nights that another thread analyses give what they give here, gaps and metrics of the cluster included', async () => {
  const nights = madeNights({
    nights: 40,
    factor: (night, cell) => (night >= 25 && cell === 1 ? 1.15 : 1),
    lacks: (night, cell) => night === 3 && cell === 0,
  });
  for (const metrics of [undefined, ['cluster.merges.count']]) {
    const here = analyseNights(nights, new Map(), metrics);
    expect(here.series.length).toBeGreaterThan(1);
    expect(await analyseNightsBy(copying)(nights, new Map(), metrics)).toEqual(here);
  }
});
