import { areInTurn, blocksOf } from './environment-blocks';
import { cellsOf } from './cells';
import { longestTrialMs, makePlan } from './plan';
import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';

const definition = (more: object): ReturnType<typeof readDefinition> =>
  readDefinition({
    version: 1,
    name: 'test',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    ...more,
  });

const shards = 'index.settings.number_of_shards';
const docs = 'tasks.ingest.ingest.bulk.docs';

describe('cells', () => {
  it('combine two factors, the last one fastest', () => {
    const cells = cellsOf(definition({ factors: { [shards]: [1, 5], [docs]: [10, 20] } }));
    expect(cells.map(({ label }) => label)).toEqual([
      'number_of_shards=1, docs=10',
      'number_of_shards=1, docs=20',
      'number_of_shards=5, docs=10',
      'number_of_shards=5, docs=20',
    ]);
  });

  it('are the listed ones', () => {
    const listed = [{ [shards]: 1 }, { [shards]: 5, [docs]: 20 }];
    expect(cellsOf(definition({ factors: listed })).map(({ levels }) => levels)).toEqual(listed);
  });

  it('are one cell without factors', () => {
    expect(cellsOf(definition({})).map(({ label }) => label)).toEqual(['all']);
  });

  it('distinguish factors with the same name', () => {
    const tasks = ['a', 'b'].map((name) => ({ name, ingest: { source: { generator: 'systembase' } } }));
    const factors = { 'tasks.a.ingest.bulk.docs': [1], 'tasks.b.ingest.bulk.docs': [2] };
    expect(cellsOf(definition({ tasks, factors }))[0]?.label).toBe(
      'a.ingest.bulk.docs=1, b.ingest.bulk.docs=2',
    );
  });

  it('can vary cluster settings, each of which is one name', () => {
    const path = 'cluster.settings.indices.recovery.max_bytes_per_sec';
    const whole = definition({
      cluster: { settings: { indices: { recovery: { max_bytes_per_sec: '1mb' } } } },
      factors: { [path]: ['40mb'] },
    });
    expect(resolveCells(whole)[0]!.definition.cluster.settings).toEqual({
      'indices.recovery.max_bytes_per_sec': '40mb',
    });
  });

  it('apply their levels to the definition', () => {
    const whole = definition({
      index: { settings: { index: { number_of_shards: 3 } } },
      factors: { [shards]: [7], [docs]: [20] },
    });
    const own = resolveCells(whole)[0]!.definition;
    expect(own.index.settings).toEqual({ number_of_shards: 7 });
    expect(own.tasks[0]?.ingest?.bulk.docs).toBe(20);
    expect(whole.tasks[0]?.ingest?.bulk.docs).toBe(1000);
  });
});

describe('the order of trials', () => {
  const order = (more: object): string =>
    makePlan(definition({ factors: { [shards]: [1, 2, 3] }, ...more }))
      .trials.map(({ cell }) => cell)
      .join('');

  it('interleaves the cells and begins each repetition one cell later', () => {
    expect(order({})).toBe('012120201');
  });

  it('can run cell after cell', () => {
    expect(order({ order: 'sequential' })).toBe('000111222');
  });

  it('is random within each repetition and the same for the same seed', () => {
    const random = order({ order: 'randomised', trials: 20, seed: 5 });
    expect(random).toBe(order({ order: 'randomised', trials: 20, seed: 5 }));
    expect(random).not.toBe(order({ order: 'randomised', trials: 20, seed: 6 }));
    for (const block of random.match(/.{3}/g) ?? []) expect([...block].sort().join('')).toBe('012');
  });
});

