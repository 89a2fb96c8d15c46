/**
 * Draws recall against the p95 of the latency, and against the throughput. Each cell (combination of factor levels) is a point, with the
 * intervals of both values. Points of cells that no other cell beats are filled and connected by a line.
 */
import { scaleLinear } from 'd3-scale';
import { formatMs, formatNumber } from '../../units/format';
import { COSTS, pointsBy, type Cost } from '../model/frontier';
import type { Report } from '../model/report';
import { formatRecall } from '../tables/recall';
import { frontierSeries, type FrontierSeries } from './frontier-series';
import { axisBelow, axisLeft, chart, dot, element, fitted, line, text } from './svg';

const WIDTH = 1000;
const PANEL = 300;
const TOP = 62;
const LEFT = 66;
const BOTTOM = 50;
const LABEL = 170;

/** Returns the chart as SVG; '' if recall was not measured for any response. */
export function frontierChart(report: Report, task: string): string {
  const series = frontierSeries(report, task);
  if (series === null) return '';
  const width = (WIDTH - 2 * LEFT - 40) / 2;
  const panels = COSTS.map((cost, at) => panel(series, cost, LEFT + at * (width + LEFT + 20), width));
  return chart(
    WIDTH,
    TOP + PANEL + BOTTOM,
    `frontier-${report.tasks.indexOf(task)}`,
    `${series.name} of ${task} and its cost`,
    'A point for each cell, with its 95% intervals as lines. Filled and joined: cells that no other cell beats, by their means.',
    [
      dot(LEFT + 6, 12, 5, 'mean', ''),
      text(LEFT + 16, 16, 'no other cell beats it', { class: 'tick' }),
      dot(LEFT + 176, 12, 5, 'beaten', ''),
      text(LEFT + 186, 16, 'beaten', { class: 'tick' }),
      ...panels,
    ].join(''),
  );
}

function panel(series: FrontierSeries, cost: Cost, start: number, width: number): string {
  const { recall, name } = series;
  const points = pointsBy(series, cost);
  const end = start + width;
  const bottom = TOP + PANEL;
  const x = scaleLinear().domain([recall.min, recall.max]).range([start, end]);
  const span = series.costs[cost];
  const y = scaleLinear().domain([span.min, span.max]).range([bottom, TOP]);
  const format = cost === 'p95' ? formatMs : formatNumber;
  const marks = points.map((point) => {
    const { mean, interval } = point.cost;
    const [px, py] = [x(point.recall.mean), y(mean)];
    const own = point.recall.interval;
    return { ...point, px, py, own, interval, mean, isUnbeaten: point.position === 'unbeaten' };
  });
  const edge = marks.filter(({ isUnbeaten }) => isUnbeaten).sort((one, other) => one.px - other.px);
  return [
    text(start, TOP - 10, `${name} against ${series.costs[cost].name}`, { class: 'heading' }),
    axisLeft(y, y.ticks(5), start, end, format),
    axisBelow(
      x,
      x.ticks(5).filter((tick) => tick <= 1),
      TOP,
      bottom,
      (value) => String(Math.round(value * 1e4) / 1e4),
    ),
    edge.length < 2
      ? ''
      : element('path', {
          d: edge
            .map(({ px, py }, at) => `${at === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`)
            .join(''),
          class: 'course',
        }),
    ...marks.flatMap(({ px, py, own, interval }) => [
      own === null ? '' : line(x(own.low), py, x(own.high), py, 'reach'),
      interval === null ? '' : line(px, y(interval.low), px, y(interval.high), 'reach'),
    ]),
    ...marks.map(({ px, py, isUnbeaten, name: cell, recall: { mean: found }, mean }) =>
      dot(
        px,
        py,
        5,
        isUnbeaten ? 'mean' : 'beaten',
        `${cell}: ${name} ${formatRecall(found)}, ${format(mean)}`,
      ),
    ),
    ...edge.map(({ px, py, name: cell }) => {
      const isRight = px > (start + end) / 2;
      return text(isRight ? px - 9 : px + 9, py - 8, fitted(cell, LABEL), {
        class: 'tick',
        'text-anchor': isRight ? 'end' : 'start',
      });
    }),
    text((start + end) / 2, bottom + 38, name, { class: 'axis', 'text-anchor': 'middle' }),
  ].join('');
}
