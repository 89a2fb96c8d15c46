/** Tests verdicts on trials without data. */
import { resolvePlan } from '../experiment/plan';
import type { DefinitionInput } from '../experiment/definition';
import type { Verdict } from '../experiment/run';
import { noCounts } from '../measurement/counts';
import { createHistogram, encodeHistogram, summariseHistogram } from '../measurement/histogram';
import { FIGURE_NAMES, parseMetric } from '../measurement/metric';
import type { TaskSummary } from '../measurement/trial';
import { buildReport } from '../report/model/build';
import type { Report } from '../report/model/report';
import { renderJunit } from '../report/render/junit';
import { renderMarkdown } from '../report/render/markdown';
import { makeRun, REFRESH } from './testing/made-run';
import { judge } from './verdict';
import { rampWarnings } from './warnings';

const NOTHING = createHistogram();

/** Returns a task that measured nothing. `sourceEndedMs`: time at which its file ended. */
const without = (task: TaskSummary, sourceEndedMs?: number): TaskSummary => ({
  ...task,
  counts: noCounts(),
  throughput: 0,
  attemptedPerSecond: 0,
  rejectionRate: 0,
  errorRate: 0,
  unsent: 0,
  service: summariseHistogram(NOTHING),
  latency: summariseHistogram(NOTHING),
  serviceHistogram: encodeHistogram(NOTHING),
  latencyHistogram: encodeHistogram(NOTHING),
  ...(sourceEndedMs === undefined ? {} : { sourceEndedMs }),
});

function judged(
  input: Partial<DefinitionInput>,
  change: (task: TaskSummary, order: number) => TaskSummary,
): { verdict: Verdict; report: Report } {
  const { run, trials } = makeRun({ ...REFRESH, expect: [], hypothesis: '', ...input }, () => ({
    tasks: { ingest: { rate: 10_000, batch: 1000 } },
  }));
  trials.forEach((trial) => (trial.tasks = trial.tasks.map((task) => change(task, trial.trial.order))));
  run.verdict = judge(run.definition, resolvePlan(run), trials);
  return { verdict: run.verdict, report: buildReport(run, trials) };
}

/** For each unit, two limits for thresholds: one above all possible values, and one that every value reaches. */
const BOUNDS: Record<string, [high: string, low: string]> = {
  share: ['100%', '0%'],
  ms: ['1000h', '0ms'],
};

test.each(
  FIGURE_NAMES.flatMap((figure) => {
    const { unit } = parseMetric(`ingest.${figure}`)!;
    const [high, low] = BOUNDS[unit] ?? ['1000000000', '0'];
    return [`ingest.${figure} < ${high}`, `ingest.${figure} >= ${low}`];
  }),
)(
  'the threshold %s of a task that sent nothing in the measured phase is not held, for lack of data',
  (threshold) => {
    const { verdict } = judged({ thresholds: [threshold] }, (task) => without(task));
    expect(verdict.thresholds[0]).toMatchObject({
      passed: false,
      value: null,
      noData: 'ingest sent nothing in the measured phase (trial #1)',
    });
  },
);

test('a threshold fails if one trial has no data, even if all others hold it', () => {
  const { verdict } = judged({ thresholds: ['ingest.error_rate < 1%'] }, (task, order) =>
    order === 4 ? without(task) : task,
  );
  expect(verdict.thresholds[0]).toMatchObject({
    passed: false,
    value: null,
    noData: 'ingest sent nothing in the measured phase (trial #5)',
  });
  expect(verdict.sentence).toMatch(/^No hypothesis to test: .* The threshold has no data\.$/);
});

test('JUnit files and reports contain the same words', () => {
  const { report } = judged({ thresholds: ['ingest.error_rate < 1%'] }, (task) => without(task));
  expect(renderJunit(report)).toMatch(
    /<failure message="no data in refresh_interval=\w+: ingest sent nothing in the measured phase \(trial #1\)"\/>/,
  );
  const text = renderMarkdown(report);
  expect(text).toMatch(/\| ingest\.error_rate &lt; 1% \| no data \| – \|/);
  expect(text).toMatch(/Threshold ingest\.error_rate .* has no data in .* It counts as not held\./);
  // The rejection rate of zero requests is unknown, not 0.
  expect(text).toMatch(/\| 1s \| 0 \| 0 \| 0 \| – \|/);
});

test('a file that ended in the warm-up is reported, with the number of its documents', () => {
  const { verdict } = judged({ thresholds: ['ingest.error_rate < 1%'] }, (task) => without(task, 1200));
  expect(verdict.thresholds[0]!.noData).toBe('the file of ingest ended before the measured phase (trial #1)');
  expect(verdict.trust).toMatchObject({
    level: 'none',
    line: 'Trust: none. The file of ingest ended in the warm-up of all 9 trials',
  });
  expect(verdict.warnings[0]).toMatch(
    /^The file of ingest ended in the warm-up of all 9 trials: [\d,]+ documents in 1s of a warm-up of 30s.*\. Nothing was left for the measured phase\./,
  );
});

test('a condition of stop-when without data does not stop the run, and gives a note', () => {
  const { verdict } = judged({ 'stop-when': ['ingest.error_rate > 50%'] }, (task) => without(task));
  expect(verdict.warnings).toContain(
    'The condition ingest.error_rate > 50% of stop-when has no data: ingest sent nothing in the measured phase. It could not stop the run.',
  );
  const fine = judged({ 'stop-when': ['ingest.error_rate > 50%'] }, (task) => task);
  expect(fine.verdict.warnings.join()).not.toContain('stop-when');
});

test('a claim about a level without data is undecided, and says why', () => {
  const { verdict } = judged(
    { expect: ['ingest.throughput rises with index.settings.refresh_interval'], thresholds: [] },
    (task) => without(task),
  );
  expect(verdict.answer).toBe('undecided');
  expect(verdict.claims[0]!.why).toContain('ingest sent nothing in the measured phase');
});

describe('a ramp', () => {
  const ramped = (over: string, more: object = {}): Partial<DefinitionInput> => ({
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' } },
        executor: {
          'ramping-clients': {
            start: 1,
            stages: [
              { clients: 8, over },
              { clients: 8, over: '10m' },
            ],
          },
        },
      },
    ],
    expect: ['ingest.throughput rises with index.settings.refresh_interval'],
    ...more,
  });
  const warned = (input: Partial<DefinitionInput>): string[] => {
    const { run } = makeRun({ ...REFRESH, ...input }, () => ({ tasks: {} }));
    return rampWarnings(resolvePlan(run));
  };

  test('that reaches into the measured phase gives a warning before the run and with its verdict, if a claim compares its metrics', () => {
    expect(warned(ramped('2m'))).toEqual([
      expect.stringMatching(
        /^The ramp of ingest reaches into the measured phase \(a ramp of 2m 00s and a warm-up of 30s\)\. .* Make the warm-up at least as long as the ramp\.$/,
      ),
    ]);
    const { verdict } = judged(ramped('2m'), (task) => task);
    expect(verdict.trust?.line).toBe(
      'Trust: limited. The ramp of ingest reaches into the measured phase of all 9 trials',
    );
    expect(verdict.warnings.join('\n')).toContain('The ramp of ingest reaches into the measured phase');
  });

  test('that ends with the warm-up, or that no claim compares, gives none', () => {
    expect(warned(ramped('30s'))).toEqual([]);
    expect(warned(ramped('2m', { expect: [], hypothesis: '' }))).toEqual([]);
    expect(judged(ramped('2m', { expect: [] }), (task) => task).verdict.warnings.join()).not.toContain(
      'ramp',
    );
  });
});
