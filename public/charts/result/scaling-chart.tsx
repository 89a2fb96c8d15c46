/**
 * A chart of rates by number of nodes, clients or shards. Each trial is a point. A line shows the fitted scaling curve, and a band shows
 * its interval. Both are dashed beyond the measured range.
 */
import { AreaSeries, BubbleSeries, CurveType, LineAnnotation, LineSeries, ScaleType } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { memo, useCallback, useMemo, type ReactNode } from 'react';
import type { ScalingSeries } from '../../../common/report/chart/scaling-series';
import { formatNumber } from '../../../common/units/format';
import type { TooltipEntry } from './chart-tooltip';
import { dashedLine } from './marks';
import { ResultChart } from './result-chart';

interface ScalingChartProps {
  series: ScalingSeries;
  /** Label of the vertical line at the number of nodes, clients or shards with the highest rate. */
  peakName: string;
  /** Returns the lines of the tooltip for a number `n` of nodes, clients or shards. */
  linesAt: (n: number) => TooltipEntry['lines'];
}

const SCALES = { xScaleType: ScaleType.Linear, yScaleType: ScaleType.Linear, xAccessor: 'n' };

function ScalingChartInner({ series, peakName, linesAt }: ScalingChartProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { name, unit, trials, measured, beyond, peak, x, y } = series;
  const band = useMemo(
    () =>
      [...measured, ...beyond.slice(1)].map(({ n, low, high }) => ({
        n,
        low,
        high: high ?? y.max,
      })),
    [measured, beyond, y.max],
  );
  const entriesAt = useCallback(
    (at: unknown): TooltipEntry[] => {
      const n = Number(at);
      const lines = Number.isFinite(n) ? linesAt(n) : [];
      return lines.length === 0 ? [] : [{ heading: `${name} = ${formatNumber(n)}`, lines }];
    },
    [name, linesAt],
  );
  const lineOf = (dash: number[]) => ({
    line: { strokeWidth: 2, opacity: 1, dash },
    point: { visible: 'never' as const },
  });
  return (
    <ResultChart
      x={{ title: name, tickFormat: formatNumber, integersOnly: true }}
      y={{ title: unit, format: formatNumber, span: y }}
      xDomain={x}
      entriesAt={entriesAt}
    >
      <AreaSeries
        id="interval"
        data={band}
        {...SCALES}
        yAccessors={['high']}
        y0Accessors={['low']}
        curve={CurveType.LINEAR}
        color={euiTheme.colors.primary}
        areaSeriesStyle={{
          area: { opacity: 0.18 },
          line: { visible: false },
          point: { visible: 'never' },
        }}
      />
      <LineSeries
        id="law"
        data={measured}
        {...SCALES}
        yAccessors={['rate']}
        color={euiTheme.colors.primary}
        lineSeriesStyle={lineOf([])}
      />
      {beyond.length < 2 ? null : (
        <LineSeries
          id="beyond"
          data={beyond}
          {...SCALES}
          yAccessors={['rate']}
          color={euiTheme.colors.primary}
          lineSeriesStyle={lineOf([6, 4])}
        />
      )}
      <BubbleSeries
        id="trials"
        data={trials}
        {...SCALES}
        yAccessors={['rate']}
        color={euiTheme.colors.textParagraph}
        bubbleSeriesStyle={{
          point: {
            visible: 'always',
            radius: 4,
            fill: euiTheme.colors.textParagraph,
            strokeWidth: 1,
            opacity: 0.85,
            stroke: euiTheme.colors.backgroundBasePlain,
          },
        }}
      />
      {peak === null ? null : (
        <LineAnnotation
          id="peak"
          domainType="xDomain"
          dataValues={[{ dataValue: peak.n, header: peakName, details: '' }]}
          style={dashedLine(euiTheme.colors.textSubdued)}
        />
      )}
    </ResultChart>
  );
}

export const ScalingChart = memo(ScalingChartInner);
