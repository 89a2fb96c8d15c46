import { resolvePlan } from '../../common/experiment/plan';
import { refreshRun } from '../../common/analysis/testing/made-run';
import { historyRunOf, type HistoryRun } from '../../common/history/history-run';
import { packHistoryRun, storedHistoryRun, unpackHistoryRun } from './stored-history-run';

const made = (): HistoryRun => {
  const { run, trials } = refreshRun();
  return historyRunOf(run, resolvePlan(run), trials);
};

test('a run that was kept is read back as it was, without the figures of the cluster where nobody asks', () => {
  const run = made();
  const [cell] = run.cells;
  const named = { ...run, cells: [{ ...cell!, label: 'größer → 5' }, ...run.cells.slice(1)] };
  const kept = packHistoryRun(named);
  expect(unpackHistoryRun(storedHistoryRun(named, kept)!)).toEqual(named);
  const without = storedHistoryRun(named, { figures: kept.figures, cluster: undefined })!;
  expect(unpackHistoryRun(without)).toEqual({ ...named, cluster: [] });
});

test('a run that was kept before they were compressed is read too', () => {
  const { run, at, cluster, ...figures } = made();
  const plain = (of: unknown): string => Buffer.from(JSON.stringify({ version: 2, of })).toString('base64');
  const kept = storedHistoryRun({ run, at }, { figures: plain(figures), cluster: plain(cluster) })!;
  expect(unpackHistoryRun(kept)).toEqual({ run, at, ...figures, cluster });
});

test('what another version kept, or nobody, is made of the trials', () => {
  const run = made();
  const other = Buffer.from(JSON.stringify({ version: 0, of: {} })).toString('base64');
  expect(storedHistoryRun(run, { figures: other, cluster: undefined })).toBeUndefined();
  expect(storedHistoryRun(run, { ...packHistoryRun(run), cluster: other })).toBeUndefined();
  expect(storedHistoryRun(run, { figures: undefined, cluster: undefined })).toBeUndefined();
});

test('a run takes little room: of 20 cells and 10 metrics less than 2 KB, compressed', () => {
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
