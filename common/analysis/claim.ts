/** Judges whether trials confirm a claim such as `ingest.throughput rises with index.settings.refresh_interval`. */
import type { Claim } from '../measurement/condition';
import { levelTexts } from '../experiment/cells';
import type { Definition } from '../experiment/definition';
import type { Plan } from '../experiment/plan';
import { tasksOf } from '../experiment/resolved-cells';
import type { ClaimAnswer, ClaimResult } from '../experiment/run';
import { untilDecided } from '../experiment/trial-counts';
import type { Cell, TrialDocument } from '../measurement/trial';
import { figuresOf, valuesOf } from './blocks';
import { compareCells, type Comparison } from './comparison';
import { metricReader } from './metric-reader';
import { trialsOf } from './validity';
import { seriesOf } from './claim-series';
import { effectOf, noSeries, whyOf, type Finding } from './claim-wording';
import { LEVEL } from './confidence';
import { differenceInterval, mean, sampleVariance } from './interval';
import { trialsForDifference } from './trials-needed';
import { rateUnit } from './wording';

export type Answer = ClaimAnswer;

/** Confidence of each of `open` claims that chance could refute, if all of them are judged together (Bonferroni). */
export const jointLevel = (open: number): number => 1 - (1 - LEVEL) / Math.max(1, open);

/**
 * Judges all claims of a run. One refuted claim refutes the hypothesis of the run, so the more claims a run has, the more often chance alone
 * would refute a true hypothesis. Refutations are therefore judged together (Holm 1979): all of them are correct with 95% confidence. A
 * claim that only its own 95% interval refutes is undecided. A hypothesis is confirmed only if each claim is, which chance does not make
 * more likely. Therefore, confirmations are not judged together (Berger 1982).
 *
 * The intervals of a run that ends when its claims are decided have only one confidence. Its claims are judged one by one.
 */
export function judgeClaims(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claims: readonly Claim[],
): Omit<ClaimResult, 'claim'>[] {
  const alone = claims.map((claim) => judgeClaim(definition, plan, trials, claim));
  if (untilDecided(definition.trials) !== null) return alone;
  const refuted = new Set<number>();
  for (;;) {
    const open = claims.length - refuted.size;
    const judged = alone.map((one, at) =>
      one.answer !== 'refuted' || refuted.has(at) || open === 1
        ? one
        : judgeClaim(definition, plan, trials, claims[at]!, open),
    );
    const more = judged.flatMap(({ answer }, at) => (answer === 'refuted' && !refuted.has(at) ? [at] : []));
    if (more.length === 0 || open === 1) return judged.map((one, at) => (refuted.has(at) ? alone[at]! : one));
    for (const at of more) refuted.add(at);
  }
}

/**
 * Judges a claim for every combination of the other factors. The claim is confirmed if all combinations confirm it, and refuted if one
 * refutes it.
 *
 * In each combination, the last level is compared with the first. Levels in between are also compared with the level before them. A
 * significant step against the claim prevents a confirmation, but does not refute the claim.
 *
 * The comparisons of last and first levels are judged together, so that all their results are correct with 95% confidence. The same applies
 * to the steps. `together`: number of claims that are judged together.
 */
function judgeClaim(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claim: Claim,
  together = 1,
): Omit<ClaimResult, 'claim'> {
  const { found, values, source } = findingsOf(definition, plan, trials, claim, together);
  if (found.length === 0) return { answer: 'undecided', why: noSeries(claim) };
  const answer = overall(found.map((one) => one.answer));
  const tasks = tasksOf(plan.cells);
  const context = {
    tasks,
    margin: definition.margin,
    claim,
    unit: rateUnit({ tasks }, claim.metric.task),
    values,
    source,
    levelText: levelTexts(definition),
    together,
  };
  return { answer, why: whyOf(context, found, answer), effect: effectOf(context, found, answer) };
}

/**
 * Returns the indices of the cells that need more trials to decide `claim`: the cells of its undecided series. Empty if one series has
 * refuted the claim.
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

/**
 * Returns the finding for each series of the claim, and the values of the metric by index of the cell. `source`: display name of the source
 * of the values; '' if the run itself measured them. `together`: number of claims that are judged together.
 */
