/** Whether the trials bear out a claim such as `ingest.throughput rises with index.settings.refresh_interval`. */
import { shortNames, factorPaths, showLevel } from '../experiment/cells';
import type { Claim } from '../measurement/condition';
import type { Definition } from '../experiment/definition';
import type { Plan } from '../experiment/plan';
import { tasksOf } from '../experiment/resolved-cells';
import type { ClaimAnswer } from '../experiment/run';
import type { Cell, TrialDocument } from '../measurement/trial';
import { figuresOf, valuesOf } from './blocks';
import { compareCells, type Comparison } from './comparison';
import { metricReader } from './metric-reader';
import { trialsOf } from './validity';
import { seriesOf } from './claim-series';
import { whyOf, type Finding } from './claim-wording';
import { LEVEL } from './confidence';
import { differenceInterval, mean, sampleVariance } from './interval';
import { neededSentence, trialsForDifference } from './trials-needed';
import { formatChange, rateUnit } from './wording';

export type Answer = ClaimAnswer;

/**
 * The claim is about every combination of the other factors: one that refutes it refutes it, all must confirm it.
 * The last level is compared with the first; the steps in between may only stop a confirmation, when one of them goes
 * significantly the other way. Each of the two sets is a family of its own (see comparison.ts).
 */
export function judgeClaim(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claim: Claim,
): { answer: Answer; why: string } {
  const names = shortNames(factorPaths(definition));
  const name = names.get(claim.factor) ?? claim.factor;
  const { found, values, source } = findingsOf(definition, plan, trials, claim);
  if (found.length === 0) return { answer: 'undecided', why: `no two cells of the claim differ in ${name}` };
  const answer = overall(found.map((one) => one.answer));
  const unit = rateUnit({ tasks: tasksOf(plan.cells) }, claim.metric.task);
  return { answer, why: whyOf({ definition, claim, unit, name, values, source }, found, answer) };
}

/**
 * Indices of the cells that must go on for `claim` to be decided: those of its open series, none where one series has refuted it.
 */
export function openCells(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claim: Claim,
): number[] {
  const { found } = findingsOf(definition, plan, trials, claim);
  if (overall(found.map(({ answer }) => answer)) !== 'undecided') return [];
  return found
    .filter(({ answer }) => answer === 'undecided')
    .flatMap(({ series }) => series.cells.map(({ index }) => index));
}

const NOTHING_TO_FALL = 'it is 0 in all trials, so there was nothing that could fall';

/** What was found in each series of the claim, and the metric's values by cell. */
function findingsOf(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claim: Claim,
): { found: Finding[]; values: ReadonlyMap<number, readonly number[]>; source: string } {
  const series = seriesOf(plan.cells, claim, shortNames(factorPaths(definition)));
  const { read, source, why } = metricReader(claim.metric, plan, trials);
  const figures = figuresOf(plan, trials, read);
  const placeOf = new Map(plan.cells.map(({ index }, at) => [index, at]));
  const values = new Map(plan.cells.map(({ index }, at) => [index, valuesOf(figures[at]!)]));
  /** Why none of the trials of it that count has the figure; '' where one has, or none counts. */
  const lacksFigure = ({ index }: Cell): string => {
    const [first] = values.get(index)!.length > 0 ? [] : trialsOf(trials, index);
    return first === undefined ? '' : why(first);
  };
  const isIdle = ({ index }: Cell): boolean =>
    values.get(index)!.length > 0 && values.get(index)!.every((value) => value === 0);
  const compare = (pairs: readonly [cell: Cell, against: Cell][]): Comparison[] =>
    compareCells(
      figures,
      pairs.map(([cell, against]) => [placeOf.get(cell.index)!, placeOf.get(against.index)!]),
      definition,
    ).comparisons;
  const ends = compare(series.map(({ cells }) => [cells.at(-1)!, cells[0]!]));
  const steps = series.flatMap((one, index) =>
    one.cells.length < 3
      ? []
      : one.cells.slice(1).map((cell, at) => ({ series: index, cell, before: one.cells[at]! })),
  );
  const stepComparisons = compare(steps.map(({ cell, before }) => [cell, before]));
  // What is bounded on one side alone may go the other way.
  const contrary =
    claim.atMost !== null ? '' : { rises: 'lower', falls: 'higher', stays: '' }[claim.relation];

  const findings = series.map((one, index): Finding => {
    const turn = steps.findIndex(
      (step, at) => step.series === index && stepComparisons[at]!.word === contrary,
    );
    if (
      claim.metric.ofCluster &&
      claim.relation === 'falls' &&
      isIdle(one.cells[0]!) &&
      isIdle(one.cells.at(-1)!)
    )
      return { series: one, comparison: ends[index]!, answer: 'undecided', turn: '', lacks: NOTHING_TO_FALL };
    const ofValues = (cell: Cell): readonly number[] => values.get(cell.index)!;
    const scaled = withoutRatio(claim, ends[index]!, ofValues(one.cells.at(-1)!), ofValues(one.cells[0]!));
    if (scaled !== null)
      return { series: one, comparison: ends[index]!, answer: scaled.answer, turn: '', lacks: scaled.why };
    const answer = answerOf(claim, ends[index]!);
    const lacks = lacksFigure(one.cells[0]!) || lacksFigure(one.cells.at(-1)!);
    if (answer !== 'confirmed' || turn < 0)
      return { series: one, comparison: ends[index]!, answer, turn: '', lacks };
    const level = (cell: Cell): string => showLevel(cell.levels[claim.factor]);
    const { cell, before } = steps[turn]!;
    const back = `but goes the other way from ${level(before)} to ${level(cell)} (${formatChange(stepComparisons[turn]!.ratio)})`;
    return { series: one, comparison: ends[index]!, answer: 'undecided', turn: back, lacks };
  });
  return { found: findings, values, source };
}

