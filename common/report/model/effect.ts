/**
 * Builds the effect: the change that a result shows first. With claims, it is the change in the first claim. Without claims, it is the
 * change from the baseline to the best cell (combination of factor levels).
 */
import { figuresOf, type CellFigures } from '../../analysis/blocks';
import { findingsOf, overall, type Answer } from '../../analysis/claim';
import type { Finding } from '../../analysis/claim-wording';
import { compareCells, type Comparison } from '../../analysis/comparison';
import { focusOf, type Focus } from '../../analysis/focus';
import { metricReader } from '../../analysis/metric-reader';
import { counts } from '../../analysis/validity';
import { levelTexts } from '../../experiment/cells';
import type { Definition } from '../../experiment/definition';
import { levelsWords } from '../../experiment/level-words';
import type { Plan } from '../../experiment/plan';
import { tasksOf } from '../../experiment/resolved-cells';
import type { ClaimResult } from '../../experiment/run';
import { parseClaim } from '../../measurement/condition';
import type { TrialDocument } from '../../measurement/trial';
import type { ReportClusterCell } from './cluster';

/**
 * The effect is the comparison of the last level of the first claim with its first level. Without claims, it is the comparison of the best
 * cell (combination of factor levels) with the baseline.
 */
export interface ReportEffect extends Pick<Comparison, 'ratio' | 'word' | 'reason'> {
  /** Path of the claim's factor. Null without claims. */
  factor: string | null;
  /** Indices of the two compared cells (combinations of factor levels) in the report: `to` is compared with `from`. */
  from: number;
  to: number;
  /** Indices of all cells (combinations of factor levels) that the effect's claim compares, in the order of the factor's levels. */
  cells: number[];
  /** Levels of the other factors for which the effect is shown, such as `5 primary shards`; '' if there are no other factors. */
  held: string;
  /**
   * Interval of the ratio. Comparisons that are judged together have wider intervals than single comparisons: with 95% confidence, all
   * these intervals contain the true ratio. Null if the comparison has no interval.
   */
  interval: Comparison['adjusted'];
  /**
   * Comparison of each cell (combination of factor levels) with the cell `from`, in the order of the report's cells. Null for `from`
   * itself, and for cells without a value.
   */
  comparisons: ReportClusterCell['comparison'][];
}

type Ends = Omit<ReportEffect, 'comparisons'>;

/**
 * Returns the effect. Null if the run has no two combinations of factor levels to compare. `claims`: the answers that the report shows, in
 * the order of the definition.
 */
export function buildEffect(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claims: readonly Pick<ClaimResult, 'answer'>[],
): ReportEffect | null {
  const focus = focusOf({ expect: definition.expect, tasks: tasksOf(plan.cells) });
  const counting = trials.filter(counts);
  const figures = figuresOf(plan, counting, metricReader(focus.metric, plan, counting).read);
  const ends =
    focus.claim === null
      ? ofBest(definition, plan, figures, focus)
      : ofClaim(definition, plan, trials, focus.claim, claims);
  if (ends === null) return null;
  const others = [...plan.cells.keys()].filter(
    (at) => at !== ends.from && figures[at]!.trials.length > 0 && figures[ends.from]!.trials.length > 0,
  );
  const { comparisons } = compareCells(
    figures,
    others.map((at) => [at, ends.from]),
    definition,
  );
  return {
    ...ends,
    comparisons: [...plan.cells.keys()].map((at) => {
      if (!others.includes(at)) return null;
      // Uses the interval of the effect in the chart too, so that the chart and the large number agree.
      const { ratio, interval, word } = at === ends.to ? ends : comparisons[others.indexOf(at)]!;
      return { ratio, interval, word };
    }),
  };
}

const found = ({
  ratio,
  adjusted,
  word,
  reason,
}: Comparison): Pick<Ends, 'ratio' | 'interval' | 'word' | 'reason'> => ({
  ratio,
  interval: adjusted,
  word,
  reason,
});

/**
 * Returns the effect of a claim. If factors other than the claim's also vary, each combination of their levels has its own verdict. The
 * returned effect is that of the first combination whose verdict equals that of the whole claim.
 */
function ofClaim(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  claim: NonNullable<Focus['claim']>,
  claims: readonly Pick<ClaimResult, 'answer'>[],
): Ends | null {
  const of = (together: number): Finding[] => findingsOf(definition, plan, trials, claim, together).found;
  const answerOf = (findings: readonly Finding[]): Answer => overall(findings.map((one) => one.answer));
  const at = definition.expect.findIndex((text) => !('message' in parseClaim(text)));
  const alone = of(1);
  // The effect must agree with the answer, which may be undecided only because the claims are judged together.
  const isOnlyAlone = answerOf(alone) === 'refuted' && claims[at]?.answer === 'undecided';
  const findings = isOnlyAlone ? of(claims.filter((one) => one.answer !== 'refuted').length) : alone;
  const answer = answerOf(findings);
  const first = findings.find((one) => one.answer === answer);
  if (first === undefined) return null;
  const placeOf = new Map(plan.cells.map(({ index }, at) => [index, at]));
  const cells = first.series.cells.map(({ index }) => placeOf.get(index)!);
  return {
    factor: claim.factor,
    from: cells[0]!,
    to: cells.at(-1)!,
    cells,
    held: findings.length > 1 ? levelsWords(first.series.held, levelTexts(definition)) : '',
    ...found(first.comparison),
  };
}

/**
 * Returns the effect of the best cell (combination of factor levels), compared with the baseline. The best cell has the best mean of the
 * metric that the report shows first. Null if the baseline has no value, or if no other cell has one.
 */
function ofBest(
  definition: Definition,
  plan: Plan,
  figures: readonly CellFigures[],
  { metric }: Focus,
): Ends | null {
  const { baseline } = plan;
  if (figures[baseline]!.trials.length === 0) return null;
  const others = [...plan.cells.keys()].filter((at) => at !== baseline && figures[at]!.trials.length > 0);
  if (others.length === 0) return null;
  const { comparisons } = compareCells(
    figures,
    others.map((at) => [at, baseline]),
    definition,
  );
  const sign = metric.better === 'higher' ? 1 : -1;
  const worth = (at: number): number => {
    const { ratio } = comparisons[at]!;
    return ratio === null ? -Infinity : sign * ratio;
  };
  const best = [...others.keys()].reduce((one, other) => (worth(other) > worth(one) ? other : one));
  return {
    factor: null,
    from: baseline,
    to: others[best]!,
    cells: [...plan.cells.keys()],
    held: '',
    ...found(comparisons[best]!),
  };
}
