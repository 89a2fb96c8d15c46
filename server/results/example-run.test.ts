/** Tests the recorded example in the checkout. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { EXAMPLE } from '../../common/example';
import { readClusterMetric } from '../../common/measurement/cluster-metrics';
import { counter, metric, nodeSum } from '../../common/measurement/node-metric';
import { NODE_METRICS } from '../../common/measurement/node-metrics';
import { readRunFile } from './run-file/format';
import { exampleRun } from './example-run';

const file = readFileSync('common/example/run.dyno-runs.gz');

test('its file is complete, and the label belongs to its run', async () => {
  const reader = { head: () => undefined, document: () => undefined };
  const [counted] = await readRunFile(Readable.from([file]), reader);
  const { run, trials, samples } = await exampleRun(file);
  expect(counted).toMatchObject({ id: EXAMPLE.run.id, trials: trials.length, samples: samples.length });
  expect([run.run.id, run.run.state]).toEqual([EXAMPLE.run.id, 'completed']);
  expect(run.verdict!.sentence).toBe(EXAMPLE.run.sentence);
});

test('its timeline contains the counts of its samples', async () => {
  const { timeline, samples, trials } = await exampleRun(file);
  const trial = trials[0]!.trial.id;
  const own = samples.filter((sample) => sample.trial.id === trial);
  const { tasks, bucketMs } = await timeline.timeline(EXAMPLE.run.id, { trial, points: 1000 });
  expect(bucketMs).toBe(1000);
  const attempted = tasks[0]!.points.reduce((sum, point) => sum + point.attempted, 0);
  expect(attempted).toBe(own.reduce((sum, { counts }) => sum + counts.attempted, 0));
  expect(Math.max(...tasks[0]!.points.map(({ max }) => max ?? 0))).toBe(
    Math.max(...own.map(({ latency }) => latency.max ?? 0)),
  );
});

test.each([1000, 40])(
  'its throughput never falls to the few answers of a drain (%i points)',
  async (points) => {
    const { timeline, trials } = await exampleRun(file);
    const { tasks, phases, bucketMs } = await timeline.timeline(EXAMPLE.run.id, { points });
    const drains = phases.filter(({ phase }) => phase === 'drain');
    expect(drains.length).toBe(trials.length);
    const shown = tasks[0]!.points.flatMap(({ at, throughput }) =>
      throughput === null ? [] : [{ at, throughput }],
    );
    expect(Math.min(...shown.map(({ throughput }) => throughput))).toBeGreaterThan(12_000);
    if (bucketMs > 1000) return;
    const within = (at: number): boolean => drains.some(({ from, to }) => at >= from && at < to!);
    expect(shown.filter(({ at }) => within(at))).toEqual([]);
  },
);

test('its percentiles are calculated over windows with enough requests', async () => {
  const { timeline, trials } = await exampleRun(file);
  const { tasks } = await timeline.timeline(EXAMPLE.run.id, { points: 1000 });
  const { windows, points, overall } = tasks[0]!;
  expect(windows!.p50).toBeGreaterThan(1);
  expect(windows!.p99).toBeNull();
  const answered = points.filter(({ max }) => max !== null);
  expect(points.filter(({ p50 }) => p50 !== null).length).toBeGreaterThan(0.8 * answered.length);
  expect(points.every(({ p99 }) => p99 === null)).toBe(true);
  const medians = points.flatMap(({ p50 }) => p50 ?? []);
  expect(overall!.p50).toBeGreaterThan(Math.min(...medians));
  expect(overall!.p50).toBeLessThan(Math.max(...medians));
  const [first] = trials;
  const one = await timeline.timeline(EXAMPLE.run.id, { trial: first!.trial.id, points: 1000 });
  expect(one.tasks[0]!.overall!.p50).toBe(first!.tasks[0]!.latency.p50);
});

test('each metric of the nodes has a value in its trials, or the reason why not', async () => {
  const { trials } = await exampleRun(file);
  const read = trials.flatMap((trial) =>
    NODE_METRICS.flatMap((nodeMetric) =>
      [undefined, ...nodeMetric.sources].map((source) =>
        readClusterMetric({ nodeMetric, role: undefined, over: nodeMetric.usually }, trial, source),
      ),
    ),
  );
  expect(read.filter(({ value }) => value !== null).length).toBeGreaterThan(trials.length * 10);
  const wrong = read.filter((one) => (one.value === null ? one.reason === '' : !Number.isFinite(one.value)));
  expect(wrong).toEqual([]);
});

test('a counter that Dyno did not read yet has no value in its trials, and is not 0', async () => {
  const { trials } = await exampleRun(file);
  const nodeMetric = metric('later', {
    ...{ title: 'later', text: 'later', group: 'store' },
    ...counter({ of: 'shards', kept: 'laterCount', path: 'later.count' }),
    ...nodeSum('laterCount', 'later.count.change'),
  });
  const read = trials.map((trial) => readClusterMetric({ nodeMetric, role: undefined, over: 'sum' }, trial));
  const reason = expect.stringMatching(/stored by an older version of Dyno/);
  expect(read).toEqual(trials.map(() => ({ value: null, source: null, reason })));
});

test('a truncated file is refused', async () => {
  await expect(exampleRun(file.subarray(0, -100))).rejects.toMatchObject({ code: 'results.file' });
});
