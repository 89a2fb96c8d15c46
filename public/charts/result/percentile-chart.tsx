/** Response times by percentile, the axis stretched towards the slowest as HdrHistogram's plots are. */
import {
  Axis,
  Chart,
  CurveType,
  LineSeries,
  Position,
  ScaleType,
  Settings,
  Tooltip,
  TooltipType,
} from '@elastic/charts';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import { formatMs } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { useChartTheme } from '../theme';
import type { Look } from './marks';
import { nines, percentileName } from './nines';

export interface PercentileLine {
  name: string;
  look: Look;
  points: readonly { percentile: number; ms: number }[];
}

interface PercentileChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  lines: readonly PercentileLine[];
  logarithmic: boolean;
}

function PercentileChartInner({
  chart,
  title,
  description,
  lines,
  logarithmic,
}: PercentileChartProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
  const series = useMemo(
    () =>
      lines.map(({ points }) =>
        points
          .filter(({ percentile, ms }) => percentile < 100 && ms > 0)
          .map(({ percentile, ms }) => ({ x: nines(percentile), ms })),
      ),
    [lines],
  );
  const most = Math.max(1, ...series.flat().map(({ x }) => x));
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } }, theme]}
        xDomain={{ min: 0, max: Math.ceil(most * 10) / 10 }}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
      />
      <Tooltip
        type={TooltipType.VerticalCursor}
        headerFormatter={({ value }) => percentileName(Number(value))}
      />
      <Axis
        id="percentile"
        position={Position.Bottom}
        title={i18n.translate('dyno.chart.percentile', { defaultMessage: 'Percentile' })}
        tickFormat={(x: number) => percentileName(x)}
        ticks={6}
        maximumFractionDigits={0}
        gridLine={{ visible: true }}
      />
      <Axis
        id="ms"
        position={Position.Left}
        title={i18n.translate('dyno.chart.responseTime', { defaultMessage: 'Response time' })}
        tickFormat={(ms: number) => formatMs(ms)}
        ticks={6}
        gridLine={{ visible: true }}
        {...(logarithmic ? { domain: { min: NaN, max: NaN, fit: true } } : {})}
      />
      {lines.map(({ name, look }, at) => (
        <LineSeries
          key={at}
          id={`${at}`}
          name={name}
          data={series[at]!}
          xScaleType={ScaleType.Linear}
          yScaleType={logarithmic ? ScaleType.Log : ScaleType.Linear}
          xAccessor="x"
          yAccessors={['ms']}
          yNice
          color={look.colour}
          curve={CurveType.CURVE_MONOTONE_X}
          lineSeriesStyle={{ line: { strokeWidth: 2, dash: look.dash }, point: { visible: 'never' } }}
        />
      ))}
    </Chart>
  );
}

export const PercentileChart = memo(PercentileChartInner);
