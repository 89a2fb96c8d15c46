/** Judges an experiment's hypothesis, and gives the reasons. */
import { type Condition, holds, parseClaim, parseCondition } from '../measurement/condition';
import type { Definition } from '../experiment/definition';
import { ERRORS } from '../measurement/outcomes';
import { isOfTask, type Metric } from '../measurement/metric';
import type { Plan } from '../experiment/plan';
import { tasksOf } from '../experiment/resolved-cells';
import type { ClaimResult, Provenance, Verdict } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { figuresOf, valuesOf } from './blocks';
import { judgeClaims, overall } from './claim';
import { focusOf } from './focus';
import { mean, meanInterval } from './interval';
import { metricReader } from './metric-reader';
import { placeCautions } from './place-cautions';
import { responseTimeCautions } from './response-times';
import { trustFrom, type Caution } from './trust';
import { counts, isOpen, isSaturated, trialsOf, type WarningKind } from './validity';
import { trialCautions, type Relevance } from './warnings';
import { formatMetric, metricName, rateUnit } from './wording';
import { formatNumber, plural, sentenceCase } from '../units/format';

export type ThresholdResult = Verdict['thresholds'][number];

/**
 * Judges a threshold by the worst value over all trials of all cells. The threshold does not pass if the worst value breaks it, or if a
 * trial has no value. If the worst value breaks the threshold, the result contains this value. Otherwise, it contains the reason for a
 * missing value, if one is missing.
 */
export function judgeThreshold(
  plan: Plan,
  trials: readonly TrialDocument[],
  condition: Condition,
): ThresholdResult {
  const { text: threshold, metric, operator } = condition;
  const { read, why } = metricReader(metric, plan, trials);
  const highIsWorst = operator.startsWith('<');
  let worst: { cell: string; value: number } | null = null;
  let missing: { cell: string; reason: string } | null = null;
  for (const { index, label } of plan.cells) {
    const own = trialsOf(trials, index);
    if (own.length === 0) missing ??= { cell: label, reason: 'no completed trial' };
    for (const document of own) {
      const { trial } = document;
      const value = read(document);
      if (value === null) {
        missing ??= { cell: label, reason: `${why(document)} (trial #${trial.order + 1})` };
      } else if (worst === null || (highIsWorst ? value > worst.value : value < worst.value)) {
        worst = { cell: label, value };
      }
    }
  }
  if (worst && (missing === null || !holds(condition, worst.value))) {
    return { threshold, passed: holds(condition, worst.value), ...worst };
  }
  const { cell, reason } = missing ?? { cell: '', reason: 'the run has no cell' };
  return { threshold, passed: false, cell, value: null, noData: reason };
}

/**
 * Judges the claims and thresholds of a definition based on the trials so far. The run may still be running. `provenance`: the clusters and
 * machines of the trials.
 *
 * If a claim cannot be parsed, it is undecided, and the reason is given. If a threshold cannot be parsed, it does not pass.
 */
export function judge(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  provenance?: Provenance | null,
): Verdict {
  const expected = definition.expect.map((text) => ({ text, claim: parseClaim(text) }));
  const known = expected.flatMap(({ claim }) => ('message' in claim ? [] : [claim]));
  const metrics = known.map(({ metric }) => metric);
  const judged = judgeClaims(definition, plan, trials, known);
  const claims = expected.map(({ text, claim }): ClaimResult =>
    'message' in claim
      ? { claim: text, answer: 'undecided', why: claim.message }
      : { claim: text, ...judged[known.indexOf(claim)]! },
  );
  const parsed = definition.thresholds.map((text) => ({ text, condition: parseCondition(text) }));
  const conditions = parsed.flatMap(({ condition }) => ('metric' in condition ? [condition] : []));
  const thresholds = parsed.map(({ text, condition }): ThresholdResult =>
    'message' in condition
      ? { threshold: text, passed: false, cell: '', value: null }
      : judgeThreshold(plan, trials, condition),
  );
  const relevance = relevanceOf(
    metrics,
    conditions.map(({ metric }) => metric),
  );
  const cautions: Caution[] = [
    ...trialCautions(definition, plan, trials, relevance),
    ...thresholdCautions(parsed, thresholds),
    ...stopsWithoutData(definition, plan, trials),
    ...offeredRates(plan, trials, metrics),
    ...responseTimeCautions(plan, trials, conditions),
    ...(provenance === undefined ? [] : placeCautions(plan, provenance, trials)),
  ];
  const answer = claims.length === 0 ? 'no-claim' : overall(claims.map((claim) => claim.answer));
  return {
    answer,
    sentence: sentenceOf(definition, answer, claims, thresholds, measuredSentence(plan, trials)),
    trust: trustFrom(cautions),
    claims,
    thresholds,
    warnings: cautions.map(({ text }) => text),
  };
}

