import { type Problem } from '../problem';
import type { Definition } from './definition';
import { makePlan, resolvePlan, storedPlan } from './plan';
import { readDefinition } from './read';
import { resolveCells, storedTasks, tasksOf } from './resolved-cells';
import { thrownProblems } from '../testing/problems';

const INGEST = { name: 'ingest', ingest: { source: { generator: 'systembase' } } };
const FIND = { name: 'find', search: { requests: [{ name: 'all', body: {} }] } };

const input = (more: object): object => ({ version: 1, name: 'cells', tasks: [INGEST], ...more });
const read = (more: object): Definition => readDefinition(input(more));
const first = (more: object) => resolveCells(read(more))[0]!.definition;

const problemsOf = (more: object): Problem[] => thrownProblems(() => read(more));

describe('a resolved cell', () => {
  it('has settings in one spelling, as sent, and the effective values with defaults', () => {
    const settings = { index: { number_of_replicas: 2, translog: { durability: 'async' } } };
    expect(first({ index: { settings } }).index).toMatchObject({
      settings: { number_of_replicas: 2, 'translog.durability': 'async' },
      shards: 1,
      replicas: 2,
      refreshMs: 1000,
    });
    expect(first({}).index).toMatchObject({ settings: {}, shards: 1, replicas: 1, allocation: 'none' });
  });

  it('has the warm-up that suits the measurement', () => {
    expect(first({}).measure.warmup).toBe('30s');
    expect(first({ measure: { documents: 5 } }).measure.warmup).toBe('0s');
    expect(first({ measure: { documents: 5, warmup: '1s' } }).measure.warmup).toBe('1s');
  });

  it('has a mapping: as written, by its name, or that of the cell’s generator', () => {
    const mapping = { properties: { a: { type: 'keyword' } } };
    expect(first({ index: { mapping } }).index.mapping).toEqual(mapping);
    expect(first({ index: { mapping: {} } }).index.mapping).toEqual({});
    const named = first({ index: { mapping: 'storefront' } }).index.mapping;
    const factors = { 'tasks.ingest.ingest.source.generator': ['storefront'] };
    expect(first({ factors }).index.mapping).toEqual(named);
    expect(first({}).index.mapping).not.toEqual(named);
  });
});

describe('a plan', () => {
  const definition = read({ factors: { 'index.settings.number_of_shards': [1, 2] } });
  const plan = makePlan(definition);

  it('is stored with only the names and levels of its cells, and is the same when read again', () => {
    const stored = storedPlan(plan);
    expect(stored.cells.map((cell) => Object.keys(cell).sort())).toEqual([
      ['id', 'index', 'label', 'levels'],
      ['id', 'index', 'label', 'levels'],
    ]);
    expect(resolvePlan({ definition, plan: stored })).toEqual(plan);
  });

  it('of an older version that this one would refuse, or with missing keys, stays readable', () => {
    const stored = { ...structuredClone(definition), colour: 'blue', trials: 0 } as unknown as Definition;
    delete (stored as Partial<Definition>).cluster;
    const { cells } = resolvePlan({ definition: stored, plan: storedPlan(plan) });
    expect(cells.map((cell) => cell.definition.index.shards)).toEqual([1, 2]);
    expect(cells[0]!.definition.cluster.settings).toEqual({});
    expect(() => resolveCells(stored)).toThrow('was not checked');
  });

  it('counts the burn-in of the first cell', () => {
    const ms = (burnIn: string): number =>
      makePlan(read({ factors: { 'measure.burn-in': [burnIn, '1m'] }, trials: 1 })).estimate.ms;
    expect(ms('20s') - ms('5s')).toBe(15_000);
  });
});

describe('the tasks of all cells', () => {
  const factors = [{ tasks: [INGEST] }, { tasks: [{ ...INGEST, name: 'write' }, FIND] }];

  it('include those of only one cell, and list each once', () => {
    const definition = read({ factors });
    const names = (tasks: { name: string }[]): string[] => tasks.map(({ name }) => name);
    expect(names(tasksOf(resolveCells(definition)))).toEqual(['ingest', 'write', 'find']);
    expect(names(storedTasks(definition, storedPlan(makePlan(definition)).cells))).toEqual([
      'ingest',
      'write',
      'find',
    ]);
    const varied = read({ factors: { 'tasks.ingest.ingest.bulk.docs': [1, 2] } });
    expect(storedTasks(varied, [])).toBe(varied.tasks);
  });

  it('can be used in conditions', () => {
    expect(
      problemsOf({ factors, thresholds: ['find.latency.p99 < 1s', 'find.all.latency.p99 < 1s'] }),
    ).toEqual([]);
    expect(
      problemsOf({ factors, tasks: [{ ...INGEST, name: 'gone' }], thresholds: ['gone.throughput > 1'] }),
    ).toMatchObject([{ path: 'thresholds[0]' }]);
  });
});

describe('a cell is checked like the definition itself', () => {
  it.each([
    [
      'documents without a task that sends them',
      { tasks: [FIND], factors: { 'measure.documents': [5] } },
      'documents=5',
      'measure.documents',
    ],
    [
      'indices that are shared and written to',
      { preload: { documents: 5 }, factors: { 'preload.reuse': ['copy', 'same'] } },
      'reuse=same',
      'preload.reuse',
    ],
    [
      'an invalid pace of a log',
      { factors: { 'tasks.ingest.executor.recorded.speed': [2] } },
      'speed=2',
      'tasks[0].executor.recorded',
    ],
    [
      'two tasks of one name',
      { tasks: [INGEST, FIND], factors: { 'tasks.find.name': ['look', 'ingest'] } },
      'name=ingest',
      'tasks[1].name',
    ],
  ])('%s', (_, more, label, path) => {
    expect(problemsOf(more).map((problem) => problem.path)).toEqual([`factors (${label}): ${path}`]);
  });

  it('the levels of a cell are checked together, not one by one', () => {
    const search = { 'highest-rate': { start: 10, limits: ['latency.p99 < 500ms'] } };
    const factors = [{ 'tasks.ingest.executor': search, 'measure.duration': '10m' }, {}];
    expect(problemsOf({ measure: { documents: 1000 }, factors })).toEqual([]);
  });
});
