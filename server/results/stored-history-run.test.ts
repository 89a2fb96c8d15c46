import { resolvePlan } from '../../common/experiment/plan';
import { refreshRun } from '../../common/analysis/testing/made-run';
import { historyRunOf, type HistoryRun } from '../../common/history/history-run';
import { packHistoryRun, storedHistoryRun, unpackHistoryRun } from './stored-history-run';

const made = (): HistoryRun => {
  const { run, trials } = refreshRun();
  return historyRunOf(run, resolvePlan(run), trials);
};

test('a run that was kept is read back as it was, without the figures of the cluster where nobody asks', () => {
  const night = made();
  const [cell] = night.cells;
  const named = { ...night, cells: [{ ...cell!, label: 'größer → 5' }, ...night.cells.slice(1)] };
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
  const night = made();
  const other = Buffer.from(JSON.stringify({ version: 0, of: {} })).toString('base64');
  expect(storedHistoryRun(night, { figures: other, cluster: undefined })).toBeUndefined();
  expect(storedHistoryRun(night, { ...packHistoryRun(night), cluster: other })).toBeUndefined();
  expect(storedHistoryRun(night, { figures: undefined, cluster: undefined })).toBeUndefined();
});

test('a run takes little room: of 20 cells and 10 metrics less than 2 KB, compressed', () => {
  const night = made();
  const cells = Array.from({ length: 20 }, (_, at) => ({ ...night.cells[0]!, id: `number_of_shards=${at}` }));
  const values = cells.flatMap((_, at) => [12_345.6 + at, 123.456 + at, 5]);
  const figures = Array.from({ length: 10 }, (_, at) => ({
    ...night.figures[0]!,
    metric: `t${at}.throughput`,
    values,
  }));
  expect(packHistoryRun({ ...night, cells, figures }).figures.length).toBeLessThan(2000);
});
