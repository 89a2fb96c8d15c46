/** Throughput by cell: every trial a dot, the mean and its interval; beside it the ratio to the baseline, yours and the published. */
import { scaleLinear } from 'd3-scale';
import { formatChange, formatChanges } from '../../analysis/wording';
import type { Interval } from '../../analysis/confidence';
import { formatNumber } from '../../units/format';
import { cellNames, unitOf } from '../model/cell-names';
import type { Report, ReportPublishedCell } from '../model/report';
import { formatInterval, rateName } from '../tables/wording';
import { spanOf } from './axes';
import { intervalSeries, type CellFigures } from './interval-series';
import { axisBelow, chart, dot, element, escapeMarkup, fitted, line, text, type Scale } from './svg';

const WIDTH = 1000;
const ROW = 34;
const TOP = 34;
const BOTTOM = 46;
const GAP = 76;

interface Row {
  name: string;
  figures: CellFigures;
  /** Of the published throughput; null where none belongs to this task. */
  published: ReportPublishedCell | null;
  y: number;
}

export function intervalsChart(report: Report, task: string): string {
  const { heading, names } = cellNames(report);
  const figure = report.published?.figures.find(({ metric }) => metric === `${task}.throughput`);
  const rows = intervalSeries(report, task, 'throughput')
    .flatMap((figures, at) =>
      figures === null ? [] : [{ name: names[at]!, figures, published: figure?.cells[at] ?? null }],
    )
    .map((row, at): Row => ({ ...row, y: TOP + at * ROW + ROW / 2 }));
  if (rows.length === 0) return '';
  const height = TOP + rows.length * ROW + BOTTOM;
  const isPublished = rows.some(({ published }) => published?.agreement?.ratio != null);
  const compared = isPublished || rows.some(({ figures }) => figures.comparison?.ratio != null);
  const label = Math.min(260, Math.max(60, ...rows.map(({ name }) => name.length * 7.2 + 12)));
  const ratioWidth = compared ? 320 : 0;
  const end = WIDTH - 16 - (compared ? ratioWidth + GAP : 0);
  const unit = rateName(unitOf(report, task));
  return chart(
    WIDTH,
    height,
    `intervals-${report.tasks.indexOf(task)}`,
    `Throughput of ${task} by cell`,
    `Each trial a dot, the mean a bar across, its 95% interval a line, in ${unit}. Beside it the ratio to the baseline${isPublished ? ', the published one as a diamond' : ''}.`,
    [
      text(0, 16, fitted(heading, label + 300), { class: 'heading' }),
      ...rows.map(({ name, y }) => text(0, y + 4, fitted(name, label), { class: 'label' })),
      throughputPart(rows, label + 8, end, height - BOTTOM, unit),
      compared ? ratioPart(rows, end + GAP, WIDTH - 30, height - BOTTOM, isPublished) : '',
    ].join(''),
  );
}

const throughputScale = (rows: readonly Row[], start: number, end: number): Scale => {
  const { min, max } = spanOf(
    rows.map(({ figures }) => figures),
    { fromZero: true },
  );
  return scaleLinear().domain([min, max]).range([start, end]).nice(6).clamp(true);
};

function throughputPart(
  rows: readonly Row[],
  start: number,
  end: number,
  bottom: number,
  unit: string,
): string {
  const scale = throughputScale(rows, start, end);
  const marks = rows.map(({ name, figures: { summary, mean, values }, y }) => {
    const { interval } = summary;
    return [
      interval === null ? '' : intervalMark(scale, interval, y),
      ...values.map((value, at) =>
        dot(
          scale(value),
          y,
          4,
          'trial',
          `${name}, trial ${at + 1} of this cell: ${formatNumber(value)} ${unit}`,
        ),
      ),
      mean === null
        ? ''
        : element(
            'rect',
            { x: scale(mean) - 1.5, y: y - 10, width: 3, height: 20, class: 'mean' },
            element(
              'title',
              {},
              escapeMarkup(
                `${name}: mean ${formatNumber(mean)} ${unit}, 95% interval ${formatInterval(interval)}`,
              ),
            ),
          ),
    ].join('');
  });
  return [
    axisBelow(scale, scale.ticks(6), TOP, bottom, formatNumber),
    ...marks,
    text(
      (start + end) / 2,
      bottom + 36,
      scale.domain()[0] === 0 ? unit : `${unit} (the axis does not begin at 0)`,
      {
        class: 'axis',
        'text-anchor': 'middle',
      },
    ),
  ].join('');
}

function ratioPart(
  rows: readonly Row[],
  start: number,
  end: number,
  bottom: number,
  isPublished: boolean,
): string {
  const ratios = rows.flatMap(({ figures, published }) =>
    [figures.comparison?.ratio, published?.agreement?.ratio].filter((ratio) => ratio != null),
  );
  const ends = rows.flatMap(({ figures: { comparison } }) =>
    comparison?.interval ? [comparison.interval.low, comparison.interval.high] : [],
  );
  const [least, most] = [Math.min(1, ...ratios), Math.max(1, ...ratios)];
  const spread = Math.max(most - least, 0.1);
  const scale = scaleLinear()
    .domain([
      Math.max(0, least - spread, Math.min(least, ...ends)),
      Math.min(most + spread, Math.max(most, ...ends)),
    ])
    .range([start, end])
    .nice(4)
    .clamp(true);
  const marks = rows.map(({ name, figures: { comparison }, published, y }) => {
    const parts: string[] = [];
    if (comparison === null) parts.push(text(scale(1) + 8, y + 4, 'baseline', { class: 'tick' }));
    if (comparison?.interval) parts.push(intervalMark(scale, comparison.interval, y));
    if (comparison?.ratio != null) {
      const { ratio, interval, word } = comparison;
      parts.push(
        dot(
          scale(ratio),
          y,
          5,
          'mean',
          `${name}: ${formatChange(ratio)}, 95% interval ${formatChanges(interval)}: ${word}`,
        ),
      );
    }
    const ratio = published?.agreement?.ratio;
    if (ratio != null && comparison !== null) {
      const x = scale(ratio);
      const tooltip = element('title', {}, escapeMarkup(published!.sentence));
      parts.push(
        element(
          'path',
          { d: `M${x - 6} ${y}L${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}Z`, class: 'published' },
          tooltip,
        ),
      );
    }
    return parts.join('');
  });
  const legend = isPublished
    ? [
        dot(start + 6, 12, 5, 'mean', 'yours'),
        text(start + 16, 16, 'yours', { class: 'tick' }),
        element('path', { d: `M${start + 66} 12l6 -6l6 6l-6 6Z`, class: 'published' }),
        text(start + 84, 16, 'published', { class: 'tick' }),
      ]
    : [];
  return [
    axisBelow(scale, scale.ticks(4), TOP, bottom, formatChange),
    line(scale(1), TOP, scale(1), bottom, 'one'),
    ...legend,
    ...marks,
    text((start + end) / 2, bottom + 36, 'against the baseline', { class: 'axis', 'text-anchor': 'middle' }),
  ].join('');
}

/** An end that leaves the picture is an arrow. */
function intervalMark(scale: Scale, { low, high }: Interval, y: number): string {
  const [from, to] = scale.domain() as [number, number];
  const arrow = (x: number, by: number): string =>
    element('path', { d: `M${x} ${y - 6}L${x + by} ${y}L${x} ${y + 6}Z`, class: 'beyond' });
  return [
    line(scale(low), y, scale(high), y, 'interval'),
    low < from ? arrow(scale(low), -9) : '',
    high > to ? arrow(scale(high), 9) : '',
  ].join('');
}
