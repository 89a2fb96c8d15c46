import type { DefinitionInput } from '../experiment/definition';
import { resolvePlan } from '../experiment/plan';
import { createHistogram, encodeHistogram, recordMs, summariseHistogram } from '../measurement/histogram';
import { makeRun, REFRESH } from './testing/made-run';
import { judge } from './verdict';
import { metricName } from './wording';

/** Histogram of 1000 requests that took 10 ms and one that waited during a stall of 3 s. */
const stalled = createHistogram();
for (let n = 0; n < 1000; n += 1) recordMs(stalled, 10);
recordMs(stalled, 3000);

const warnings = (executor: DefinitionInput['tasks'][number]['executor']): string => {
  const [task] = REFRESH.tasks;
  const { run, trials } = makeRun(
    { ...REFRESH, tasks: [{ ...task!, executor }], thresholds: ['ingest.latency.p99 < 50ms'] },
    () => ({ tasks: { ingest: { rate: 1000 } } }),
  );
  for (const { tasks } of trials) {
    const [summary] = tasks;
    summary!.latency = summariseHistogram(stalled);
    summary!.latencyHistogram = encodeHistogram(stalled);
  }
  return judge(run.definition, resolvePlan(run), trials).warnings.join('\n');
};

test('a threshold that holds for waiting clients, but not for corrected times, gives a caution', () => {
  expect(warnings({ 'constant-clients': { clients: 2 } })).toMatch(
    /The threshold ingest\.latency\.p99 < 50ms holds only because clients of ingest wait .* 10 ms in trial #1, and 2,8\d\d ms when corrected for a request of each client every 10 ms/,
  );
  // With this think time, a client would have sent only two requests during the stall.
  expect(warnings({ 'constant-clients': { clients: 2, 'think-time': '2s' } })).not.toMatch(
    'holds for a response time',
  );
  expect(warnings({ 'constant-rate': { rate: 100 } })).not.toMatch('holds for a response time');
});

test('the latency of waiting clients is called response time', () => {
  const metric = { task: 'ingest', figure: 'latency.p99', unit: 'ms', better: 'lower' } as const;
  const { run } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 1000 } } }));
  const { definition } = run;
  expect(metricName(metric, definition)).toBe('ingest response time p99');
  const [task] = definition.tasks;
  const open = { tasks: [{ ...task!, executor: { 'constant-rate': { rate: 1, 'max-clients': 1 } } }] };
  expect(metricName(metric, open)).toBe('ingest latency p99');
});
