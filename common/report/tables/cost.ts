/** Builds the table of cost for definitions that contain a price. It has a row for each combination of factor levels. */
import { formatChange, formatChanges } from '../../analysis/wording';
import { formatNumber } from '../../units/format';
import { rowsOf, unitOf } from '../model/cell-names';
import type { Report, ReportCost } from '../model/report';
import { cell, left, optional, right, type CsvColumn, type Table } from './table';
import { formatInterval, taskChangeNote, toneOf } from './wording';

/** Returns the table of cost. Null if no combination of factor levels has a price. */
export function costTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const priced = rows.flatMap(({ name, own: { cost } }) => (cost === undefined ? [] : [{ name, cost }]));
  if (priced.length === 0) return null;
  const unit = unitOf(report, task).replace(/\/s$/, '');
  const only = (of: (cost: ReportCost) => string): string | null => {
    const found = [...new Set(priced.map(({ cost }) => of(cost)))];
    return found.length === 1 ? found[0]! : null;
  };
  const currency = only((cost) => cost.currency);
  const dates = [...new Set(priced.map(({ cost }) => cost.date))].join(', ');
  return {
    title: `Cost of ${task}, ${unit}${currency === null ? ' for one unit of each currency' : `/${currency}`}`,
    note: [
      `From the throughput and the price in environment.price of ${dates}. The interval is that of the throughput; the price has none.`,
      taskChangeNote(report, task, ({ cost }) => [cost?.comparison, cost?.perMoney.mean]),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      right('per hour'),
      right(`${unit}/${currency ?? 'unit'}`),
      right('95% interval'),
      optional(right('against the baseline')),
      optional(left('found')),
    ],
    rows: priced.map(({ name, cost: { hourly, currency: own, perMoney, comparison } }) => [
      cell(name),
      cell(`${formatNumber(hourly)} ${own}`),
      cell(formatNumber(perMoney.mean)),
      cell(formatInterval(perMoney.interval)),
      cell(
        comparison === null
          ? ''
          : `${formatChange(comparison.ratio)} (${formatChanges(comparison.adjusted)})`,
      ),
      comparison === null ? cell('') : cell(comparison.word, toneOf(comparison, 'higher')),
    ]),
  };
}

/** Returns the CSV columns of cost. Empty if no combination of factor levels has a price. */
export const costColumns = ({ cells }: Report): readonly CsvColumn[] =>
  cells.some(({ tasks }) => tasks.some(({ cost }) => cost !== undefined)) ? COLUMNS : [];

const COLUMNS: readonly CsvColumn[] = [
  { name: 'cost per hour', read: (_, { cost }) => cost?.hourly ?? null },
  { name: 'currency', read: (_, { cost }) => cost?.currency ?? null },
  { name: 'price of', read: (_, { cost }) => cost?.date ?? null },
  { name: 'per money mean', read: (_, { cost }) => cost?.perMoney.mean ?? null },
  { name: 'per money 95% low', read: (_, { cost }) => cost?.perMoney.interval?.low ?? null },
  { name: 'per money 95% high', read: (_, { cost }) => cost?.perMoney.interval?.high ?? null },
];
