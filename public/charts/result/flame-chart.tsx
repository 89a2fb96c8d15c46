/**
 * Draws a flame chart as SVG. The flame chart of Elastic Charts is not used: it needs WebGL 2, and its controls cannot be reached with the
 * keyboard. The offline report draws the same boxes.
 */
import { EuiResizeObserver, useEuiTheme } from '@elastic/eui';
import { memo, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { shortFrame } from '../../../common/profile/stacks';
import {
  FLAME_MARKS,
  flameBoxes,
  flameLook,
  zoomedBoxes,
  type FlameBox,
  type FlameChange,
  type FlameTone,
  type FlameTree,
} from '../../../common/report/chart/flame';
import { i18n } from '../../i18n';
import { ChartTooltip, type TooltipEntry } from './chart-tooltip';

export interface FlameChartProps {
  title: string;
  tree: FlameTree;
  nameOf: (frame: number) => string;
  /** Changes by index of the frame; null if the chart does not compare two cells. */
  changes: ReadonlyMap<number, FlameChange> | null;
  /** Contents of the tooltip of a frame, without its name. */
  linesOf: (frame: number) => TooltipEntry['lines'];
  /** Text to search for in the names of frames; '' for none. Upper and lower case are equal. */
  search: string;
  /** Index of the frame to which the chart is zoomed; 0 for the whole chart. */
  zoom: number;
  onZoom: (frame: number) => void;
}

/** Height of a row and of its text, in px. */
const ROW = 20;
const FONT = 11;
/** Average width of a character, in px. */
const CHARACTER = 6.1;
/** Boxes that are narrower than this are not drawn, in px. */
const NARROWEST = 1;
/** Maximum number of calls that the tooltip of a box lists. */
const MOST_CALLS = 12;
/** Maximum height of the chart before it scrolls, in px. */
const HIGHEST = 560;

/** Colours of the boxes by tone. People with any common colour blindness can distinguish blue and orange. */
export function useFlameColours(): Readonly<Record<FlameTone, string>> {
  const { euiTheme } = useEuiTheme();
  const { colors } = euiTheme;
  return useMemo(
    () => ({
      more: colors.vis.euiColorVis8,
      less: colors.vis.euiColorVis2,
      plain: colors.vis.euiColorVis1,
      grey: colors.backgroundLightText,
    }),
    [colors],
  );
}

interface Drawn {
  boxes: readonly FlameBox[];
  /** Frame that each box shows, its tone, its name, and whether the search found it. */
  frames: readonly number[];
  tones: readonly FlameTone[];
  labels: readonly string[];
  found: readonly boolean[];
}

function useDrawn({ tree, nameOf, changes, search }: FlameChartProps): Drawn {
  const boxes = useMemo(() => flameBoxes(tree), [tree]);
  const looks = useMemo(() => {
    const all = boxes.map((box) => flameLook(box, changes));
    return {
      frames: all.map(({ frame }) => frame),
      tones: all.map(({ tone }) => tone),
      labels: all.map(({ frame, tone }) => FLAME_MARKS[tone] + shortFrame(nameOf(frame))),
    };
  }, [boxes, changes, nameOf]);
  const found = useMemo(() => {
    const wanted = search.toLowerCase();
    return boxes.map(
      (box) => wanted === '' || box.frames.some((frame) => nameOf(frame).toLowerCase().includes(wanted)),
    );
  }, [boxes, search, nameOf]);
  return { boxes, ...looks, found };
}

/** Returns the box to which an arrow key leads from `box`: the caller, the widest callee, or the neighbour in the same row. */
function neighbour(boxes: readonly FlameBox[], box: number, key: string): number {
  const { parent, depth, left } = boxes[box]!;
  const calledBy = (caller: number): number[] =>
    boxes.flatMap((other, at) => (other.parent === caller ? [at] : []));
  switch (key) {
    case 'ArrowUp':
      return parent < 0 ? box : parent;
    case 'ArrowDown':
      return calledBy(box).reduce(
        (best, at) => (best === box || boxes[at]!.width > boxes[best]!.width ? at : best),
        box,
      );
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isRight = key === 'ArrowRight';
      const row = boxes.flatMap((other, at) =>
        other.depth === depth && (isRight ? other.left > left : other.left < left) ? [at] : [],
      );
      return (isRight ? row[0] : row.at(-1)) ?? box;
    }
    default:
      return box;
  }
}

interface Pointed {
  box: number;
  x: number;
  y: number;
}

