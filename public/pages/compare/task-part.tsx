/**
 * Compares the results of one task in all runs: a chart with a position for each combination of factor levels, and a table of the same
 * values.
 */
import { EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { formatChange, formatChanges } from '../../../common/analysis/wording';
import type { RunComparison } from '../../../common/report/model/comparison';
import { letter } from '../../../common/report/model/comparison-summary';
import { comparisonTables } from '../../../common/report/tables/comparison';
import { formatInterval, rateName } from '../../../common/report/tables/wording';
import { formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import { spanOf } from '../../../common/report/chart/axes';
import { IntervalChart, intervalHeight, type IntervalMark } from '../../charts/result/interval-chart';
import { glyphOf, lookOf } from '../../charts/result/marks';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { NoChanges } from './no-changes';
import { onlyChanges, rowsOf, sideBySide, tasksOf } from './side-by-side';

const HEIGHT = 340;
/** Number of tables in a comparison before the first table of a task: the table of the runs and the table of their differences. */
const BEFORE_TASKS = 2;

function marksOf(comparison: RunComparison, task: string): IntervalMark[] {
  return rowsOf(comparison, task).flatMap(({ cell, unit, runs }, x) =>
    runs.flatMap((run, group): IntervalMark[] => {
      if (run === null) return [];
      const { throughput, latency, comparison: own } = run;
      const unfair = comparison.unfair[group]!.length > 0;
      const line = (label: string, value: string): { label: string; value: string } => ({ label, value });
      return [
        {
          x,
          group,
          mean: throughput.mean,
          low: throughput.interval?.low ?? null,
          high: throughput.interval?.high ?? null,
          values: throughput.values,
          heading: `${letter(group)}, ${cell}`,
          lines: [
            line(
              i18n.translate('dyno.compare.mean', { defaultMessage: 'mean' }),
              `${formatNumber(throughput.mean)} ${unit}`,
            ),
            line(
              i18n.translate('dyno.compare.interval', { defaultMessage: '95% interval' }),
              formatInterval(throughput.interval),
            ),
            line(i18n.translate('dyno.compare.cv', { defaultMessage: 'CV' }), formatPercent(throughput.cv)),
            line('p99', formatMs(latency.p99)),
            ...(own === null
              ? []
              : [
                  line(
                    i18n.translate('dyno.compare.toFirst', { defaultMessage: 'against A' }),
                    `${formatChange(own.ratio)}${own.interval === null ? '' : ` (${formatChanges(own.interval)})`}${unfair || own.method === 'none' ? '' : `: ${own.word}`}`,
                  ),
                ]),
          ],
        },
      ];
    }),
  );
}

interface TaskPartProps {
  comparison: RunComparison;
  task: string;
  /** Whether the table shows only rows that changed. The chart always shows all combinations of factor levels. */
  changesOnly: boolean;
}

export function TaskPart({ comparison, task, changesOnly }: TaskPartProps): ReactNode {
  const colours = useSeriesColours();
  const { runs } = comparison;
  const marks = useMemo(() => marksOf(comparison, task), [comparison, task]);
  const table = useMemo(
    () => sideBySide(changesOnly ? onlyChanges(comparison) : comparison, task),
    [comparison, task, changesOnly],
  );
  const note = useMemo(
    () => comparisonTables(comparison)[BEFORE_TASKS + tasksOf(comparison).indexOf(task)]!.note,
    [comparison, task],
  );
  const rows = rowsOf(comparison, task);
  const places = useMemo(
    () => ({
      names: rowsOf(comparison, task).map(({ cell }) => cell),
      values: null,
      title: i18n.translate('dyno.compare.cell', { defaultMessage: 'Cell' }),
    }),
    [comparison, task],
  );
  const groups = useMemo(
    () =>
      runs.map(({ name, id }, at) => ({
        name: `${letter(at)}: ${name} (${id})`,
        look: lookOf(colours, at),
        joined: false,
      })),
    [runs, colours],
  );
  const unit = rateName(rows[0]!.unit);
  const y = useMemo(
    () => ({
      title: i18n.translate('dyno.compare.axis', { defaultMessage: 'Throughput, {unit}', values: { unit } }),
      format: (value: number) => formatNumber(value),
      span: spanOf(marks, { fromZero: true }),
    }),
    [unit, marks],
  );
  const title = i18n.translate('dyno.compare.chart', {
    defaultMessage: 'Throughput of {task} by cell and run, {unit}',
    values: { task, unit },
  });
  const description = i18n.translate('dyno.compare.description', {
    defaultMessage:
      'Large marks are means over trials, bars are their 95% intervals, and small circles are single trials.',
  });
  return (
    <Part
      title={i18n.translate('dyno.compare.task', {
        defaultMessage: 'Throughput of {task}',
        values: { task },
      })}
    >
      <ChartFrame
        title={title}
        description={description}
        height={intervalHeight(places, groups.length, HEIGHT)}
        legend={groups.map(({ name, look }) => ({ name, colour: look.colour, glyph: glyphOf(look.shape) }))}
      >
        <IntervalChart places={places} groups={groups} marks={marks} y={y} />
      </ChartFrame>
      <EuiSpacer size="m" />
      {table.rows.length === 0 ? (
        <NoChanges margin={comparison.margin} />
      ) : (
        <ReportTable table={{ ...table, note }} titled={false} />
      )}
    </Part>
  );
}
