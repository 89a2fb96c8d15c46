/** How the response times spread: the share of answers in each of equally wide steps of a logarithmic axis. */
import {
  AreaSeries,
  Axis,
  Chart,
  CurveType,
  Position,
  ScaleType,
  Settings,
  Tooltip,
  TooltipType,
} from '@elastic/charts';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import { formatMs, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { useChartTheme } from '../theme';
import type { Look } from './marks';

export interface ShareSeries {
  name: string;
  look: Look;
  /** Edges in ms; shares in [0, 1]. */
  buckets: readonly { from: number; to: number; share: number }[];
}

interface ShareChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  series: readonly ShareSeries[];
}

/** Empty buckets beside the first and last that hold anything. */
function told(series: readonly ShareSeries[]): { from: number; share: number }[][] {
  const full = series.flatMap(({ buckets }) => buckets.flatMap(({ share }, at) => (share > 0 ? [at] : [])));
  const [first, last] = [Math.max(0, Math.min(...full) - 1), Math.max(...full) + 2];
  return series.map(({ buckets }) => {
    const kept = buckets.slice(first, last);
    // An edge more, so that the last step has its width.
    const end = kept.at(-1);
    return [
      ...kept.map(({ from, share }) => ({ from, share })),
      ...(end ? [{ from: end.to, share: 0 }] : []),
    ].filter(({ from }) => from > 0);
  });
}

function ShareChartInner({ chart, title, description, series }: ShareChartProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
  const data = useMemo(() => told(series), [series]);
  const names = useMemo(
    () =>
      new Map(
        series.flatMap(({ buckets }) =>
          buckets.map(({ from, to }) => [from, `${formatMs(from)} to ${formatMs(to)}`]),
        ),
      ),
    [series],
  );
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } }, theme]}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
      />
      <Tooltip
        type={TooltipType.VerticalCursor}
        headerFormatter={({ value }) => names.get(Number(value)) ?? formatMs(Number(value))}
      />
      <Axis
        id="ms"
        position={Position.Bottom}
        title={i18n.translate('dyno.chart.responseTimeLog', { defaultMessage: 'Response time, logarithmic' })}
        tickFormat={(ms: number) => formatMs(ms)}
        ticks={8}
        gridLine={{ visible: false }}
      />
      <Axis
        id="share"
        position={Position.Left}
        title={i18n.translate('dyno.chart.share', { defaultMessage: 'Share of answers' })}
        tickFormat={(share: number) => formatPercent(share)}
        ticks={5}
        gridLine={{ visible: true }}
      />
      {series.map(({ name, look }, at) => (
        <AreaSeries
          key={at}
          id={`${at}`}
          name={name}
          data={data[at]!}
          xScaleType={ScaleType.Log}
          yScaleType={ScaleType.Linear}
          xAccessor="from"
          yAccessors={['share']}
          yNice
          color={look.colour}
          curve={CurveType.CURVE_STEP_AFTER}
          areaSeriesStyle={{
            area: { opacity: 0.2 },
            line: { strokeWidth: 1.5, dash: look.dash },
            point: { visible: 'never' },
          }}
        />
      ))}
    </Chart>
  );
}

export const ShareChart = memo(ShareChartInner);
