/**
 * The legend of a time chart. Each entry is a button that hides or shows a line, with the value of the line at the cursor. Without a
 * cursor, the value is the last one during the run, and the mean of the measured phases after the run.
 */
import { EuiToolTip, useEuiTheme } from '@elastic/eui';
import { useMemo, type MouseEvent, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import { useTimeAxis } from './axis';
import { useCursorAt } from './cursor';
import { meanOf, valueAt, type Line } from './lines';

interface LegendProps {
  lines: readonly Line[];
  hidden: ReadonlySet<string>;
  format: (value: number) => string;
  /** Label in front of the values after the run has ended. Default: a label that says that they are means. */
  summedUp?: string;
  /**
   * Called when the user clicks a line. `alone`: whether the user pressed a modifier key to see only this line. `all`: ids of all lines in
   * the legend.
   */
  onToggle: (line: string, alone: boolean, all: readonly string[]) => void;
}

const whileMeasured = (): string =>
  i18n.translate('dyno.timeChart.legend.mean', { defaultMessage: 'mean while measured' });

export function Legend({
  lines,
  hidden,
  format,
  summedUp = whileMeasured(),
  onToggle,
}: LegendProps): ReactNode {
  const at = useCursorAt();
  const { euiTheme } = useEuiTheme();
  const { bucketMs, phases, hasEnded } = useTimeAxis();
  const all = lines.map(({ id }) => id);
  const means = useMemo(
    () =>
      new Map(
        hasEnded
          ? lines.map(({ id, points, overall }) => [
              id,
              overall === undefined ? meanOf(points, phases) : overall,
            ])
          : [],
      ),
    [lines, phases, hasEnded],
  );
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: '0 4px', justifyContent: 'flex-end' }}>
      {hasEnded && lines.length > 0 ? (
        <span
          data-test-subj="dynoLegendMeaning"
          css={{ fontSize: 12, lineHeight: '22px', color: euiTheme.colors.textSubdued }}
          // The label keeps its space when it is hidden, so that nothing moves under the pointer.
          style={{ visibility: at === null ? 'visible' : 'hidden' }}
        >
          {summedUp}:
        </span>
      ) : null}
      {lines.map((line) => {
        const value =
          at === null && hasEnded
            ? (means.get(line.id) ?? null)
            : valueAt(line.points, at, line.stepMs ?? bucketMs);
        return (
          <Item
            key={line.id}
            line={line}
            value={value === null ? '–' : format(value)}
            shown={!hidden.has(line.id)}
            onClick={({ shiftKey, altKey, ctrlKey, metaKey }) =>
              onToggle(line.id, shiftKey || altKey || ctrlKey || metaKey, all)
            }
          />
        );
      })}
    </div>
  );
}

interface ItemProps {
  line: Line;
  value: string;
  shown: boolean;
  onClick: (event: MouseEvent) => void;
}

function Item({ line: { name, colour, dash }, value, shown, onClick }: ItemProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const hint = i18n.translate('dyno.timeChart.legend.hint', {
    defaultMessage: 'Click to show or hide {name}. Shift-click to show only {name}',
    values: { name },
  });
  return (
    <EuiToolTip content={hint} disableScreenReaderOutput>
      <button
        type="button"
        aria-pressed={shown}
        onClick={onClick}
        css={{
          display: 'inline-flex',
          alignItems: 'center',
          gap: 6,
          paddingInline: 6,
          lineHeight: '22px',
          fontSize: 12,
          color: shown ? euiTheme.colors.textParagraph : euiTheme.colors.textSubdued,
          borderRadius: euiTheme.border.radius.small,
          '&:hover': { backgroundColor: euiTheme.colors.backgroundBaseInteractiveHover },
        }}
      >
        <svg width="14" height="10" aria-hidden>
          <line
            x1="0"
            x2="14"
            y1="5"
            y2="5"
            stroke={shown ? colour : euiTheme.colors.borderBaseProminent}
            strokeWidth={dash ? 2 : 3}
            strokeDasharray={dash?.join(' ')}
          />
        </svg>
        <span css={{ textDecoration: shown ? 'none' : 'line-through' }}>{name}</span>
        {shown ? (
          <span css={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }} aria-hidden>
            {value}
          </span>
        ) : null}
      </button>
    </EuiToolTip>
  );
}
