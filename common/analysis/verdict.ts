/** The answer to an experiment's hypothesis, with its reasons. */
import { type Condition, holds, parseClaim, parseCondition } from '../measurement/condition';
import type { Definition } from '../experiment/definition';
import { ERRORS } from '../measurement/outcomes';
import { isOfTask, type Metric } from '../measurement/metric';
import type { Plan } from '../experiment/plan';
import type { Verdict } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { judgeClaim, overall } from './claim';
import { metricReader } from './metric-reader';
import { responseTimeWarnings } from './response-times';
import { counts, isOpen, isSaturated, trialsOf, type DoubtKind } from './validity';
import { gravestDoubt, trialWarnings } from './warnings';
import { plural } from '../units/format';

export type ThresholdResult = Verdict['thresholds'][number];

/**
 * The worst value over all trials of all cells decides. A trial without data does not pass, whatever the metric is: nothing was
 * held. A value that breaks the threshold is named before one that is missing.
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
 * Judges what the trials that are there say; pure, so it may be asked before the run has ended.
 * A claim or threshold that cannot be read stays undecided or not passed, with the reason: the schema's checks come first.
 */
export function judge(definition: Definition, plan: Plan, trials: readonly TrialDocument[]): Verdict {
  const warnings = trialWarnings(definition, plan, trials);
  const metrics: Metric[] = [];
  const claims = definition.expect.map((text): Verdict['claims'][number] => {
    const claim = parseClaim(text);
    if ('message' in claim) return { claim: text, answer: 'undecided', why: claim.message };
    metrics.push(claim.metric);
    return { claim: text, ...judgeClaim(definition, plan, trials, claim) };
  });
  const thresholds = definition.thresholds.map((text): Verdict['thresholds'][number] => {
    const condition = parseCondition(text);
    if ('message' in condition) {
      warnings.push(`Threshold ${text} cannot be read: ${condition.message}.`);
      return { threshold: text, passed: false, cell: '', value: null };
    }
    const result = judgeThreshold(plan, trials, condition);
    if (result.noData !== undefined)
      warnings.push(
        `Threshold ${text} has no data in ${result.cell}: ${result.noData}. It counts as not held.`,
      );
    return result;
  });
  warnings.push(...stopsWithoutData(definition, plan, trials));
  warnings.push(...offeredRateWarnings(plan, trials, metrics));
  const conditions = definition.thresholds.flatMap((text) => {
    const found = parseCondition(text);
    return 'metric' in found ? [found] : [];
  });
  warnings.push(...responseTimeWarnings(plan, trials, conditions));
  const doubt = gravestDoubt(
    plan,
    trials,
    asideOf(
      metrics,
      conditions.map(({ metric }) => metric),
    ),
  );
  const answer = claims.length === 0 ? 'no-claim' : overall(claims.map((claim) => claim.answer));
  return {
    answer,
    sentence: sentenceOf(definition, answer, claims, thresholds, doubt),
    ...(doubt === undefined ? {} : { doubt }),
    claims,
    thresholds,
    warnings,
  };
}

/** Conditions of `stop-when` that no completed trial had data for: they could not have stopped anything. */
function stopsWithoutData(definition: Definition, plan: Plan, trials: readonly TrialDocument[]): string[] {
  const counted = trials.filter(counts);
  if (counted.length === 0) return [];
  return definition['stop-when'].flatMap((text) => {
    const condition = parseCondition(text);
    if ('message' in condition) return [];
    const { read, why } = metricReader(condition.metric, plan, trials);
    if (counted.some((trial) => read(trial) !== null)) return [];
    return [
      `The condition ${text} of stop-when has no data: ${why(counted[0]!)}. It could not stop the run.`,
    ];
  });
}

const ANSWERS = {
  confirmed: 'Confirmed',
  refuted: 'Refuted',
  undecided: 'Undecided',
  'no-claim': 'No claim',
} as const;

/** Doubts that say nothing of what is judged: a claim on what was refused is no worse for it, a throughput for a latency. */
function asideOf(ofClaims: readonly Metric[], ofThresholds: readonly Metric[]): ReadonlySet<DoubtKind> {
  const refusals = ['rejection_rate', 'error_rate', ...ERRORS.map(({ name }) => name)];
  const aside = new Set<DoubtKind>();
  if (ofClaims.some(({ figure }) => refusals.includes(figure))) aside.add('not-stored');
  if (![...ofClaims, ...ofThresholds].some((metric) => metric.unit === 'ms' && isOfTask(metric)))
    aside.add('own-latency').add('latency-lower-bound');
  return aside;
}

/** `doubt`: the gravest. The sentence is quoted alone, in lists and alerts, so it goes with it. */
function sentenceOf(
  { hypothesis }: Definition,
  answer: Verdict['answer'],
  claims: Verdict['claims'],
  thresholds: Verdict['thresholds'],
  doubt: string | undefined,
): string {
  const but = doubt === undefined ? '' : `, but ${doubt}`;
  if (claims.length === 0) {
    if (hypothesis !== '') return `No claim: “expect” has none that tests the hypothesis${but}.`;
    if (thresholds.length === 0) return `No claim: the figures stand for themselves${but}.`;
    const all = plural(thresholds.length, 'threshold');
    const failed = thresholds.filter(({ passed }) => !passed);
    const empty = failed.filter(({ value }) => value === null).length;
    if (failed.length === 0) return `No claim: ${all} held${but}.`;
    const which =
      empty === 0
        ? ''
        : empty === failed.length
          ? ', for lack of data'
          : `, ${empty} of them for lack of data`;
    return `No claim: ${failed.length} of ${all} not held${which}${but}.`;
  }
  const deciding = claims.filter((claim) => claim.answer === answer);
  const more = claims.length === 1 ? '' : ` (${deciding.length} of ${claims.length} claims ${answer})`;
  return `${ANSWERS[answer]}${more}${but}: ${deciding[0]!.why}.`;
}

/** An offered rate that the target keeps up with is the throughput: comparing it compares the definition with itself. */
function offeredRateWarnings(
  plan: Plan,
  trials: readonly TrialDocument[],
  metrics: readonly Metric[],
): string[] {
  const held = new Set(
    metrics.filter(({ figure }) => ['throughput', 'accepted'].includes(figure)).map(({ task }) => task),
  );
  return [...held].flatMap((name) => {
    const open = plan.cells.some((cell) => isOpen(cell.definition, name));
    const summaries = trials.filter(counts).flatMap(({ tasks }) => tasks.filter(({ task }) => task === name));
    if (!open || summaries.length === 0 || summaries.some(isSaturated)) return [];
    return [
      `The throughput of ${name} is the rate that it was offered, and the cluster kept up: it does not show how much the cluster can handle.`,
    ];
  });
}
