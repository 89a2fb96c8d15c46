/** Throughput by the order in which the trials ran: what changed while the run went on shows as a slope. */
import {
  Axis,
  BubbleSeries,
  Chart,
  LineAnnotation,
  LineSeries,
  Position,
  ScaleType,
  Settings,
  Tooltip,
  TooltipType,
  type TooltipSpec,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode, type RefObject } from 'react';
import { useChartTheme } from '../theme';
import { ChartTooltip, type TooltipEntry } from './chart-tooltip';
import { spanOf } from './domain';
import { glyphOf, type Look } from './marks';

export interface OrderPoint {
  /** From 1. */
  order: number;
  group: number;
  /** Null for a trial that did not complete. */
  value: number | null;
  doubtful: boolean;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface OrderChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  xTitle: string;
  y: { title: string; format: (value: number) => string };
  groups: readonly { name: string; look: Look }[];
  points: readonly OrderPoint[];
  /** A horizontal line, such as the cells' own means. */
  reference?: number | null;
  lostName: string;
}

function OrderChartInner(props: OrderChartProps): ReactNode {
  const { chart, title, description, xTitle, y, groups, points, reference = null, lostName } = props;
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const { told, lost, doubtful, span } = useMemo(() => {
    const known = points.filter((point): point is OrderPoint & { value: number } => point.value !== null);
    const marks = known.map(({ value }) => ({ mean: value, low: null, high: null, values: [] }));
    return {
      told: known,
      lost: points.filter(({ value }) => value === null),
      doubtful: known.filter((point) => point.doubtful),
      span: spanOf(marks, reference === null ? [] : [reference]),
    };
  }, [points, reference]);
  const body = useMemo<TooltipSpec['body']>(() => {
    const byOrder = new Map(points.map((point) => [point.order, point]));
    return function Body({ header }) {
      const point = byOrder.get(Number(header?.value));
      if (point === undefined) return null;
      const { colour, shape } = groups[point.group]!.look;
      return (
        <ChartTooltip
          entries={[{ heading: point.heading, lines: point.lines, colour, glyph: glyphOf(shape) }]}
        />
      );
    };
  }, [points, groups]);
  const scales = {
    xScaleType: ScaleType.Linear,
    yScaleType: ScaleType.Linear,
    xAccessor: 'order',
    yAccessors: ['value'],
  };
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } }, theme]}
        xDomain={{ min: 0.5, max: points.length + 0.5 }}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
      />
      <Tooltip type={TooltipType.VerticalCursor} header="none" body={body} />
      <Axis
        id="order"
        position={Position.Bottom}
        title={xTitle}
        tickFormat={(order: number) => (Number.isInteger(order) ? `${order}` : '')}
        ticks={Math.min(points.length, 20)}
        maximumFractionDigits={0}
      />
      <Axis
        id="y"
        position={Position.Left}
        title={y.title}
        tickFormat={y.format}
        ticks={5}
        domain={span}
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
      {lost.length === 0 ? null : (
        <LineAnnotation
          id="lost"
          domainType="xDomain"
          dataValues={lost.map(({ order, heading }) => ({
            dataValue: order,
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
      {/* One series for all: as many as there are cells would take long to lay out. */}
      <BubbleSeries
        id="trials"
        data={told}
        {...scales}
        bubbleSeriesStyle={{
          point: {
            visible: 'always',
            radius: 4.5,
            strokeWidth: 1,
            opacity: 1,
            stroke: euiTheme.colors.backgroundBasePlain,
          },
        }}
        pointStyleAccessor={({ datum }) => {
          const group = (datum as OrderPoint | undefined)?.group;
          if (group === undefined) return null;
          const { colour, shape } = groups[group]!.look;
          return { fill: colour, shape };
        }}
      />
    </Chart>
  );
}

export const OrderChart = memo(OrderChartInner);
