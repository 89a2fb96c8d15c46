/** The current state of a history, for build servers and for users who are only interested in changes. */
import { formatDay } from '../units/format';
import { causeLines } from './cause';
import { NEWEST, type History, type HistoryChange, type ListedRun, type HistorySeries } from './history';
import { isMeasured } from './series';
import { inSeries, type BaselineWatch } from './watch-baseline';
import { parseTime } from '../units/time';

export type WatchState = 'regression' | 'cannot-tell' | 'no-regression' | 'too-few';

export interface Watch {
  /**
   * State after the newest run.
   * - `regression`: the newest confirmed change of a series is for the worse, and the newest run has a value of this series. The state
   *   lasts until the series recovers or gets a better level.
   * - `cannot-tell`: there is no regression, but data is missing. In the newest run, values are missing of a series that became worse, or
   *   of a task that recently had values.
   * - `too-few`: no series has enough runs.
   * - `no-regression`: otherwise.
   */
  state: WatchState;
  regressions: HistoryChange[];
  /** Regressions whose series has a value in a recent run, but not in the newest one. */
  unmeasured: HistoryChange[];
  /** All series of tasks that have no values in the newest run, although they recently had values. */
  noData: HistorySeries[];
  /** New changes for the worse or for the better: those that the newest run confirmed. */
  news: HistoryChange[];
  /** Series whose newest runs look like a change that is not confirmed yet. */
  suspects: HistorySeries[];
  /**
   * Series with a value in the previous run, but not in the newest one. In contrast to {@link noData}, other series of the same task may
   * have values in the newest run.
   */
  silent: HistorySeries[];
  /** Comparison with the baseline. Absent unless requested. */
  againstBaseline?: BaselineWatch;
}

const keyOf = ({ metric, cell }: Pick<HistorySeries, 'metric' | 'cell'>): string => `${metric}\u0000${cell}`;

/** Returns whether one of the last {@link NEWEST} runs has a value of the series. */
const wasMeasuredLately = ({ means }: HistorySeries): boolean =>
  means.slice(-NEWEST).some((mean) => mean !== null);

const taskOf = ({ metric }: HistorySeries): string => metric.split('.', 1)[0]!;

/**
 * Returns all series of tasks that measured nothing in the newest run: none of their series has a value there, although a recent run had
 * values. A single missing percentile does not count, because it may be missing only because of too few requests.
 */
function withoutData(series: readonly HistorySeries[]): HistorySeries[] {
  const keyOfTask = (one: HistorySeries): string => keyOf({ metric: taskOf(one), cell: one.cell });
  const alive = new Set(series.filter(isMeasured).map(keyOfTask));
  return series.filter((one) => wasMeasuredLately(one) && !alive.has(keyOfTask(one)));
}

/** Lists the distinct tasks of series, such as `ingest with refresh_interval=1s`. */
const tasksOf = ({ series }: History, own: readonly HistorySeries[]): string => {
  const several = new Set(series.map(({ cell }) => cell)).size > 1;
  return [...new Set(own.map((one) => `${taskOf(one)}${several ? ` with ${one.label}` : ''}`))].join(', ');
};

/** Returns the state of a history. `since`: changes before this time (ISO 8601) are ignored, because the user accepts them. */
export function watchHistory({ series, changes }: History, since?: string): Watch {
  const measured = series.filter(isMeasured);
  const own = changes.filter(
    (change) => since === undefined || parseTime(change.since.at) >= parseTime(since),
  );
  const worse = own.filter(({ kind, isNewest }) => isNewest && kind === 'worse');
  const among = (all: readonly HistorySeries[], found: readonly HistoryChange[]): HistoryChange[] => {
    const names = new Set(all.map(keyOf));
    return found.filter((change) => names.has(keyOf(change)));
  };
  const regressions = among(measured, worse);
  const unmeasured = among(
    series.filter((one) => !isMeasured(one) && wasMeasuredLately(one)),
    worse,
  );
  const noData = withoutData(series);
  return {
    state:
      regressions.length > 0
        ? 'regression'
        : unmeasured.length + noData.length > 0
          ? 'cannot-tell'
          : measured.every(({ now }) => now === 'too-few')
            ? 'too-few'
            : 'no-regression',
    regressions,
    unmeasured,
    noData,
    news: among(measured, own).filter(({ isNew }) => isNew),
    suspects: measured.filter(({ now }) => now === 'suspect'),
    silent: series.filter((one) => !isMeasured(one) && (one.means.at(-2) ?? null) !== null),
  };
}

const asOfRun = ({ at, run }: ListedRun): string => `${formatDay(at)} (run ${run})`;

/** Describes the state in one line. */
export function watchSentence(
  history: History,
  { state, regressions, unmeasured, noData, suspects }: Watch,
  runText: (newest: ListedRun) => string = asOfRun,
): string {
  const { nights: runs } = history;
  const newest = runs.at(-1);
  if (newest === undefined) return 'no run of it has completed yet';
  const asOf = `as of ${runText(newest)}`;
  const suspected =
    suspects.length === 0 ? '' : `; ${inSeries(suspects.length)} may have changed, not confirmed yet`;
  switch (state) {
    case 'regression':
      return `a confirmed regression in ${inSeries(regressions.length)}, ${asOf}${suspected}`;
    case 'cannot-tell':
      if (unmeasured.length === 0)
        return `undecided: the newest run has no data of ${tasksOf(history, noData)}, ${asOf}${suspected}`;
      return `undecided: ${inSeries(unmeasured.length)} became worse, and the newest run did not measure ${unmeasured.length === 1 ? 'it' : 'them'}, ${asOf}${suspected}`;
    case 'too-few':
      return `too few runs for an answer, ${runs.length} ${asOf}`;
    case 'no-regression':
      return `no confirmed regression, ${asOf}${suspected}`;
  }
}

/**
 * The body of a webhook request: the changes that the newest run confirmed. If the same notice is sent twice, its changes have the same
 * `id` both times.
 */
export interface WatchNotice {
  experiment: History['experiment'];
  night: History['nights'][number];
  state: WatchState;
  /** The new changes. `lines`: sentences about everything else that changed at the same time, such as the version of Elasticsearch. */
  changes: (HistoryChange & { id: string; lines: string[] })[];
}

/** Returns the notice. Undefined if nothing is new. */
export function noticeOf(
  { experiment, nights: runs }: History,
  { state, news }: Watch,
): WatchNotice | undefined {
  const run = runs.at(-1);
  if (run === undefined || news.length === 0) return undefined;
  return {
    experiment,
    night: run,
    state,
    changes: news.map((change) => ({
      id: [experiment.id, change.metric, change.cell, change.since.run, change.kind].join('/'),
      ...change,
      lines: causeLines(change.cause),
    })),
  };
}
