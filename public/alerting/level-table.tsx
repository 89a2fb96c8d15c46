/** A small table of a rule's past results: a row for each alert, a square for each check. */
import { EuiText, useEuiTheme, type EuiThemeComputed } from '@elastic/eui';
import type { ReactNode } from 'react';

/** Colour of a square. `quiet`: the check has no result, for example because data are missing. */
export type Tone = 'good' | 'warning' | 'bad' | 'quiet';

export interface LevelCell {
  tone: Tone;
  /** Short text in the square. */
  text: string;
  /** Result of the check for screen readers, such as `warning` or `no data`. */
  level: string;
  /** Sentence in the tooltip. */
  reason: string;
}

export interface LevelRow {
  id: string;
  name: string;
  /** Squares in the order of the checks. Undefined if the alert did not exist at that check. */
  cells: readonly (LevelCell | undefined)[];
}

const look = (tone: Tone, { colors }: EuiThemeComputed): { background: string; color: string } =>
  ({
    good: { background: colors.backgroundLightSuccess, color: colors.textSuccess },
    warning: { background: colors.backgroundLightWarning, color: colors.textWarning },
    bad: { background: colors.backgroundLightDanger, color: colors.textDanger },
    quiet: { background: colors.backgroundBaseSubdued, color: colors.textParagraph },
  })[tone];

function Square({ cell }: { cell: LevelCell | undefined }): ReactNode {
  const { euiTheme } = useEuiTheme();
  if (cell === undefined) return <td css={{ textAlign: 'center', color: euiTheme.colors.textSubdued }}>·</td>;
  const { background, color } = look(cell.tone, euiTheme);
  return (
    <td
      title={cell.reason}
      data-level={cell.level}
      css={{
        background,
        color,
        textAlign: 'center',
        padding: '4px 3px',
        borderRadius: 4,
        whiteSpace: 'nowrap',
        fontVariantNumeric: 'tabular-nums',
        fontWeight: cell.tone === 'bad' ? 600 : 400,
      }}
    >
      {cell.text}
      <span css={HIDDEN}>{` ${cell.level}`}</span>
    </td>
  );
}

const HIDDEN = {
  position: 'absolute',
  inlineSize: 1,
  blockSize: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

/** Keeps the first column in place while the squares scroll. */
const STAYS = { position: 'sticky', insetInlineStart: 0, display: 'inline-block' } as const;

interface LevelTableProps {
  label: string;
  columns: readonly { key: string | number; text: string }[];
  rows: readonly LevelRow[];
}

/** Scrolls to the newest check, which is the last column. */
const toTheNewest = (element: HTMLElement | null): void => {
  if (element !== null) element.scrollLeft = element.scrollWidth;
};

export function LevelTable({ label, columns, rows }: LevelTableProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const subdued = euiTheme.colors.textSubdued;
  return (
    <EuiText size="xs">
      <div
        css={{ overflowX: 'auto', position: 'relative' }}
        tabIndex={0}
        role="group"
        aria-label={label}
        ref={toTheNewest}
      >
        <table
          css={{ borderCollapse: 'separate', borderSpacing: 2, inlineSize: 'auto' }}
          data-dyno="rule-past"
        >
          <thead>
            <tr>
              {columns.map(({ key, text }) => (
                <th
                  key={key}
                  scope="col"
                  css={{ fontWeight: 400, color: subdued, padding: '2px 3px', textAlign: 'center' }}
                >
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map(({ id, name, cells }) => (
            <tbody key={id}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={columns.length}
                  title={id}
                  css={{ textAlign: 'start', padding: '6px 0 2px' }}
                >
                  <span css={STAYS}>{name}</span>
                </th>
              </tr>
              <tr>
                {cells.map((cell, at) => (
                  <Square key={at} cell={cell} />
                ))}
              </tr>
            </tbody>
          ))}
        </table>
      </div>
    </EuiText>
  );
}
