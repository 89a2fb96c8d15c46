/** What the history of an experiment says to a build server, or to whoever wants to hear of changes only. */
import { formatDay } from '../units/format';
import { causeLines } from './cause';
import type { History, HistoryChange, HistoryNight, HistorySeries } from './history';
import { isTold } from './series';
import { inSeries, type BaselineWatch } from './watch-baseline';

export type WatchState = 'regression' | 'no-regression' | 'too-few';

export interface Watch {
  /**
   * `regression`: in a series that the newest night tells, the newest confirmed change is one for the worse. One that is recovered
   * from, or was followed by a better level, is none any more. `too-few`: no series has nights enough to tell.
   */
  state: WatchState;
  regressions: HistoryChange[];
  /** Changes of any kind that the newest night confirmed: the state before it did not have them. */
  news: HistoryChange[];
  /** Series in which the newest nights look like a change that further ones may confirm. */
  suspects: HistorySeries[];
  /** Series that the newest night does not tell, though the one before it did. */
  silent: HistorySeries[];
  /** Where it is asked for. */
  againstBaseline?: BaselineWatch;
}

const keyOf = ({ metric, cell }: Pick<HistorySeries, 'metric' | 'cell'>): string => `${metric}\u0000${cell}`;

/** `since`: changes of nights before it are accepted, ISO 8601. */
export function watchHistory({ series, changes }: History, since?: string): Watch {
  const told = series.filter(isTold);
  const names = new Set(told.map(keyOf));
  const own = changes.filter(
    (change) =>
      names.has(keyOf(change)) && (since === undefined || Date.parse(change.since.at) >= Date.parse(since)),
  );
  const regressions = own.filter(({ kind, isNewest }) => isNewest && kind === 'worse');
  return {
    state:
      regressions.length > 0
        ? 'regression'
        : told.every(({ now }) => now === 'too-few')
          ? 'too-few'
          : 'no-regression',
    regressions,
    news: own.filter(({ isNew }) => isNew),
    suspects: told.filter(({ now }) => now === 'suspect'),
    silent: series.filter((one) => !isTold(one) && (one.means.at(-2) ?? null) !== null),
  };
}

const asOfRun = ({ at, run }: HistoryNight): string => `${formatDay(at)} (run ${run})`;

/** One line that says how it stands. `said`: of when. */
export function watchSentence(
  { nights }: History,
  { state, regressions, suspects }: Watch,
  said: (newest: HistoryNight) => string = asOfRun,
): string {
  const newest = nights.at(-1);
  if (newest === undefined) return 'no run of it has completed yet';
  const asOf = `as of ${said(newest)}`;
  const suspected =
    suspects.length === 0 ? '' : `; ${inSeries(suspects.length)} may have changed, not confirmed yet`;
  switch (state) {
    case 'regression':
      return `a confirmed regression in ${inSeries(regressions.length)}, ${asOf}${suspected}`;
    case 'too-few':
      return `too few nights to tell, ${nights.length} ${asOf}`;
    case 'no-regression':
      return `no confirmed regression, ${asOf}${suspected}`;
  }
}

/** What a webhook is sent: what became known with the newest night. `id` is the same however often it is sent. */
export interface WatchNotice {
  experiment: History['experiment'];
  night: History['nights'][number];
  state: WatchState;
  /** `lines`: the cause in sentences. */
  changes: (HistoryChange & { id: string; lines: string[] })[];
}

/** Undefined where nothing became known. */
export function noticeOf({ experiment, nights }: History, { state, news }: Watch): WatchNotice | undefined {
  const night = nights.at(-1);
  if (night === undefined || news.length === 0) return undefined;
  return {
    experiment,
    night,
    state,
    changes: news.map((change) => ({
      id: [experiment.id, change.metric, change.cell, change.since.run, change.kind].join('/'),
      ...change,
      lines: causeLines(change.cause),
    })),
  };
}
