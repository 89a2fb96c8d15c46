/** The metric of the first claim in every trial of the cells that the claim compares, with the change that it is about. */
import { levelAlone } from '../../experiment/level-words';
import { parsePath } from '../../experiment/path';
import { formatMetric } from '../../analysis/wording';
import { parseMetric } from '../../measurement/metric';
import type { RateUnit } from '../../tasks/registry';
import { formatNumber, sentenceCase } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { ReportClusterCell } from '../model/cluster';
import type { Report } from '../model/report';
import type { CellFigures } from './interval-series';
import { drawIntervals, intervalsFrame, type IntervalRow } from './intervals';

export interface FocusChartSize {
  /** px */
  width: number;
  /** px; rows share it, within limits. */
  height: number;
}

/** Rows are at most and at least so high, px. */
const TALLEST = 60;
const LOWEST = 18;

/** A value of the focus with its unit, as sentences have it. */
export const focusValue = (report: Report): ((value: number | null) => string) => {
  const metric = parseMetric(report.focus.metric);
  const unit = focusUnit(report);
  return (value) => (metric === undefined ? formatNumber(value) : formatMetric(metric, value, unit));
};

export const focusUnit = ({ focus }: Report): RateUnit => focus.rate;

/** What stands behind plain numbers of the focus: `docs/s`; '' where every value has a unit of its own. */
function axisUnit(report: Report): string {
  switch (report.focus.unit) {
    case 'per-second':
      return focusUnit(report);
    case 'requests-per-second':
      return 'requests/s';
    default:
      return '';
  }
}

/** Parts of a path that all factors of its kind have: `tasks.ingest.ingest.bulk.docs` is `bulk.docs`. */
const SHARED = [
  /^index\.settings\./,
  /^cluster\.settings\./,
  /^tasks\.[^.]+\.executor\.[^.]+\./,
  /^tasks\.[^.]+\.[^.]+\.(?=[^.]+)/,
];

export function factorHeading(factor: string): string {
  const plain = parsePath(factor).join('.');
  const shared = SHARED.find((pattern) => pattern.test(plain));
  return shared === undefined ? plain : plain.replace(shared, '');
}

const lastWord = (words: string): string => words.split(' ').at(-1)!;

/** `number_of_shards` is `shards` where there is no room for more. */
const shortHeading = (heading: string): string => heading.split(/[._]/).at(-1)!;

/** The cells that the chart shows, as indices of the report's, and how they are called. */
export function focusRows(report: Report): { heading: string; rows: { cell: number; name: string }[] } {
  const { effect } = report;
  const names = cellNames(report);
  if (effect?.factor == null) {
    return {
      heading: names.heading,
      rows: report.cells.map((_, cell) => ({ cell, name: names.names[cell]! })),
    };
  }
  const { factor } = effect;
  return {
    heading: factorHeading(factor),
    rows: effect.cells.map((cell) => ({
      cell,
      name: levelAlone(factor, report.cells[cell]!.levels[factor]),
    })),
  };
}

const figuresOf = (
  { summary, orders }: ReportClusterCell,
  comparison: CellFigures['comparison'],
): CellFigures => ({
  mean: summary.mean,
  low: summary.interval?.low ?? null,
  high: summary.interval?.high ?? null,
  values: summary.values,
  summary,
  comparison,
  trials: summary.values.map((value, at) => ({ order: orders[at]!, value })),
  pooled: false,
});

/** Markup of an SVG of this width; '' where no trial has the metric. Its colours are classes of the page's style sheet. */
export function focusChart(report: Report, { width, height }: FocusChartSize, id = 'focus'): string {
  const { focus, effect, baseline } = report;
  const against = effect?.from ?? baseline;
  const { heading, rows } = focusRows(report);
  const drawn = rows.flatMap(({ cell, name }): IntervalRow[] => {
    const own = focus.cells[cell];
    return own == null
      ? []
      : [
          {
            name,
            mark: cell === baseline && report.cells.length > 1 ? 'baseline' : '',
            isReference: cell === against,
            figures: figuresOf(own, effect?.comparisons[cell] ?? null),
            published: null,
          },
        ];
  });
  const reference = rows.find(({ cell }) => cell === against)?.name ?? '';
  const unit = axisUnit(report);
  const title = sentenceCase(focus.title);
  const withUnit = unit === '' ? title : `${title}, ${unit}`;
  const value = focusValue(report);
  return drawIntervals({
    id,
    title: `${title} by ${heading}`,
    description: `Each trial a dot, the mean a bar across, its 95% interval a band${unit === '' ? '' : `, in ${unit}`}. Beside it the change against ${reference}.`,
    rows: drawn,
    headings: {
      names: [heading, shortHeading(heading)],
      values: [
        `${withUnit}: every trial, mean, 95% interval`,
        `${sentenceCase(unit === '' ? lastWord(title) : unit)}: every trial, mean, 95% interval`,
        `${withUnit}: trials and mean`,
        withUnit,
        title,
        unit === '' ? lastWord(title) : unit,
      ],
      ratios:
        against === baseline
          ? ['Change against the baseline', 'Against baseline', 'Change']
          : [`Change against ${reference}`, `Against ${reference}`, 'Change'],
    },
    tick: unit === '' ? value : formatNumber,
    value,
    fromZero: focus.unit !== 'ms',
    width,
    rowHeight: Math.max(
      LOWEST,
      Math.min(TALLEST, Math.floor((height - intervalsFrame) / Math.max(1, drawn.length))),
    ),
  });
}
