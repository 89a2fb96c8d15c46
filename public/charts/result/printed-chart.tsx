/**
 * A bar chart of the numbers of a published benchmark: one group for each row of its table, one bar for each column. Bars with a warning
 * are pale with an edge.
 */
import { BarSeries, ScaleType } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useCallback, type ReactNode } from 'react';
import type { PrintedChart as Printed } from '../../../common/report/tables/printed';
import { formatNumber } from '../../../common/units/format';
import { useSeriesColours } from '../theme';
import type { TooltipEntry } from './chart-tooltip';
import { ResultChart } from './result-chart';

const SCALES = { xScaleType: ScaleType.Ordinal, yScaleType: ScaleType.Linear, xAccessor: 'row' };
const PALE = 0.35;

function PrintedChartInner({ printed: { unit, series } }: { printed: Printed }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const colours = useSeriesColours();
  const entriesAt = useCallback(
    (row: unknown): TooltipEntry[] => {
      const lines = series.flatMap(({ name, bars }) =>
        bars
          .filter((bar) => bar.row === row)
          .map(({ value, warning }) => ({
            label: name,
            value: `${formatNumber(value)} ${unit}${warning === undefined ? '' : `: ${warning}`}`,
          })),
      );
      return lines.length === 0 ? [] : [{ heading: String(row), lines }];
    },
    [series, unit],
  );
  return (
    <ResultChart
      x={{ style: { tickLabel: { truncate: 'end', maxLength: 140 } } }}
      y={{ title: unit, format: formatNumber }}
      entriesAt={entriesAt}
    >
      {series.map(({ name, bars }, at) => (
        <BarSeries
          key={name}
          id={name}
          data={bars}
          {...SCALES}
          yAccessors={['value']}
          color={colours[at % colours.length]}
          styleAccessor={({ datum }) =>
            (datum as { warning?: string }).warning === undefined
              ? null
              : {
                  rect: { opacity: PALE },
                  rectBorder: { visible: true, strokeWidth: 2, stroke: euiTheme.colors.warning },
                }
          }
        />
      ))}
    </ResultChart>
  );
}

export const PrintedChart = memo(PrintedChartInner);
