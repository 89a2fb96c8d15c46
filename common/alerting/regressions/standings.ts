/**
 * From which run to which one a rule has an alert of a series: when a change counts, and what ends it. The analysis says when each
 * change became known and never takes one back, so one history tells every look of the past as it tells the newest.
 */
import type { Change } from '../../history/changes';
import type { History, HistoryChange, HistorySeries } from '../../history/history';
import type { RegressionParams } from './params';
import { parseTime } from '../../units/time';

/** What of the parameters says which changes count. */
export type Counted = Pick<RegressionParams, 'least' | 'direction' | 'confirm' | 'since'>;

/** A change that alerts. Numbers of runs are places in {@link History.nights}. */
export interface Standing {
  change: HistoryChange;
  /** The run with which it counts. */
  from: number;
  /** The run with which it does no more; null while it stands. */
  until: number | null;
  /** The change that ended it, or that took its place. */
  endedBy: HistoryChange | null;
}

/** Runs of a new level that the analysis asks for itself. */
const ANALYSIS_ASKS = 3;

/** Up or down by this share of the level before; of levels without a ratio, their difference by the level before. */
function isLarge({ ratio, before, after }: Change, least: number | undefined): boolean {
  if (least === undefined) return true;
  const share = ratio === null ? Math.abs((after - before) / before) : Math.abs(ratio - 1);
  return !(share < least);
}

/** Whether a run looks like the level after a change rather than that before it. */
function isOfNewLevel(mean: number, { ratio, before, after }: Change): boolean {
  const scale = ratio === null ? (value: number): number => value : Math.log;
  return Math.abs(scale(mean) - scale(after)) < Math.abs(scale(mean) - scale(before));
}

/** The run with which so many runs have confirmed it; null while there are too few. */
function countsFrom({ means }: HistorySeries, change: Change, confirm: number): number | null {
  if (confirm <= ANALYSIS_ASKS) return change.confirmed;
  let confirming = 0;
  for (let night = change.night; night < means.length; night += 1) {
    const mean = means[night] ?? null;
    if (mean !== null && isOfNewLevel(mean, change)) confirming += 1;
    if (confirming >= confirm && night >= change.confirmed) return night;
  }
  return null;
}

/** Changes of runs before `since` are accepted. */
const isAccepted = ({ since: { at } }: HistoryChange, { since }: Pick<Counted, 'since'>): boolean =>
  since !== undefined && parseTime(at) < parseTime(since);

const isBad = ({ kind }: Change, { direction }: Counted): boolean =>
  kind === 'worse' || (kind === 'better' && direction === 'any');

export interface SeriesStandings {
  series: HistorySeries;
  /** The oldest first. */
  standings: Standing[];
  /** The newest change that would alert if it were not accepted. */
  accepted: HistoryChange | null;
}

/** Of one series; `told`: its changes in sentences, the oldest first. */
function standingsIn(
  series: HistorySeries,
  told: readonly HistoryChange[],
  params: Counted,
): SeriesStandings {
  const standings: Standing[] = [];
  let open: Standing | null = null;
  let accepted: HistoryChange | null = null;
  const end = (night: number, endedBy: HistoryChange): void => {
    if (open !== null) Object.assign(open, { until: night, endedBy });
    open = null;
  };
  series.changes.forEach((change, at) => {
    const own = told[at]!;
    if (change.kind !== 'worse') {
      end(change.confirmed, own);
      accepted = null;
    }
    if (!isBad(change, params) || !isLarge(change, params.least)) return;
    if (isAccepted(own, params)) {
      accepted = own;
      return;
    }
    const from = countsFrom(series, change, params.confirm);
    if (from === null) return;
    end(from, own);
    open = { change: own, from, until: null, endedBy: null };
    standings.push(open);
  });
  // One that was over before enough runs had confirmed it never counted.
  return {
    series,
    standings: standings.filter(({ from, until }) => until === null || from < until),
    accepted,
  };
}

export const keyOf = ({ metric, cell }: Pick<HistorySeries, 'metric' | 'cell'>): string =>
  `${metric}/${cell}`;

/** In the order of the series. */
export function standingsOf({ series, changes }: History, params: Counted): SeriesStandings[] {
  const told = new Map<string, HistoryChange[]>();
  // The newest is the first of a history.
  for (const change of changes) {
    const own = told.get(keyOf(change));
    if (own === undefined) told.set(keyOf(change), [change]);
    else own.unshift(change);
  }
  return series.map((one) => standingsIn(one, told.get(keyOf(one)) ?? [], params));
}
