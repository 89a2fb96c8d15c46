/** Computes the contents of the history page from the server's response. Contains no components. */
import { formatChange } from '../../../common/analysis/wording';
import { LEVEL } from '../../../common/analysis/confidence';
import { studentQuantile } from '../../../common/analysis/student';
import { causeLines } from '../../../common/history/cause';
import { ENGINE_NAMES } from '../../../common/elasticsearch/engine';
import { RUNS_TO_ANALYSE, type Change } from '../../../common/history/changes';
import { noteRun } from '../../../common/history/annotations';
import type { Band, History, HistoryChange, ListedRun, HistorySeries } from '../../../common/history/history';
import { formatFigure, statesOf } from '../../../common/history/series';
import { parseMetric } from '../../../common/measurement/metric';
import type { Span } from '../../../common/report/chart/axes';
import { metricAxis } from '../../../common/report/chart/interval-series';
import { formatNumber } from '../../../common/units/format';
import { parseTime } from '../../../common/units/time';

/** A time range in ms since the epoch, including both ends. */
export interface Stretch {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;

/** Lengths of time ranges, in days, that can be selected. The range ends with the newest run. */
export const TIMES = [14, 30, 90, 365] as const;

/** Returns the text of a time range for the URL: both ends in ISO 8601, separated by a slash. Fixed lengths are written as `30d`. */
export const writtenStretch = ({ from, to }: Stretch): string =>
  [from, to].map((at) => new Date(at).toISOString()).join('/');

/** Converts a text of the URL to a time range. For '' and for an invalid text, returns the range of all runs. */
export function stretchOf(written: string, runs: readonly ListedRun[]): Stretch {
  const [first, last] = [runs.at(0), runs.at(-1)].map((run) => parseTime(run?.at ?? '')) as [number, number];
  const days = TIMES.find((own) => `${own}d` === written);
  if (days !== undefined) return { from: Math.max(first, last - days * DAY_MS), to: last };
  const [from, to] = written.split('/').map((end) => parseTime(end));
  return from !== undefined && to !== undefined && from < to ? { from, to } : { from: first, to: last };
}

export const isWithin = ({ from, to }: Stretch, iso: string): boolean =>
  parseTime(iso) >= from && parseTime(iso) <= to;

/**
 * Returns whether a time, such as that of a note, belongs to a time range. If the range contains the first run, all earlier times belong to
 * the range. If it contains the newest run, all later times do.
 */
export function isShown({ from, to }: Stretch, runs: readonly ListedRun[], iso: string): boolean {
  const whole = stretchOf('', runs);
  const at = parseTime(iso);
  return (at >= from || from <= whole.from) && (at <= to || to >= whole.to);
}

/** Space to the left of the first and to the right of the last point of a chart, as a share of the time range. */
const BESIDE = 0.015;

export function axisOf({ from, to }: Stretch): Stretch {
  const room = to > from ? (to - from) * BESIDE : DAY_MS / 2;
  return { from: from - room, to: to + room };
}

/** Returns the position of a time on an axis, in percent. */
export const shareOf = (at: number, { from, to }: Stretch): number =>
  Math.min(1, Math.max(0, (at - from) / (to - from))) * 100;

/**
 * Returns the unit for the title of the chart's value axis. Only rates have one, such as `docs/s`, because their ticks are plain numbers.
 * For other metrics, the ticks show the unit, and the result is ''.
 */
export const tickUnit = ({ metric, unit }: Pick<HistorySeries, 'metric' | 'unit'>): string =>
  parseMetric(metric)?.unit === 'per-second' ? unit : '';

export const formatTick = (series: Pick<HistorySeries, 'metric' | 'unit'>, value: number): string =>
  tickUnit(series) === '' ? formatFigure(series, value) : formatNumber(value);

/**
 * A sentence about what else changed in the same run. `cells`: the combinations of factor levels to which it applies; empty if it applies
 * to all.
 */
export interface CauseLine {
  text: string;
  cells: string[];
}

/** Returns what else changed in a run, as sentences without repetitions. `changes`: changes of metrics in this run. */
export function causeOf(changes: readonly HistoryChange[]): CauseLine[] {
  const cells = new Set(changes.map(({ label }) => label));
  const cellsByText = new Map<string, Set<string>>();
  // Each cause has up to two lines. All first lines are listed before all second lines.
  for (const at of [0, 1])
    for (const { cause, label } of changes) {
      const text = causeLines(cause)[at];
      if (text !== undefined) cellsByText.set(text, (cellsByText.get(text) ?? new Set()).add(label));
    }
  return [...cellsByText].map(([text, own]) => ({ text, cells: own.size === cells.size ? [] : [...own] }));
}

/**
 * Changes that occurred in the same run and have the same previous run (`before`). Metrics may have different previous runs, because not
 * all runs have all metrics.
 */
export interface ChangeGroup {
  key: string;
  since: ListedRun;
  before: ListedRun | null;
  /** Later runs that confirmed the changes, because the changed values persisted. The oldest run is first. */
  confirmed: ListedRun[];
  isNew: boolean;
  changes: HistoryChange[];
}

/** Groups changes by the run in which they occurred. The order of the changes stays the same: the newest first. */
export function groupsOf(changes: readonly HistoryChange[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const change of changes) {
    const { since, before, confirmed, isNew } = change;
    const key = [since.run, before?.run].join(' ');
    const group = groups.get(key) ?? { key, since, before, confirmed: [], isNew, changes: [] };
    const isKnown = group.confirmed.some(({ run }) => run === confirmed.run);
    groups.set(key, {
      ...group,
      confirmed: isKnown ? group.confirmed : [...group.confirmed, confirmed].sort(byTime),
      isNew: group.isNew || isNew,
      changes: [...group.changes, change],
    });
  }
  return [...groups.values()];
}

const byTime = (one: ListedRun, other: ListedRun): number => parseTime(one.at) - parseTime(other.at);

/** Order of the states of a metric. States that need attention come first. */
const URGENCY: Readonly<Record<HistorySeries['now'], number>> = {
  worse: 0,
  suspect: 1,
  better: 2,
  recovered: 2,
  steady: 3,
  'too-few': 3,
};

const urgency = (series: HistorySeries): number =>
  Math.min(...statesOf(series).map((state) => URGENCY[state]));

const lastChange = ({ changes }: HistorySeries): number => changes.at(-1)?.night ?? -1;

/** Sorts metrics: those that need attention come first, then those with the newest changes. */
export const byUrgency = (series: readonly HistorySeries[]): HistorySeries[] =>
  [...series].sort((one, other) => urgency(one) - urgency(other) || lastChange(other) - lastChange(one));

export interface SeriesRow {
  /** Unique key of the metric and its combination of factor levels. */
  key: string;
  series: HistorySeries;
  newest: number | null;
  level: number | null;
  /** The newest change of the metric; undefined if it has never changed. */
  change: HistoryChange | undefined;
}

/** Returns a row of the table for each metric. `changes`: all changes of the history, not only those in the selected time range. */
export function rowsOf(series: readonly HistorySeries[], changes: readonly HistoryChange[]): SeriesRow[] {
  const key = ({ metric, cell }: Pick<HistorySeries, 'metric' | 'cell'>): string => `${metric} ${cell}`;
  const newest = new Map(changes.filter(({ isNewest }) => isNewest).map((change) => [key(change), change]));
  return series.map((own) => ({
    key: key(own),
    series: own,
    newest: own.means.at(-1) ?? null,
    level: own.segments.at(-1)?.level ?? null,
    change: newest.get(key(own)),
  }));
}

/** Returns the size of a change as text: a percentage or, if no ratio exists, the values before and after the change. */
export const changeSize = (
  { ratio, before, after }: Pick<Change, 'ratio' | 'before' | 'after'>,
  series: Pick<HistorySeries, 'metric' | 'unit'>,
): string =>
  ratio === null ? `${formatFigure(series, before)} → ${formatFigure(series, after)}` : formatChange(ratio);

/** Returns how many more runs are needed until Dyno can detect a change of at least one metric; 0 if no more runs are needed. */
export function runsMissing({ series, nights: runs }: History): number {
  if (series.some(({ now }) => now !== 'too-few')) return 0;
  return Math.max(1, RUNS_TO_ANALYSE - runs.length);
}

export type Sort = 'run' | 'outlier' | Change['kind'];

/** A run in the chart of a metric. */
export interface RunMark {
  point: number;
  run: string;
  iso: string;
  at: number;
  sort: Sort;
  mean: number;
  deviation: number | null;
  trials: number;
  /** 95% interval of the mean, from Student's t; null for a single trial. */
  interval: Span | null;
  level: number | null;
  change: Change | undefined;
}

/** A horizontal line in the chart at the mean of consecutive runs. The line has a gap at a run without a value. */
export interface LevelLine {
  from: number;
  to: number;
  level: number;
  /** Kind of the change with which these runs begin; undefined if no change precedes them. */
  kind: Change['kind'] | undefined;
}

export interface SeriesView {
  marks: RunMark[];
  /** Runs in which the metric has no value. */
  gaps: { point: number; run: string; iso: string; at: number }[];
  levels: LevelLine[];
  axis: Stretch;
  /** Range of values that contains everything in the chart. */
  span: Span;
  /** Number by which values are divided, so that the axis has round numbers. For example, bytes are divided by 1024 to be shown in KiB. */
  unit: number;
}

function intervalOf(mean: number, deviation: number | null, trials: number): Span | null {
  if (deviation === null || trials < 2) return null;
  const reach = (studentQuantile((1 + LEVEL) / 2, trials - 1) * deviation) / Math.sqrt(trials);
  return { min: mean >= 0 ? Math.max(0, mean - reach) : mean - reach, max: mean + reach };
}

/** Computes the contents of a metric's chart. `series` must contain the values of all runs. */
export function viewOf(
  { nights: runs }: Pick<History, 'nights'>,
  series: HistorySeries,
  stretch: Stretch,
): SeriesView {
  const outliers = new Set(series.outliers);
  const changes = new Map(series.changes.map((change) => [change.night, change]));
  const marks: RunMark[] = [];
  const gaps: SeriesView['gaps'] = [];
  let segment = 0;
  runs.forEach(({ run, at: iso }, point) => {
    while (segment < series.segments.length && series.segments[segment]!.to <= point) segment += 1;
    if (!isWithin(stretch, iso)) return;
    const at = parseTime(iso);
    const mean = series.means[point] ?? null;
    if (mean === null) {
      gaps.push({ point, run, iso, at });
      return;
    }
    const [deviation, trials] = [series.deviations[point] ?? null, series.trials[point] ?? 0];
    const change = changes.get(point);
    const own = series.segments[segment];
    marks.push({
      ...{ point, run, iso, at, mean, deviation, trials, change },
      sort: change?.kind ?? (outliers.has(point) ? 'outlier' : 'run'),
      interval: intervalOf(mean, deviation, trials),
      level: own !== undefined && point >= own.from ? own.level : null,
    });
  });
  const axis = axisOf(stretch);
  const levels = levelLines(runs, series, marks, axis);
  const { span, unit } = metricAxis(
    series.metric,
    marks.map(({ mean, interval }) => ({
      mean,
      low: interval?.min ?? null,
      high: interval?.max ?? null,
      values: [],
    })),
    { always: levels.map(({ level }) => level) },
  );
  return { marks, gaps, levels, axis, span, unit };
}

/** Width of the horizontal line for a single run, as a share of the axis. */
const ALONE = 0.006;

/** Returns the horizontal lines that show the means of consecutive runs. A line has a gap at a run without a value. */
function levelLines(
  runs: readonly ListedRun[],
  { segments, changes, means }: HistorySeries,
  marks: readonly RunMark[],
  axis: Stretch,
): LevelLine[] {
  const shown = new Set(marks.map(({ point }) => point));
  const half = ((axis.to - axis.from) * ALONE) / 2;
  return segments.flatMap(({ from, to, level }) => {
    const kind = changes.find(({ night }) => night === from)?.kind;
    const lines: LevelLine[] = [];
    let first: number | undefined;
    for (let point = from; point <= to; point += 1) {
      const isMeasured = point < to && shown.has(point) && (means[point] ?? null) !== null;
      if (isMeasured) first ??= point;
      else if (first !== undefined) {
        const [start, end] = [parseTime(runs[first]!.at), parseTime(runs[point - 1]!.at)];
        lines.push({ from: start - half, to: end + half, level, kind });
        first = undefined;
      }
    }
    return lines;
  });
}

/** A row below the chart that shows how one fact about the runs changed over time, such as the version of Elasticsearch. */
export interface Lane {
  what: string;
  bands: { from: number; to: number; value: string; point: number }[];
}

export interface Lanes {
  lanes: Lane[];
  /** Facts, such as the version of Elasticsearch, that were the same in all runs. */
  constant: Pick<Band, 'what' | 'value'>[];
  /** Names of the facts that change too often to be shown in a row. */
  restless: string[];
}

/** Facts that are shown in a row even if they were the same in all runs. */
const ALWAYS: readonly string[] = [...Object.values(ENGINE_NAMES), 'definition'];
/**
 * A fact such as a version is shown in a row only if it changes rarely: on average at most once in this many runs. If it changes more
 * often, only its name is shown.
 */
const RESTLESS = 3;

export function lanesOf(
  { nights: runs, bands }: Pick<History, 'nights' | 'bands'>,
  stretch: Stretch,
  axis: Stretch,
): Lanes {
  const seen = runs.filter(({ at }) => isWithin(stretch, at)).length;
  const found: Lanes = { lanes: [], constant: [], restless: [] };
  for (const what of new Set(bands.map((band) => band.what))) {
    const own = bands.filter((band) => band.what === what);
    const all = own.map(({ from, value }, at) => ({
      from: at === 0 ? axis.from : parseTime(runs[from]!.at),
      to: at === own.length - 1 ? axis.to : parseTime(runs[own[at + 1]!.from]!.at),
      ...{ value, point: from },
    }));
    const shown = all
      .filter(({ from, to }) => to > stretch.from && from <= stretch.to)
      .map((band) => ({
        ...band,
        from: Math.max(axis.from, band.from),
        to: band.to > stretch.to ? axis.to : band.to,
      }));
    if (shown.length === 0) continue;
    if (shown.length > 2 && shown.length * RESTLESS > seen) found.restless.push(what);
    else if (shown.length === 1 && !ALWAYS.includes(what))
      found.constant.push({ what, value: shown[0]!.value });
    else found.lanes.push({ what, bands: shown });
  }
  const place = ({ what }: Lane): number => {
    const at = ALWAYS.indexOf(what);
    return at < 0 ? ALWAYS.length : at;
  };
  found.lanes.sort((one, other) => place(one) - place(other));
  return found;
}

/** A flag above the chart that marks one run. */
export interface Flag {
  point: number;
  at: number;
  what: readonly string[];
  change: Change | undefined;
  /** Texts of the notes on the run. */
  notes: readonly string[];
}

/**
 * Returns the flags above the chart in a time range. A flag marks a run with a different set-up than before, a change of the metric, or a
 * note.
 */
export function flagsOf(
  { nights: runs, cuts, notes }: Pick<History, 'nights' | 'cuts' | 'notes'>,
  { changes }: Pick<HistorySeries, 'changes'>,
  stretch: Stretch,
): Flag[] {
  const noted = notes.flatMap((note) => {
    const point = noteRun(note, runs);
    return point === null ? [] : [{ text: note.text, point }];
  });
  const marked = [...[...cuts, ...changes].map(({ night }) => night), ...noted.map(({ point }) => point)];
  return [...new Set(marked)]
    .sort((a, b) => a - b)
    .filter((point) => runs[point] !== undefined && isWithin(stretch, runs[point].at))
    .map((point) => ({
      point,
      at: parseTime(runs[point]!.at),
      what: cuts.find((cut) => cut.night === point)?.what ?? [],
      change: changes.find((change) => change.night === point),
      notes: noted.filter((note) => note.point === point).map(({ text }) => text),
    }));
}
