import { refreshRun } from '../../analysis/testing/made-run';
import { buildSeries, type SeriesSample } from './series';

const [made] = refreshRun().trials;
const START = Date.UTC(2026, 10, 20);
const iso = (second: number): string => new Date(START + second * 1000).toISOString();

/** Returns a trial with a warm-up of two seconds. `end`: end of its load, in seconds since the start of the warm-up. */
const trial = (end: number) => ({
  ...made!,
  times: { started: iso(-1), warmup: iso(0), measure: iso(2), drain: iso(end), ended: iso(end + 2) },
});

const sample = (second: number, phase: string, throughput: number): SeriesSample => ({
  '@timestamp': iso(second),
  trial: { id: made!.trial.id },
  task: 'ingest',
  phase,
  throughput,
});

const samples = [
  sample(0, 'warm-up', 50),
  sample(1, 'warm-up', 100),
  ...[2, 3, 4].map((second) => sample(second, 'measure', 100)),
  sample(5, 'measure', 40),
  sample(6, 'drain', 3),
];

test('throughput over time ends with the last whole second of the load', () => {
  const [series] = buildSeries([trial(5.4)], samples, () => 'docs/s');
  expect(series!.points.map(({ throughput }) => throughput)).toEqual([50, 100, 100, 100, 100]);
  expect(series).toMatchObject({ measureFrom: 2, measureTo: 5 });
});

test('a last second in which the load ran the whole time is kept', () => {
  const [series] = buildSeries([trial(6)], samples, () => 'docs/s');
  expect(series!.points.at(-1)).toEqual({ second: 5, throughput: 40 });
});

test('a load without a known end keeps all seconds except those of the drain', () => {
  const open = { ...made!, times: { ...trial(6).times, drain: null, ended: null } };
  expect(buildSeries([open], samples, () => 'docs/s')[0]!.points).toHaveLength(6);
});
