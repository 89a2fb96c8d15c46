/** Rates by what was counted: each trial a point, the fitted law a line in the band of its interval, dashed beyond what was measured. */
import {
  AreaSeries,
  Axis,
  BubbleSeries,
  Chart,
  CurveType,
  LineAnnotation,
  LineSeries,
  Position,
  ScaleType,
  Settings,
  Tooltip,
  TooltipType,
  type TooltipSpec,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import type { ScalingSeries } from '../../../common/report/chart/scaling-series';
import { formatNumber } from '../../../common/units/format';
import { useChartTheme } from '../theme';
import { ChartTooltip, type TooltipEntry } from './chart-tooltip';

interface ScalingChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  series: ScalingSeries;
  /** Of the peak's line. */
  peakName: string;
  /** What stands under the pointer at a number. */
  linesAt: (n: number) => TooltipEntry['lines'];
}

const SCALES = { xScaleType: ScaleType.Linear, yScaleType: ScaleType.Linear, xAccessor: 'n' };

function ScalingChartInner({
  chart,
  title,
  description,
  series,
  peakName,
  linesAt,
}: ScalingChartProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const { name, unit, trials, measured, beyond, peak, x, y } = series;
  const band = useMemo(
    () =>
      [...measured, ...beyond.slice(1)].map(({ n, low, high }) => ({
        n,
        low,
        high: high ?? y.max,
      })),
    [measured, beyond, y.max],
  );
  const body = useMemo<TooltipSpec['body']>(
    () =>
      function Body({ header }) {
        const n = Number(header?.value);
        const lines = Number.isFinite(n) ? linesAt(n) : [];
        return lines.length === 0 ? null : (
          <ChartTooltip entries={[{ heading: `${name} = ${formatNumber(n)}`, lines }]} />
        );
      },
    [name, linesAt],
  );
  const lineOf = (dash: number[]) => ({
    line: { strokeWidth: 2, opacity: 1, dash },
    point: { visible: 'never' as const },
  });
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 16, bottom: 4 } }, theme]}
        xDomain={x}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
        locale="en-US"
      />
      <Tooltip type={TooltipType.VerticalCursor} header="none" body={body} />
      <Axis id="x" position={Position.Bottom} title={name} tickFormat={formatNumber} integersOnly />
      <Axis
        id="y"
        position={Position.Left}
        title={unit}
        tickFormat={formatNumber}
        ticks={5}
        domain={y}
        gridLine={{ visible: true }}
      />
      <AreaSeries
        id="interval"
        data={band}
        {...SCALES}
        yAccessors={['high']}
        y0Accessors={['low']}
        curve={CurveType.LINEAR}
        color={euiTheme.colors.primary}
        areaSeriesStyle={{
          area: { opacity: 0.18 },
          line: { visible: false },
          point: { visible: 'never' },
        }}
      />
      <LineSeries
        id="law"
        data={measured}
        {...SCALES}
        yAccessors={['rate']}
        color={euiTheme.colors.primary}
        lineSeriesStyle={lineOf([])}
      />
      {beyond.length < 2 ? null : (
        <LineSeries
          id="beyond"
          data={beyond}
          {...SCALES}
          yAccessors={['rate']}
          color={euiTheme.colors.primary}
          lineSeriesStyle={lineOf([6, 4])}
        />
      )}
      <BubbleSeries
        id="trials"
        data={trials}
        {...SCALES}
        yAccessors={['rate']}
        color={euiTheme.colors.textParagraph}
        bubbleSeriesStyle={{
          point: {
            visible: 'always',
            radius: 4,
            fill: euiTheme.colors.textParagraph,
            strokeWidth: 1,
            opacity: 0.85,
            stroke: euiTheme.colors.backgroundBasePlain,
          },
        }}
      />
      {peak === null ? null : (
        <LineAnnotation
          id="peak"
          domainType="xDomain"
          dataValues={[{ dataValue: peak.n, header: peakName, details: '' }]}
          style={{
            line: { stroke: euiTheme.colors.textSubdued, strokeWidth: 1, opacity: 0.9, dash: [4, 4] },
          }}
        />
      )}
    </Chart>
  );
}

export const ScalingChart = memo(ScalingChartInner);
