import { makeRun, REFRESH, refreshRun } from '../analysis/testing/made-run';
import { trialBriefs } from './trial-briefs';

describe('the brief of a trial', () => {
  const { run, trials } = refreshRun();

  it('is in the order of execution and has the metrics of its tasks', () => {
    const briefs = trialBriefs(run, [...trials].reverse());
    expect(briefs.map(({ order }) => order)).toEqual(trials.map((_, order) => order));
    const [first] = briefs;
    const [task] = trials[0]!.tasks;
    expect(first).toMatchObject({ id: trials[0]!.trial.id, state: 'completed', cell: trials[0]!.cell.index });
    expect(first!.tasks[0]).toMatchObject({ unit: 'docs/s', throughput: task!.throughput });
  });

  it.each([
    ['index.store_bytes', 1.4 * 1024 ** 3],
    ['cluster.gc', 0.002],
    ['ingest.accepted', 2_400_000],
  ])('has the value of %s where the first claim is about it', (metric, value) => {
    const claimed = makeRun(
      { ...REFRESH, expect: [`${metric} stays with index.settings.refresh_interval`] },
      () => ({ tasks: { ingest: { rate: 8000, batch: 3000, cv: 0 } } }),
    );
    const [brief] = trialBriefs(claimed.run, claimed.trials);
    expect(brief!.focus).toBeCloseTo(value, 3);
  });

  it('has its warnings as text', () => {
    const [trial] = structuredClone(trials);
    trial!.generator = { ...trial!.generator!, limited: true, reason: 'no idle time left' };
    const [brief] = trialBriefs(run, [trial!]);
    expect(brief!.doubts).toContain('generator limited: no idle time left');
  });
});
