/**
 * Draws the throughput over time. Each combination of factor levels has a panel, with a thin line for each trial and a bold line for their
 * mean. The measured phase is shaded. All panels have the same scales.
 */
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../../units/format';
import { cellNames, unitOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { rateName } from '../tables/wording';
import {
  cellCourses,
  stepOf,
  throughputCourses,
  type CoursePoint,
  type ThroughputCourse,
} from './course-series';
import { axisBelow, axisLeft, chart, element, escapeMarkup, fitted, text, type Scale } from './svg';

const WIDTH = 1000;
const PANEL = 150;
const TOP = 26;
const LEFT = 70;
const BETWEEN = 44;

/** Returns the chart of throughput over time as SVG; '' if the report has no samples. */
export function timelineChart(report: Report, task: string): string {
  const trials = throughputCourses(report, task);
  if (trials.length === 0) return '';
  const { names } = cellNames(report);
  const cells = cellCourses(trials, stepOf(trials));
  const columns = cells.length === 1 ? 1 : 2;
  const width = (WIDTH - LEFT * columns - 20 - (columns - 1) * 10) / columns;
  const points = trials.flatMap((trial) => trial.points);
  const seconds = points.map(({ second }) => second);
  const span = [
    Math.min(0, ...seconds),
    Math.max(...seconds, ...trials.map(({ measuredFor }) => measuredFor)),
  ] as const;
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const height = TOP + Math.ceil(cells.length / columns) * (PANEL + BETWEEN);
  const panels = cells.map(({ cell, points: mean }, at) => {
    const left = LEFT + (at % columns) * (width + LEFT + 10);
    const top = TOP + Math.floor(at / columns) * (PANEL + BETWEEN);
    const x = scaleLinear()
      .domain(span)
      .range([left, left + width]);
    const y = scaleLinear()
      .domain([0, highest])
      .range([top + PANEL, top])
      .nice(4);
    return panel(
      names[cell] ?? '',
      trials.filter((trial) => trial.cell === cell),
      mean,
      rateName(unitOf(report, task)),
      x,
      y,
      width,
    );
  });
  return chart(
    WIDTH,
    height,
    `timeline-${report.tasks.indexOf(task)}`,
    `Throughput of ${task} over time`,
    `${rateName(unitOf(report, task))} by second after the beginning of the measured phase, which is shaded. A panel for each cell, with a thin line for each trial and a bold one for their mean. Seconds in which the load did not run the whole time are left out, such as those of the drain.`,
    panels.join(''),
  );
}

function panel(
  name: string,
  trials: readonly ThroughputCourse[],
  mean: readonly CoursePoint[],
  rate: string,
  x: Scale,
  y: Scale,
  width: number,
): string {
  const [left, right] = x.range() as [number, number];
  const [bottom, top] = y.range() as [number, number];
  const to = Math.max(...trials.map(({ measuredFor }) => measuredFor));
  const line = (points: readonly CoursePoint[], title: string, className: string): string =>
    element(
      'path',
      {
        d: points
          .map(
            ({ second, value }, at) =>
              `${at === 0 ? 'M' : 'L'}${x(second).toFixed(1)} ${y(value).toFixed(1)}`,
          )
          .join(''),
        class: className,
      },
      element('title', {}, escapeMarkup(`${title}, ${rate}`)),
    );
  return [
    text(left, top - 8, fitted(name, width), { class: 'label' }),
    to > 0
      ? element('rect', { x: x(0), y: top, width: x(to) - x(0), height: bottom - top, class: 'phase' }) +
        text(x(0) + 4, top + 12, 'measured', { class: 'tick' })
      : '',
    axisLeft(y, y.ticks(4), left, right, formatNumber),
    axisBelow(x, x.ticks(5), top, bottom, (second) => `${second} s`),
    ...(trials.length === 1
      ? []
      : trials.map(({ points, order }) => line(points, `trial #${order + 1}`, 'series single'))),
    line(mean, trials.length === 1 ? `trial #${trials[0]!.order + 1}` : 'mean of the trials', 'series'),
  ].join('');
}
