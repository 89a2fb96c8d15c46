/** Choices by two figures: each a point, its intervals a box around it, those that no other one beats joined. */
import {
  Axis,
  BubbleSeries,
  Chart,
  CurveType,
  LineSeries,
  Position,
  RectAnnotation,
  ScaleType,
  Settings,
  Tooltip,
  TooltipType,
  type TooltipSpec,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import type { Span } from '../../../common/report/chart/axes';
import { useChartTheme } from '../theme';
import { ChartTooltip, type TooltipEntry } from './chart-tooltip';
import { glyphOf, type Look } from './marks';
import { pointsLook } from './points-look';

export interface FrontierMark {
  x: number;
  y: number;
  /** Its intervals; a point where there is none. */
  xs: Span;
  ys: Span;
  look: Pick<Look, 'colour' | 'shape'>;
  /** The line goes through it. */
  joined: boolean;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface FrontierChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  x: { title: string; span: Span; format: (value: number) => string };
  y: { title: string; span: Span; format: (value: number) => string };
  marks: readonly FrontierMark[];
}

const SCALES = {
  xScaleType: ScaleType.Linear,
  yScaleType: ScaleType.Linear,
  xAccessor: 'x',
  yAccessors: ['y'],
};

/** A box of no width would not be drawn: at least this share of its axis. */
const THIN = 0.003;

function boxOf({ xs, ys }: FrontierMark, x: Span, y: Span) {
  const wide = (own: Span, axis: Span): Span => {
    const least = (axis.max - axis.min) * THIN;
    const missing = Math.max(0, least - (own.max - own.min)) / 2;
    return { min: Math.max(axis.min, own.min - missing), max: Math.min(axis.max, own.max + missing) };
  };
  const [across, up] = [wide(xs, x), wide(ys, y)];
  return { coordinates: { x0: across.min, x1: across.max, y0: up.min, y1: up.max } };
}

function FrontierChartInner({ chart, title, description, x, y, marks }: FrontierChartProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const body = useMemo<TooltipSpec['body']>(
    () =>
      function Body({ items }) {
        const found = items.flatMap(({ datum }) =>
          (datum as FrontierMark | undefined)?.look === undefined ? [] : [datum as FrontierMark],
        );
        const told = [...new Set(found)];
        if (told.length === 0) return null;
        return (
          <ChartTooltip
            entries={told.map(({ heading, lines, look: { colour, shape } }) => ({
              ...{ heading, lines, colour },
              glyph: glyphOf(shape),
            }))}
          />
        );
      },
    [],
  );
  const joined = useMemo(
    () => marks.filter((mark) => mark.joined).sort((one, other) => one.x - other.x),
    [marks],
  );
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } }, theme]}
        xDomain={x.span}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
        locale="en-US"
      />
      <Tooltip type={TooltipType.Follow} header="none" body={body} />
      <Axis id="x" position={Position.Bottom} title={x.title} tickFormat={x.format} ticks={5} />
      <Axis
        id="y"
        position={Position.Left}
        title={y.title}
        tickFormat={y.format}
        ticks={5}
        domain={y.span}
        gridLine={{ visible: true }}
      />
      <RectAnnotation
        id="intervals"
        dataValues={marks.map((mark) => boxOf(mark, x.span, y.span))}
        hideTooltips
        style={{
          fill: euiTheme.colors.primary,
          opacity: 0.16,
          strokeWidth: 1,
          stroke: euiTheme.colors.primary,
        }}
      />
      <LineSeries
        id="frontier"
        data={joined}
        {...SCALES}
        curve={CurveType.LINEAR}
        color={euiTheme.colors.textSubdued}
        lineSeriesStyle={{ line: { strokeWidth: 1.5, opacity: 0.7 }, point: { visible: 'never' } }}
      />
      <BubbleSeries
        id="points"
        data={[...marks]}
        {...SCALES}
        {...pointsLook(6, euiTheme.colors.backgroundBasePlain)}
      />
    </Chart>
  );
}

export const FrontierChart = memo(FrontierChartInner);
