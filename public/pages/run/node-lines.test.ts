import type { NodePoint, Timeline } from '../../../common/api/timeline';
import { capacityOf, isFar, nodeLines, type NodeFigure } from './node-lines';

const node = (name: string, point: Omit<NodePoint, 'at'>): Timeline['nodes'][number] => ({
  id: name,
  name,
  points: [{ ...point, at: 0 }],
});

const figure = (metric: string, optional = false): Pick<NodeFigure, 'of' | 'optional'> => ({
  of: (point) => point[metric] ?? null,
  optional,
});

describe('lines of nodes', () => {
  it('are one for each node that has the metric', () => {
    const lines = nodeLines([node('a', { cpu: 0.5 }), node('b', {})], figure('cpu'), ['#1', '#2'], 1000, []);
    expect(lines.map(({ name }) => name)).toEqual(['a']);
  });

  it('keep the colour of their node in every chart', () => {
    const nodes = [node('a', { iowait: 0.1 }), node('b', { iowait: 0.2, 'disk.busy': 0.3 })];
    const drawn = (id: string): string[] =>
      nodeLines(nodes, figure(id), ['#1', '#2'], 1000, []).map(({ name, colour }) => name + colour);
    expect(drawn('iowait')).toEqual(['a#1', 'b#2']);
    expect(drawn('disk.busy')).toEqual(['b#2']);
  });

  it('continue over buckets that the collector omits, and are interrupted while it is away', () => {
    const at = (seconds: number): NodePoint => ({ at: seconds * 1000, cpu: 0.5 });
    const silent: NodePoint = { at: 5000, heap: 0.5 };
    const points = [at(0), silent, at(10), at(20), at(80), at(90)];
    const [line] = nodeLines([{ id: 'a', name: 'a', points }], figure('cpu'), ['#1'], 1000, []);
    expect(line!.points.map(([, value]) => value)).toEqual([0.5, 0.5, 0.5, null, 0.5, 0.5]);
    expect(line!.stepMs).toBe(10_000);
  });

  it('are omitted if an optional metric is always zero', () => {
    const lines = (searchQueue: number): number =>
      nodeLines([node('a', { 'search-queue': searchQueue })], figure('search-queue', true), ['#1'], 1000, [])
        .length;
    expect([lines(0), lines(3)]).toEqual([0, 1]);
  });
});

describe('the capacity of a queue', () => {
  const capacity: NodeFigure['capacity'] = (point) => point['write-queue.capacity'] ?? null;

  it('is the smallest of all nodes', () => {
    const nodes = [node('a', { 'write-queue.capacity': 10_000 }), node('b', { 'write-queue.capacity': 200 })];
    expect(capacityOf(nodes, capacity)).toBe(200);
  });

  it('is unknown if no node reports it', () => {
    expect(capacityOf([node('a', {})], capacity)).toBeNull();
    expect(capacityOf([node('a', {})], undefined)).toBeNull();
  });

  it('is drawn only if the queue comes close to it', () => {
    expect(isFar(20, 10_000)).toBe(true);
    expect(isFar(150, 200)).toBe(false);
  });
});
