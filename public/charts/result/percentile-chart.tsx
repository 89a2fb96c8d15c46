/** A chart of response times by percentile. As in HdrHistogram's plots, the axis is stretched towards the slowest responses. */
import { CurveType, LineSeries, ScaleType } from '@elastic/charts';
import { memo, useMemo, type ReactNode } from 'react';
import { formatMs } from '../../../common/units/format';
import { i18n } from '../../i18n';
import type { Look } from './marks';
import { nines, percentileName } from './nines';
import { ResultChart } from './result-chart';

export interface PercentileLine {
  name: string;
  look: Look;
  points: readonly { percentile: number; ms: number }[];
}

interface PercentileChartProps {
  lines: readonly PercentileLine[];
  logarithmic: boolean;
}

function PercentileChartInner({ lines, logarithmic }: PercentileChartProps): ReactNode {
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
    <ResultChart
      x={{
        title: i18n.translate('dyno.chart.percentile', { defaultMessage: 'Percentile' }),
        tickFormat: percentileName,
        ticks: 6,
        maximumFractionDigits: 0,
        gridLine: { visible: true },
      }}
      y={{
        title: i18n.translate('dyno.chart.responseTime', { defaultMessage: 'Response time' }),
        format: formatMs,
      }}
      yAxis={{ ticks: 6, ...(logarithmic ? { domain: { min: NaN, max: NaN, fit: true } } : {}) }}
      xDomain={{ min: 0, max: Math.ceil(most * 10) / 10 }}
      heading={percentileName}
    >
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
    </ResultChart>
  );
}

export const PercentileChart = memo(PercentileChartInner);
