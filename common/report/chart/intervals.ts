/**
 * Draws one metric by cell (combination of factor levels): a dot for every trial, a bar for the mean, and a band for its 95% interval. A
 * second column shows each cell's ratio to the reference cell. If the experiment repeats a published benchmark, the column also shows the
 * published ratios. HTML reports, the result page and the picture of a result use this function.
 */
import { scaleLinear } from 'd3-scale';
import { notationOf, shortEffect } from '../../analysis/effect';
import { formatChange, formatChanges } from '../../analysis/wording';
import type { Interval } from '../../analysis/confidence';
import { cellNames, unitOf } from '../model/cell-names';
import type { Report, ReportPublishedCell } from '../model/report';
import { rateName } from '../tables/wording';
import { spanOf, type Span } from './axes';
import {
  firstMetric,
  intervalSeries,
  metricAxis,
  metricWords,
  writtenName,
  type CellFigures,
} from './interval-series';
import { axisBelow, chart, dot, element, escapeMarkup, fitted, line, text, type Scale } from './svg';

export interface IntervalRow {
  name: string;
  /** Text in a lighter colour after the name of the row, such as `baseline`; '' for no text. */
  mark: string;
  /** Whether this row is the reference: the combination of factor levels with which the other rows are compared. */
  isReference: boolean;
  figures: CellFigures;
  /** Value of the metric in the published benchmark; null if none was published for these factor levels. */
  published: ReportPublishedCell | null;
}

export interface Intervals {
  id: string;
  /** Accessible name of the chart. */
  title: string;
  description: string;
  rows: readonly IntervalRow[];
  /**
   * Headings above the names, the values and the ratios. Each has several versions from long to short; the first version that fits is used.
   */
  headings: Record<'names' | 'values' | 'ratios', readonly string[]>;
  /** Formats a value: on the axis (`tick`), and in a tooltip (`value`). */
  tick: (value: number) => string;
  value: (value: number) => string;
  /**
   * Axis of the values. `span`: its range, which contains the values of all rows. `unit`: ticks are at round multiples of this number. It
   * is 1024² if values are shown in MB, and usually 1.
   */
  axis: { span: Span; unit: number };
  /** Width in px. */
  width: number;
  rowHeight: number;
}

const TOP = 34;
const BOTTOM = 26;
/** Height of the legend that explains published values, in px. */
const LEGEND = 24;
/** Space to the right of the axis for half of the text of the last tick, in px. */
const MARGIN = 26;
/** Width in px below which a chart uses smaller spaces. */
const NARROW = 560;
/** Height of a row, in px, from which the ratio is written above its dot. */
const LABELLED = 34;
/** Width of a character in the font of names and in the font of headings, in px. */
const CHARACTER = 7.2;
const OF_HEADING = 6.6;

/** Space in px that a tick needs for its text. */
const TICK_EVERY = { wide: 84, narrow: 60 };

interface Column {
  start: number;
  end: number;
}

/** Height of the chart that {@link drawIntervals} draws, without its rows, in px. */
export const intervalsFrame = TOP + BOTTOM;

/** Returns the chart as SVG; '' if there are no rows. */
export function drawIntervals(intervals: Intervals): string {
  const { rows, width, rowHeight, headings } = intervals;
  if (rows.length === 0) return '';
  const isNarrow = width < NARROW;
  const [isPublished, isCompared] = [arePublished(rows), areCompared(rows)];
  const named = rows.map(({ name, mark }) => name.length + (mark === '' || isNarrow ? 0 : mark.length + 1));
  const longest = Math.max(headings.names.at(isNarrow ? -1 : 0)?.length ?? 0, ...named);
  const label = Math.min(width * 0.26, Math.max(isNarrow ? 44 : 60, longest * CHARACTER + 12));
  const gap = isNarrow ? 34 : 64;
  const ratioWidth = isCompared ? Math.round((width - label) * (isNarrow ? 0.34 : 0.27)) : 0;
  const end = width - MARGIN;
  const values: Column = { start: label + 10, end: isCompared ? end - ratioWidth - gap : end };
  const ratios: Column = { start: end - ratioWidth, end };
  const bottom = TOP + rows.length * rowHeight;
  const placed = rows.map((row, at) => ({ ...row, y: TOP + at * rowHeight + rowHeight / 2 }));
  return chart(
    width,
    bottom + BOTTOM + (isPublished ? LEGEND : 0),
    intervals.id,
    intervals.title,
    intervals.description,
    [
      text(0, 14, fitting(headings.names, label + 6), { class: 'heading' }),
      text(values.start, 14, fitting(headings.values, values.end - values.start + gap - 12), {
        class: 'heading',
      }),
      ...placed.map((row) => nameOf(row, label, isNarrow)),
      valuesPart(intervals, placed, values, bottom, isNarrow),
      isCompared
        ? text(ratios.start, 14, fitting(headings.ratios, ratioWidth + MARGIN), { class: 'heading' }) +
          ratiosPart(placed, ratios, bottom, rowHeight, isNarrow)
        : '',
      isPublished ? legend(ratios.start, bottom + BOTTOM + 16) : '',
    ].join(''),
  );
}

