/** Drift: each trial's throughput against its cell's mean, in the order of execution; a slope means that the cluster changed meanwhile. */
import { scaleLinear } from 'd3-scale';
import { formatChange } from '../../analysis/wording';
import { formatNumber } from '../../units/format';
import { unitOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { orderSeries } from './order-series';
import { axisBelow, axisLeft, chart, dot, line, text } from './svg';

const WIDTH = 1000;
const HEIGHT = 200;
const LEFT = 60;
const TOP = 12;
const BOTTOM = 44;

/** '' where no cell has two completed trials: one trial is its own mean. */
export function driftChart(report: Report, task: string): string {
  const unit = unitOf(report, task);
  const { points: all, x: orders } = orderSeries(report, task);
  const isCompared = new Set(
    report.cells.flatMap(({ tasks }, at) =>
      tasks.some((own) => own.task === task && own.throughput.n > 1) ? [at] : [],
    ),
  );
  const points = all.flatMap(({ order, cell, name, throughput, ratio }) =>
    ratio === null || !isCompared.has(cell)
      ? []
      : [{ order, ratio, name: `trial #${order}, ${name}: ${formatNumber(throughput)} ${unit}` }],
  );
  if (points.length < 3) return '';
  const reach = Math.max(0.02, ...points.map(({ ratio }) => Math.abs(ratio - 1)));
  const x = scaleLinear()
    .domain([orders.min, orders.max])
    .range([LEFT, WIDTH - 20]);
  const y = scaleLinear()
    .domain([1 - reach, 1 + reach])
    .range([HEIGHT - BOTTOM, TOP])
    .nice(4);
  return chart(
    WIDTH,
    HEIGHT,
    `drift-${report.tasks.indexOf(task)}`,
    `Drift of ${task} over the run`,
    'Throughput of each trial relative to the mean of its cell, in the order in which the trials ran. A slope means that the cluster changed during the run.',
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
}
