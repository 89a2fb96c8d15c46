/**
 * Draws rates by number of nodes, clients or shards: a dot for each trial, and the curve of the fitted scalability law with its interval.
 * Beyond the measured range, the curve is dashed.
 */
import { scaleLinear } from 'd3-scale';
import type { ScaleCurvePoint } from '../../analysis/scaling';
import { formatNumber } from '../../units/format';
import type { Report } from '../model/report';
import { scalingSeries, type ScalingSeries } from './scaling-series';
import { axisBelow, axisLeft, chart, dot, element, fitted, line, text, type Scale } from './svg';

const WIDTH = 1000;
const PANEL = 260;
const TOP = 48;
const LEFT = 76;
const BELOW = 66;

/** Returns the chart as SVG; '' if no scalability law was fitted. */
export function scalingChart(report: Report, task: string): string {
  const all = scalingSeries(report, task);
  if (all.length === 0) return '';
  return chart(
    WIDTH,
    all.length * (TOP + PANEL + BELOW),
    `scaling-${report.tasks.indexOf(task)}`,
    `How ${task} scales`,
    'A dot for each trial, the fitted scalability law as a line, its 95% interval as a band, dashed beyond the measured range.',
    all.map((series, at) => panel(series, at * (TOP + PANEL + BELOW))).join(''),
  );
}

function panel(series: ScalingSeries, top: number): string {
  const { name, group, unit, trials, measured, beyond, peak } = series;
  const [start, end, above, bottom] = [LEFT, WIDTH - 20, top + TOP, top + TOP + PANEL];
  const x = scaleLinear().domain([series.x.min, series.x.max]).range([start, end]).clamp(true);
  const y = scaleLinear().domain([series.y.min, series.y.max]).range([bottom, above]).clamp(true);
  const levels = [...new Set(trials.map(({ n }) => n))];
  return [
    text(start, above - 14, fitted(group === '' ? unit : `${unit}, ${group}`, 700), { class: 'heading' }),
    axisLeft(y, y.ticks(5), start, end, formatNumber),
    axisBelow(x, levels.length <= 12 ? levels : x.ticks(8), above, bottom, formatNumber),
    band(x, y, [...measured, ...beyond.slice(1)]),
    peak === null ? '' : line(x(peak.n), above, x(peak.n), bottom, 'one'),
    curve(x, y, measured, 'law'),
    curve(x, y, beyond, 'law beyond-measured'),
    ...trials.map(({ n, rate }) =>
      dot(x(n), y(rate), 4, 'trial', `${name} ${n}: ${formatNumber(rate)} ${unit}`),
    ),
    peak === null
      ? ''
      : text(x(peak.n), above - 2, `peak ${formatNumber(peak.n)}`, {
          class: 'tick',
          'text-anchor': 'middle',
        }),
    text((start + end) / 2, bottom + 38, name, { class: 'axis', 'text-anchor': 'middle' }),
  ].join('');
}

const path = (points: readonly (readonly [number, number])[]): string =>
  points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');

const curve = (x: Scale, y: Scale, points: readonly ScaleCurvePoint[], name: string): string =>
  points.length < 2
    ? ''
    : element('path', { d: path(points.map(({ n, rate }) => [x(n), y(rate)])), class: name });

function band(x: Scale, y: Scale, points: readonly ScaleCurvePoint[]): string {
  const upper = points.map(({ n, high }): [number, number] => [x(n), y(high ?? Infinity)]);
  const lower = points.map(({ n, low }): [number, number] => [x(n), y(low)]);
  return element('path', { d: `${path([...upper, ...lower.reverse()])}Z`, class: 'bracket' });
}