type Placed = IntervalRow & { y: number };

const arePublished = (rows: readonly IntervalRow[]): boolean =>
  rows.some(({ published }) => published?.agreement?.ratio != null);

const areCompared = (rows: readonly IntervalRow[]): boolean =>
  arePublished(rows) || rows.some(({ figures }) => figures.comparison?.ratio != null);

const arePooled = (rows: readonly IntervalRow[]): boolean => rows.some(({ figures }) => figures.pooled);

/**
 * Returns a long and a short heading that explain the marks of a row: single trials, or percentiles over all requests of the row's trials.
 */
export const marksHeadings = (rows: readonly IntervalRow[]): [string, string] =>
  arePooled(rows)
    ? ['percentile of all requests, 95% interval', 'all requests']
    : ['every trial, mean, 95% interval', 'trials and mean'];

/** Returns the first text that fits. If no text fits, returns the last one, shortened. */
function fitting(texts: readonly string[], width: number): string {
  const found = texts.find((one) => one.length * OF_HEADING <= width);
  return found ?? fitted(texts.at(-1) ?? '', width);
}

function nameOf({ name, mark, y }: Placed, label: number, isNarrow: boolean): string {
  if (mark === '') return text(0, y + 4, fitted(name, label), { class: 'label' });
  if (isNarrow)
    return text(0, y + 1, fitted(name, label), { class: 'label' }) + text(0, y + 14, mark, { class: 'mark' });
  const own = fitted(name, label - mark.length * CHARACTER);
  return element(
    'text',
    { x: 0, y: y + 4, class: 'label' },
    `${escapeMarkup(own)} ${element('tspan', { class: 'mark' }, escapeMarkup(mark))}`,
  );
}

const ticksWithin = ({ start, end }: Column, isNarrow: boolean): number =>
  Math.max(2, Math.floor((end - start) / (isNarrow ? TICK_EVERY.narrow : TICK_EVERY.wide)));

/** Returns about `count` ticks, but at least two, because a reader cannot read an axis with a single tick. */
function ticksOf(scale: Scale, count: number): number[] {
  const usual = scale.ticks(count);
  if (usual.length > 1) return usual;
  const more = scale.ticks(count + 2);
  return more.length < 2 ? usual : [more[0]!, more.at(-1)!];
}

/** Returns the CSS class of a mark. Marks of the reference row have an additional class, because their colour is different. */
const classOf = (name: string, isReference: boolean): string => (isReference ? `${name} reference` : name);

function valuesPart(
  { tick, value, axis: { span, unit } }: Intervals,
  rows: readonly Placed[],
  column: Column,
  bottom: number,
  isNarrow: boolean,
): string {
  const ticks = ticksWithin(column, isNarrow);
  const scaleIn = (of: number): Scale =>
    scaleLinear()
      .domain([span.min / of, span.max / of])
      .range([column.start, column.end])
      .clamp(true);
  const scale = scaleIn(1);
  const round = ticksOf(scaleIn(unit), ticks).map((own) => own * unit);
  const marks = rows.map(({ name, figures: { summary, mean, values }, y, isReference }) => {
    const { interval } = summary;
    return [
      interval === null ? '' : extent(scale, interval, y, isReference),
      ...values.map((own, at) =>
        dot(
          scale(own),
          y,
          5,
          classOf('trial', isReference),
          `${name}, trial ${at + 1} of this cell: ${value(own)}`,
        ),
      ),
      mean === null
        ? ''
        : element(
            'rect',
            { x: scale(mean) - 1.5, y: y - 12, width: 3, height: 24, rx: 1.5, class: 'mean' },
            element(
              'title',
              {},
              escapeMarkup(
                `${name}: mean ${value(mean)}, 95% interval ${interval === null ? '–' : `${value(interval.low)} to ${value(interval.high)}`}`,
              ),
            ),
          ),
    ].join('');
  });
  return axisBelow(scale, round, TOP - 8, bottom, tick) + marks.join('');
}

const NO_CHANGE = 1;

/** Returns a scale that contains every ratio and every interval. */
function ratioScale(rows: readonly Placed[], column: Column): Scale {
  const marks = rows.flatMap(({ figures: { comparison }, published }) => [
    {
      mean: comparison?.ratio ?? null,
      low: comparison?.interval?.low ?? null,
      high: comparison?.interval?.high ?? null,
      values: [published?.agreement?.ratio ?? NO_CHANGE],
    },
  ]);
  const { min, max } = spanOf(marks, { always: [NO_CHANGE] });
  return scaleLinear().domain([min, max]).range([column.start, column.end]);
}

