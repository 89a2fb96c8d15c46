/** The plot of a time chart: lines on the shared time axis with the shared cursor, and phases behind them. */
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
  type BrushEvent,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { bytesUnit } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { useChartTheme } from '../theme';
import { AXIS_WIDTH, RIGHT_MARGIN, useTimeAxis } from './axis';
import { useCursor } from './cursor';
import { highest, type Line, type LinePoint } from './lines';
import { PhaseMarks } from './phase-marks';
import { TimeHeader } from './time-header';

export interface Bound {
  name: string;
  value: number;
}

interface PlotProps {
  id: string;
  title: string;
  unit: string;
  description: string;
  lines: readonly Line[];
  format: (value: number) => string;
  tick?: (value: number) => string;
  logarithmic?: boolean;
  least?: number;
  whole?: boolean;
  bound?: Bound;
  bytes?: boolean;
  height: number;
}

/** Upper end of the vertical axis if all values are 0. */
const EMPTY_TOP = 1;
/** Upper end of the vertical axis, as a multiple of the highest value. */
const HEADROOM = 1.08;

export function Plot(props: PlotProps): ReactNode {
  const {
    id,
    title,
    unit,
    description,
    lines,
    format,
    tick = format,
    logarithmic = false,
    bound,
    bytes = false,
    height,
  } = props;
  const domain = domainOf(lines, logarithmic, props.least, bound);
  // Elastic Charts places ticks at round values. Values are therefore divided so that they are round in the unit that is shown.
  const scale = bytes ? bytesUnit(domain.max) : 1;
  const drawn = useMemo(() => lines.map((line) => scaled(line, scale)), [lines, scale]);
  const { baseTheme, theme } = useChartTheme();
  const axis = useTimeAxis();
  const cursor = useCursor();
  const chart = useRef<Chart>(null);
  useEffect(() => cursor.join(chart.current!), [cursor]);
  const margins = useMemo(
    () => [
      { chartMargins: { left: 0, right: RIGHT_MARGIN, top: 6, bottom: 0 }, chartPaddings: NO_PADDING },
      theme,
    ],
    [theme],
  );
  return (
    <Chart ref={chart} size={{ height, width: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={margins}
        xDomain={{ min: axis.from, max: axis.to }}
        onPointerUpdate={cursor.publish}
        externalPointerEvents={NO_EXTERNAL_TOOLTIP}
        onBrushEnd={(event) => zoomOf(event, axis.onZoom)}
        minBrushDelta={6}
        ariaLabel={`${title}, ${unit}`}
        ariaDescription={description}
        locale="en-US"
      />
      <Tooltip header={TimeHeader} />
      <Axis id="time" position={Position.Bottom} style={TIME_STYLE} gridLine={GRID_OFF} />
      <Axis
        id="value"
        position={Position.Left}
        ticks={4}
        {...(props.whole ? { maximumFractionDigits: 0 } : {})}
        tickFormat={(value: number) => format(value * scale)}
        labelFormat={(value: number) => tick(value * scale)}
        style={VALUE_STYLE}
        gridLine={GRID_ON}
        domain={{ ...domain, min: domain.min / scale, max: domain.max / scale }}
      />
      <PhaseMarks />
      {bound === undefined ? null : <BoundLine {...bound} format={format} />}
      {drawn.map((line) => (
        <LineSeries<LinePoint>
          key={line.id}
          id={`${id}-${line.id}`}
          name={line.name}
          color={line.colour}
          data={line.points as LinePoint[]}
          xAccessor={0}
          yAccessors={[1]}
          xScaleType={ScaleType.Time}
          yScaleType={logarithmic ? ScaleType.Log : ScaleType.Linear}
          curve={CurveType.LINEAR}
          lineSeriesStyle={{ line: { strokeWidth: 1.5, ...(line.dash ? { dash: line.dash } : {}) } }}
        />
      ))}
    </Chart>
  );
}

/** Returns the line with its values divided by `scale`. */
const scaled = (line: Line, scale: number): Line =>
  scale === 1
    ? line
    : {
        ...line,
        points: line.points.map(([at, value]) => [at, value === null ? null : value / scale] as const),
      };

const NO_PADDING = { left: 0, right: 0, top: 0, bottom: 0 };
const NO_EXTERNAL_TOOLTIP = { tooltip: { visible: false } };
const GRID_ON = { visible: true };
const GRID_OFF = { visible: false };
const TIME_STYLE = { tickLine: { visible: true, size: 0.0001, padding: 4 } };
/**
 * Style of the value axis. It has the same width in all charts, so that the same time is at the same x position in charts above each other.
 */
const VALUE_STYLE = { minExtent: AXIS_WIDTH, maxExtent: AXIS_WIDTH };

function domainOf(
  lines: readonly Line[],
  logarithmic: boolean,
  least = 0,
  bound?: Bound,
): { min: number; max: number; fit?: boolean } {
  if (logarithmic) return { min: NaN, max: NaN, fit: true };
  const most = Math.max(highest(lines), bound?.value ?? 0);
  const top = most > least || least === 0 ? most * HEADROOM : least;
  return { min: 0, max: top > 0 ? top : EMPTY_TOP };
}

function zoomOf(event: BrushEvent, onZoom: (from: number, to: number) => void): void {
  const [from, to] = (event.x ?? []) as number[];
  if (from !== undefined && to !== undefined) onZoom(from, to);
}

function BoundLine({ name, value, format }: Bound & { format: (value: number) => string }): ReactNode {
  const { euiTheme } = useEuiTheme();
  return (
    <LineAnnotation
      id="bound"
      domainType="yDomain"
      dataValues={[
        {
          dataValue: value,
          details: i18n.translate('dyno.timeChart.bound', {
            defaultMessage: '{name}: {value}',
            values: { name, value: format(value) },
          }),
        },
      ]}
      style={{ line: { stroke: euiTheme.colors.danger, strokeWidth: 1, dash: [4, 4], opacity: 1 } }}
    />
  );
}
