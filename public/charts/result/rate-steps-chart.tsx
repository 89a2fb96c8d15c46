/** The steps of a search for the highest rate in their order, the offered rate as height, its bracket as a band. */
import {
  Axis,
  BubbleSeries,
  Chart,
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
import { formatNumber } from '../../../common/units/format';
import { useChartTheme } from '../theme';
import { ChartTooltip, type TooltipEntry } from './chart-tooltip';
import { glyphOf, type Look } from './marks';

export interface StepPoint {
  /** From 1. */
  number: number;
  /** Requests per second. */
  rate: number;
  look: Pick<Look, 'colour' | 'shape'>;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface RateStepsChartProps {
  chart: RefObject<Chart>;
  title: string;
  description: string;
  xTitle: string;
  yTitle: string;
  steps: readonly StepPoint[];
  /** From the highest rate that was held to the lowest that was not, null for none; null where there is neither. */
  bracket: { from: number; to: number | null } | null;
  /** Highest rate of all trials, so that they can be looked at one after another. */
  highest: number;
}

function RateStepsChartInner(props: RateStepsChartProps): ReactNode {
  const { chart, title, description, xTitle, yTitle, steps, bracket, highest } = props;
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const body = useMemo<TooltipSpec['body']>(() => {
    const byNumber = new Map(steps.map((step) => [step.number, step]));
    return function Body({ header }) {
      const step = byNumber.get(Number(header?.value));
      if (step === undefined) return null;
      const { colour, shape } = step.look;
      return (
        <ChartTooltip
          entries={[{ heading: step.heading, lines: step.lines, colour, glyph: glyphOf(shape) }]}
        />
      );
    };
  }, [steps]);
  const top = highest * 1.1;
  const scales = {
    xScaleType: ScaleType.Linear,
    yScaleType: ScaleType.Linear,
    xAccessor: 'number',
    yAccessors: ['rate'],
  };
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[{ chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } }, theme]}
        xDomain={{ min: 0.5, max: Math.max(2, steps.length) + 0.5 }}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
      />
      <Tooltip type={TooltipType.VerticalCursor} header="none" body={body} />
      <Axis
        id="step"
        position={Position.Bottom}
        title={xTitle}
        tickFormat={(step: number) => (Number.isInteger(step) ? `${step}` : '')}
        ticks={Math.min(steps.length, 20)}
        maximumFractionDigits={0}
      />
      <Axis
        id="rate"
        position={Position.Left}
        title={yTitle}
        tickFormat={formatNumber}
        ticks={5}
        domain={{ min: 0, max: top }}
        gridLine={{ visible: true }}
      />
      {bracket === null ? null : (
        <RectAnnotation
          id="bracket"
          dataValues={[{ coordinates: { y0: bracket.from, y1: bracket.to ?? top } }]}
          hideTooltips
          style={{ fill: euiTheme.colors.primary, opacity: 0.15 }}
        />
      )}
      <LineSeries
        id="course"
        data={[...steps]}
        {...scales}
        color={euiTheme.colors.borderBaseProminent}
        lineSeriesStyle={{ line: { strokeWidth: 1, opacity: 0.8 }, point: { visible: 'never' } }}
      />
      <BubbleSeries
        id="steps"
        data={[...steps]}
        {...scales}
        bubbleSeriesStyle={{
          point: {
            visible: 'always',
            radius: 6,
            strokeWidth: 1,
            opacity: 1,
            stroke: euiTheme.colors.backgroundBasePlain,
          },
        }}
        pointStyleAccessor={({ datum }) => {
          const look = (datum as StepPoint | undefined)?.look;
          return look === undefined ? null : { fill: look.colour, shape: look.shape };
        }}
      />
    </Chart>
  );
}

export const RateStepsChart = memo(RateStepsChartInner);