function ratiosPart(
  rows: readonly Placed[],
  column: Column,
  bottom: number,
  rowHeight: number,
  isNarrow: boolean,
): string {
  const ticks = ticksWithin(column, isNarrow);
  const scale = ratioScale(rows, column);
  const notation = notationOf(
    rows.flatMap(({ figures: { comparison } }) => (comparison === null ? [] : [comparison])),
  );
  const format = (ratio: number): string => shortEffect(ratio, notation);
  const marks = rows.map(({ name, figures: { comparison }, published, y, isReference }) => {
    if (isReference || comparison === null) return '';
    const { ratio, interval, word } = comparison;
    const parts: string[] = [];
    if (interval) parts.push(extent(scale, interval, y, false));
    if (ratio !== null) {
      const tooltip = `${name}: ${formatChange(ratio)}, 95% interval ${formatChanges(interval)}: ${word}`;
      parts.push(dot(scale(ratio), y, 6, 'mean', tooltip));
      if (rowHeight >= LABELLED)
        parts.push(text(scale(ratio), y - 13, format(ratio), { class: 'effect', 'text-anchor': 'middle' }));
    }
    const own = published?.agreement?.ratio;
    if (own != null) {
      const tooltip = element('title', {}, escapeMarkup(published!.sentence));
      parts.push(element('path', { d: diamond(scale(own), y), class: 'published' }, tooltip));
    }
    return parts.join('');
  });
  return [
    axisBelow(scale, withNoChange(scale, ticksOf(scale, ticks), isNarrow), TOP - 8, bottom, format),
    line(scale(1), TOP - 8, scale(1), bottom, 'one'),
    ...marks,
  ].join('');
}

/** Returns the ticks with an additional tick for "no change" (1), and without ticks that are too close to it. */
const withNoChange = (scale: Scale, ticks: readonly number[], isNarrow: boolean): number[] => [
  1,
  ...ticks.filter(
    (tick) =>
      tick > 0 && Math.abs(scale(tick) - scale(1)) > (isNarrow ? TICK_EVERY.narrow : TICK_EVERY.wide) / 2,
  ),
];

const diamond = (x: number, y: number): string => `M${x - 6} ${y}L${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}Z`;

const legend = (start: number, y: number): string =>
  [
    dot(start + 6, y - 4, 5, 'mean', 'measured'),
    text(start + 16, y, 'measured', { class: 'tick' }),
    element('path', { d: diamond(start + 90, y - 4), class: 'published' }),
    text(start + 102, y, 'published', { class: 'tick' }),
  ].join('');

const extent = (scale: Scale, { low, high }: Interval, y: number, isReference: boolean): string =>
  element('rect', {
    x: scale(low),
    y: y - 4,
    width: Math.max(1, scale(high) - scale(low)),
    height: 8,
    rx: 3,
    class: classOf('extent', isReference),
  });

const REPORT_WIDTH = 1000;
const REPORT_ROW = 40;

/** Returns the caption, which explains how to read a chart of intervals. */
const reading = (rows: readonly IntervalRow[]): string =>
  [
    arePooled(rows)
      ? "The bar is the percentile of all requests of a cell's trials, the band its 95% interval. A dot is a trial with enough requests for its own percentile."
      : 'Each dot is a trial, the bar is the mean of a cell, the band its 95% interval.',
    ...(areCompared(rows) ? ['Right: the ratio to the baseline with its 95% interval.'] : []),
    ...(arePublished(rows) ? ['A diamond is the published ratio.'] : []),
  ].join(' ');

/**
 * Draws the chart of intervals of the HTML report. It shows the metric of the first claim. If the claim is about another task, it shows the
 * throughput of `task`.
 */
export function intervalsChart(report: Report, task: string): { svg: string; caption: string } {
  const metric = firstMetric(report, task);
  const written = writtenName(task, metric);
  const { heading, names } = cellNames(report);
  const figure = report.published?.figures.find((own) => own.metric === written);
  const rate = unitOf(report, task);
  const words = metricWords(written, report, rate);
  const unit = words.unit === rate ? rateName(rate) : words.unit;
  const axisName = unit === '' ? words.title : unit;
  const rows = intervalSeries(report, task, metric).flatMap((figures, at): IntervalRow[] =>
    figures === null
      ? []
      : [
          {
            name: names[at]!,
            mark: at === report.baseline && report.cells.length > 1 ? 'baseline' : '',
            isReference: at === report.baseline,
            figures,
            published: figure?.cells[at] ?? null,
          },
        ],
  );
  const axis = metricAxis(
    written,
    rows.map(({ figures }) => figures),
  );
  const caption = reading(rows);
  const svg = drawIntervals({
    id: `intervals-${report.tasks.indexOf(task)}`,
    title: `${words.title} by cell`,
    description: unit === '' ? caption : `${caption} In ${unit}.`,
    rows,
    headings: {
      names: [heading],
      values: [`${axisName}: ${marksHeadings(rows)[0]}`, axisName],
      ratios: ['change against the baseline', 'change'],
    },
    tick: words.tick,
    value: words.value,
    axis,
    width: REPORT_WIDTH,
    rowHeight: REPORT_ROW,
  });
  return { svg, caption };
}
