/** Throughput by cell as a strip of characters: every trial, the mean and its interval on one scale. */
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { shorten, type Paint } from './text-layout';

const NAME_WIDTH = 24;

/** Nothing for a single cell: there is nothing to see side by side. */
export function throughputStrip(report: Report, task: string, width: number, paint: Paint): string[] {
  const { names } = cellNames(report);
  const rows = report.cells.flatMap((of, at) => {
    const own = of.tasks.find((candidate) => candidate.task === task);
    return own ? [{ name: names[at]!, throughput: own.throughput }] : [];
  });
  if (rows.length < 2) return [];
  const label = Math.min(NAME_WIDTH, Math.max(...rows.map(({ name }) => name.length)));
  const room = width - label - 4;
  const values = rows.flatMap(({ throughput: { values: all } }) => all);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // An interval far wider than the trials' own spread must not squeeze them to a point: it may leave the picture.
  const spread = Math.max(most - least, most * 0.02);
  const ends = rows.flatMap(({ throughput: { interval } }) =>
    interval ? [interval.low, interval.high] : [],
  );
  const from = Math.max(0, least - spread * 0.5, Math.min(least, ...ends));
  const to = Math.min(most + spread * 0.5, Math.max(most, ...ends));
  const scale = scaleLinear()
    .domain([from, to])
    .range([0, room - 1])
    .clamp(true);
  const at = (value: number): number => Math.round(scale(value));
  const line = (name: string, of: (typeof rows)[number]['throughput']): string => {
    const characters = new Array<string>(room).fill(' ');
    if (of.interval) {
      const [low, high] = [at(of.interval.low), at(of.interval.high)];
      for (let i = low; i <= high; i += 1) characters[i] = '─';
      characters[low] = of.interval.low < from ? '◂' : '├';
      characters[high] = of.interval.high > to ? '▸' : '┤';
    }
    for (const value of of.values) characters[at(value)] = '•';
    if (of.mean !== null) characters[at(of.mean)] = '●';
    return `  ${shorten(name, label).padEnd(label)}  ${characters.join('').trimEnd()}`;
  };
  const [low, high] = [formatNumber(from), formatNumber(to)];
  const axis = `${' '.repeat(label + 4)}${low}${' '.repeat(Math.max(1, room - low.length - high.length))}${high}`;
  return [
    '',
    ...rows.map(({ name, throughput }) => line(name, throughput)),
    paint(axis, 'quiet'),
    paint('  ● mean  ├─┤ 95% interval  • trial', 'quiet'),
  ];
}
