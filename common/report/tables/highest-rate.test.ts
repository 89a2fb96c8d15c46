import { resolvePlan } from '../../experiment/plan';
import { judge } from '../../analysis/verdict';
import type { HighestRate, RateAnswer, RateStep } from '../../measurement/highest-rate';
import { buildReport } from '../model/build';
import { rateStepsChart } from '../chart/rate-steps';
import { renderCsv } from '../render/csv';
import { define, REFRESH, refreshRun } from '../../analysis/testing/made-run';
import { ratesTable, searchesTable, stepsTable } from './highest-rate';
import { rateStepsSeries } from '../chart/rate-steps-series';
import { renderHtml } from '../render/html';
import { renderJson } from '../render/json';
import { renderMarkdown } from '../render/markdown';
import type { Report } from '../model/report';
import { renderTerminal } from '../render/terminal';

const step = (number: number, perSecond: number, more: Partial<RateStep> = {}): RateStep => ({
  number,
  phase: 'grow',
  perSecond,
  repeats: false,
  from: '2026-11-03T02:00:30.000Z',
  judgedMs: 15_000,
  due: perSecond * 15,
  answered: perSecond * 15,
  unsent: 0,
  unsettled: 0,
  grown: 1,
  answeredPerSecond: perSecond,
  acceptedPerSecond: perSecond * 1000,
  limits: [
    { limit: 'latency.p99 < 500ms', value: 120, held: true },
    { limit: 'rejection_rate < 0.1%', value: 0, held: true },
  ],
  held: true,
  stop: null,
  why: '',
  ...more,
});

function found(held: number, more: Partial<RateAnswer> = {}): HighestRate {
  const why = 'latency.p99 was 812 ms (latency.p99 < 500ms)';
  return {
    steps: [
      step(1, held),
      step(2, held * 1.05, {
        limits: [{ limit: 'latency.p99 < 500ms', value: 812, held: false }],
        held: false,
        stop: 'limit',
        why,
        unsent: 3,
      }),
      step(3, held, { phase: 'hold', judgedMs: 60_000 }),
    ],
    answer: {
      held,
      confirmed: true,
      broken: held * 1.05,
      heldAccepted: held * 1000,
      brokenAccepted: held * 1050,
      end: 'found',
      stop: 'limit',
      why,
      holdMs: 60_000,
      figuresOf: 3,
      ...more,
    },
  };
}

/**
 * Returns a run whose task searched for the highest rate in every trial. `answers`: returns the result by the index of the cell and the
 * repetition.
 */
function searched(answers: (cell: number, repetition: number) => HighestRate): Report {
  const { run, trials } = refreshRun();
  const definition = define({
    ...REFRESH,
    expect: ['ingest.sustainable_rate rises with index.settings.refresh_interval'],
    tasks: [
      {
        ...REFRESH.tasks[0]!,
        executor: { 'highest-rate': { start: 10, limits: ['latency.p99 < 500ms'] } },
      },
    ],
    measure: { duration: '15m' },
    thresholds: ['ingest.sustainable_rate > 5'],
  });
  const own = trials.map((trial) => ({
    ...trial,
    tasks: trial.tasks.map((task) => ({
      ...task,
      steady: null,
      highestRate: answers(trial.cell.index, trial.trial.repetition),
    })),
  }));
  const verdict = judge(definition, resolvePlan({ ...run, definition }), own);
  return buildReport({ ...run, definition, verdict }, own);
}

const rising = (): Report => searched((cell, repetition) => found(100 + 40 * cell + repetition));

test('the sustained rate is a metric for claims and thresholds', () => {
  const { verdict } = rising();
  expect(verdict.claims[0]!.answer).toBe('confirmed');
  expect(verdict.claims[0]!.why).toContain('requests/s');
  expect(verdict.thresholds[0]).toMatchObject({ passed: true, value: 100 });
  expect(verdict.warnings.join(' ')).not.toMatch(/settled|does not show how much/);
});

