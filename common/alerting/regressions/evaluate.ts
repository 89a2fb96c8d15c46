/** Judges the history of an experiment as of one of its runs: which series a rule alerts on, and why. Pure, and without a state. */
import type { History, HistoryChange, HistorySeries } from '../../history/history';
import { parseDuration } from '../../units/duration';
import type { RegressionParams } from './params';
import { keyOf, standingsOf, type SeriesStandings } from './standings';
import { parseTime } from '../../units/time';

/** `change`: for the better, where the rule watches any change. */
export type Level = 'regression' | 'change' | 'nodata' | 'ok';

/** The worst first. */
export const LEVELS: readonly Level[] = ['regression', 'nodata', 'change', 'ok'];

export const isWorse = (level: Level, than: Level): boolean => LEVELS.indexOf(level) < LEVELS.indexOf(than);

/**
 * Why it is at its level: a change `stands`, the newest run did not measure the series (`silent`), or no run has come for too long
 * (`late`). Of what is well: a change `ended` it or is `accepted`, no run has told it for long (`gone`), or there was nothing.
 */
export type Ground = 'stands' | 'silent' | 'late' | 'ended' | 'accepted' | 'gone' | 'well';

export interface Judgement {
  /** Of the alert: experiment, metric and cell; of the runs themselves the experiment alone. */
  id: string;
  level: Level;
  ground: Ground;
  /** Null of the runs themselves. */
  series: HistorySeries | null;
  /** The one that stands, that ended what stood, or that is accepted. */
  change: HistoryChange | null;
  /** Number of the newest run that tells the series, or of the newest of all; null where there is none. */
  told: number | null;
}

/** After so many runs without a figure a series is gone, and what was said of it ends. */
const GONE_RUNS = 7;

const alertIdOf = (experiment: string, series: Pick<HistorySeries, 'metric' | 'cell'> | null): string =>
  series === null ? experiment : `${experiment}/${keyOf(series)}`;

/** As people read it; empty of the runs themselves. */
export const nameOf = ({ series }: Pick<Judgement, 'series'>): string =>
  series === null ? '' : [series.title, series.label].filter(Boolean).join(' with ');

function judgeSeries(
  { series, standings, accepted }: SeriesStandings,
  { experiment, silent }: Pick<RegressionParams, 'experiment' | 'silent'>,
  night: number,
): Judgement | null {
  const last = series.means.findLastIndex((mean, at) => at <= night && mean !== null);
  // What is not there yet.
  if (last < 0) return null;
  const of = (level: Level, ground: Ground, change: HistoryChange | null): Judgement => ({
    ...{ id: alertIdOf(experiment, series), level, ground, series, change, told: last },
  });
  if (night - last >= GONE_RUNS) return of('ok', 'gone', null);
  const known = standings.filter(({ from }) => from <= night);
  const newest = known.at(-1);
  if (newest !== undefined && (newest.until === null || newest.until > night))
    return of(newest.change.kind === 'worse' ? 'regression' : 'change', 'stands', newest.change);
  if (last < night && silent === 'alert') return of('nodata', 'silent', null);
  if (newest?.endedBy) return of('ok', 'ended', newest.endedBy);
  return accepted === null ? of('ok', 'well', null) : of('ok', 'accepted', accepted);
}

/** Whether no run came within the time that the rule allows; `now`: ms since the epoch. */
function isLate(
  { nights }: Pick<History, 'nights'>,
  { noNightFor }: Pick<RegressionParams, 'noNightFor'>,
  night: number,
  now: number,
): boolean {
  const allowed = noNightFor === undefined ? undefined : parseDuration(noNightFor);
  if (allowed === undefined) return false;
  const newest = nights[night];
  return newest === undefined || now - parseTime(newest.at) > allowed;
}

/** What the rule says of each series that was there by that run, in the order of the history. */
export const judgeRun = (
  standings: readonly SeriesStandings[],
  params: Pick<RegressionParams, 'experiment' | 'silent'>,
  night: number,
): Judgement[] => standings.flatMap((own) => judgeSeries(own, params, night) ?? []);

/** As of the newest run; `now`: ms since the epoch. The runs themselves are the first, where the rule watches them. */
export function evaluate(history: History, params: RegressionParams, now: number): Judgement[] {
  const newest = history.nights.length - 1;
  const judged = judgeRun(standingsOf(history, params), params, newest);
  return params.noNightFor === undefined ? judged : [judgeRuns(history, params, newest, now), ...judged];
}

export function judgeRuns(
  history: Pick<History, 'nights'>,
  params: Pick<RegressionParams, 'experiment' | 'noNightFor'>,
  night: number,
  now: number,
): Judgement {
  const late = isLate(history, params, night, now);
  return {
    id: alertIdOf(params.experiment, null),
    level: late ? 'nodata' : 'ok',
    ground: late ? 'late' : 'well',
    series: null,
    change: null,
    told: night < 0 ? null : night,
  };
}

/** By how much a level changed, whichever way. */
const sizeOf = ({ change }: Judgement): number =>
  change === null ? 0 : change.ratio === null ? Infinity : Math.abs(Math.log(change.ratio));

/** What is well last. */
export const worstFirst = (judgements: readonly Judgement[]): Judgement[] =>
  [...judgements].sort(
    (one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) || sizeOf(other) - sizeOf(one),
  );
