import { resolvePlan } from '../../common/experiment/plan';
import { refreshRun } from '../../common/analysis/testing/made-run';
import { historyRunOf, type HistoryRun } from '../../common/history/history-run';
import { packHistoryRun, storedHistoryRun, unpackHistoryRun } from './stored-history-run';

const made = (): HistoryRun => {
  const { run, trials } = refreshRun();
  return historyRunOf(run, resolvePlan(run), trials);
};

test('a packed run is read back unchanged, without metrics of the cluster if the request does not ask for them', () => {
  const run = made();
  const [cell] = run.cells;
  const named = { ...run, cells: [{ ...cell!, label: 'größer → 5' }, ...run.cells.slice(1)] };
  const kept = packHistoryRun(named);
  expect(unpackHistoryRun(storedHistoryRun(named, kept)!)).toEqual(named);
  const without = storedHistoryRun(named, { figures: kept.figures, cluster: undefined })!;
  expect(unpackHistoryRun(without)).toEqual({ ...named, cluster: [] });
});

test('an uncompressed run of an earlier version is read too', () => {
  const { run, at, cluster, ...figures } = made();
  const plain = (of: unknown): string => Buffer.from(JSON.stringify({ version: 2, of })).toString('base64');
  const kept = storedHistoryRun({ run, at }, { figures: plain(figures), cluster: plain(cluster) })!;
  expect(unpackHistoryRun(kept)).toEqual({ run, at, ...figures, cluster });
});

test('a run that is missing, or that another version packed, is left to the trials', () => {
  const run = made();
  const other = Buffer.from(JSON.stringify({ version: 0, of: {} })).toString('base64');
  expect(storedHistoryRun(run, { figures: other, cluster: undefined })).toBeUndefined();
  expect(storedHistoryRun(run, { ...packHistoryRun(run), cluster: other })).toBeUndefined();
  expect(storedHistoryRun(run, { figures: undefined, cluster: undefined })).toBeUndefined();
});

test('a compressed run of 20 cells and 10 metrics takes less than 2 KB', () => {
  const run = made();
  const cells = Array.from({ length: 20 }, (_, at) => ({ ...run.cells[0]!, id: `number_of_shards=${at}` }));
  const values = cells.flatMap((_, at) => [12_345.6 + at, 123.456 + at, 5]);
  const figures = Array.from({ length: 10 }, (_, at) => ({
    ...run.figures[0]!,
    metric: `t${at}.throughput`,
    values,
  }));
  expect(packHistoryRun({ ...run, cells, figures }).figures.length).toBeLessThan(2000);
});
