/** Draws the latency by cell (combination of factor levels): percentiles of the merged histograms on a logarithmic scale. */
import { scaleLog } from 'd3-scale';
import { PERCENTILES } from '../../measurement/histogram';
import { formatMs } from '../../units/format';
import { rowsOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { timeName } from '../tables/wording';
import { axisBelow, chart, dot, fitted, line, text } from './svg';

const WIDTH = 1000;
const ROW = 34;
const TOP = 40;
const BOTTOM = 46;

export function latencyChart(report: Report, task: string): string {
  const { heading, rows: measured } = rowsOf(report, task);
  const rows = measured
    .map(({ name, own: { latency } }) => ({
      name,
      marks: PERCENTILES.map(({ key, percentile }) => ({
        key,
        percentile: `p${percentile}`,
        ms: latency[key],
      })).filter((mark): mark is typeof mark & { ms: number } => mark.ms !== null && mark.ms > 0),
    }))
    .filter(({ marks }) => marks.length > 0);
  if (rows.length === 0) return '';
  const time = [...new Set(measured.map(({ own }) => timeName(own)))].join(' or ');
  const all = rows.flatMap(({ marks }) => marks.map(({ ms }) => ms));
  const label = Math.min(260, Math.max(60, ...rows.map(({ name }) => name.length * 7.2 + 12)));
  const scale = scaleLog()
    .domain([Math.min(...all) * 0.9, Math.max(...all) * 1.1])
    .range([label + 8, WIDTH - 30]);
  const bottom = TOP + rows.length * ROW;
  const shown = PERCENTILES.filter(({ key }) =>
    rows.some(({ marks }) => marks.some((mark) => mark.key === key)),
  );
  const legend = shown.map(({ key, percentile }, at) => {
    const x = label + 16 + at * 86;
    return dot(x, 14, 5, key, `p${percentile}`) + text(x + 10, 18, `p${percentile}`, { class: 'tick' });
  });
  return chart(
    WIDTH,
    bottom + BOTTOM,
    `latency-${report.tasks.indexOf(task)}`,
    `${time[0]!.toUpperCase()}${time.slice(1)} of ${task} by cell`,
    'Percentiles of all requests of a cell, from merged histograms, in milliseconds on a logarithmic scale.',
    [
      heading.length * 7.2 > label ? '' : text(0, 18, heading, { class: 'heading' }),
      axisBelow(scale, ticksOf(scale), TOP, bottom, formatMs),
      ...legend,
      ...rows.map(({ name, marks }, at) => {
        const y = TOP + at * ROW + ROW / 2;
        return [
          text(0, y + 4, fitted(name, label), { class: 'label' }),
          line(scale(marks[0]!.ms), y, scale(marks.at(-1)!.ms), y, 'span'),
          ...marks.map(({ key, percentile, ms }) =>
            dot(scale(ms), y, 5, key, `${name}: ${percentile} ${formatMs(ms)}`),
          ),
        ].join('');
      }),
      text((label + WIDTH) / 2, bottom + 36, `${time}, logarithmic`, {
        class: 'axis',
        'text-anchor': 'middle',
      }),
    ].join(''),
  );
}

/**
 * Returns at most eight ticks: those at 1, 2 and 5 in each decade. If there are fewer than three such ticks, returns all ticks of the
 * scale.
 */
function ticksOf(scale: { ticks(count?: number): number[] }): number[] {
  const all = scale.ticks(10);
  const round = all.filter((tick) =>
    [1, 2, 5].includes(Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9))),
  );
  const ticks = round.length >= 3 ? round : all;
  const step = Math.ceil(ticks.length / 8);
  return ticks.filter((_, at) => at % step === 0);
}
