/**
 * A chart of the distribution of response times. It shows the share of responses in each step of a logarithmic time axis. All steps look
 * equally wide.
 */
import { AreaSeries, CurveType, ScaleType } from '@elastic/charts';
import { memo, useMemo, type ReactNode } from 'react';
import { formatMs, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import type { Look } from './marks';
import { ResultChart } from './result-chart';

export interface ShareSeries {
  name: string;
  look: Look;
  /** Steps of the time axis. `from` and `to` are in ms. `share` of the responses is in [0, 1]. */
  buckets: readonly { from: number; to: number; share: number }[];
}

/**
 * Returns the buckets of all series, limited to the range in which any series has a share above 0. The range includes one empty bucket on
 * each side.
 */
function shownBuckets(series: readonly ShareSeries[]): { from: number; share: number }[][] {
  const full = series.flatMap(({ buckets }) => buckets.flatMap(({ share }, at) => (share > 0 ? [at] : [])));
  const [first, last] = [Math.max(0, Math.min(...full) - 1), Math.max(...full) + 2];
  return series.map(({ buckets }) => {
    const kept = buckets.slice(first, last);
    // An additional edge gives the last step its width.
    const end = kept.at(-1);
    return [
      ...kept.map(({ from, share }) => ({ from, share })),
      ...(end ? [{ from: end.to, share: 0 }] : []),
    ].filter(({ from }) => from > 0);
  });
}

function ShareChartInner({ series }: { series: readonly ShareSeries[] }): ReactNode {
  const data = useMemo(() => shownBuckets(series), [series]);
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
    <ResultChart
      x={{
        title: i18n.translate('dyno.chart.responseTimeLog', {
          defaultMessage: 'Response time, logarithmic',
        }),
        tickFormat: formatMs,
        ticks: 8,
        gridLine: { visible: false },
      }}
      y={{
        title: i18n.translate('dyno.chart.share', { defaultMessage: 'Share of answers' }),
        format: formatPercent,
      }}
      heading={(ms) => names.get(ms) ?? formatMs(ms)}
    >
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
    </ResultChart>
  );
}

export const ShareChart = memo(ShareChartInner);
