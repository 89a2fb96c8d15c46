/**
 * A chart that compares alternatives by two metrics, such as recall and latency. Each alternative is a point in a box that shows its two
 * 95% intervals. A line connects the Pareto frontier: the alternatives that no other alternative beats in both metrics.
 */
import { BubbleSeries, CurveType, LineSeries, RectAnnotation, ScaleType } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode } from 'react';
import type { Span } from '../../../common/report/chart/axes';
import type { TooltipEntry } from './chart-tooltip';
import { glyphOf, type Look } from './marks';
import { pointsLook } from './points-look';
import { ResultChart, type ValueAxis } from './result-chart';

export interface FrontierMark {
  x: number;
  y: number;
  /** 95% interval of `x`. A width of zero means that the interval is unknown. */
  xs: Span;
  /** 95% interval of `y`. A width of zero means that the interval is unknown. */
  ys: Span;
  look: Pick<Look, 'colour' | 'shape'>;
  /** Whether the line of the Pareto frontier goes through this point. */
  joined: boolean;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface FrontierChartProps {
  x: ValueAxis & { span: Span };
  y: ValueAxis & { span: Span };
  marks: readonly FrontierMark[];
}

const SCALES = {
  xScaleType: ScaleType.Linear,
  yScaleType: ScaleType.Linear,
  xAccessor: 'x',
  yAccessors: ['y'],
};

/** Minimum width of a box, as a share of its axis. A box of zero width would not be drawn. */
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

function entriesAt(_: unknown, data: readonly unknown[]): TooltipEntry[] {
  const marks = (data as (FrontierMark | undefined)[]).filter((mark) => mark?.look !== undefined);
  return [...new Set(marks)].map((mark) => {
    const { heading, lines, look } = mark!;
    return { heading, lines, colour: look.colour, glyph: glyphOf(look.shape) };
  });
}

function FrontierChartInner({ x, y, marks }: FrontierChartProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const joined = useMemo(
    () => marks.filter((mark) => mark.joined).sort((one, other) => one.x - other.x),
    [marks],
  );
  return (
    <ResultChart
      x={{ title: x.title, tickFormat: x.format, ticks: 5 }}
      y={y}
      xDomain={x.span}
      entriesAt={entriesAt}
      pointsAtMarks
    >
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
    </ResultChart>
  );
}

export const FrontierChart = memo(FrontierChartInner);
