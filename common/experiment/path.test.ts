import { formatPath, parsePath, setAt, valueAt } from './path';

describe('a path', () => {
  it('is written with dots or brackets', () => {
    expect(parsePath('tasks[0].executor')).toEqual(['tasks', '0', 'executor']);
    expect(formatPath(['tasks', 0, 'executor'])).toBe('tasks[0].executor');
  });

  it('finds a list element by its position or name', () => {
    const root = {
      tasks: [
        { name: 'a', x: 1 },
        { name: 'b', x: 2 },
      ],
    };
    expect(valueAt(root, parsePath('tasks[1].x'))).toBe(2);
    expect(valueAt(root, parsePath('tasks.b.x'))).toBe(2);
    expect(valueAt(root, parsePath('tasks.c.x'))).toBeUndefined();
  });
});

describe('setting a value', () => {
  it('creates missing objects', () => {
    const root = {};
    expect(setAt(root, 'measure.duration', '5s')).toBeUndefined();
    expect(root).toEqual({ measure: { duration: '5s' } });
  });

  it('treats the rest of a path below settings as one setting, however it was written before', () => {
    const root = {
      index: { settings: { index: { translog: { durability: 'request' } }, number_of_shards: 1 } },
    };
    setAt(root, 'index.settings.translog.durability', 'async');
    expect(root.index.settings).toEqual({ 'translog.durability': 'async', number_of_shards: 1 });
  });

  it('treats the rest of a path below factors as one path', () => {
    const root = { factors: { 'index.settings.a': [1] } };
    setAt(root, 'factors.index.settings.a', [2]);
    expect(root.factors).toEqual({ 'index.settings.a': [2] });
  });

  it('removes keys that the new value excludes', () => {
    const root = {
      measure: { warmup: '1s', duration: '5s' },
      tasks: [{ name: 'a', executor: { 'constant-clients': {} } }],
    };
    setAt(root, 'measure.documents', 5);
    setAt(root, 'tasks.a.executor.constant-rate.rate', 7);
    expect(root.measure).toEqual({ warmup: '1s', documents: 5 });
    expect(root.tasks[0]!.executor).toEqual({ 'constant-rate': { rate: 7 } });
  });

  it('reports why it failed', () => {
    expect(setAt({ tasks: [{ name: 'a' }] }, 'tasks.b.x', 1)).toBe('there is no tasks.b, only a');
    expect(setAt({ name: 'a' }, 'name.x', 1)).toBe('name is a value and has no keys');
    expect(setAt({}, '', 1)).toBe('the path is empty');
  });

  it('does not touch prototypes', () => {
    expect(setAt({}, '__proto__.polluted', 1)).toContain('a definition has no __proto__');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
