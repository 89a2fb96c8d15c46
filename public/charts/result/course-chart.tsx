/** Lines of cells over the seconds of their trials, all on one axis. */
import {
  Axis,
  Chart,
  CurveType,
  LineAnnotation,
  LineSeries,
  Position,
  ScaleType,
  Settings,
  Tooltip,
  TooltipType,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import { bytesUnit, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { useChartTheme } from '../theme';
import type { Look } from './marks';

interface CourseChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  lines: readonly { name: string; look: Look; points: readonly { second: number; value: number }[] }[];
  /** `bytes`: the axis has ticks that are round in the unit that is shown. */
  y: { title: string; format: (value: number) => string; bytes?: boolean };
}

const seconds = (value: number): string => `${formatNumber(value)} s`;

function CourseChartInner({ chart, title, description, lines, y }: CourseChartProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
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
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } }, theme]}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
      />
      <Tooltip type={TooltipType.VerticalCursor} headerFormatter={({ value }) => seconds(Number(value))} />
      <Axis
        id="second"
        position={Position.Bottom}
        title={i18n.translate('dyno.chart.second', {
          defaultMessage: 'Seconds after the beginning of the measured phase',
        })}
        tickFormat={seconds}
        ticks={8}
      />
      <Axis
        id="value"
        position={Position.Left}
        title={y.title}
        tickFormat={(value: number) => y.format(value * unit)}
        ticks={6}
        gridLine={{ visible: true }}
        domain={{ min: 0, max: NaN }}
      />
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
          style={{ line: { stroke: euiTheme.colors.mediumShade, strokeWidth: 1, dash: [4, 4], opacity: 1 } }}
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
    </Chart>
  );
}

export const CourseChart = memo(CourseChartInner);