/**
 * A promise in figures where the mean of one level is 0: no ratio has an interval then, but whether the last level is below (1 - 40%)
 * of the first is a difference of two means, one of them scaled (Welch's t). Without a promise the word tells it, and here how many
 * trials would. Null where there is a ratio, or nothing to test.
 */
function withoutRatio(
  { relation, atLeast, atMost }: Claim,
  { adjusted, method, family, word }: Comparison,
  last: readonly number[],
  first: readonly number[],
): { answer: Answer; why: string } | null {
  const promised = atLeast ?? atMost;
  if (relation === 'stays' || adjusted !== null || method !== 'apart') return null;
  if (promised === null) {
    if (word !== 'undecided' || last.length < 2 || first.length < 2) return null;
    const deviation = Math.sqrt(sampleVariance(last) + sampleVariance(first));
    const needed = trialsForDifference(deviation, mean(last) - mean(first), family);
    return {
      answer: 'undecided',
      why: `the trials vary too much; ${neededSentence(needed, 'a difference as large as this one')}`,
    };
  }
  const size = relation === 'rises' ? 1 + promised : 1 - promised;
  const scaled = first.map((value) => size * value);
  const interval = differenceInterval(last, scaled, 1 - (1 - LEVEL) / Math.max(1, family));
  if (interval === null) return null;
  // Beyond what is claimed at least, or within what is claimed at most.
  const wantsAbove = (relation === 'rises') === (atLeast !== null);
  const side = interval.low > 0 ? 'above' : interval.high < 0 ? 'below' : null;
  const told = `a mean of 0 has no ratio, so what is claimed, ${formatChange(size)}, is tested by the difference from it`;
  if (side !== null)
    return { answer: (side === 'above') === wantsAbove ? 'confirmed' : 'refuted', why: told };
  const deviation = Math.sqrt(sampleVariance(last) + sampleVariance(scaled));
  const needed = trialsForDifference(deviation, mean(last) - mean(scaled), family);
  return {
    answer: 'undecided',
    why: `${told}: ${neededSentence(needed, 'on which side of it the figure is')}`,
  };
}

/** Refuted by one, confirmed by all, undecided else. */
export function overall(answers: readonly Answer[]): Answer {
  if (answers.includes('refuted')) return 'refuted';
  return answers.length > 0 && answers.every((answer) => answer === 'confirmed') ? 'confirmed' : 'undecided';
}

/** A promise in figures (`by at least 20%`, `by at most 10%`) is read from the interval alone: it is its own margin. */
function answerOf({ relation, atLeast, atMost }: Claim, { word, adjusted }: Comparison): Answer {
  if (relation === 'stays') {
    return word === 'undecided' ? word : word === 'no difference within the margin' ? 'confirmed' : 'refuted';
  }
  if (atMost !== null) {
    if (adjusted === null) return 'undecided';
    if (relation === 'rises')
      return adjusted.high < 1 + atMost ? 'confirmed' : adjusted.low > 1 + atMost ? 'refuted' : 'undecided';
    return adjusted.low > 1 - atMost ? 'confirmed' : adjusted.high < 1 - atMost ? 'refuted' : 'undecided';
  }
  if (atLeast !== null && adjusted !== null) {
    if (relation === 'rises')
      return adjusted.low > 1 + atLeast ? 'confirmed' : adjusted.high < 1 + atLeast ? 'refuted' : 'undecided';
    return adjusted.high < 1 - atLeast ? 'confirmed' : adjusted.low > 1 - atLeast ? 'refuted' : 'undecided';
  }
  if (word === 'undecided' || atLeast !== null) return 'undecided';
  return word === (relation === 'rises' ? 'higher' : 'lower') ? 'confirmed' : 'refuted';
}
