/**
 * Shows a table of a report, with the same columns and texts as in Markdown and other formats. The table consists of plain HTML elements
 * that look like EUI's table. EUI's table takes a hundred times as long to draw, and a result has thousands of table cells.
 */
import { EuiIcon, EuiSpacer, EuiText, useEuiTheme, type UseEuiTheme } from '@elastic/eui';
import { Fragment, memo, useMemo, type ReactNode } from 'react';
import { withoutEmptyColumns, type Table, type TableCell, type Tone } from '../../common/report/tables/table';

/** Texts with more characters than this may wrap. */
const LONG = 48;

const styleOf = ({ euiTheme: { colors, size, font } }: UseEuiTheme) =>
  ({
    inlineSize: '100%',
    fontSize: size.m,
    lineHeight: size.base,
    fontVariantNumeric: 'tabular-nums',
    'th, td': {
      padding: `6px ${size.s}`,
      textAlign: 'start',
      verticalAlign: 'middle',
      whiteSpace: 'nowrap',
      borderBlockEnd: `1px solid ${colors.borderBaseSubdued}`,
    },
    'thead th, thead td': { fontWeight: font.weight.medium, verticalAlign: 'bottom' },
    'tbody th': { fontWeight: font.weight.regular },
    'tbody tr:hover': { background: colors.backgroundBaseInteractiveHover },
    'tbody tr[data-unfolded] > td': {
      whiteSpace: 'normal',
      padding: size.base,
      background: colors.backgroundBaseSubdued,
    },
    'tbody tr[data-marked]': { background: colors.backgroundBasePrimary },
    'tbody tr[data-marked] th': { fontWeight: font.weight.semiBold },
    '.right': { textAlign: 'end' },
    '.long': { whiteSpace: 'normal', minInlineSize: 220 },
    '.good': { color: colors.textSuccess },
    '.bad': { color: colors.textDanger },
    '.warning': { color: colors.textWarning },
    '.quiet': { color: colors.textSubdued },
  }) as const;

/** An HTML table that scrolls sideways if it is too wide. `children` are `thead` and `tbody`. */
export function PlainTable({ caption, children }: { caption: string; children: ReactNode }): ReactNode {
  const theme = useEuiTheme();
  const style = useMemo(() => styleOf(theme), [theme]);
  return (
    <div role="group" aria-label={caption} tabIndex={0} css={{ overflowX: 'auto' }}>
      <table css={style}>
        <caption
          css={{
            position: 'absolute',
            insetInlineStart: -10_000,
            inlineSize: 1,
            blockSize: 1,
            overflow: 'hidden',
          }}
        >
          {caption}
        </caption>
        {children}
      </table>
    </div>
  );
}

/** Returns the CSS classes of a cell in a {@link PlainTable}. */
export const cellClass = (align: 'left' | 'right', text = '', tone?: Tone): string | undefined =>
  [align === 'right' ? 'right' : '', text.length > LONG ? 'long' : '', tone ?? '']
    .filter(Boolean)
    .join(' ') || undefined;

/** The text of a cell. A flagged cell has an icon in addition to its colour. */
export function CellText({ text, tone }: TableCell): ReactNode {
  if (tone !== 'warning' || text === '') return text;
  return (
    <>
      <EuiIcon type="warning" size="s" aria-hidden /> {text}
    </>
  );
}

interface ReportTableProps {
  table: Table;
  /** Whether the title is shown above the table. Otherwise only screen readers read it. */
  titled?: boolean;
  /** An extra cell at the end of each row, such as a link. */
  last?: { name: string; render: (row: number) => ReactNode };
  /** Returns the content unfolded below a row; null for none. */
  below?: (row: number) => ReactNode;
  /** Returns the content of a table cell. If it returns undefined, the cell shows its text. */
  render?: (row: number, column: number, cell: TableCell) => ReactNode | undefined;
}

function ReportTableInner({ table, titled = true, last, below, render }: ReportTableProps): ReactNode {
  const { title, note, columns, rows } = useMemo(() => withoutEmptyColumns(table), [table]);
  return (
    <>
      {titled ? (
        <EuiText size="s">
          <h3>{title}</h3>
        </EuiText>
      ) : null}
      {note === '' ? null : (
        <EuiText size="xs" color="subdued">
          <p>{note}</p>
        </EuiText>
      )}
      {titled || note !== '' ? <EuiSpacer size="s" /> : null}
      <PlainTable caption={title}>
        <thead>
          <tr>
            {columns.map(({ name, align }, at) =>
              name === '' ? (
                <td key={at} />
              ) : (
                <th key={at} scope="col" className={cellClass(align)}>
                  {name}
                </th>
              ),
            )}
            {last === undefined ? null : <th scope="col">{last.name}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            const unfolded = below?.(at) ?? null;
            return (
              <Fragment key={at}>
                <tr>
                  {row.map((cell, column) => {
                    const Cell = column === 0 ? 'th' : 'td';
                    return (
                      <Cell
                        key={column}
                        scope={column === 0 ? 'row' : undefined}
                        className={cellClass(columns[column]!.align, cell.text, cell.tone)}
                      >
                        {render?.(at, column, cell) ?? <CellText {...cell} />}
                      </Cell>
                    );
                  })}
                  {last === undefined ? null : <td>{last.render(at)}</td>}
                </tr>
                {unfolded === null ? null : (
                  <tr data-unfolded="">
                    <td colSpan={columns.length + (last === undefined ? 0 : 1)}>{unfolded}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </PlainTable>
    </>
  );
}

export const ReportTable = memo(ReportTableInner);
