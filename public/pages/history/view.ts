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

/** Returns the text of a time range for the address: both ends in ISO 8601, separated by a slash. Fixed lengths are written as `30d`. */
export const writtenStretch = ({ from, to }: Stretch): string =>
  [from, to].map((at) => new Date(at).toISOString()).join('/');

/** Converts a text of the address to a time range. For '' and for an invalid text, returns the range of all runs. */
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
 * Returns whether a note or a missed time belongs to a time range. The note or the time may be before the first or after the last run. A
 * range that contains the newest run therefore includes all later times until now, and a range that contains the first run includes all
 * earlier times.
 */
export function isShown({ from, to }: Stretch, runs: readonly ListedRun[], iso: string): boolean {
  const whole = stretchOf('', runs);
  const at = parseTime(iso);
  return (at >= from || from <= whole.from) && (at <= to || to >= whole.to);
}

/** Space before the first and after the last point, as a share of the range. For a single run, half a day on each side. */
const BESIDE = 0.015;

export function axisOf({ from, to }: Stretch): Stretch {
  const room = to > from ? (to - from) * BESIDE : DAY_MS / 2;
  return { from: from - room, to: to + room };
}

/** Returns the position of a time on an axis, in percent. */
export const shareOf = (at: number, { from, to }: Stretch): number =>
  Math.min(1, Math.max(0, (at - from) / (to - from))) * 100;

/** Returns the unit that the ticks of the axis omit, for the title of the chart; '' if each tick has its unit. */
export const tickUnit = ({ metric, unit }: Pick<HistorySeries, 'metric' | 'unit'>): string =>
  parseMetric(metric)?.unit === 'per-second' ? unit : '';

export const formatTick = (series: Pick<HistorySeries, 'metric' | 'unit'>, value: number): string =>
  tickUnit(series) === '' ? formatFigure(series, value) : formatNumber(value);

/** A sentence about what else changed in the same run, and the cells to which it applies; empty for all cells. */
export interface CauseLine {
  text: string;
  cells: string[];
}

/**
 * Combines the causes of the changes of one run. Differences of the place are mostly the same for all; cluster metrics belong to one cell.
 */
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

/** Changes in one run that have the same previous run. */
export interface ChangeGroup {
  key: string;
  since: ListedRun;
  before: ListedRun | null;
  /** Runs that confirmed the changes, the oldest first. */
  confirmed: ListedRun[];
  isNew: boolean;
  changes: HistoryChange[];
}

/** Returns the groups in the order of the changes, the newest first. */
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

/** Sort order of states: those that need attention come first. */
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

/** Sorts by urgency, and then by the newest change. */
export const byUrgency = (series: readonly HistorySeries[]): HistorySeries[] =>
  [...series].sort((one, other) => urgency(one) - urgency(other) || lastChange(other) - lastChange(one));

export interface SeriesRow {
  /** Unique key of the series. */
  key: string;
  series: HistorySeries;
  newest: number | null;
  level: number | null;
  /** The newest change; undefined if nothing has changed. */
  change: HistoryChange | undefined;
}

/** Returns the rows in the order of the series. `changes`: those of the whole history, not only of the selected time range. */
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

/** Describes the size of a change: a ratio, or both levels if it has no ratio. */
export const changeSize = (
  { ratio, before, after }: Pick<Change, 'ratio' | 'before' | 'after'>,
  series: Pick<HistorySeries, 'metric' | 'unit'>,
): string =>
  ratio === null ? `${formatFigure(series, before)} → ${formatFigure(series, after)}` : formatChange(ratio);

/**
 * Returns the number of further runs until at least one series can be analysed; 0 if a series can already be analysed. The number of trials
 * per run does not matter.
 */
export function runsMissing({ series, nights: runs }: History): number {
  if (series.some(({ now }) => now !== 'too-few')) return 0;
  return Math.max(1, RUNS_TO_ANALYSE - runs.length);
}

export type Sort = 'run' | 'outlier' | Change['kind'];

/** One run of one series in the chart. */
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

/** A line at the level of consecutive runs that all have a value. */
export interface LevelLine {
  from: number;
  to: number;
  level: number;
  /** Kind of the change with which the level begins; undefined for the first level. */
  kind: Change['kind'] | undefined;
}

export interface SeriesView {
  marks: RunMark[];
  /** Runs without a value of the series. */
  gaps: { point: number; run: string; iso: string; at: number }[];
  levels: LevelLine[];
  axis: Stretch;
  /** Range of values that includes every point, interval and level. */
  span: Span;
  /** Divisor with which ticks become round numbers in the unit of the axis. */
  unit: number;
}

function intervalOf(mean: number, deviation: number | null, trials: number): Span | null {
  if (deviation === null || trials < 2) return null;
  const reach = (studentQuantile((1 + LEVEL) / 2, trials - 1) * deviation) / Math.sqrt(trials);
  return { min: mean >= 0 ? Math.max(0, mean - reach) : mean - reach, max: mean + reach };
}

/** Computes the contents of the chart. `series` must contain the points of all runs. */
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

/** Width of the level line for a single run, as a share of the axis. */
const ALONE = 0.006;

/** Returns a line for each level; a run without a value interrupts it. */
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

/** Values of one trait over a time range. */
export interface Lane {
  what: string;
  bands: { from: number; to: number; value: string; point: number }[];
}

export interface Lanes {
  lanes: Lane[];
  /** Traits that did not change. */
  constant: Pick<Band, 'what' | 'value'>[];
  /** Traits that change too often to be shown as bands. */
  restless: string[];
}

/** Traits that are shown even if they did not change. */
const ALWAYS: readonly string[] = [...Object.values(ENGINE_NAMES), 'definition'];
/** Minimum mean number of runs between two changes of a trait that is shown as bands. A trait that changes more often is only named. */
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

/** A flag above the chart at one run. */
export interface Flag {
  point: number;
  at: number;
  what: readonly string[];
  change: Change | undefined;
  /** Texts of the notes on the run. */
  notes: readonly string[];
}

/** Returns the flags of a time range: cuts, changes of the shown series, and runs with notes. */
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
