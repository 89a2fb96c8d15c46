/** What the runs of a tuning say: gains, costs elsewhere and limits, by the statistics of every other report. */
import { figuresOf, type CellFigures } from '../analysis/blocks';
import { compareCells, type Comparison } from '../analysis/comparison';
import { LEVEL, type Interval } from '../analysis/confidence';
import { formatChange, formatChanges } from '../analysis/wording';
import { resolvePlan } from '../experiment/plan';
import { holds } from '../measurement/condition';
import { figuresBeside, goalFigure, type Figure, type Limit } from './goal';
import type { Evidence, EvidenceFigure, JudgedLimit, StageRecord, StoredRun, TuningRequest } from './tuning';

export type Pair = readonly [cell: number, against: number];

/** Figures of the cells of a stage's run. */
const cellsOf = ({ run, trials }: StoredRun, figure: Figure): CellFigures[] =>
  figuresOf(resolvePlan(run), trials, figure.read);

/** Pairs of cells of one stage by one figure; together they are one family, whose words all have the confidence `level`. */
export const compareStage = (
  stored: StoredRun,
  figure: Figure,
  pairs: readonly Pair[],
  level = LEVEL,
): Comparison[] => compareCells(cellsOf(stored, figure), pairs, stored.run.definition, level).comparisons;

/** How many times better than what it is compared with: above 1 is better, whichever way the figure goes. */
export const gainOf = ({ better }: Pick<Figure, 'better'>, ratio: number | null): number | null =>
  ratio === null || ratio <= 0 ? null : better === 'higher' ? ratio : 1 / ratio;

export const isBetter = ({ better }: Pick<Figure, 'better'>, { word }: Pick<Comparison, 'word'>): boolean =>
  word === (better === 'higher' ? 'higher' : 'lower');

const asEvidence = ({ title, better }: Figure, { ratio, interval, word }: Comparison): EvidenceFigure => ({
  title,
  better,
  ratio,
  interval,
  word,
});

export const goalOf = ({ goal, definition, prices }: TuningRequest): Figure => {
  const figure = goalFigure(goal, definition, prices);
  if (typeof figure === 'string') throw new Error(figure);
  return figure;
};

/** Evidence on each pair, which are one family for each figure. `level`: of a single pair. */
export function evidenceOf(
  request: TuningRequest,
  stage: Pick<StageRecord, 'run'>,
  stored: StoredRun,
  pairs: readonly Pair[],
  against: Evidence['against'],
  level = LEVEL,
): Evidence[] {
  const goal = goalOf(request);
  const found = compareStage(stored, goal, pairs, level);
  const told = figuresBeside(goal, request.definition).filter(
    ({ seldom, read }) => seldom === undefined || stored.trials.some((trial) => read(trial) !== null),
  );
  const beside = told.map((figure) => ({
    figure,
    comparisons: compareStage(stored, figure, pairs, level),
  }));
  return pairs.map((_, at) => ({
    run: stage.run,
    against,
    trials: Math.min(found[at]!.n, found[at]!.nAgainst),
    goal: asEvidence(goal, found[at]!),
    beside: beside.map(({ figure, comparisons }) => asEvidence(figure, comparisons[at]!)),
  }));
}

/** Standard errors by which a limit must be exceeded before a candidate falls away for it: two trials are no proof. */
const BROKEN_ERRORS = 1;

/** Of each pair, whether the settings of its cell break the limit, as far as a few trials tell: the reason, '' where they do not. */
export function seemsBroken(limit: Limit, stored: StoredRun, pairs: readonly Pair[]): string[] {
  if (limit.kind === 'absolute') {
    const cells = cellsOf(stored, limit.figure);
    return pairs.map(([cell]) => {
      const values = cells[cell]!.trials;
      const kept = values.filter(({ value }) => holds(limit.condition, value)).length;
      return values.length > 0 && kept * 2 < values.length
        ? `${limit.text} was not kept in ${values.length - kept} of ${values.length} trials`
        : '';
    });
  }
  return compareStage(stored, limit.figure, pairs).map(({ ratio, spread, n }) => {
    if (ratio === null || n === 0) return '';
    const error = Math.exp(BROKEN_ERRORS * (spread ?? 0) * Math.sqrt(2 / n));
    const isOver = limit.most !== null ? ratio > limit.most * error : ratio < limit.least! / error;
    return isOver ? `${limit.text}: it was ${formatChange(ratio)}` : '';
  });
}

/**
 * Limits in the confirming comparison. A relative one is kept where the whole interval keeps it; a condition, where every trial
 * does.
 */
export function judgeLimit(
  limit: Limit,
  stored: StoredRun,
  [cell, against]: Pair,
  level = LEVEL,
): JudgedLimit {
  const { text } = limit;
  if (limit.kind === 'absolute') {
    const values = cellsOf(stored, limit.figure)[cell]!.trials;
    const kept = values.filter(({ value }) => holds(limit.condition, value)).length;
    if (values.length === 0) return { limit: text, answer: 'open', why: 'no trial has the figure' };
    return {
      limit: text,
      answer: kept === values.length ? 'kept' : 'broken',
      why: `kept in ${kept} of ${values.length} trials`,
    };
  }
  const [{ ratio, interval, n }] = compareStage(stored, limit.figure, [[cell, against]], level) as [
    Comparison,
  ];
  if (ratio === null || interval === null)
    return {
      limit: text,
      answer: 'open',
      why: n === 0 ? 'no trial has the figure' : 'it cannot be compared',
    };
  const why = `${formatChange(ratio)} (${formatChanges(interval)})`;
  const within = ({ low, high }: Interval): boolean =>
    limit.most !== null ? high <= limit.most : low >= limit.least!;
  const beyond = limit.most !== null ? ratio > limit.most : ratio < limit.least!;
  return { limit: text, answer: within(interval) ? 'kept' : beyond ? 'broken' : 'open', why };
}

/** By how much a relative limit's figure varies and how far it is away: what the number of trials follows from. */
export function roomOf(
  limit: Limit,
  stored: StoredRun,
  [cell, against]: Pair,
): { spread: number; change: number } | null {
  if (limit.kind === 'absolute') return null;
  const { ratio, spread } = compareStage(stored, limit.figure, [[cell, against]])[0]!;
  if (ratio === null || spread === null) return null;
  const away = limit.most !== null ? limit.most / ratio : ratio / limit.least!;
  return away > 1 ? { spread, change: away - 1 } : null;
}
