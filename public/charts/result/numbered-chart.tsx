/** A chart of values that are numbered from 1 in their order, such as trials or the steps of a search. */
import { BubbleSeries, LineAnnotation, LineSeries, RectAnnotation, ScaleType } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useCallback, useMemo, type ReactNode } from 'react';
import type { Span } from '../../../common/report/chart/axes';
import type { TooltipEntry } from './chart-tooltip';
import { dashedLine, glyphOf, type Look } from './marks';
import { pointsLook } from './points-look';
import { ResultChart, type ValueAxis } from './result-chart';

export interface NumberedPoint {
  /** Number on the x axis, from 1. */
  number: number;
  /** Value of the trial or step; null if it has no value. */
  value: number | null;
  look: Pick<Look, 'colour' | 'shape'>;
  /** Whether the point has a ring around it. */
  isFlagged?: boolean;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface NumberedChartProps {
  x: { title: string; span: Span };
  y: ValueAxis;
  points: readonly NumberedPoint[];
  /** Radius of a point, in px. */
  radius: number;
  /** Value at which a horizontal line is drawn, such as the mean. Without it, no line is drawn. */
  reference?: number | null;
  /** Range of values that is shaded across the whole width of the chart. Without it, nothing is shaded. */
  band?: Span | null;
  lostName?: string;
}

function NumberedChartInner(props: NumberedChartProps): ReactNode {
  const { x, y, points, radius, reference = null, band = null, lostName } = props;
  const { euiTheme } = useEuiTheme();
  const { unit = 1 } = y;
  const { measured, lost, flagged } = useMemo(() => {
    const known = points.flatMap((point) =>
      point.value === null ? [] : [{ ...point, value: point.value / unit }],
    );
    return {
      measured: known,
      lost: points.filter(({ value }) => value === null),
      flagged: known.filter((point) => point.isFlagged),
    };
  }, [points, unit]);
  const entriesAt = useCallback(
    (number: unknown): TooltipEntry[] =>
      points
        .filter((point) => point.number === Number(number))
        .map(({ heading, lines, look }) => ({
          heading,
          lines,
          colour: look.colour,
          glyph: glyphOf(look.shape),
        })),
    [points],
  );
  const scales = {
    xScaleType: ScaleType.Linear,
    yScaleType: ScaleType.Linear,
    xAccessor: 'number',
    yAccessors: ['value'],
  };
  return (
    <ResultChart
      x={{
        title: x.title,
        tickFormat: (number: number) => (Number.isInteger(number) ? `${number}` : ''),
        ticks: Math.min(points.length, 20),
        maximumFractionDigits: 0,
      }}
      y={y}
      xDomain={x.span}
      entriesAt={entriesAt}
    >
      {reference === null ? null : (
        <LineAnnotation
          id="reference"
          domainType="yDomain"
          dataValues={[{ dataValue: reference }]}
          hideTooltips
          style={dashedLine(euiTheme.colors.textSubdued)}
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
        data={measured}
        {...scales}
        color={euiTheme.colors.borderBaseProminent}
        lineSeriesStyle={{ line: { strokeWidth: 1, opacity: 0.8 }, point: { visible: 'never' } }}
      />
      {flagged.length === 0 ? null : (
        <BubbleSeries
          id="flagged"
          data={flagged}
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
        data={measured}
        {...scales}
        {...pointsLook(radius, euiTheme.colors.backgroundBasePlain)}
      />
    </ResultChart>
  );
}

export const NumberedChart = memo(NumberedChartInner);
