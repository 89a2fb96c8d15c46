import { Nodes } from './nodes';

const taken = (nodes: Nodes, now: number, count = 6): number[] =>
  Array.from({ length: count }, () => nodes.next(now));

test('nodes that take connections have their requests in turn', () => {
  expect(taken(new Nodes(3, 1), 0)).toEqual([1, 2, 0, 1, 2, 0]);
});

test('one that takes none is left alone, its request goes elsewhere, and one request tries it again later', () => {
  const nodes = new Nodes(3, 0);
  expect(nodes.next(0)).toBe(0);
  expect(nodes.refused(0, 0)).toBe(1);
  expect(taken(nodes, 499)).toEqual([2, 1, 2, 1, 2, 1]);
  expect(taken(nodes, 501).filter((node) => node === 0)).toHaveLength(1);
  nodes.refused(0, 502);
  // The node is skipped for twice as long.
  expect(taken(nodes, 1400)).not.toContain(0);
  expect(taken(nodes, 1503)).toContain(0);
  nodes.answered(0);
  expect(new Set(taken(nodes, 1504))).toEqual(new Set([0, 1, 2]));
  expect(nodes.refusedConnections).toEqual([{ node: 0, refused: 2, moved: 2 }]);
});

test('requests that meet a dead node together are one failure', () => {
  const nodes = new Nodes(2, 0);
  for (let n = 0; n < 50; n += 1) nodes.refused(0, n);
  expect(taken(nodes, 600)).toContain(0);
});

test('where no node takes connections all are tried', () => {
  const nodes = new Nodes(2, 0);
  expect(nodes.refused(0, 0)).toBe(1);
  expect(nodes.refused(1, 1)).toBeNull();
  expect(new Set(taken(nodes, 2))).toEqual(new Set([0, 1]));
  expect(nodes.refusedConnections).toEqual([
    { node: 0, refused: 1, moved: 1 },
    { node: 1, refused: 1, moved: 0 },
  ]);
});
