/** The tooltip of a chart: a heading and values with their units. */
import { EuiText, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';

export interface TooltipEntry {
  heading: string;
  /** Colour of the point, line or bar that the entry describes. */
  colour?: string;
  glyph?: string;
  lines: readonly { label: string; value: string }[];
}

export function ChartTooltip({ entries }: { entries: readonly TooltipEntry[] }): ReactNode {
  const { euiTheme } = useEuiTheme();
  return (
    <div css={{ padding: 10, maxWidth: 340, maxHeight: 420, overflow: 'hidden' }}>
      {entries.map(({ heading, colour, glyph, lines }, at) => (
        <EuiText size="xs" component="div" key={at}>
          <p
            css={{
              '&&': { margin: at === 0 ? '0 0 4px' : '8px 0 4px', fontWeight: euiTheme.font.weight.semiBold },
            }}
          >
            {glyph === undefined ? null : <span css={{ color: colour, marginInlineEnd: 6 }}>{glyph}</span>}
            {heading}
          </p>
          <table>
            <tbody>
              {lines.map(({ label, value }) => (
                <tr key={label}>
                  <td
                    css={{ paddingInlineEnd: 12, color: euiTheme.colors.textSubdued, verticalAlign: 'top' }}
                  >
                    {label}
                  </td>
                  <td css={{ fontVariantNumeric: 'tabular-nums' }}>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </EuiText>
      ))}
    </div>
  );
}
