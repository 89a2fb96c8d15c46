/** What the history of an experiment says to a build server, or to whoever wants to hear of changes only. */
import { formatDay } from '../units/format';
import { causeLines } from './cause';
import { NEWEST, type History, type HistoryChange, type ListedRun, type HistorySeries } from './history';
import { isTold } from './series';
import { inSeries, type BaselineWatch } from './watch-baseline';
import { parseTime } from '../units/time';

export type WatchState = 'regression' | 'cannot-tell' | 'no-regression' | 'too-few';

export interface Watch {
  /**
   * `regression`: in a series that the newest run tells, the newest confirmed change is one for the worse. One that is recovered
   * from, or was followed by a better level, is none any more. `cannot-tell`: there is none, but the newest run lacks a series
   * in which there was one lately, or has no data at all of a task that had some lately. `too-few`: no series has runs enough to
   * tell.
   */
  state: WatchState;
  regressions: HistoryChange[];
  /** Those of series that the newest run did not measure, though one of some runs before it did. */
  untold: HistoryChange[];
  /** Series of tasks that had data lately and have none at all in the newest run. */
  noData: HistorySeries[];
  /** Changes of any kind that the newest run confirmed: the state before it did not have them. */
  news: HistoryChange[];
  /** Series in which the newest runs look like a change that further ones may confirm. */
  suspects: HistorySeries[];
  /** Series that the newest run did not measure, though the one before it did. */
  silent: HistorySeries[];
  /** Where it is asked for. */
  againstBaseline?: BaselineWatch;
}

const keyOf = ({ metric, cell }: Pick<HistorySeries, 'metric' | 'cell'>): string => `${metric}\u0000${cell}`;

/** A cell whose trials fail is no cell that has recovered. */
const wasToldLately = ({ means }: HistorySeries): boolean =>
  means.slice(-NEWEST).some((mean) => mean !== null);

const taskOf = ({ metric }: HistorySeries): string => metric.split('.', 1)[0]!;

/**
 * Series of tasks of which the newest run tells nothing, though one of the runs before it did. A percentile alone may be missing
 * for want of requests; a task without any figure measured nothing.
 */
function withoutData(series: readonly HistorySeries[]): HistorySeries[] {
  const keyOfTask = (one: HistorySeries): string => keyOf({ metric: taskOf(one), cell: one.cell });
  const alive = new Set(series.filter(isTold).map(keyOfTask));
  return series.filter((one) => wasToldLately(one) && !alive.has(keyOfTask(one)));
}

/** `ingest with refresh_interval=1s`: the tasks of series, each once. */
const tasksOf = ({ series }: History, own: readonly HistorySeries[]): string => {
  const several = new Set(series.map(({ cell }) => cell)).size > 1;
  return [...new Set(own.map((one) => `${taskOf(one)}${several ? ` with ${one.label}` : ''}`))].join(', ');
};

/** `since`: changes of runs before it are accepted, ISO 8601. */
export function watchHistory({ series, changes }: History, since?: string): Watch {
  const told = series.filter(isTold);
  const own = changes.filter(
    (change) => since === undefined || parseTime(change.since.at) >= parseTime(since),
  );
  const worse = own.filter(({ kind, isNewest }) => isNewest && kind === 'worse');
  const among = (all: readonly HistorySeries[], found: readonly HistoryChange[]): HistoryChange[] => {
    const names = new Set(all.map(keyOf));
    return found.filter((change) => names.has(keyOf(change)));
  };
  const regressions = among(told, worse);
  const untold = among(
    series.filter((one) => !isTold(one) && wasToldLately(one)),
    worse,
  );
  const noData = withoutData(series);
  return {
    state:
      regressions.length > 0
        ? 'regression'
        : untold.length + noData.length > 0
          ? 'cannot-tell'
          : told.every(({ now }) => now === 'too-few')
            ? 'too-few'
            : 'no-regression',
    regressions,
    untold,
    noData,
    news: among(told, own).filter(({ isNew }) => isNew),
    suspects: told.filter(({ now }) => now === 'suspect'),
    silent: series.filter((one) => !isTold(one) && (one.means.at(-2) ?? null) !== null),
  };
}

const asOfRun = ({ at, run }: ListedRun): string => `${formatDay(at)} (run ${run})`;

/** One line that says how it stands. `said`: of when. */
export function watchSentence(
  history: History,
  { state, regressions, untold, noData, suspects }: Watch,
  said: (newest: ListedRun) => string = asOfRun,
): string {
  const { nights } = history;
  const newest = nights.at(-1);
  if (newest === undefined) return 'no run of it has completed yet';
  const asOf = `as of ${said(newest)}`;
  const suspected =
    suspects.length === 0 ? '' : `; ${inSeries(suspects.length)} may have changed, not confirmed yet`;
  switch (state) {
    case 'regression':
      return `a confirmed regression in ${inSeries(regressions.length)}, ${asOf}${suspected}`;
    case 'cannot-tell':
      if (untold.length === 0)
        return `cannot tell: the newest run has no data of ${tasksOf(history, noData)}, ${asOf}${suspected}`;
      return `cannot tell: ${inSeries(untold.length)} became worse, and the newest run did not measure ${untold.length === 1 ? 'it' : 'them'}, ${asOf}${suspected}`;
    case 'too-few':
      return `too few runs to tell, ${nights.length} ${asOf}`;
    case 'no-regression':
      return `no confirmed regression, ${asOf}${suspected}`;
  }
}

/** What a webhook is sent: what became known with the newest run. `id` is the same however often it is sent. */
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