describe('the estimate', () => {
  it('is exact about a given number of documents', () => {
    const { estimate } = makePlan(definition({ measure: { documents: 1000 }, trials: 2 }));
    expect(estimate.documents).toBe(2000);
  });

  it('follows a given rate', () => {
    const executor = { 'constant-rate': { rate: 3 } };
    const tasks = [
      { name: 'ingest', ingest: { source: { generator: 'systembase' }, bulk: { docs: 10 } }, executor },
    ];
    const { estimate } = makePlan(
      definition({ tasks, measure: { warmup: '0s', duration: '10s' }, trials: 1 }),
    );
    expect(estimate).toMatchObject({ documents: 300, assumption: '' });
  });

  it('follows a ramp', () => {
    const executor = { 'ramping-rate': { start: 0, stages: [{ rate: 10, over: '10s' }] } };
    const tasks = [
      { name: 'ingest', ingest: { source: { generator: 'systembase' }, bulk: { docs: 1 } }, executor },
    ];
    const { estimate } = makePlan(
      definition({ tasks, measure: { warmup: '0s', duration: '20s' }, trials: 1 }),
    );
    expect(estimate.documents).toBe(150);
  });

  it('states its assumption if the cluster sets the pace', () => {
    expect(makePlan(definition({})).estimate.assumption).not.toBe('');
  });
});

describe('environments', () => {
  const varied = definition({
    factors: { [shards]: [1, 5], 'environment.disk': ['standard', 'premium'] },
    trials: 2,
  });
  const plan = makePlan(varied);
  const disks = plan.trials.map(({ cell }) => plan.cells[cell]!.definition.environment['disk']);

  it('come one after the other, since somebody must change them', () => {
    expect(disks).toEqual([...Array<string>(4).fill('standard'), ...Array<string>(4).fill('premium')]);
    expect(plan.trials.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('have interleaved cells', () => {
    expect(plan.trials.slice(0, 4).map(({ cell, repetition }) => [cell, repetition])).toEqual([
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ]);
  });
});

describe('engines', () => {
  const engines = { 'environment.engine': ['elasticsearch', 'opensearch'] };
  const order = (more: object): string[] => {
    const { cells, trials } = makePlan(definition({ factors: engines, trials: 3, ...more }));
    return trials.map(({ cell }) => cells[cell]!.definition.environment['engine']![0]!);
  };

  it('take turns: every repetition measures all of them', () => {
    expect(order({}).join(' ')).toBe('e o o e e o');
    const randomised = order({ order: 'randomised' }).join('');
    expect(randomised.match(/../g)!.every((pair) => ['eo', 'oe'].includes(pair))).toBe(true);
  });

  it('run one after the other if the definition says so', () => {
    expect(order({ order: 'sequential' }).join('')).toBe('eeeooo');
  });

  it('keep the cells of one engine together in each repetition', () => {
    expect(order({ factors: { ...engines, [shards]: [1, 5] }, trials: 2 }).join('')).toBe('eeooooee');
  });

  it('have a new cluster in each repetition, with its own burn-in', () => {
    const measure = { warmup: '0s', duration: '10s', 'burn-in': '30s' };
    const plan = makePlan(definition({ factors: engines, trials: 3, measure }));
    const blocks = blocksOf(plan);
    expect(blocks.map(({ trials }) => trials.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(areInTurn(plan)).toBe(true);
    const plain = makePlan(
      definition({ factors: engines, trials: 3, measure: { ...measure, 'burn-in': '0s' } }),
    );
    expect(plan.estimate.ms - plain.estimate.ms).toBe(6 * 30_000);
  });

  it('do not take turns with a label that a person must change', () => {
    const factors = { ...engines, 'environment.disk': ['a', 'b'] };
    const plan = makePlan(definition({ factors, trials: 2 }));
    expect(areInTurn(plan)).toBe(false);
    expect(blocksOf(plan)).toHaveLength(4);
  });
});

test('the longest trial includes its preload, its burn-in and its drain', () => {
  const plan = (more: object): number =>
    longestTrialMs(
      makePlan(definition({ measure: { warmup: '0s', duration: '10s', drain: '5s' }, ...more })),
    );
  const plain = plan({});
  expect(plain).toBeGreaterThanOrEqual(15_000);
  expect(plan({ factors: { 'measure.duration': ['10s', '60s'] } })).toBe(plain + 50_000);
  expect(plan({ preload: { documents: 10_000_000 } })).toBeGreaterThan(plain + 60_000);
  const burned = { measure: { warmup: '0s', duration: '10s', drain: '5s', 'burn-in': '30s' } };
  expect(plan(burned)).toBe(plain + 30_000);
});
