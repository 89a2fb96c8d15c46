/** A chart over time: title with unit, a legend that shows values and hides lines, the lines, and the phases behind them. */
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
  /** Unit in the title, such as `docs/s`, `ms` or `%`. */
  unit: string;
  /** Describes the chart to screen readers. */
  description: string;
  lines: readonly Line[];
  /** Formats a value with its unit for the tooltip and the legend. */
  format: (value: number) => string;
  /** Formats a value for the axis; `format` by default. */
  tick?: (value: number) => string;
  logarithmic?: boolean;
  /** Minimum of the upper end of the value axis. The axis reaches this value even if all values are lower. */
  least?: number;
  /** Whether values are counts, so that the axis has only whole numbers. */
  whole?: boolean;
  /** A limit that the chart shows as a horizontal line. */
  bound?: Bound;
  /** A note next to the title. */
  note?: string;
  /** Label in front of the legend's values after the run has ended. Default: a label that says that they are means. */
  summedUp?: string;
  /** Whether values are sizes in bytes. The ticks are then round numbers of KiB, MiB or larger units. */
  bytes?: boolean;
  /** Controls on the right of the chart's title. */
  controls?: ReactNode;
  /** Height of the plot, in px. */
  height?: number;
}

/** Default height of the plot, in px. */
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

/**
 * Returns the ids of the hidden lines after the user has chosen to see only `line`. If `line` is already the only visible one, all lines
 * are shown again.
 */
function onlyOne(hidden: ReadonlySet<string>, line: string, all: readonly string[]): ReadonlySet<string> {
  const isAlone = !hidden.has(line) && hidden.size === all.length - 1;
  return new Set(isAlone ? [] : all.filter((other) => other !== line));
}

function Nothing(): ReactNode {
  return (
    <EuiFlexGroup alignItems="center" justifyContent="center" css={{ blockSize: '100%' }}>
      <EuiText size="s" color="subdued">
        {i18n.translate('dyno.timeChart.nothing', {
          defaultMessage: 'There are no measurements in this time',
        })}
      </EuiText>
    </EuiFlexGroup>
  );
}
