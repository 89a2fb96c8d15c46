/**
 * A chart of one metric over all runs of an experiment. Each run is a point with its interval. A thin bar shows the mean of consecutive
 * runs between two changes.
 */
import {
  LineAnnotation,
  LineSeries,
  RectAnnotation,
  ScaleType,
  type BrushEvent,
  type ElementClickListener,
  type PartialTheme,
  type RectAnnotationDatum,
  type XYChartElementEvent,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useMemo, type ReactNode } from 'react';
import type { Span } from '../../../common/report/chart/axes';
import { RIGHT_MARGIN } from '../time/axis';
import type { TooltipEntry } from './chart-tooltip';
import { glyphOf, type Look } from './marks';
import { ResultChart, type ValueAxis } from './result-chart';

export interface HistoryMark {
  /** Time of the run, in ms since the epoch. */
  at: number;
  /** Value of the metric in the run. If it is null, the run has a tooltip but no point. */
  value: number | null;
  interval: Span | null;
  look: Pick<Look, 'colour' | 'shape'>;
  /** Whether the point is drawn larger than the others. */
  isLarge: boolean;
  heading: string;
  lines: TooltipEntry['lines'];
}

export interface HistoryChartProps {
  /** Range of the time axis, in ms since the epoch. */
  x: Span;
  y: ValueAxis & { span: Span; unit: number };
  marks: readonly HistoryMark[];
  levels: readonly { from: number; to: number; level: number; colour: string }[];
  /** Vertical lines at runs in which at least one metric changed. `strong`: the metric of this chart changed. */
  lines: readonly { at: number; colour: string; strong: boolean }[];
  intervalColour: string;
  /** Called when the user clicks a run. `mark`: index of the run in `marks`. */
  onChoose: (mark: number) => void;
  /** Called with the chosen range, in ms since the epoch. */
  onZoom: (from: number, to: number) => void;
}

interface Datum extends HistoryMark {
  number: number;
  /** The value of the run, divided by the unit of the axis. */
  y: number | null;
}

/** From this number of runs on, the chart uses small points and narrow intervals. */
const MANY = 250;
/**
 * Widths of the bar that shows the interval of a run, as shares of the width of the time axis. With {@link MANY} runs or more, the bars are
 * narrow.
 */
const [WIDE, NARROW] = [0.0026, 0.0008];

const SCALES = { xScaleType: ScaleType.Time, yScaleType: ScaleType.Linear } as const;
const THEME: PartialTheme = {
  chartMargins: { left: 0, right: RIGHT_MARGIN, top: 6, bottom: 0 },
  chartPaddings: { left: 0, right: 0, top: 0, bottom: 0 },
  crosshair: { band: { visible: false } },
};
const TIME_AXIS = {
  style: { tickLine: { visible: true, size: 0.0001, padding: 4 } },
  gridLine: { visible: false },
};
/**
 * Width of the value axis, in px. The rows above and below the chart begin with a column of names of the same width. Therefore, their
 * contents are aligned with the chart.
 */
export const HISTORY_AXIS = 96;
const VALUE_AXIS = { ticks: 6, style: { minExtent: HISTORY_AXIS, maxExtent: HISTORY_AXIS } };