const caution = (cause: string, level: Caution['level'], brief: string, rest: string): Caution => ({
  cause,
  level,
  brief,
  text: `${brief}. ${rest}`,
});

/** Returns a warning for each threshold that cannot be parsed or has no data. */
function thresholdCautions(
  parsed: readonly { text: string; condition: ReturnType<typeof parseCondition> }[],
  results: readonly ThresholdResult[],
): Caution[] {
  return parsed.flatMap(({ text, condition }, at) => {
    if ('message' in condition)
      return [
        caution(
          'threshold-unreadable',
          'limited',
          `Threshold ${text} cannot be read`,
          `${sentenceCase(condition.message)}.`,
        ),
      ];
    const { noData, cell } = results[at]!;
    return noData === undefined
      ? []
      : [
          caution(
            'threshold-without-data',
            'limited',
            `Threshold ${text} has no data in ${cell}`,
            `${sentenceCase(noData)}. It counts as not held.`,
          ),
        ];
  });
}

/** Returns a warning for each condition of `stop-when` that could not stop the run, because no completed trial had data for it. */
function stopsWithoutData(definition: Definition, plan: Plan, trials: readonly TrialDocument[]): Caution[] {
  const counted = trials.filter(counts);
  if (counted.length === 0) return [];
  return definition['stop-when'].flatMap((text) => {
    const condition = parseCondition(text);
    if ('message' in condition) return [];
    const { read, why } = metricReader(condition.metric, plan, trials);
    if (counted.some((trial) => read(trial) !== null)) return [];
    return [
      caution(
        'stop-without-data',
        'note',
        `The condition ${text} of stop-when has no data: ${why(counted[0]!)}`,
        'It could not stop the run.',
      ),
    ];
  });
}

/**
 * Determines which kinds of warnings are only notes for the metrics of the claims and thresholds, and which make the result invalid.
 * Warnings about latencies are only notes if no claim or threshold is about a time. If the load did not reach the offered rate, a claim
 * about a time is invalid, because latencies then say nothing about the cluster.
 */
function relevanceOf(ofClaims: readonly Metric[], ofThresholds: readonly Metric[]): Relevance {
  const refusals = ['rejection_rate', 'error_rate', ...ERRORS.map(({ name }) => name)];
  const isTime = (metric: Metric): boolean => metric.unit === 'ms' && isOfTask(metric);
  const aside = new Set<WarningKind>();
  if (ofClaims.some(({ figure }) => refusals.includes(figure))) aside.add('not-stored');
  if (![...ofClaims, ...ofThresholds].some(isTime)) aside.add('own-latency').add('latency-lower-bound');
  return { aside, invalid: new Set<WarningKind>(ofClaims.some(isTime) ? ['saturated'] : []) };
}

const ANSWERS = { confirmed: 'Confirmed', refuted: 'Refuted', undecided: 'Undecided' } as const;

/**
 * Returns the sentence of a verdict. It contains the answer to the hypothesis, the result for the deciding claim, and the thresholds that
 * are not met. The reliability is not included, because pages show `trust.line` after the sentence.
 */
function sentenceOf(
  { hypothesis }: Definition,
  answer: Verdict['answer'],
  claims: Verdict['claims'],
  thresholds: Verdict['thresholds'],
  measured: string,
): string {
  if (answer === 'no-claim') {
    const why =
      hypothesis === ''
        ? 'No hypothesis to test: this experiment has no `expect`.'
        : 'The hypothesis was not tested: this experiment has no `expect`.';
    return [why, measured, thresholdsSentence(thresholds)].filter(Boolean).join(' ');
  }
  const deciding = claims.filter((claim) => claim.answer === answer);
  const share =
    deciding.length === claims.length ? `all ${claims.length}` : `${deciding.length} of ${claims.length}`;
  const head = claims.length === 1 ? ANSWERS[answer] : `${ANSWERS[answer]}, ${share} claims`;
  const failed = thresholds.some(({ passed }) => !passed) ? thresholdsSentence(thresholds) : '';
  return [`${head}: ${deciding[0]!.why}.`, failed].filter(Boolean).join(' ');
}

