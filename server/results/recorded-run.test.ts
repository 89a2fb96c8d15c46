/** The recorded example, as it stands in the checkout. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { EXAMPLE } from '../../common/example';
import { readRunFile } from './run-file/format';
import { recordedRun } from './recorded-run';

const text = readFileSync('common/example/run.ndjson', 'utf8');

test('its file is whole, and the label is of its run', async () => {
  const file = (async function* () {
    yield gzipSync(text);
  })();
  const [counted] = await readRunFile(file, { head: () => undefined, document: () => undefined });
  const { run, trials, samples } = recordedRun(text);
  expect(counted).toMatchObject({ id: EXAMPLE.run.id, trials: trials.length, samples: samples.length });
  expect([run.run.id, run.run.state]).toEqual([EXAMPLE.run.id, 'completed']);
  expect(run.verdict!.sentence).toBe(EXAMPLE.run.sentence);
});

test('its timeline holds what its samples counted', async () => {
  const { timeline, samples, trials } = recordedRun(text);
  const trial = trials[0]!.trial.id;
  const own = samples.filter((sample) => sample.trial.id === trial);
  const { tasks, bucketMs } = await timeline.timeline(EXAMPLE.run.id, { trial, points: 1000 });
  expect(bucketMs).toBe(1000);
  const accepted = tasks[0]!.points.reduce((sum, { throughput }) => sum + throughput, 0);
  // Two phases that share a second stand in one point, and count both.
  expect(accepted).toBe(own.reduce((sum, { counts }) => sum + counts.accepted, 0));
  expect(Math.max(...tasks[0]!.points.map(({ max }) => max ?? 0))).toBe(
    Math.max(...own.map(({ latency }) => latency.max ?? 0)),
  );
});

test('a file without a run is none', () => {
  expect(() => recordedRun('{"format":"dyno-runs"}\n')).toThrow(SyntaxError);
});
