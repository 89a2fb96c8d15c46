/**
 * A chart of means with their 95% intervals and all trials. Each mark (a mean with its interval and trials) has a position on the x axis
 * and belongs to a group.
 */
import {
  BarSeries,
  BubbleSeries,
  LineAnnotation,
  LineSeries,
  type PartialTheme,
  Position,
  ScaleType,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { type ReactNode, memo, useCallback, useMemo } from 'react';
import type { Mark, Span } from '../../../common/report/chart/axes';
import type { TooltipEntry } from './chart-tooltip';
import { type Look, dashedLine, glyphOf } from './marks';
import { ResultChart, type ValueAxis } from './result-chart';
import { type Slots, type Spacing, joined, nearest, slotsFor } from './slots';

/** A mean with its interval and trials, for one combination of factor levels. `x`: index of its position on the x axis. */
export interface IntervalMark extends Mark {
  x: number;
  group: number;
  heading: string;
  lines: TooltipEntry['lines'];
}

interface Datum extends IntervalMark {
  slot: string;
}

interface IntervalParts {
  /** For each slot (a narrow column of the x axis): the mark whose tooltip is shown there. */
  bySlot: Map<string, Datum>;
  hovers: { slot: string; mean: number | null }[];
  intervals: { slot: string; group: number; low: number; high: number }[];
  /** The marks of each group, without those whose mean is unknown. */
  means: Datum[][];
  courses: { slot: string; mean: number }[][];
  trials: { slot: string; value: number }[][];
}

/**
 * A mark's tooltip is shown if the pointer is at most this far from the mark. The unit is a slot, which is a narrow column of the x axis.
 */
const REACH = 6;

export function intervalParts(
  marks: readonly IntervalMark[],
  groups: readonly { joined: boolean }[],
  slots: Slots,
): IntervalParts {
  const data = marks.map((mark): Datum => ({ ...mark, slot: slots.slotOf(mark.x, mark.group) }));
  const bySlot = nearest(slots.domain, new Map(data.map((datum) => [datum.slot, datum])), REACH);
  const own = groups.map((_, group) => data.filter((datum) => datum.group === group));
  return {
    bySlot,
    // Every slot near a mark shows the tooltip of the mark, so that the pointer need not hit the mark exactly. This series also lists all
    // slots in order. It must be the first series, because lines connect slots in the order in which they first appear.
    hovers: slots.domain.map((slot) => ({ slot, mean: bySlot.get(slot)?.mean ?? null })),
    intervals: data.flatMap(({ slot, group, low, high }) =>
      low === null || high === null ? [] : [{ slot, group, low, high }],
    ),
    means: own.map((of) => of.filter(({ mean }) => mean !== null)),
    courses: groups.map((group, at) => (group.joined ? joined(slots.domain, own[at]!) : [])),
    trials: own.map((of, group) =>
      of.flatMap(({ x, values }) => values.map((value) => ({ slot: slots.trialsSlotOf(x, group), value }))),
    ),
  };
}

export interface IntervalChartProps {
  /**
   * Positions on the x axis from left to right, and the title of the axis. `values`: a number for each position, from which distances are
   * calculated. Null if some positions have no number.
   */
  places: { names: readonly string[]; values: readonly number[] | null; title: string };
  spacing?: Spacing;
  groups: readonly { name: string; look: Look; joined: boolean }[];
  marks: readonly IntervalMark[];
  y: ValueAxis & { span: Span };
  /** A line across the chart at a value, such as the mean of the baseline. */
  reference?: { value: number; name: string } | null;
}

/** Maximum number of horizontal rows, one for each position and group. A chart that would need more rows has columns instead. */
const MOST_ROWS = 12;
const ROW_HEIGHT = 44;
/** Height of the axis below the rows and of its title, in px. */
const BELOW_ROWS = 72;

/**
 * Returns whether the chart has horizontal rows, which have space for long names, instead of columns. Rows are used for categories or at
 * most two positions, unless the chart would need more than {@link MOST_ROWS} rows.
 */
export const areRows = (
  { names, values }: Pick<IntervalChartProps['places'], 'names' | 'values'>,
  groups: number,
): boolean => (values === null || names.length <= 2) && names.length * groups <= MOST_ROWS;

/** Returns the height of the chart, in px. */
export const intervalHeight = (
  places: Pick<IntervalChartProps['places'], 'names' | 'values'>,
  groups: number,
  columns: number,
): number => (areRows(places, groups) ? BELOW_ROWS + places.names.length * groups * ROW_HEIGHT : columns);

const inUnits = (marks: readonly IntervalMark[], unit: number): readonly IntervalMark[] => {
  const scaled = (value: number | null): number | null => (value === null ? null : value / unit);
  return unit === 1
    ? marks
    : marks.map((mark) => ({
        ...mark,
        mean: scaled(mark.mean),
        low: scaled(mark.low),
        high: scaled(mark.high),
        values: mark.values.map((value) => value / unit),
      }));
};

const UPRIGHT_CHARACTERS = 96;

const THEME: PartialTheme = {
  scales: { barsPadding: 0 },
  crosshair: { band: { visible: false }, line: { visible: false } },
  axes: { tickLine: { visible: false }, gridLine: { vertical: { visible: false } } },
};

const rgba = (hex: string, opacity: number): string =>
  /^#[0-9a-f]{6}$/i.test(hex)
    ? `rgba(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(', ')}, ${opacity})`
    : hex;

const SCALES = { xScaleType: ScaleType.Ordinal, yScaleType: ScaleType.Linear, xAccessor: 'slot' } as const;

function IntervalChartInner({
  places,
  spacing = 'even',
  groups,
  marks,
  y,
  reference = null,
}: IntervalChartProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const slots = useMemo(
    () => slotsFor(places.names, places.values, groups.length, spacing),
    [places, groups.length, spacing],
  );
  const { unit = 1 } = y;
  const parts = useMemo(
    () => intervalParts(inUnits(marks, unit), groups, slots),
    [marks, groups, slots, unit],
  );
  const isRows = areRows(places, groups.length);
  const entriesAt = useCallback(
    (slot: unknown): TooltipEntry[] => {
      const mark = parts.bySlot.get(String(slot));
      if (mark === undefined) return [];
      const { heading, lines, group } = mark;
      const { colour, shape } = groups[group]!.look;
      return [{ heading, lines, ...(groups.length > 1 ? { colour, glyph: glyphOf(shape) } : {}) }];
    },
    [parts, groups],
  );
  const upright = isRows || places.names.join('').length <= UPRIGHT_CHARACTERS;
  return (
    <ResultChart
      x={{
        position: isRows ? Position.Left : Position.Bottom,
        title: places.title,
        tickFormat: (slot: string) => slots.labelOf(slot),
        showOverlappingLabels: true,
        showOverlappingTicks: true,
        gridLine: { visible: false },
        style: { tickLabel: { rotation: upright ? 0 : -40, truncate: 'end', maxLength: 150 } },
      }}
      y={y}
      yAxis={{ position: isRows ? Position.Bottom : Position.Left, ticks: 6 }}
      xDomain={slots.domain}
      settings={{ rotation: isRows ? 90 : 0 }}
      theme={THEME}
      entriesAt={entriesAt}
    >
      {reference === null ? null : (
        <LineAnnotation
          id="reference"
          domainType="yDomain"
          dataValues={[
            { dataValue: reference.value / unit, header: reference.name, details: y.format(reference.value) },
          ]}
          style={dashedLine(euiTheme.colors.textSubdued)}
        />
      )}
      <LineSeries
        id="hovers"
        data={parts.hovers}
        {...SCALES}
        yAccessors={['mean']}
        lineSeriesStyle={{ line: { visible: false }, point: { visible: 'never', opacity: 0, radius: 0 } }}
      />
      <BarSeries
        id="intervals"
        data={parts.intervals}
        xScaleType={ScaleType.Ordinal}
        yScaleType={ScaleType.Linear}
        xAccessor="slot"
        yAccessors={['high']}
        y0Accessors={['low']}
        barSeriesStyle={{ rect: { widthPixel: 3, opacity: 1 } }}
        styleAccessor={({ datum }) => {
          // Elastic Charts also calls this for slots without an interval.
          const group = (datum as { group: number } | undefined)?.group;
          return group === undefined ? null : rgba(groups[group]!.look.colour, 0.55);
        }}
      />
      {groups.map(({ look }, at) => (
        <LineSeries
          key={at}
          id={`trials-${at}`}
          data={parts.trials[at]!}
          {...SCALES}
          yAccessors={['value']}
          color={look.colour}
          lineSeriesStyle={{
            line: { visible: false },
            point: {
              visible: 'always',
              radius: 2.5,
              strokeWidth: 1,
              opacity: 0.9,
              stroke: look.colour,
              fill: euiTheme.colors.backgroundBasePlain,
              shape: 'circle',
            },
          }}
        />
      ))}
      {groups.map(({ look, joined }, at) =>
        joined ? (
          <LineSeries
            key={at}
            id={`course-${at}`}
            data={parts.courses[at]!}
            {...SCALES}
            yAccessors={['mean']}
            color={look.colour}
            lineSeriesStyle={{
              line: { strokeWidth: 1.5, opacity: 0.6, dash: look.dash },
              point: { visible: 'never' },
            }}
          />
        ) : null,
      )}
      {groups.map(({ name, look }, at) => (
        <BubbleSeries
          key={at}
          id={`means-${at}`}
          name={name}
          data={parts.means[at]!}
          {...SCALES}
          yAccessors={['mean']}
          color={look.colour}
          bubbleSeriesStyle={{
            point: {
              visible: 'always',
              radius: 5,
              strokeWidth: 1.5,
              opacity: 1,
              stroke: euiTheme.colors.backgroundBasePlain,
              fill: look.colour,
              shape: look.shape,
            },
          }}
        />
      ))}
    </ResultChart>
  );
}

export const IntervalChart = memo(IntervalChartInner);
