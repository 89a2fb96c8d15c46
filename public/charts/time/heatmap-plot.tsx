/** Latencies over time as a heat map: the stronger the colour, the more responses had that latency. */
import {
  Chart,
  Heatmap,
  Predicate,
  ScaleType,
  Settings,
  Tooltip,
  type BrushEvent,
  type PointerEvent,
} from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { Heatmap as HeatmapAnswer } from '../../../common/api/timeline';
import { formatMs, formatNumber } from '../../../common/units/format';
import { useDarkMode } from '../../app/context';
import { i18n } from '../../i18n';
import { useChartTheme } from '../theme';
import { AXIS_WIDTH, RIGHT_MARGIN } from './axis';
import { formatClock } from './clock';
import { useCursor } from './cursor';
import { colourRamp, countBands, heatCells, labelledEvery } from './heatmap-cells';
import { TimeText } from './time-header';

const BANDS = 7;
/** Height of the labels below the cells, in px. */
const TIMES_HEIGHT = 24;

interface HeatmapPlotProps {
  title: string;
  description: string;
  data: HeatmapAnswer;
  /** Start of the time axis, in ms since the epoch. */
  from: number;
  to: number;
  onZoom: (from: number, to: number) => void;
  height: number;
}

export function HeatmapPlot({
  title,
  description,
  data,
  from,
  to,
  onZoom,
  height,
}: HeatmapPlotProps): ReactNode {
  const { baseTheme, theme } = useChartTheme();
  const { euiTheme } = useEuiTheme();
  const cursor = useCursor();
  const chart = useRef<Chart>(null);
  useEffect(() => cursor.join(chart.current!), [cursor]);
  const { cells, rows, most, shift } = useMemo(() => heatCells(data), [data]);
  const every = labelledEvery(rows.length, height - TIMES_HEIGHT);
  const colours = useHeatColours();
  const bands = useMemo(() => {
    const steps = countBands(most, BANDS);
    const ramp = colourRamp(colours, steps.length);
    return steps.map((step, index) => ({ ...step, color: ramp[index]! }));
  }, [most, colours]);
  const style = useMemo(() => [heatmapStyle(euiTheme.colors.textSubdued), theme], [euiTheme, theme]);
  const range = (row: string | number): string => {
    const found = rows[Number(row)];
    return found === undefined ? '' : `${formatMs(found.from)} – ${formatMs(found.to)}`;
  };
  return (
    <Chart ref={chart} size={{ height, width: '100%' }}>
      <Settings
        baseTheme={baseTheme}
        theme={style}
        xDomain={{ min: from - shift, max: to - shift }}
        onPointerUpdate={(event) => cursor.publish(shifted(event, shift))}
        onBrushEnd={(event) => zoomOf(event, shift, onZoom)}
        ariaLabel={title}
        ariaDescription={description}
        locale="en-US"
      />
      <Tooltip
        header={({ items }) => <CellTime at={Number(items[0]?.datum?.x) + shift} />}
        body={({ items }) => <CellText range={range(items[0]?.datum?.y)} count={items[0]?.datum?.value} />}
      />
      <Heatmap
        id="latencies"
        data={cells}
        colorScale={{ type: 'bands', bands }}
        xAccessor="x"
        yAccessor="y"
        valueAccessor="count"
        valueFormatter={formatNumber}
        xScale={{ type: ScaleType.Time, interval: { type: 'fixed', unit: 'ms', value: data.columnMs } }}
        xAxisLabelFormatter={(value) => formatClock(Number(value) + shift)}
        yAxisLabelFormatter={(row) => (Number(row) % every === 0 ? formatMs(rows[Number(row)]?.from) : '')}
        ySortPredicate={Predicate.NumAsc}
        timeZone="UTC"
      />
    </Chart>
  );
}

function CellTime({ at }: { at: number }): ReactNode {
  return Number.isFinite(at) ? <TimeText at={at} /> : null;
}

function CellText({ range, count }: { range: string; count: number | undefined }): ReactNode {
  if (count === undefined) return null;
  return (
    <div css={{ padding: '2px 8px 6px', fontSize: 12 }}>
      {i18n.translate('dyno.heatmap.cell', {
        defaultMessage: '{range}: {count, plural, one {one answer} other {{number} answers}}',
        values: { range, count, number: formatNumber(count) },
      })}
    </div>
  );
}

/** Returns the colours from few to many responses. The first is closest to the background of the page. */
function useHeatColours(): readonly string[] {
  const dark = useDarkMode();
  return useMemo(
    () =>
      dark ? ['#10344f', '#1f6f8b', '#39b6a5', '#c9f2c7'] : ['#dcebfb', '#79aaf2', '#2e62c9', '#0b2a66'],
    [dark],
  );
}

const heatmapStyle = (text: string): object => ({
  chartMargins: { left: 0, right: RIGHT_MARGIN, top: 6, bottom: 0 },
  chartPaddings: { left: 0, right: 0, top: 0, bottom: 0 },
  heatmap: {
    grid: { stroke: { width: 0, color: 'transparent' } },
    cell: { maxWidth: 'fill', maxHeight: 'fill', label: { visible: false }, border: { strokeWidth: 0 } },
    xAxisLabel: {
      visible: true,
      fontSize: 10,
      textColor: text,
      padding: { top: 4, bottom: 0, left: 4, right: 4 },
    },
    yAxisLabel: {
      visible: true,
      fontSize: 10,
      width: AXIS_WIDTH - 12,
      textColor: text,
      padding: { left: 6, right: 6 },
    },
    brushArea: { visible: true },
    brushMask: { visible: true },
    brushTool: { visible: true },
  },
});

function zoomOf(event: BrushEvent, shift: number, onZoom: (from: number, to: number) => void): void {
  const times = ((event.x ?? []) as number[]).map((at) => Number(at) + shift);
  if (times.length > 1) onZoom(Math.min(...times), Math.max(...times));
}

const shifted = (event: PointerEvent, by: number): PointerEvent =>
  event.type === 'Over' && typeof event.x === 'number' ? { ...event, x: event.x + by } : event;
