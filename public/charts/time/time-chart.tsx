/** One chart over time: its title with the unit, a legend that shows values and hides lines, lines, and the phases behind them. */
import { EuiFlexGroup, EuiFlexItem, EuiText, EuiTitle, useGeneratedHtmlId } from '@elastic/eui';
import { useCallback, useState, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import { InSight } from './in-sight';
import { Legend } from './legend';
import { hasValues, type Line } from './lines';
import { Plot, type Bound } from './plot';

export interface TimeChartProps {
  id: string;
  title: string;
  /** `docs/s`, `ms`, `%`. */
  unit: string;
  /** A sentence for those who do not see it. */
  description: string;
  lines: readonly Line[];
  /** With the unit, for the tooltip and the legend. */
  format: (value: number) => string;
  /** For the axis; `format` by default. */
  tick?: (value: number) => string;
  logarithmic?: boolean;
  /** The axis ends there at least. */
  least?: number;
  /** Counts of things: no halves on the axis. */
  whole?: boolean;
  /** A limit that is drawn across. */
  bound?: Bound;
  /** What the reader must know, beside the title. */
  note?: string;
  /** What the values of the legend are once the run has ended; the mean while measured by default. */
  summedUp?: string;
  /** Sizes in bytes: the axis has ticks that are round in the unit that is shown. */
  bytes?: boolean;
  /** Switches, at the right. */
  controls?: ReactNode;
  /** Of the plot, pixels. */
  height?: number;
}

/** Of the plot, pixels. */
export const PLOT_HEIGHT = 168;

export function TimeChart(props: TimeChartProps): ReactNode {
  const { id, title, unit, lines, format, note, summedUp, controls, height = PLOT_HEIGHT } = props;
  const heading = useGeneratedHtmlId({ prefix: id });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((line: string, alone: boolean, all: readonly string[]) => {
    setHidden((now) => (alone ? onlyOne(now, line, all) : toggled(now, line)));
  }, []);
  return (
    <section aria-labelledby={heading} data-test-subj={`dynoChart-${id}`}>
      <EuiFlexGroup gutterSize="s" alignItems="baseline" responsive={false} wrap>
        <EuiFlexItem grow={false}>
          <EuiTitle size="xxs">
            <h3 id={heading}>
              {title}
              <EuiText component="span" size="xs" color="subdued" css={{ fontWeight: 400 }}>
                {' '}
                {unit}
              </EuiText>
            </h3>
          </EuiTitle>
        </EuiFlexItem>
        {note === undefined ? null : (
          <EuiFlexItem grow={false}>
            <EuiText size="xs" color="subdued">
              {note}
            </EuiText>
          </EuiFlexItem>
        )}
        <EuiFlexItem>
          <Legend lines={lines} hidden={hidden} format={format} summedUp={summedUp} onToggle={toggle} />
        </EuiFlexItem>
        {controls === undefined ? null : <EuiFlexItem grow={false}>{controls}</EuiFlexItem>}
      </EuiFlexGroup>
      <InSight height={height}>
        {hasValues(lines) ? (
          <Plot {...props} height={height} lines={lines.filter((line) => !hidden.has(line.id))} />
        ) : (
          <Nothing />
        )}
      </InSight>
    </section>
  );
}

function toggled(hidden: ReadonlySet<string>, line: string): ReadonlySet<string> {
  const next = new Set(hidden);
  if (!next.delete(line)) next.add(line);
  return next;
}

/** Only this one; all again if it was the only one. */
function onlyOne(hidden: ReadonlySet<string>, line: string, all: readonly string[]): ReadonlySet<string> {
  const isAlone = !hidden.has(line) && hidden.size === all.length - 1;
  return new Set(isAlone ? [] : all.filter((other) => other !== line));
}

function Nothing(): ReactNode {
  return (
    <EuiFlexGroup alignItems="center" justifyContent="center" css={{ blockSize: '100%' }}>
      <EuiText size="s" color="subdued">
        {i18n.translate('dyno.timeChart.nothing', { defaultMessage: 'Nothing was measured in this time' })}
      </EuiText>
    </EuiFlexGroup>
  );
}