/** Returns `All 3 thresholds hold.` or `1 of 3 thresholds does not hold, 1 has no data.`; '' without thresholds. */
function thresholdsSentence(thresholds: Verdict['thresholds']): string {
  const { length } = thresholds;
  if (length === 0) return '';
  const failed = thresholds.filter(({ passed }) => !passed);
  if (failed.length === 0)
    return length === 1
      ? 'The threshold holds.'
      : `${length === 2 ? 'Both' : `All ${length}`} thresholds hold.`;
  const empty = failed.filter(({ value }) => value === null).length;
  if (length === 1) return `The threshold ${empty === 1 ? 'has no data' : 'does not hold'}.`;
  const broken = failed.length - empty;
  const parts = [
    broken === 0 ? '' : `${broken} of ${length} thresholds ${broken === 1 ? 'does' : 'do'} not hold`,
    empty === 0
      ? ''
      : `${empty}${broken === 0 ? ` of ${length} thresholds` : ''} ${empty === 1 ? 'has' : 'have'} no data`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

/**
 * Describes the throughput of the first task, for a run without a claim: its mean if there is one cell, otherwise the range of the cells'
 * means.
 */
function measuredSentence(plan: Plan, trials: readonly TrialDocument[]): string {
  const tasks = tasksOf(plan.cells);
  const { metric } = focusOf({ expect: [], tasks });
  const { read } = metricReader(metric, plan, trials);
  const unit = rateUnit({ tasks }, metric.task);
  const cells = figuresOf(plan, trials, read).flatMap((figures, at) => {
    const values = valuesOf(figures);
    return values.length === 0 ? [] : [{ label: plan.cells[at]!.label, values, mean: mean(values) }];
  });
  if (cells.length === 0) return '';
  const shown = (value: number): string => formatMetric(metric, value, unit);
  const name = sentenceCase(metricName(metric, { tasks }));
  if (cells.length === 1) {
    const { values, mean: centre } = cells[0]!;
    const interval = meanInterval(values);
    const sure =
      interval === null
        ? ''
        : `, 95% interval ${formatNumber(interval.low)} to ${formatNumber(interval.high)}`;
    return `${name}: ${shown(centre)} (mean of ${plural(values.length, 'trial')}${sure}).`;
  }
  const [least, most] = [(a: number, b: number) => a < b, (a: number, b: number) => a > b].map((isBetter) =>
    cells.reduce((one, other) => (isBetter(other.mean, one.mean) ? other : one)),
  ) as [(typeof cells)[number], (typeof cells)[number]];
  if (shown(least.mean) === shown(most.mean))
    return `${name}: ${shown(least.mean)} in all ${cells.length} cells.`;
  return `${name}: ${shown(least.mean)} (${least.label}) to ${shown(most.mean)} (${most.label}).`;
}

/**
 * Returns a warning if a claim compares throughputs although the target kept up with the offered rate in all trials. Such throughputs only
 * repeat the offered rate.
 */
function offeredRates(plan: Plan, trials: readonly TrialDocument[], metrics: readonly Metric[]): Caution[] {
  const held = new Set(
    metrics.filter(({ figure }) => ['throughput', 'accepted'].includes(figure)).map(({ task }) => task),
  );
  return [...held].flatMap((name) => {
    const open = plan.cells.some((cell) => isOpen(cell.definition, name));
    const summaries = trials.filter(counts).flatMap(({ tasks }) => tasks.filter(({ task }) => task === name));
    if (!open || summaries.length === 0 || summaries.some(isSaturated)) return [];
    return [
      caution(
        'throughput-is-offered-rate',
        'limited',
        `The throughput of ${name} is the rate that it was offered, and the cluster kept up`,
        'It does not show how much the cluster can handle.',
      ),
    ];
  });
}
