/**
 * Draws the drift chart: the value of each trial in the order of execution, relative to the mean of all trials with the same factor levels.
 * A slope means that the cluster changed during the run.
 */
import { scaleLinear } from 'd3-scale';
import { formatChange } from '../../analysis/wording';
import type { Report } from '../model/report';
import { firstMetric } from './interval-series';
import { orderSeries } from './order-series';
import { axisBelow, axisLeft, chart, dot, line, text } from './svg';

const WIDTH = 1000;
const HEIGHT = 200;
const LEFT = 60;
const TOP = 12;
const BOTTOM = 44;

/**
 * Returns the drift chart with its caption. The chart is '' unless at least two trials with the same factor levels completed. A single
 * trial always equals the mean of its combination of factor levels.
 */
export function driftChart(report: Report, task: string): { svg: string; caption: string } {
  const { points: all, x: orders, words } = orderSeries(report, task, firstMetric(report, task));
  const points = all.flatMap(({ order, name, value, ratio }) =>
    ratio === null ? [] : [{ order, ratio, name: `trial #${order}, ${name}: ${words.value(value)}` }],
  );
  const caption = `${words.title} of each trial relative to the mean of its cell, in the order of execution. A slope means that the cluster changed during the run.`;
  if (points.length < 3) return { svg: '', caption };
  const reach = Math.max(0.02, ...points.map(({ ratio }) => Math.abs(ratio - 1)));
  const x = scaleLinear()
    .domain([orders.min, orders.max])
    .range([LEFT, WIDTH - 20]);
  const y = scaleLinear()
    .domain([1 - reach, 1 + reach])
    .range([HEIGHT - BOTTOM, TOP])
    .nice(4);
  const svg = chart(
    WIDTH,
    HEIGHT,
    `drift-${report.tasks.indexOf(task)}`,
    `Drift over the run: ${words.title}`,
    caption,
    [
      axisLeft(y, y.ticks(4), LEFT, WIDTH - 20, formatChange),
      axisBelow(
        x,
        x.ticks(Math.min(12, all.length)).filter((tick) => Number.isInteger(tick) && tick >= 1),
        TOP,
        HEIGHT - BOTTOM,
        (order) => `#${order}`,
      ),
      line(LEFT, y(1), WIDTH - 20, y(1), 'one'),
      ...points.map(({ order, ratio, name }) =>
        dot(x(order), y(ratio), 4.5, 'trial', `${name}, ${formatChange(ratio)} from its cell's mean`),
      ),
      text(WIDTH / 2, HEIGHT - 8, 'trial, in the order of execution', {
        class: 'axis',
        'text-anchor': 'middle',
      }),
    ].join(''),
  );
  return { svg, caption };
}
