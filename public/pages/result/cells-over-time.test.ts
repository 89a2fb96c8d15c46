import { worst } from '../../../common/report/chart/course-series';
import { courseLines, figureOverTime, ofNodes } from './cells-over-time';

const phase = (
  trial: string,
  cell: number,
  name: 'warm-up' | 'measure' | 'drain',
  from: number,
  to: number,
) => ({
  trial,
  order: 0,
  cell,
  label: '',
  phase: name,
  from,
  to,
});

it('aligns the trials of each cell at the start of their measured phase', () => {
  const phases = [
    phase('a', 1, 'warm-up', 0, 1000),
    phase('a', 1, 'measure', 1000, 3000),
    phase('a', 1, 'drain', 3000, 4000),
    phase('b', 0, 'measure', 10_000, 12_000),
    phase('c', 1, 'measure', 20_000, 22_000),
  ];
  const moments = [0, 1000, 2000, 3000, 10_000, 11_000, 20_000, 21_000].map((at) => ({
    at,
    value: at / 1000,
  }));
  expect(courseLines({ phases, bucketMs: 1000 }, moments)).toEqual([
    {
      cell: 0,
      points: [
        { second: 0, value: 10 },
        { second: 1, value: 11 },
      ],
    },
    {
      cell: 1,
      points: [
        { second: -1, value: 0 },
        { second: 0, value: 10.5 },
        { second: 1, value: 11.5 },
      ],
    },
  ]);
});

it('combines points that would overlap into means, and keeps short loads unchanged', () => {
  const phases = [phase('a', 0, 'measure', 0, 1_000_000)];
  const moments = Array.from({ length: 1000 }, (_, second) => ({ at: second * 1000, value: second % 10 }));
  const [line] = courseLines({ phases, bucketMs: 1000 }, moments, 100);
  expect(line!.points).toHaveLength(100);
  expect(line!.points[1]).toEqual({ second: 10, value: 4.5 });
  expect(courseLines({ phases, bucketMs: 1000 }, moments.slice(0, 90), 100)[0]!.points).toHaveLength(90);
});

it('uses the mean of the nodes that have a value', () => {
  const point = (at: number, cpu: number | null) => ({ at, cpu }) as never;
  const nodes = [
    { id: 'a', name: 'a', points: [point(0, 0.2), point(1, null)] },
    { id: 'b', name: 'b', points: [point(0, 0.4), point(1, 0.6)] },
  ];
  const moments = ofNodes({ nodes }, ({ cpu = null }) => cpu);
  expect(moments.map(({ at, value }) => [at, value!.toFixed(2)])).toEqual([
    [0, '0.30'],
    [1, '0.60'],
  ]);
});

it('uses the worst percentile when combining points of a trial, and the mean over trials', () => {
  const phases = [phase('a', 0, 'measure', 0, 4000), phase('b', 0, 'measure', 10_000, 14_000)];
  const moments = [1, 9, 1, 1].flatMap((value, second) => [
    { at: second * 1000, value },
    { at: 10_000 + second * 1000, value: 1 },
  ]);
  const [line] = courseLines({ phases, bucketMs: 1000 }, moments, 2, worst);
  expect(line!.points.map(({ value }) => value)).toEqual([5, 1]);
});

it.each([
  ['ingest.throughput', 'throughput'],
  ['search.latency.p99', 'p99'],
  ['search.top-15.latency.p50', 'p50'],
  ['search.latency.p99.9', 'throughput'],
  ['index.store_bytes', 'throughput'],
  ['cluster.cpu', 'cpu'],
  ['cluster.network.in', 'network-in'],
  ['cluster.disk.write.busiest', 'disk-write'],
])('shows %s over time as %s', (metric, figure) => {
  expect(figureOverTime(metric)).toBe(figure);
});
