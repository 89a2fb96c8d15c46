/** What an account printed, as bars: one group for each row, one bar for each column; doubtful ones are pale with an edge. */
import {
  Axis,
  BarSeries,
  Chart,
  Position,
  ScaleType,
  Settings,
  Tooltip,
  type TooltipSpec,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import type { PrintedChart as Printed } from '../../../common/report/tables/printed';
import { formatNumber } from '../../../common/units/format';
import { useChartTheme, useSeriesColours } from '../theme';
import { ChartTooltip } from './chart-tooltip';

interface PrintedChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  printed: Printed;
}

const SCALES = { xScaleType: ScaleType.Ordinal, yScaleType: ScaleType.Linear, xAccessor: 'row' };
const PALE = 0.35;

function PrintedChartInner({ chart, title, description, printed }: PrintedChartProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const colours = useSeriesColours();
  const { unit, series } = printed;
  const body = useMemo<TooltipSpec['body']>(
    () =>
      function Body({ header }) {
        const row = String(header?.value);
        const lines = series.flatMap(({ name, bars }) =>
          bars
            .filter((bar) => bar.row === row)
            .map(({ value, doubt }) => ({
              label: name,
              value: `${formatNumber(value)} ${unit}${doubt === undefined ? '' : `: ${doubt}`}`,
            })),
        );
        return lines.length === 0 ? null : <ChartTooltip entries={[{ heading: row, lines }]} />;
      },
    [series, unit],
  );
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 12, top: 10, bottom: 4 } }, theme]}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
        locale="en-US"
      />
      <Tooltip header="none" body={body} />
      <Axis id="x" position={Position.Bottom} style={{ tickLabel: { truncate: 'end', maxLength: 140 } }} />
      <Axis
        id="y"
        position={Position.Left}
        title={unit}
        tickFormat={formatNumber}
        ticks={5}
        gridLine={{ visible: true }}
      />
      {series.map(({ name, bars }, at) => (
        <BarSeries
          key={name}
          id={name}
          data={bars}
          {...SCALES}
          yAccessors={['value']}
          color={colours[at % colours.length]}
          styleAccessor={({ datum }) =>
            (datum as { doubt?: string }).doubt === undefined
              ? null
              : {
                  rect: { opacity: PALE },
                  rectBorder: { visible: true, strokeWidth: 2, stroke: euiTheme.colors.warning },
                }
          }
        />
      ))}
    </Chart>
  );
}

export const PrintedChart = memo(PrintedChartInner);
