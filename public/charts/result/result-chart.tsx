/** The common base of all charts of results: theme, margins, tooltip, axes, and a description for screen readers. */
import {
  Axis,
  Chart,
  Position,
  Settings,
  Tooltip,
  TooltipType,
  type AxisProps,
  type PartialTheme,
  type SettingsProps,
  type TooltipSpec,
} from '@elastic/charts';
import { createContext, useContext, useMemo, type ReactNode, type RefObject } from 'react';
import type { Span } from '../../../common/report/chart/axes';
import { useChartTheme } from '../theme';
import { ChartTooltip, type TooltipEntry } from './chart-tooltip';

/**
 * Context that a {@link ChartFrame} provides to the chart in it: the chart's title and description, and the reference that the chart must
 * set.
 */
export const ChartContext = createContext<{
  chart: RefObject<Chart>;
  title: string;
  description: string;
} | null>(null);

/** An axis of values. */
export interface ValueAxis {
  title?: string;
  format: (value: number) => string;
  /** Range of the axis. It must contain everything that is drawn. */
  span?: Span;
  /**
   * Number by which the caller has divided the data, so that the ticks of the axis are round in the unit shown. For example, values in
   * bytes are divided by 1024 to be shown in KiB. Default: 1.
   */
  unit?: number;
}

type MoreOfAxis = Partial<Omit<AxisProps, 'id' | 'title' | 'tickFormat'>>;

interface ResultChartProps {
  x: Partial<Omit<AxisProps, 'id'>>;
  y: ValueAxis;
  /** Further properties of the value axis. */
  yAxis?: MoreOfAxis;
  xDomain?: SettingsProps['xDomain'];
  settings?: Pick<SettingsProps, 'rotation' | 'onElementClick' | 'onBrushEnd' | 'minBrushDelta'>;
  theme?: PartialTheme;
  /**
   * Returns the contents of the tooltip for the position `x`. Default: a table of the values at this position. `data`: the chart's data
   * under the pointer.
   */
  entriesAt?: (x: unknown, data: readonly unknown[]) => readonly TooltipEntry[];
  /** Heading of the default tooltip. */
  heading?: (x: number) => string;
  /** Whether the tooltip shows only the mark under the pointer instead of all marks at the same `x`. */
  pointsAtMarks?: boolean;
  children: ReactNode;
}

const MARGINS: PartialTheme = { chartMargins: { left: 4, right: 16, top: 10, bottom: 4 } };

/** Returns whether charts expose their contents. Tests set the flag `_echDebugStateFlag` to read the drawn values, as Kibana's tests do. */
const isDebugged = (): boolean =>
  (globalThis as { _echDebugStateFlag?: boolean })._echDebugStateFlag === true;

export function ResultChart(props: ResultChartProps): ReactNode {
  const { x, y, yAxis, xDomain, settings, theme: own, entriesAt, heading, pointsAtMarks, children } = props;
  const { chart, title, description } = useContext(ChartContext)!;
  const { baseTheme, theme } = useChartTheme();
  const { format, span, unit = 1 } = y;
  const body = useMemo<TooltipSpec['body'] | undefined>(
    () =>
      entriesAt &&
      function Body({ header, items }) {
        const entries = entriesAt(
          header?.value,
          items.map(({ datum }) => datum as unknown),
        );
        return entries.length === 0 ? null : <ChartTooltip entries={entries} />;
      },
    [entriesAt],
  );
  return (
    <Chart ref={chart} size={{ height: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={[MARGINS, ...(own === undefined ? [] : [own]), theme]}
        xDomain={xDomain}
        showLegend={false}
        ariaLabel={title}
        ariaDescription={description}
        ariaUseDefaultSummary={false}
        locale="en-US"
        debugState={isDebugged()}
        {...settings}
      />
      <Tooltip
        type={pointsAtMarks ? TooltipType.Follow : TooltipType.VerticalCursor}
        {...(body === undefined
          ? { headerFormatter: ({ value }) => heading?.(Number(value)) ?? String(value) }
          : { header: 'none', body })}
      />
      <Axis id="x" position={Position.Bottom} {...x} />
      <Axis
        id="y"
        position={Position.Left}
        title={y.title}
        tickFormat={(value: number) => format(value * unit)}
        ticks={5}
        gridLine={{ visible: true }}
        {...(span === undefined ? {} : { domain: { min: span.min / unit, max: span.max / unit } })}
        {...yAxis}
      />
      {children}
    </Chart>
  );
}