export function findingsOf(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claim: Claim,
  together = 1,
): { found: Finding[]; values: ReadonlyMap<number, readonly number[]>; source: string } {
  const series = seriesOf(plan.cells, claim, levelTexts(definition));
  const { read, source, why } = metricReader(claim.metric, plan, trials);
  const figures = figuresOf(plan, trials, read);
  const placeOf = new Map(plan.cells.map(({ index }, at) => [index, at]));
  const values = new Map(plan.cells.map(({ index }, at) => [index, valuesOf(figures[at]!)]));
  /** Returns the reason why no trial of the cell has a value. Null if a trial has a value. */
  const lackOf = (cell: Cell): Finding['lack'] => {
    if (values.get(cell.index)!.length > 0) return null;
    const [first] = trialsOf(trials, cell.index);
    return { cell, why: first === undefined ? 'no trial completed' : why(first) };
  };
  const isIdle = ({ index }: Cell): boolean =>
    values.get(index)!.length > 0 && values.get(index)!.every((value) => value === 0);
  const compare = (pairs: readonly [cell: Cell, against: Cell][]): Comparison[] =>
    compareCells(
      figures,
      pairs.map(([cell, against]) => [placeOf.get(cell.index)!, placeOf.get(against.index)!]),
      definition,
      jointLevel(together),
    ).comparisons;
  const ends = compare(series.map(({ cells }) => [cells.at(-1)!, cells[0]!]));
  const steps = series.flatMap((one, index) =>
    one.cells.length < 3
      ? []
      : one.cells.slice(1).map((cell, at) => ({ series: index, cell, before: one.cells[at]! })),
  );
  const stepComparisons = compare(steps.map(({ cell, before }) => [cell, before]));
  // A claim `by at most` only limits the change in its direction. A step in the opposite direction does not contradict it.
  const contrary =
    claim.atMost !== null ? '' : { rises: 'lower', falls: 'higher', stays: '' }[claim.relation];

  const findings = series.map((one, index): Finding => {
    const comparison = ends[index]!;
    const [first, last] = [one.cells[0]!, one.cells.at(-1)!];
    const finding: Finding = {
      series: one,
      comparison,
      answer: 'undecided',
      turn: null,
      lack: lackOf(first) ?? lackOf(last),
      idle: isIdle(first) && isIdle(last),
      apart: null,
    };
    if (claim.metric.ofCluster && claim.relation === 'falls' && finding.idle) return finding;
    const apart = withoutRatio(
      claim,
      comparison,
      values.get(last.index)!,
      values.get(first.index)!,
      together,
    );
    if (apart !== null) return { ...finding, answer: apart.answer, apart };
    const answer = answerOf(claim, comparison);
    const at = steps.findIndex(
      (step, place) => step.series === index && stepComparisons[place]!.word === contrary,
    );
    if (answer !== 'confirmed' || at < 0) return { ...finding, answer };
    const { cell, before } = steps[at]!;
    return { ...finding, turn: { before, cell, ratio: stepComparisons[at]!.ratio } };
  });
  return { found: findings, values, source };
}

/**
 * Judges a claim if the mean of one level is 0. The interval of the ratio does not exist then. If the claim has a size, such as a fall by
 * 40%, Welch's t tests the mean of the last level against 60% of the mean of the first level. Without a size, the function only calculates
 * how many trials would decide the claim.
 *
 * Returns null in three cases: the ratio has an interval, the claim is `stays`, or the comparison did not use Welch's t.
 */
function withoutRatio(
  { relation, atLeast, atMost }: Claim,
  { adjusted, method, family, word }: Comparison,
  last: readonly number[],
  first: readonly number[],
  together: number,
): NonNullable<Finding['apart']> | null {
  const promised = atLeast ?? atMost;
  if (relation === 'stays' || adjusted !== null || method !== 'apart') return null;
  const needed = (scaled: readonly number[]): number =>
    trialsForDifference(
      Math.sqrt(sampleVariance(last) + sampleVariance(scaled)),
      mean(last) - mean(scaled),
      family * together,
    );
  if (promised === null) {
    if (word !== 'undecided' || last.length < 2 || first.length < 2) return null;
    return { answer: 'undecided', isTested: false, needed: needed(first) };
  }
  const size = relation === 'rises' ? 1 + promised : 1 - promised;
  const scaled = first.map((value) => size * value);
  const interval = differenceInterval(last, scaled, jointLevel(family * together));
  if (interval === null) return null;
  // With `at least`, the change must exceed the size. With `at most`, it must stay within the size.
  const wantsAbove = (relation === 'rises') === (atLeast !== null);
  const side = interval.low > 0 ? 'above' : interval.high < 0 ? 'below' : null;
  if (side !== null)
    return {
      answer: (side === 'above') === wantsAbove ? 'confirmed' : 'refuted',
      isTested: true,
      needed: null,
    };
  return { answer: 'undecided', isTested: true, needed: needed(scaled) };
}

/** Combines the answers of several series: *refuted* if one is refuted, *confirmed* if all are confirmed, otherwise *undecided*. */
export function overall(answers: readonly Answer[]): Answer {
  if (answers.includes('refuted')) return 'refuted';
  return answers.length > 0 && answers.every((answer) => answer === 'confirmed') ? 'confirmed' : 'undecided';
}

/**
 * Returns the answer for one series. A claim with a size (`by at least 20%`, `by at most 10%`) is judged by the interval of the ratio
 * alone. The margin, the smallest relative difference that counts, does not matter then.
 */
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
