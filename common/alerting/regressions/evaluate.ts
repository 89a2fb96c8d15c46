/**
 * Judges the history of an experiment as it was after one of its runs. Returns the series for which a rule has an alert, with the reasons.
 * The functions are pure.
 */
import type { History, HistoryChange, HistorySeries } from '../../history/history';
import { parseDuration } from '../../units/duration';
import type { RegressionParams } from './params';
import { keyOf, activeChangesOf, type SeriesActiveChanges } from './active-changes';
import { parseTime } from '../../units/time';

/** Level of an alert. `change` means a change for the better, which causes an alert only in rules that watch changes in any direction. */
export type Level = 'regression' | 'change' | 'nodata' | 'ok';

/** Levels, the worst first. */
export const LEVELS: readonly Level[] = ['regression', 'nodata', 'change', 'ok'];

export const isWorse = (level: Level, than: Level): boolean => LEVELS.indexOf(level) < LEVELS.indexOf(than);

/**
 * Reason for the level.
 *
 * The alert is active:
 * - `stands`: the level has changed.
 * - `silent`: the newest run did not measure the series.
 * - `late`: there has been no run for too long.
 *
 * There is no alert:
 * - `ended`: a later change ended the alert.
 * - `accepted`: a person has accepted the change.
 * - `gone`: the last {@link GONE_RUNS} runs have no value for the series.
 * - `well`: there was no change.
 */
export type Ground = 'stands' | 'silent' | 'late' | 'ended' | 'accepted' | 'gone' | 'well';

export interface Judgement {
  /** Id of the alert. It consists of experiment, metric and cell. The id of the alert about missing runs is the experiment. */
  id: string;
  level: Level;
  ground: Ground;
  /** The judged series; null for the alert about missing runs. */
  series: HistorySeries | null;
  /**
   * The change because of which the series has this level: the active change, the change that ended the alert, or the accepted change. Null
   * if no change is the reason.
   */
  change: HistoryChange | null;
  /**
   * Index of the newest run with a value of the series. For the alert about missing runs, index of the newest run. Null if there is no such
   * run.
   */
  newest: number | null;
}

/** If this many successive runs have no value for a series, the series is considered removed, and its alert ends. */
const GONE_RUNS = 7;

const alertIdOf = (experiment: string, series: Pick<HistorySeries, 'metric' | 'cell'> | null): string =>
  series === null ? experiment : `${experiment}/${keyOf(series)}`;

/** Returns a name of the series for people; '' for the alert about missing runs. */
export const nameOf = ({ series }: Pick<Judgement, 'series'>): string =>
  series === null ? '' : [series.title, series.label].filter(Boolean).join(' with ');

function judgeSeries(
  { series, active, accepted }: SeriesActiveChanges,
  { experiment, silent }: Pick<RegressionParams, 'experiment' | 'silent'>,
  point: number,
): Judgement | null {
  const last = series.means.findLastIndex((mean, at) => at <= point && mean !== null);
  // No run has measured the series yet.
  if (last < 0) return null;
  const of = (level: Level, ground: Ground, change: HistoryChange | null): Judgement => ({
    ...{ id: alertIdOf(experiment, series), level, ground, series, change, newest: last },
  });
  if (point - last >= GONE_RUNS) return of('ok', 'gone', null);
  const known = active.filter(({ from }) => from <= point);
  const newest = known.at(-1);
  if (newest !== undefined && (newest.until === null || newest.until > point))
    return of(newest.change.kind === 'worse' ? 'regression' : 'change', 'stands', newest.change);
  if (last < point && silent === 'alert') return of('nodata', 'silent', null);
  if (newest?.endedBy) return of('ok', 'ended', newest.endedBy);
  return accepted === null ? of('ok', 'well', null) : of('ok', 'accepted', accepted);
}

/** Whether there was no run within the time that the rule allows. `now`: in ms since the epoch. */
function isLate(
  { nights: runs }: Pick<History, 'nights'>,
  { noNightFor }: Pick<RegressionParams, 'noNightFor'>,
  point: number,
  now: number,
): boolean {
  const allowed = noNightFor === undefined ? undefined : parseDuration(noNightFor);
  if (allowed === undefined) return false;
  const newest = runs[point];
  return newest === undefined || now - parseTime(newest.at) > allowed;
}

/**
 * Returns the judgements after the run with the index `point`, in the order of `all`. Series that no run had measured by then are left out.
 */
export const judgeRun = (
  all: readonly SeriesActiveChanges[],
  params: Pick<RegressionParams, 'experiment' | 'silent'>,
  point: number,
): Judgement[] => all.flatMap((own) => judgeSeries(own, params, point) ?? []);

/**
 * Evaluates the rule for the newest run of the history. If the rule watches for missing runs, the judgement about them comes first. `now` is in
 * ms since the epoch.
 */
export function evaluate(history: History, params: RegressionParams, now: number): Judgement[] {
  const newest = history.nights.length - 1;
  const judged = judgeRun(activeChangesOf(history, params), params, newest);
  return params.noNightFor === undefined ? judged : [judgeRuns(history, params, newest, now), ...judged];
}

export function judgeRuns(
  history: Pick<History, 'nights'>,
  params: Pick<RegressionParams, 'experiment' | 'noNightFor'>,
  point: number,
  now: number,
): Judgement {
  const late = isLate(history, params, point, now);
  return {
    id: alertIdOf(params.experiment, null),
    level: late ? 'nodata' : 'ok',
    ground: late ? 'late' : 'well',
    series: null,
    change: null,
    newest: point < 0 ? null : point,
  };
}

/**
 * Returns the size of the change, to sort by it: the absolute logarithm of the ratio of the levels. 0 without a change; infinite if the
 * levels have no ratio.
 */
const sizeOf = ({ change }: Judgement): number =>
  change === null ? 0 : change.ratio === null ? Infinity : Math.abs(Math.log(change.ratio));

/** Sorts judgements: the worst levels first, judgements without an alert last. */
export const worstFirst = (judgements: readonly Judgement[]): Judgement[] =>
  [...judgements].sort(
    (one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) || sizeOf(other) - sizeOf(one),
  );
