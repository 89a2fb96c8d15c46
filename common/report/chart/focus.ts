/**
 * Draws the metric of the first claim, a statement in `expect` that the run tests. The chart shows every trial of the compared combinations
 * of factor levels, and the change between these combinations.
 */
import { levelTexts } from '../../experiment/cells';
import { levelAlone } from '../../experiment/level-words';
import { parsePath } from '../../experiment/path';
import { sentenceCase } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { focusSeries, metricAxis, metricWords, type MetricWords } from './interval-series';
import { drawIntervals, intervalsFrame, marksHeadings, type IntervalRow } from './intervals';

export interface FocusChartSize {
  /** Width in px. */
  width: number;
  /** Height in px. All rows together use this height, unless a row would be lower than its minimum or higher than its maximum. */
  height: number;
}

/** Maximum height of a row, in px. */
const TALLEST = 60;
/** Minimum height of a row, in px. */
const LOWEST = 18;

const focusWords = (report: Report): MetricWords =>
  metricWords(report.focus.metric, report, report.focus.rate);

/** Returns the function that formats a value of the first claim's metric with its unit. */
export const focusValue = (report: Report): MetricWords['value'] => focusWords(report).value;

/**
 * Matches the beginning of a factor's path if many settings have the same beginning, such as `index.settings.`. Headings omit this
 * beginning.
 */
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

/** Shortens `number_of_shards` to `shards` for narrow charts. */
const shortHeading = (heading: string): string => heading.split(/[._]/).at(-1)!;

/** Returns the combinations of factor levels (cells) in the chart: their indices in the report, and their names. */
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
  const text = levelTexts(report.definition);
  return {
    heading: factorHeading(factor),
    rows: effect.cells.map((cell) => ({
      cell,
      name: levelAlone(factor, report.cells[cell]!.levels[factor], text),
    })),
  };
}

/**
 * Returns the chart as SVG; '' if no trial has a value of the metric. The colours are defined by classes in the style sheet of the page.
 */
export function focusChart(report: Report, { width, height }: FocusChartSize, id = 'focus'): string {
  const { focus, effect, baseline } = report;
  const against = effect?.from ?? baseline;
  const { heading, rows } = focusRows(report);
  const series = focusSeries(report);
  const drawn = rows.flatMap(({ cell, name }): IntervalRow[] => {
    const own = series[cell];
    return own == null
      ? []
      : [
          {
            name,
            mark: cell === baseline && report.cells.length > 1 ? 'baseline' : '',
            isReference: cell === against,
            figures: { ...own, comparison: effect?.comparisons[cell] ?? null },
            published: null,
          },
        ];
  });
  const reference = rows.find(({ cell }) => cell === against)?.name ?? '';
  const { unit, tick, value } = focusWords(report);
  const title = sentenceCase(focus.title);
  const withUnit = unit === '' ? title : `${title}, ${unit}`;
  const [marks, fewMarks] = marksHeadings(drawn);
  return drawIntervals({
    id,
    title: `${title} by ${heading}`,
    description: `${sentenceCase(marks)}: dots, a bar across and a band${unit === '' ? '' : `, in ${unit}`}. Beside it the change against ${reference}.`,
    rows: drawn,
    headings: {
      names: [heading, shortHeading(heading)],
      values: [
        `${withUnit}: ${marks}`,
        `${sentenceCase(unit === '' ? lastWord(title) : unit)}: ${marks}`,
        `${withUnit}: ${fewMarks}`,
        withUnit,
        title,
        unit === '' ? lastWord(title) : unit,
      ],
      ratios:
        against === baseline
          ? ['Change against the baseline', 'Against baseline', 'Change']
          : [`Change against ${reference}`, `Against ${reference}`, 'Change'],
    },
    tick,
    value,
    axis: metricAxis(
      focus.metric,
      drawn.map(({ figures }) => figures),
      { fromZero: focus.unit !== 'ms' },
    ),
    width,
    rowHeight: Math.max(
      LOWEST,
      Math.min(TALLEST, Math.floor((height - intervalsFrame) / Math.max(1, drawn.length))),
    ),
  });
}
