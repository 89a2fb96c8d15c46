/** A line chart of a metric over the seconds of the trials. Each line is one combination of factor levels. */
import { CurveType, LineAnnotation, LineSeries, ScaleType } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode } from 'react';
import { bytesUnit, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { dashedLine, type Look } from './marks';
import { ResultChart } from './result-chart';

interface CourseChartProps {
  lines: readonly { name: string; look: Look; points: readonly { second: number; value: number }[] }[];
  /** Title and format of the vertical axis. `bytes`: the values are bytes. The axis then has round numbers of KiB, MiB or larger units. */
  y: { title: string; format: (value: number) => string; bytes?: boolean };
}

const seconds = (value: number): string => `${formatNumber(value)} s`;
const FROM_ZERO = { ticks: 6, domain: { min: 0, max: NaN } };

function CourseChartInner({ lines, y }: CourseChartProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const unit = useMemo(
    () =>
      y.bytes ? bytesUnit(Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value)))) : 1,
    [y.bytes, lines],
  );
  const drawn = useMemo(
    () => lines.map(({ points }) => points.map(({ second, value }) => ({ second, value: value / unit }))),
    [lines, unit],
  );
  return (
    <ResultChart
      x={{
        title: i18n.translate('dyno.chart.second', {
          defaultMessage: 'Seconds since the start of the measured phase',
        }),
        tickFormat: seconds,
        ticks: 8,
      }}
      y={{ title: y.title, format: y.format, unit }}
      yAxis={FROM_ZERO}
      heading={seconds}
    >
      {lines.some(({ points }) => points.some(({ second }) => second < 0)) ? (
        <LineAnnotation
          id="measured"
          domainType="xDomain"
          dataValues={[
            {
              dataValue: 0,
              details: i18n.translate('dyno.chart.measured', { defaultMessage: 'Measured from here' }),
            },
          ]}
          style={dashedLine(euiTheme.colors.mediumShade)}
        />
      ) : null}
      {lines.map(({ name, look }, at) => (
        <LineSeries
          key={at}
          id={`${at}`}
          name={name}
          data={drawn[at]!}
          xScaleType={ScaleType.Linear}
          yScaleType={ScaleType.Linear}
          xAccessor="second"
          yAccessors={['value']}
          color={look.colour}
          curve={CurveType.LINEAR}
          lineSeriesStyle={{ line: { strokeWidth: 1.5, dash: look.dash }, point: { visible: 'never' } }}
        />
      ))}
    </ResultChart>
  );
}

export const CourseChart = memo(CourseChartInner);