export const FlameChart = memo(function FlameChart(props: FlameChartProps): ReactNode {
  const { title, nameOf, linesOf, zoom, onZoom } = props;
  const { euiTheme } = useEuiTheme();
  const colours = useFlameColours();
  const drawn = useDrawn(props);
  const { boxes, frames, labels, tones, found } = drawn;
  const [width, setWidth] = useState(800);
  const [pointed, setPointed] = useState<Pointed>();
  const [focused, setFocused] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const zoomBox = Math.max(
    0,
    boxes.findIndex((box) => box.frames.includes(zoom)),
  );
  const shown = useMemo(() => zoomedBoxes(boxes, zoomBox, NARROWEST / width), [boxes, zoomBox, width]);
  const rows = shown.reduce((most, { depth }) => Math.max(most, depth + 1), 1);
  const active = shown.some(({ box }) => box === focused) ? focused : zoomBox;

  const entryOf = (box: number): TooltipEntry => {
    const own = frames[box]!;
    return { heading: nameOf(own), colour: colours[tones[box]!], glyph: '■', lines: linesOf(own) };
  };
  const textOf = (box: number): string =>
    `${labels[box]}: ${entryOf(box)
      .lines.map(({ label, value }) => `${label} ${value}`)
      .join(', ')}`;
  const callsOf = (box: number): string[] =>
    boxes[box]!.frames.filter((own) => own !== frames[box])
      .map((own) => shortFrame(nameOf(own)))
      .slice(-MOST_CALLS);

  /** Shows the tooltip of a box, and scrolls to the box. `left`: its left edge, as a share of the width. */
  const point = (box: number, left: number): void => {
    const top = boxes[box]!.depth * ROW;
    const view = scroller.current!;
    view.scrollTop = Math.min(top, Math.max(view.scrollTop, top + ROW - view.clientHeight));
    setPointed({ box, x: left * width, y: top + ROW - view.scrollTop });
  };
  const leftOf = (wanted: number): number => shown.find(({ box }) => box === wanted)?.left ?? 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      onZoom(frames[active]!);
      point(active, 0);
    } else if (event.key === 'Escape') {
      onZoom(0);
      setFocused(0);
      point(0, 0);
    } else if (event.key.startsWith('Arrow')) {
      const next = neighbour(boxes, active, event.key);
      if (!shown.some(({ box }) => box === next)) return;
      setFocused(next);
      point(next, leftOf(next));
    } else return;
    event.preventDefault();
  };

  // The mouse moves the tooltip often. The boxes are not drawn again each time.
  const drawing = useMemo(
    () =>
      shown.map(({ box, left, width: share, depth }) => (
        <g
          key={box}
          transform={`translate(${left * width} ${depth * ROW})`}
          opacity={found[box] ? 1 : 0.3}
          css={{ cursor: 'pointer' }}
          onClick={() => {
            setFocused(box);
            onZoom(frames[box]!);
          }}
          onMouseMove={({ clientX, clientY }) => {
            const { left: x, top: y } = frame.current!.getBoundingClientRect();
            setPointed({ box, x: clientX - x, y: clientY - y + 12 });
          }}
        >
          <rect width={Math.max(0.5, share * width - 0.5)} height={ROW - 1} fill={colours[tones[box]!]} />
          {share * width < 4 * CHARACTER ? null : (
            <text
              x={4}
              y={ROW - 6}
              fill={tones[box] === 'grey' ? euiTheme.colors.textParagraph : euiTheme.colors.textInk}
              pointerEvents="none"
            >
              {fitted(labels[box]!, (share * width - 8) / CHARACTER)}
            </text>
          )}
        </g>
      )),
    [shown, width, found, frames, labels, tones, colours, euiTheme, onZoom],
  );
  const outlined = pointed?.box === active ? shown.find(({ box }) => box === active) : undefined;

  return (
    <EuiResizeObserver onResize={(size) => setWidth(Math.max(200, Math.floor(size.width)))}>
      {(resize) => (
        <div ref={frame} css={{ position: 'relative' }}>
          <div
            ref={scroller}
            css={{ maxHeight: HIGHEST, overflowY: 'auto', overflowX: 'hidden', scrollbarGutter: 'stable' }}
          >
            <div ref={resize}>
              <svg
                role="application"
                aria-label={title}
                aria-describedby={`${id}-text`}
                aria-roledescription={i18n.translate('dyno.chart.flame', { defaultMessage: 'flame chart' })}
                tabIndex={0}
                width={width}
                height={rows * ROW}
                css={{ display: 'block', fontSize: FONT, '&:focus-visible': { outlineOffset: -2 } }}
                onKeyDown={onKeyDown}
                onFocus={() => {
                  if (pointed === undefined) point(active, leftOf(active));
                }}
                onBlur={() => setPointed(undefined)}
                onMouseLeave={() => setPointed(undefined)}
                data-test-subj="dynoFlameChart"
              >
                {drawing}
                {outlined === undefined ? null : (
                  <rect
                    x={outlined.left * width + 0.5}
                    y={outlined.depth * ROW + 0.5}
                    width={Math.max(0.5, outlined.width * width - 1.5)}
                    height={ROW - 2}
                    fill="none"
                    stroke={euiTheme.colors.textHeading}
                    pointerEvents="none"
                  />
                )}
              </svg>
            </div>
          </div>
          {pointed === undefined || boxes[pointed.box] === undefined ? null : (
            <div
              css={{
                position: 'absolute',
                insetBlockStart: pointed.y,
                insetInlineStart: Math.max(0, Math.min(pointed.x, width - 340)),
                background: euiTheme.colors.backgroundBasePlain,
                border: euiTheme.border.thin,
                borderRadius: euiTheme.border.radius.medium,
                overflowWrap: 'anywhere',
                pointerEvents: 'none',
                zIndex: 1,
              }}
            >
              <ChartTooltip entries={[entryOf(pointed.box)]} />
              {callsOf(pointed.box).map((call, at) => (
                <div key={at} css={{ padding: '0 10px', fontSize: FONT, color: euiTheme.colors.textSubdued }}>
                  {call}
                </div>
              ))}
            </div>
          )}
          <p id={`${id}-text`} aria-live="polite" css={{ position: 'absolute', insetInlineStart: -10_000 }}>
            {boxes[active] === undefined ? '' : textOf(active)}
          </p>
        </div>
      )}
    </EuiResizeObserver>
  );
});

/** Returns the beginning of a text that has at most `most` characters. */
const fitted = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(1, Math.floor(most) - 1))}…`;
