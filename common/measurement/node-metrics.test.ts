import { GAUGES, keptEvents, NODE_METRICS } from './node-metrics';

test('no two metrics have the same name, and none ends like a way over the nodes', () => {
  const names = NODE_METRICS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /\.(mean|busiest|sum)$/.test(name))).toEqual([]);
});

test('each has at least one source', () => {
  expect(NODE_METRICS.filter(({ sources }) => sources.length === 0)).toEqual([]);
});

test('no two values of a stored trial have the same name', () => {
  for (const kept of [GAUGES, keptEvents('node'), keptEvents('host')].map((all) =>
    all.map((one) => one.kept),
  ))
    expect(new Set(kept).size).toBe(kept.length);
});

test('a ratio is never summed over nodes', () => {
  expect(NODE_METRICS.filter(({ isRatio, usually }) => isRatio && usually === 'sum')).toEqual([]);
});
