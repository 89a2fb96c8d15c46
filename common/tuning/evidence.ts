/** Evaluates the runs of a tuning: gains, costs in other metrics, and limits, with the same statistics as reports. */
import { figuresOf, type CellFigures } from '../analysis/blocks';
import { compareCells, type Comparison } from '../analysis/comparison';
import { LEVEL, type Interval } from '../analysis/confidence';
import { formatChange, formatChanges } from '../analysis/wording';
import { resolvePlan } from '../experiment/plan';
import { holds } from '../measurement/condition';
import { figuresBeside, goalFigure, type Figure, type Limit } from './goal';
import type { Evidence, EvidenceFigure, JudgedLimit, StageRecord, StoredRun, TuningRequest } from './tuning';

export type Pair = readonly [cell: number, against: number];

/** Returns the values of a metric in one experiment (stage) of the tuning, by combination of settings (cell). */
const cellsOf = ({ run, trials }: StoredRun, figure: Figure): CellFigures[] =>
  figuresOf(resolvePlan(run), trials, figure.read);

/**
 * Compares pairs of cells (combinations of settings) in one metric. `level`: confidence that the results of all pairs are correct together,
 * such as 0.95.
 */
export const compareStage = (
  stored: StoredRun,
  figure: Figure,
  pairs: readonly Pair[],
  level = LEVEL,
): Comparison[] => compareCells(cellsOf(stored, figure), pairs, stored.run.definition, level).comparisons;

/**
 * Converts the ratio of a metric to a gain, for which above 1 always means better. If lower values of the metric are better, the gain is
 * the inverse of the ratio. Null if the ratio is null or not positive.
 */
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

/**
 * Returns the evidence for each pair of cells (combinations of settings). `level`: for each metric, the confidence that the results of all
 * pairs are correct together.
 */
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
  const shown = figuresBeside(goal, request.definition).filter(
    ({ optional: seldom, read }) =>
      seldom === undefined || stored.trials.some((trial) => read(trial) !== null),
  );
  const beside = shown.map((figure) => ({
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

/** Number of standard errors by which a candidate must exceed a limit to be excluded after only a few trials. */
const BROKEN_ERRORS = 1;

/**
 * Judges after a few trials whether settings exceed `limit`. For each pair of cells (combinations of settings), returns the reason why the
 * settings of the first cell probably exceed it; '' if they probably do not.
 */
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
 * Judges a limit in the confirming comparison. A relative limit is kept if the whole interval of the metric is within the limit. A
 * condition is kept if every trial meets it.
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
    if (values.length === 0) return { limit: text, answer: 'open', why: 'no trial has the metric' };
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
      why: n === 0 ? 'no trial has the metric' : 'it cannot be compared',
    };
  const why = `${formatChange(ratio)} (${formatChanges(interval)})`;
  const within = ({ low, high }: Interval): boolean =>
    limit.most !== null ? high <= limit.most : low >= limit.least!;
  const beyond = limit.most !== null ? ratio > limit.most : ratio < limit.least!;
  return { limit: text, answer: within(interval) ? 'kept' : beyond ? 'broken' : 'open', why };
}

/**
 * Returns two values that determine how many trials a relative limit requires: the spread of its metric, and the relative distance between
 * the metric and the limit (0.1 for 10%). Returns null if one of them is unknown, or if the metric already exceeds the limit.
 */
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
