/**
 * A small chart in a row of a table. It shows a mean with its interval for each combination of factor levels, and a line at the baseline.
 */
import { EuiText, EuiToolTip, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import { formatMetric, metricName } from '../../../common/analysis/wording';
import type { CellResult, ExperimentSummary } from '../../../common/api/experiments';
import { parseMetric } from '../../../common/measurement/metric';
import { metricAxis } from '../../../common/report/chart/interval-series';
import type { RateUnit } from '../../../common/tasks/registry';
import { formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';

const WIDTH = 148;
const HEIGHT = 40;
const PAD = 5;

/** Maximum number of combinations of factor levels that are drawn. If there are more, the row shows only text. */
const MOST_CELLS = 24;

type Figures = Pick<NonNullable<ExperimentSummary['last']>, 'metric' | 'unit' | 'cells'>;

/** Returns the displayed name of a metric, and a function that formats its values. */
function wordsOf({ metric, unit }: Pick<Figures, 'metric' | 'unit'>): {
  name: string;
  format: (value: number) => string;
} {
  const parsed = parseMetric(metric);
  return parsed === undefined
    ? { name: metric, format: formatNumber }
    : {
        name: metricName(parsed, { tasks: [] }),
        format: (value) => formatMetric(parsed, value, unit as RateUnit),
      };
}

const cellText = (
  { label, mean, low, high, baseline }: CellResult,
  format: (value: number) => string,
): string => {
  const range = low === null || high === null ? '' : ` (${format(low)} to ${format(high)})`;
  const mark = baseline
    ? i18n.translate('dyno.experiments.chart.baseline', { defaultMessage: ', baseline' })
    : '';
  return `${label}: ${format(mean)}${range}${mark}`;
};

export function describeCells({ metric, unit, cells }: Figures): string {
  const { name, format } = wordsOf({ metric, unit });
  return i18n.translate('dyno.experiments.chart.description', {
    defaultMessage: '{name}, means with their 95% intervals. {cells}',
    values: { name, cells: cells.map((cell) => cellText(cell, format)).join('; ') },
  });
}

function Legend({ metric, unit, cells }: Figures): ReactNode {
  const { name, format } = wordsOf({ metric, unit });
  return (
    <EuiText size="xs" color="inherit">
      <strong>{name}</strong>
      <br />
      {cells.slice(0, 12).map((cell) => (
        <span key={cell.label}>
          {cellText(cell, format)}
          <br />
        </span>
      ))}
      {cells.length > 12 ? '…' : null}
    </EuiText>
  );
}

export function IntervalChart(figures: Figures): ReactNode {
  const { metric, cells } = figures;
  const { euiTheme } = useEuiTheme();
  if (cells.length === 0 || cells.length > MOST_CELLS) return null;
  const marks = cells.map(({ mean, low, high }) => ({ mean, low, high, values: [mean] }));
  const { min, max } = metricAxis(metric, marks).span;
  const y = (value: number): number =>
    HEIGHT - PAD - ((Math.max(min, value) - min) / (max - min)) * (HEIGHT - 2 * PAD);
  const x = (at: number): number => ((at + 0.5) * WIDTH) / cells.length;
  const baseline = cells.find((cell) => cell.baseline);
  const colour = euiTheme.colors.vis.euiColorVis0;
  return (
    <EuiToolTip content={<Legend {...figures} />} disableScreenReaderOutput>
      <svg
        role="img"
        tabIndex={0}
        aria-label={describeCells(figures)}
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
