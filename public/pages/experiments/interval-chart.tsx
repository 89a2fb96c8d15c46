/** The cells of a result in a line of a table: a mark for each mean, a whisker for its interval, the baseline across. */
import { EuiText, EuiToolTip, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { CellResult } from '../../../common/api/experiments';
import { formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';

const WIDTH = 148;
const HEIGHT = 40;
const PAD = 5;

/** More cells than there is room for are told as words alone. */
const MOST_CELLS = 24;

export function describeCells(task: string, unit: string, cells: readonly CellResult[]): string {
  const parts = cells.map(({ label, mean, low, high, baseline }) => {
    const range = low === null || high === null ? '' : ` (${formatNumber(low)}–${formatNumber(high)})`;
    const mark = baseline
      ? i18n.translate('dyno.experiments.chart.baseline', { defaultMessage: ', baseline' })
      : '';
    return `${label}: ${formatNumber(mean)}${range}${mark}`;
  });
  return i18n.translate('dyno.experiments.chart.description', {
    defaultMessage: '{task}, {unit}, means with their 95% intervals. {cells}',
    values: { task, unit, cells: parts.join('; ') },
  });
}

function Legend({
  task,
  unit,
  cells,
}: {
  task: string;
  unit: string;
  cells: readonly CellResult[];
}): ReactNode {
  return (
    <EuiText size="xs" color="inherit">
      <strong>
        {task}, {unit}
      </strong>
      <br />
      {cells.slice(0, 12).map(({ label, mean, low, high, baseline }) => (
        <span key={label}>
          {label}: {formatNumber(mean)}
          {low === null || high === null ? null : ` (${formatNumber(low)}–${formatNumber(high)})`}
          {baseline
            ? i18n.translate('dyno.experiments.chart.baseline', { defaultMessage: ', baseline' })
            : null}
          <br />
        </span>
      ))}
      {cells.length > 12 ? '…' : null}
    </EuiText>
  );
}

interface IntervalChartProps {
  task: string;
  unit: string;
  cells: readonly CellResult[];
}

export function IntervalChart({ task, unit, cells }: IntervalChartProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  if (cells.length === 0 || cells.length > MOST_CELLS) return null;
  const lows = cells.map(({ mean, low }) => Math.min(mean, low ?? mean));
  const highs = cells.map(({ mean, high }) => Math.max(mean, high ?? mean));
  const [least, most] = [Math.min(...lows), Math.max(...highs)];
  const span = most - least || 1;
  const y = (value: number): number => HEIGHT - PAD - ((value - least) / span) * (HEIGHT - 2 * PAD);
  const x = (at: number): number => ((at + 0.5) * WIDTH) / cells.length;
  const baseline = cells.find((cell) => cell.baseline);
  const colour = euiTheme.colors.vis.euiColorVis0;
  return (
    <EuiToolTip content={<Legend task={task} unit={unit} cells={cells} />} disableScreenReaderOutput>
      <svg
        role="img"
        tabIndex={0}
        aria-label={describeCells(task, unit, cells)}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        css={{ display: 'block' }}
      >
        {baseline ? (
          <line
            x1={0}
            x2={WIDTH}
            y1={y(baseline.mean)}
            y2={y(baseline.mean)}
            stroke={euiTheme.colors.borderBasePlain}
            strokeDasharray="3 3"
          />
        ) : null}
        {cells.map((cell, at) => (
          <g key={cell.label} stroke={colour} strokeWidth={1.5}>
            {cell.low === null || cell.high === null ? null : (
              <>
                <line x1={x(at)} x2={x(at)} y1={y(cell.low)} y2={y(cell.high)} />
                <line x1={x(at) - 4} x2={x(at) + 4} y1={y(cell.low)} y2={y(cell.low)} />
                <line x1={x(at) - 4} x2={x(at) + 4} y1={y(cell.high)} y2={y(cell.high)} />
              </>
            )}
            <circle
              cx={x(at)}
              cy={y(cell.mean)}
              r={3}
              fill={cell.baseline ? euiTheme.colors.backgroundBasePlain : colour}
            />
          </g>
        ))}
      </svg>
    </EuiToolTip>
  );
}