test('the interval over trials is next to the bracket, and each trial has its answer', () => {
  const report = rising();
  const [first] = ratesTable(report, 'ingest')!.rows;
  expect(first!.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['101', '100 to 107', '3 of 3 trials']),
  );
  const [answer] = searchesTable(report, 'ingest')!.rows;
  expect(answer!.at(-1)!.text).toBe(
    '100 requests/s (100,000 docs/s) were sustained for 1m 00s, 105 requests/s (105,000 docs/s) were not. ' +
      'At 105 requests/s a limit was broken: latency.p99 was 812 ms (latency.p99 < 500ms).',
  );
  const steps = stepsTable(report, 'ingest')!;
  expect(steps.rows).toHaveLength(9 * 3);
  expect(steps.rows[1]!.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['812 ms', '–', 'limit broken']),
  );
});

test('a search that confirmed no rate has no value, and says so', () => {
  const nothing: Partial<RateAnswer> = {
    held: null,
    confirmed: false,
    broken: 2,
    heldAccepted: null,
    brokenAccepted: null,
    end: 'nothing-held',
    stop: 'generator',
  };
  const report = searched((cell) =>
    found(100, cell === 0 ? nothing : { end: 'max', broken: null, stop: null }),
  );
  const [first] = ratesTable(report, 'ingest')!.rows;
  expect(first!.map(({ text }) => text)).toEqual(expect.arrayContaining(['–', 'below 2', '0 of 3 trials']));
  const answers = searchesTable(report, 'ingest')!.rows.map((row) => row.at(-1)!.text);
  expect(answers.join('\n')).toContain(
    'No rate was held: the highest that is sustained is below 2 requests/s.',
  );
  expect(answers.join('\n')).toContain('That is not a limit of the target.');
  expect(answers.join('\n')).toContain('nothing higher was refused: the maximum rate was reached.');
  expect(report.warnings.join('\n')).toContain('confirmed no rate in 3 of 9 trials');
  expect(report.warnings.join('\n')).toContain(
    'ended before it had found a rate that fails in 6 of 9 trials',
  );
});

test('every output format has the rates, and no NaN or undefined', () => {
  const report = rising();
  const forms = [
    renderTerminal(report, { width: 100 }),
    renderHtml(report),
    renderMarkdown(report),
    renderCsv(report),
    renderJson(report),
  ];
  for (const text of forms) expect(text).not.toMatch(/undefined|NaN/);
  for (const text of forms.slice(0, 3))
    expect(text).toContain('Highest sustained rate of ingest, requests/s');
  for (const text of forms.slice(1, 3)) expect(text).toContain('Steps of the search of ingest');
  expect(forms[3]).toContain('sustainable rate mean (requests/s)');
});

test('tasks that do not search have no such tables', () => {
  const { run, trials } = refreshRun();
  const report = buildReport(run, trials);
  expect(ratesTable(report, 'ingest')).toBeNull();
  expect(searchesTable(report, 'ingest')).toBeNull();
  expect(stepsTable(report, 'ingest')).toBeNull();
  expect(rateStepsChart(report, 'ingest')).toBe('');
  expect(report.cells[0]!.tasks[0]!.highestRate).toBeNull();
});

test('the chart shows each kind of step by its own mark, and the bracket as a band', () => {
  const report = rising();
  const svg = rateStepsChart(report, 'ingest');
  expect(svg.match(/class="bracket"/g)).toHaveLength(9);
  // Two marks are in the legend.
  expect(svg.match(/class="not-held"/g)).toHaveLength(9 + 2);
  expect(svg.match(/class="held"/g)).toHaveLength(18 + 2);
  expect(svg).toContain('step 2, 105 requests/s, not held: latency.p99 was 812 ms');
  expect(svg).toContain('held, confirming');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(renderHtml(report)).toContain(svg);
});

test('a band without a broken rate reaches the top, and one without a held rate begins at zero', () => {
  const bandOf = (more: Partial<RateAnswer>) => {
    const { searches, y } = rateStepsSeries(
      searched(() => found(100, more)),
      'ingest',
    );
    return { band: searches[0]!.bracket, top: y.max };
  };
  expect(bandOf({}).band).toEqual({ min: 100, max: 105 });
  const { band, top } = bandOf({ broken: null });
  expect(band).toEqual({ min: 100, max: top });
  expect(top).toBeGreaterThan(105);
  expect(bandOf({ held: null }).band).toEqual({ min: 0, max: 105 });
  expect(bandOf({ held: null, broken: null }).band).toBeNull();
});
