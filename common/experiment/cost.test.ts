import { costOf } from './cost';
import { readDefinition } from './read';

const definition = (settings: object, factors = {}): ReturnType<typeof readDefinition> =>
  readDefinition({
    version: 1,
    name: 'test',
    index: { settings },
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    measure: { documents: 1000, warmup: '0s' },
    factors,
    trials: 4,
  });

describe('the cost of an experiment', () => {
  it('counts cells, trials and documents as the plan does', () => {
    const cost = costOf(definition({}, { 'index.settings.codec': ['default', 'best_compression'] }));
    expect(cost).toMatchObject({ cells: 2, trials: 4, documents: 8000 });
    expect(cost.ms).toBe(cost.plan.estimate.ms);
  });

  it('needs disk space for one trial at a time, that of the cell with the most replicas', () => {
    const one = costOf(definition({ number_of_replicas: 0 })).diskBytes;
    const varied = definition({}, { 'index.settings.number_of_replicas': [0, 2] });
    expect(costOf(varied).diskBytes).toBe(3 * one);
  });

  it('needs disk space for all datasets that trials share, and for one trial at a time', () => {
    const loaded = (more: object): ReturnType<typeof costOf> =>
      costOf(
        readDefinition({
          version: 1,
          name: 'test',
          index: { settings: { number_of_replicas: 0 } },
          preload: { documents: 1000, source: { generator: 'systembase' }, reuse: 'same' },
          tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }],
          ...more,
        }),
      );
    const one = loaded({}).diskBytes;
    const factors = { 'index.settings.number_of_shards': [1, 2, 3] };
    expect(loaded({ factors }).diskBytes).toBe(3 * one);
    expect(loaded({ factors, order: 'sequential' }).diskBytes).toBe(one);
    // Each environment loads its own datasets, so those of the other environment are gone.
    const elsewhere = loaded({ factors: { 'environment.disk': ['standard', 'premium'] } });
    expect(elsewhere.diskBytes).toBe(one);
    expect(elsewhere.documents).toBe(2000);
  });
});
