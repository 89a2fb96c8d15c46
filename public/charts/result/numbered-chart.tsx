/** Figures of things that are numbered from 1 and follow each other, such as trials or the steps of a search. */
import {
  Axis,
  BubbleSeries,
  Chart,
  LineAnnotation,
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

export interface NumberedPoint {
  /** From 1. */
  number: number;
  /** Null for one that is lost. */
  value: number | null;
  look: Pick<Look, 'colour' | 'shape'>;
  /** Has a ring around it. */
  doubtful?: boolean;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface NumberedChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  x: { title: string; span: Span };
  /** `unit`: values are drawn in so many, for ticks that are round in the unit that is shown. */
  y: { title: string; span: Span; format: (value: number) => string; unit?: number };
  points: readonly NumberedPoint[];
  /** px */
  radius: number;
  /** A horizontal line, such as the cells' own means. */
  reference?: number | null;
  /** From left to right, between two values. */
  band?: Span | null;
  lostName?: string;
}

function NumberedChartInner(props: NumberedChartProps): ReactNode {
  const { chart, title, description, x, y, points, radius, reference = null, band = null, lostName } = props;
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const { unit = 1 } = y;
  const { told, lost, doubtful } = useMemo(() => {
    const known = points.flatMap((point) =>
      point.value === null ? [] : [{ ...point, value: point.value / unit }],
    );
    return {
      told: known,
      lost: points.filter(({ value }) => value === null),
      doubtful: known.filter((point) => point.doubtful),
    };
  }, [points, unit]);
  const body = useMemo<TooltipSpec['body']>(() => {
    const byNumber = new Map(points.map((point) => [point.number, point]));
    return function Body({ header }) {
      const point = byNumber.get(Number(header?.value));
      if (point === undefined) return null;
      const { colour, shape } = point.look;
      return (
        <ChartTooltip
          entries={[{ heading: point.heading, lines: point.lines, colour, glyph: glyphOf(shape) }]}
        />
      );
    };
  }, [points]);
  const scales = {
    xScaleType: ScaleType.Linear,
    yScaleType: ScaleType.Linear,
    xAccessor: 'number',
    yAccessors: ['value'],
  };
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
      />
      <Tooltip type={TooltipType.VerticalCursor} header="none" body={body} />
      <Axis
        id="number"
        position={Position.Bottom}
        title={x.title}
        tickFormat={(number: number) => (Number.isInteger(number) ? `${number}` : '')}
        ticks={Math.min(points.length, 20)}
        maximumFractionDigits={0}
      />
      <Axis
        id="y"
        position={Position.Left}
        title={y.title}
        tickFormat={(value: number) => y.format(value * unit)}
        ticks={5}
        domain={{ min: y.span.min / unit, max: y.span.max / unit }}
        gridLine={{ visible: true }}
      />
      {reference === null ? null : (
        <LineAnnotation
          id="reference"
          domainType="yDomain"
          dataValues={[{ dataValue: reference }]}
          hideTooltips
          style={{
            line: { stroke: euiTheme.colors.textSubdued, strokeWidth: 1, opacity: 0.9, dash: [4, 4] },
          }}
        />
      )}
      {band === null ? null : (
        <RectAnnotation
          id="band"
          dataValues={[{ coordinates: { y0: band.min, y1: band.max } }]}
          hideTooltips
          style={{ fill: euiTheme.colors.primary, opacity: 0.15 }}
        />
      )}
      {lost.length === 0 ? null : (
        <LineAnnotation
          id="lost"
          domainType="xDomain"
          dataValues={lost.map(({ number, heading }) => ({
            dataValue: number,
            header: heading,
            details: lostName,
          }))}
          marker={<span aria-hidden>✕</span>}
          style={{ line: { stroke: euiTheme.colors.danger, strokeWidth: 1, opacity: 0.8, dash: [2, 3] } }}
        />
      )}
      <LineSeries
        id="course"
        data={told}
        {...scales}
        color={euiTheme.colors.borderBaseProminent}
        lineSeriesStyle={{ line: { strokeWidth: 1, opacity: 0.8 }, point: { visible: 'never' } }}
      />
      {doubtful.length === 0 ? null : (
        <BubbleSeries
          id="doubtful"
          data={doubtful}
          {...scales}
          color={euiTheme.colors.textWarning}
          bubbleSeriesStyle={{
            point: {
              visible: 'always',
              radius: 9,
              strokeWidth: 1.5,
              opacity: 1,
              fill: 'transparent',
              stroke: euiTheme.colors.textWarning,
              shape: 'circle',
            },
          }}
        />
      )}
      <BubbleSeries
        id="points"
        data={told}
        {...scales}
        {...pointsLook(radius, euiTheme.colors.backgroundBasePlain)}
      />
    </Chart>
  );
}

export const NumberedChart = memo(NumberedChartInner);
