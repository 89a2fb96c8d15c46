/**
 * A chart of the rate of recorded requests over time. Each bar stands for a time interval, and is divided into reads, writes and others.
 */
import { BarSeries, ScaleType } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { EFFECTS, type TrafficSurvey } from '../../../common/survey/survey';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import { ResultChart } from '../../charts/result/result-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';

const HEIGHT = 260;

export const effectName = (effect: (typeof EFFECTS)[number]): string =>
  ({
    read: i18n.translate('dyno.traffic.effect.read', { defaultMessage: 'Reads' }),
    write: i18n.translate('dyno.traffic.effect.write', { defaultMessage: 'Writes' }),
    context: i18n.translate('dyno.traffic.effect.context', { defaultMessage: 'Scrolls and points in time' }),
    other: i18n.translate('dyno.traffic.effect.other', { defaultMessage: 'Left out by a replay' }),
  })[effect];

const timeOf = (value: number): string => formatLocal(new Date(value).toISOString());
const FROM_ZERO = { ticks: 5, domain: { min: 0, max: NaN } };
const TIME_AXIS = {
  style: { tickLine: { visible: true, size: 0.0001, padding: 4 } },
  gridLine: { visible: false },
};

export function RateChart({ rates, effects }: Pick<TrafficSurvey, 'rates' | 'effects'>): ReactNode {
  const colours = useSeriesColours();
  const { euiTheme } = useEuiTheme();
  const quiet = euiTheme.colors.mediumShade;
  const { widthMs, buckets } = rates;
  const series = useMemo(
    () =>
      EFFECTS.flatMap((effect, at) =>
        effects[effect] === 0
          ? []
          : [
              {
                name: effectName(effect),
                colour: effect === 'other' ? quiet : colours[at]!,
                data: buckets.map((bucket) => ({
                  at: bucket.at,
                  rate: bucket.counts[at]! / (widthMs / 1000),
                })),
              },
            ],
      ),
    [buckets, widthMs, effects, colours, quiet],
  );
  const domain = useMemo(
    () => ({ min: buckets[0]?.at ?? 0, max: buckets.at(-1)?.at ?? 1, minInterval: widthMs }),
    [buckets, widthMs],
  );
  return (
    <ChartFrame
      title={i18n.translate('dyno.traffic.rate', { defaultMessage: 'Rate over time' })}
      description={i18n.translate('dyno.traffic.rateDescription', {
        defaultMessage: 'Recorded requests per second. Each bar is the mean of {width}.',
        values: { width: formatDuration(widthMs) },
      })}
      height={HEIGHT}
      legend={series.map(({ name, colour }) => ({ name, colour, glyph: '■' }))}
    >
      <ResultChart
        x={TIME_AXIS}
        y={{
          title: i18n.translate('dyno.traffic.rateAxis', { defaultMessage: 'Requests per second' }),
          format: formatNumber,
        }}
        yAxis={FROM_ZERO}
        xDomain={domain}
        heading={timeOf}
      >
        {series.map(({ name, colour, data }) => (
          <BarSeries
            key={name}
            id={name}
            name={name}
            data={data}
            xScaleType={ScaleType.Time}
            yScaleType={ScaleType.Linear}
            xAccessor="at"
            yAccessors={['rate']}
            stackAccessors={['at']}
            color={colour}
            enableHistogramMode
          />
        ))}
      </ResultChart>
    </ChartFrame>
  );
}
