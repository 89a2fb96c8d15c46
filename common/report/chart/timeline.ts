/** Throughput over time: a panel for each cell, a line for each trial, the measured phase set off. All panels share their scales. */
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report, ReportSeries } from '../model/report';
import { rateName } from '../tables/wording';
import { axisBelow, axisLeft, chart, element, escapeMarkup, fitted, text, type Scale } from './svg';

const WIDTH = 1000;
const PANEL = 150;
const TOP = 26;
const LEFT = 70;
const BETWEEN = 44;
/** Lines of one panel are told apart by this many dash patterns; a tooltip names each. */
const DASHES = ['none', '6 3', '2 2', '8 3 2 3'];

/** '' where no samples were given. */
export function timelineChart(report: Report, task: string): string {
  const series = report.series.filter((one) => one.task === task && one.points.length > 1);
  if (series.length === 0) return '';
  const { names } = cellNames(report);
  const cells = [...new Set(series.map(({ cellIndex }) => cellIndex))].sort((a, b) => a - b);
  const columns = cells.length === 1 ? 1 : 2;
  const width = (WIDTH - LEFT * columns - 20 - (columns - 1) * 10) / columns;
  const last = Math.max(
    ...series.flatMap(({ points, measureTo }) => [measureTo ?? 0, ...points.map(({ second }) => second)]),
  );
  const highest = Math.max(1, ...series.flatMap(({ points }) => points.map(({ throughput }) => throughput)));
  const height = TOP + Math.ceil(cells.length / columns) * (PANEL + BETWEEN);
  const panels = cells.map((cell, at) => {
    const left = LEFT + (at % columns) * (width + LEFT + 10);
    const top = TOP + Math.floor(at / columns) * (PANEL + BETWEEN);
    const x = scaleLinear()
      .domain([0, last])
      .range([left, left + width]);
    const y = scaleLinear()
      .domain([0, highest])
      .range([top + PANEL, top])
      .nice(4);
    return panel(
      names[cell] ?? '',
      series.filter(({ cellIndex }) => cellIndex === cell),
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
    `${rateName(series[0]!.unit)} by second of the load, a panel for each cell, a line for each trial. The measured phase is shaded. Seconds that the load did not run through as a whole are left out, such as those of the drain.`,
    panels.join(''),
  );
}

function panel(name: string, series: readonly ReportSeries[], x: Scale, y: Scale, width: number): string {
  const [left, right] = x.range() as [number, number];
  const [bottom, top] = y.range() as [number, number];
  const from = Math.min(...series.map(({ measureFrom }) => measureFrom ?? Infinity));
  const to = Math.max(...series.map(({ measureTo }) => measureTo ?? -Infinity));
  const phase =
    from < to
      ? element('rect', {
          x: x(from),
          y: top,
          width: x(Math.min(to, x.domain()[1]!)) - x(from),
          height: bottom - top,
          class: 'phase',
        })
      : '';
  const phaseName = from < to ? text(x(from) + 4, top + 12, 'measured', { class: 'tick' }) : '';
  return [
    text(left, top - 8, fitted(name, width), { class: 'label' }),
    phase,
    axisLeft(y, y.ticks(4), left, right, formatNumber),
    axisBelow(x, x.ticks(5), top, bottom, (second) => `${second} s`),
    phaseName,
    ...series.map(({ points, order, unit }, at) =>
      element(
        'path',
        {
          d: points
            .map(
              ({ second, throughput }, i) =>
                `${i === 0 ? 'M' : 'L'}${x(second).toFixed(1)} ${y(throughput).toFixed(1)}`,
            )
            .join(''),
          class: 'series',
          'stroke-dasharray': DASHES[at % DASHES.length]!,
        },
        element('title', {}, escapeMarkup(`trial #${order + 1}, ${rateName(unit)}`)),
      ),
    ),
  ].join('');
}