function HistoryChartInner(props: HistoryChartProps): ReactNode {
  const { x, y, marks, levels, lines, intervalColour, onChoose, onZoom } = props;
  const { euiTheme } = useEuiTheme();
  const { unit } = y;
  const span = useMemo(() => ({ min: y.span.min / unit, max: y.span.max / unit }), [y.span, unit]);
  const data = useMemo(
    () =>
      marks.map((mark, number): Datum => {
        const { value } = mark;
        return { ...mark, number, y: value === null ? null : value / unit };
      }),
    [marks, unit],
  );
  const drawn = useMemo(() => data.filter((datum) => datum.y !== null), [data]);
  const isMany = drawn.length > MANY;
  const intervals = useMemo(() => {
    const width = (x.max - x.min) * (isMany ? NARROW : WIDE);
    return drawn.flatMap((datum) => intervalRect(datum, width, unit));
  }, [drawn, x, unit, isMany]);
  // An invisible series gives every run a tooltip, even a run without a value.
  const hovers = useMemo(() => {
    const middle = (span.min + span.max) / 2;
    return data.map((datum) => ({ ...datum, hover: datum.y ?? middle }));
  }, [data, span]);
  return (
    <ResultChart
      x={TIME_AXIS}
      y={y}
      yAxis={VALUE_AXIS}
      xDomain={x}
      settings={{
        onElementClick: clickOf(onChoose),
        onBrushEnd: (event) => zoomOf(event, onZoom),
        minBrushDelta: 6,
      }}
      theme={THEME}
      entriesAt={entriesAt}
    >
      {/* Elastic Charts rejects annotations without data. */}
      {intervals.length === 0 ? null : (
        <RectAnnotation
          id="intervals"
          dataValues={intervals}
          hideTooltips
          style={{ fill: intervalColour, opacity: isMany ? 0.22 : 0.4, strokeWidth: 0 }}
        />
      )}
      {rects(levels.map((line) => levelRect(line, unit, span))).map(({ colour, dataValues }) => (
        <RectAnnotation
          key={colour}
          id={`levels-${colour}`}
          dataValues={dataValues}
          hideTooltips
          zIndex={2}
          style={{ fill: colour, opacity: 0.9, strokeWidth: 0 }}
        />
      ))}
      {[true, false].map((strong) => {
        const own = lines.filter((line) => line.strong === strong);
        return own.length === 0 ? null : (
          <LineAnnotation
            key={String(strong)}
            id={`lines-${strong}`}
            domainType="xDomain"
            dataValues={own.map(({ at }) => ({ dataValue: at }))}
            hideTooltips
            style={{
              line: {
                stroke: own[0]!.colour,
                strokeWidth: 1,
                opacity: 0.9,
                dash: strong ? [] : [3, 3],
              },
            }}
          />
        );
      })}
      <LineSeries
        id="hovers"
        data={hovers}
        {...SCALES}
        xAccessor="at"
        yAccessors={['hover']}
        lineSeriesStyle={{ line: { visible: false }, point: { visible: 'never', opacity: 0, radius: 0 } }}
      />
      {/* These line series draw only their points. A bubble series would triangulate the points, which takes seconds for thousands. */}
      {[false, true].map((isLarge) => (
        <LineSeries
          key={String(isLarge)}
          id={isLarge ? 'standing' : 'runs'}
          data={drawn.filter((datum) => datum.isLarge === isLarge)}
          {...SCALES}
          xAccessor="at"
          yAccessors={['y']}
          lineSeriesStyle={{
            line: { visible: false },
            point: {
              visible: 'always',
              radius: isLarge ? 5.5 : isMany ? 1.8 : 3.5,
              strokeWidth: isMany && !isLarge ? 0.5 : 1,
              opacity: 1,
              stroke: euiTheme.colors.backgroundBasePlain,
            },
          }}
          pointStyleAccessor={({ datum }) => {
            const look = (datum as Datum | undefined)?.look;
            return look === undefined ? null : { fill: look.colour, shape: look.shape };
          }}
        />
      ))}
    </ResultChart>
  );
}

export const HistoryChart = memo(HistoryChartInner);

function entriesAt(_: unknown, data: readonly unknown[]): TooltipEntry[] {
  const datum = (data as (Datum | undefined)[]).find((own) => own?.heading !== undefined);
  if (datum === undefined) return [];
  const { heading, lines, look, value } = datum;
  return [
    value === null ? { heading, lines } : { heading, lines, colour: look.colour, glyph: glyphOf(look.shape) },
  ];
}

interface Rect {
  colour: string;
  coordinates: { x0: number; x1: number; y0: number; y1: number };
}

/** Groups the rectangles of the chart by colour, because one annotation of Elastic Charts has only one style. */
const rects = (of: readonly Rect[]): { colour: string; dataValues: RectAnnotationDatum[] }[] =>
  [...new Set(of.map(({ colour }) => colour))].map((colour) => ({
    colour,
    dataValues: of.filter((rect) => rect.colour === colour).map(({ coordinates }) => ({ coordinates })),
  }));

function intervalRect({ at, interval }: Datum, width: number, unit: number): RectAnnotationDatum[] {
  if (interval === null) return [];
  const half = width / 2;
  return [
    { coordinates: { x0: at - half, x1: at + half, y0: interval.min / unit, y1: interval.max / unit } },
  ];
}

/** Thickness of the thin bar that shows the mean of consecutive runs, as a share of the height of the chart. */
const THICK = 0.007;

/** Returns the thin bar that shows the mean of the runs between `from` and `to`. */
function levelRect(
  { from, to, level, colour }: HistoryChartProps['levels'][number],
  unit: number,
  { min, max }: Span,
): Rect {
  const half = ((max - min) * THICK) / 2;
  return { colour, coordinates: { x0: from, x1: to, y0: level / unit - half, y1: level / unit + half } };
}

const clickOf =
  (onChoose: (mark: number) => void): ElementClickListener =>
  (elements) => {
    const chosen = (elements as readonly XYChartElementEvent[])
      .map(([geometry]) => geometry.datum as Datum | undefined)
      .find((datum) => datum?.number !== undefined && datum.value !== null);
    if (chosen !== undefined) onChoose(chosen.number);
  };

function zoomOf(event: BrushEvent, onZoom: (from: number, to: number) => void): void {
  const [from, to] = (event.x ?? []) as number[];
  if (from !== undefined && to !== undefined) onZoom(from, to);
}
