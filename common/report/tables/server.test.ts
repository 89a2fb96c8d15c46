import { buildReport } from '../model/build';
import { refreshRun } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import { indexTable, poolsTables, refusingPoolsTable } from './server';

describe('the sentence about documents in the indices before the load', () => {
  it('is empty for empty indices', () => {
    const { run, trials } = refreshRun();
    expect(indexTable(buildReport(run, trials))!.note).not.toContain('before');
  });

  it('says how they were loaded, and what trials that share them cannot show', () => {
    const { run, trials } = refreshRun();
    trials.forEach((trial, i) => {
      trial.preload = { documents: 5000, by: i === 0 ? 'load' : 'copy', loadedBy: 't1', ms: 2000 };
    });
    const report = buildReport(run, trials);
    expect(report.trials[1]!.preload).toMatchObject({ by: 'copy', loadedBy: 't1' });
    expect(indexTable(report)!.note).toContain(
      `5,000 documents were in the indices before the load: loaded for 1 trial, in up to 2s; copied for ${trials.length - 1}. ` +
        'All trials that used them share the same segments',
    );
  });

  it('says if the cluster copied them from the indices of another cell', () => {
    const { run, trials } = refreshRun();
    trials.forEach((trial, i) => {
      const built = i === 1 ? 'reindex' : 'load';
      trial.preload = { documents: 5000, by: 'copy', built, loadedBy: 't1', ms: 2000 };
    });
    expect(indexTable(buildReport(run, trials))!.note).toContain(
      'In 1 trial the cluster copied them from the indices of another cell (reindex): the same documents in another order.',
    );
  });

  it('leaves that out if every trial loaded its own documents', () => {
    const { run, trials } = refreshRun();
    for (const trial of trials)
      trial.preload = { documents: 5000, by: 'load', loadedBy: trial.trial.id, ms: 10 };
    expect(indexTable(buildReport(run, trials))!.note).not.toContain('one draw');
  });
});

describe('the thread pools', () => {
  const pool = (completed: number, rejected = 0) => ({ completed, rejected, ratio: rejected / completed });
  const withPools = (pools: (cell: number) => Record<string, ReturnType<typeof pool>>) => {
    const { run, trials } = refreshRun();
    const report = buildReport(run, trials);
    report.cells.forEach(({ server }, at) => (server!.threadPools = pools(at) as never));
    return report;
  };

  it('that rejected tasks in some cell are visible, the others folded', () => {
    const report = withPools((at) => ({ write: pool(100, at === 0 ? 5 : 0), search: pool(5), get: pool(1) }));
    const [refusing, quiet] = poolsTables(report)!;
    const names = (rows: { text: string }[][]) => [...new Set(rows.map(([, name]) => name!.text))];
    expect(names(refusing!.rows)).toEqual(['write']);
    expect(refusing!.rows).toHaveLength(report.cells.length);
    expect(names(quiet!.rows)).toEqual(['search', 'get']);
    const html = renderHtml(report);
    expect(html).toMatch(/<h3>Thread pools with rejections/);
    expect(html).toMatch(/<details><summary>Thread pools without rejections/);
  });

  it('are all folded if no pool rejected a task', () => {
    const tables = poolsTables(withPools(() => ({ write: pool(100) })))!;
    expect(tables.map(({ folded }) => folded)).toEqual([true]);
    expect(refusingPoolsTable(withPools(() => ({ write: pool(100) })))).toBeNull();
  });
});
