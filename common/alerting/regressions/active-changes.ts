/**
 * Finds, for each series of a history, the runs during which a rule has an alert.
 *
 * An alert begins at the run that confirms a change of the level. It ends at the run that confirms a later change. The analysis never
 * removes a change that it has found. The alerts after each past run can therefore be computed from the complete history.
 */
import type { Change } from '../../history/changes';
import type { History, HistoryChange, HistorySeries } from '../../history/history';
import type { RegressionParams } from './params';
import { parseTime } from '../../units/time';

/** The parameters of a rule that decide which changes cause an alert. */
export type Counted = Pick<RegressionParams, 'least' | 'direction' | 'confirm' | 'since'>;

/** A change that causes or caused an alert. Runs are given as indices in {@link History.nights}, the list of runs of a history. */
export interface ActiveChange {
  change: HistoryChange;
  /** Index of the run at which the alert began, because enough runs had confirmed the change. */
  from: number;
  /** Index of the run at which the alert ended; null while the alert is active. */
  until: number | null;
  /**
   * The later change because of which the alert ended. It is a recovery, or a further change that has its own alert. Null while the alert
   * is active.
   */
  endedBy: HistoryChange | null;
}

/**
 * Number of runs with the new level after which the analysis of a history finds a change. For a rule that requires more runs, `countsFrom`
 * finds the run at which this number is reached.
 */
const ANALYSIS_ASKS = 3;

/**
 * Whether the level changed by at least `least` (a fraction: 0.05 means 5%), relative to the level before the change. True if `least` is
 * undefined. The levels are compared by their ratio. Without a ratio (for example if a level is 0), their difference is divided by the
 * level before.
 */
function isLarge({ ratio, before, after }: Change, least: number | undefined): boolean {
  if (least === undefined) return true;
  const share = ratio === null ? Math.abs((after - before) / before) : Math.abs(ratio - 1);
  return !(share < least);
}

/** Whether the value of a run is closer to the level after a change than to the level before the change. */
function isOfNewLevel(mean: number, { ratio, before, after }: Change): boolean {
  const scale = ratio === null ? (value: number): number => value : Math.log;
  return Math.abs(scale(mean) - scale(after)) < Math.abs(scale(mean) - scale(before));
}

/**
 * Returns the index of the run that confirms the change: the run at which `confirm` runs have values close to the new level. Null if there
 * are not yet so many runs.
 */
function countsFrom({ means }: HistorySeries, change: Change, confirm: number): number | null {
  if (confirm <= ANALYSIS_ASKS) return change.confirmed;
  let confirming = 0;
  for (let point = change.night; point < means.length; point += 1) {
    const mean = means[point] ?? null;
    if (mean !== null && isOfNewLevel(mean, change)) confirming += 1;
    if (confirming >= confirm && point >= change.confirmed) return point;
  }
  return null;
}

/** Whether a person has accepted the change: it happened before the time `since` of the rule. Accepted changes cause no alert. */
const isAccepted = ({ since: { at } }: HistoryChange, { since }: Pick<Counted, 'since'>): boolean =>
  since !== undefined && parseTime(at) < parseTime(since);

const isBad = ({ kind }: Change, { direction }: Counted): boolean =>
  kind === 'worse' || (kind === 'better' && direction === 'any');

export interface SeriesActiveChanges {
  series: HistorySeries;
  /** Alerts, the oldest first. */
  active: ActiveChange[];
  /** The newest change that would cause an alert if it were not accepted. */
  accepted: HistoryChange | null;
}

/** Returns the alerts of one series. `changes`: the changes of this series with their sentences, the oldest first. */
function activeChangesIn(
  series: HistorySeries,
  changes: readonly HistoryChange[],
  params: Counted,
): SeriesActiveChanges {
  const active: ActiveChange[] = [];
  let open: ActiveChange | null = null;
  let accepted: HistoryChange | null = null;
  const end = (point: number, endedBy: HistoryChange): void => {
    if (open !== null) Object.assign(open, { until: point, endedBy });
    open = null;
  };
  series.changes.forEach((change, at) => {
    const own = changes[at]!;
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
    active.push(open);
  });
  // A change that ended before enough runs had confirmed it never caused an alert.
  return {
    series,
    active: active.filter(({ from, until }) => until === null || from < until),
    accepted,
  };
}

export const keyOf = ({ metric, cell }: Pick<HistorySeries, 'metric' | 'cell'>): string =>
  `${metric}/${cell}`;

/** Returns the alerts of each series, one element per series, in the order of `series`. */
export function activeChangesOf({ series, changes }: History, params: Counted): SeriesActiveChanges[] {
  const bySeries = new Map<string, HistoryChange[]>();
  // The list of changes in a history begins with the newest change, so it is reversed here.
  for (const change of changes) {
    const own = bySeries.get(keyOf(change));
    if (own === undefined) bySeries.set(keyOf(change), [change]);
    else own.unshift(change);
  }
  return series.map((one) => activeChangesIn(one, bySeries.get(keyOf(one)) ?? [], params));
}
