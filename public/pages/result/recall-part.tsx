/**
 * Charts of recall against cost. They show each combination of factor levels by recall and latency p95, and by recall and rate. Only tasks
 * whose recall was measured have these charts.
 */
import { EuiFlexGrid, EuiFlexItem, EuiSpacer, EuiText, useEuiTheme } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Estimate } from '../../../common/analysis/frontier';
import type { Span } from '../../../common/report/chart/axes';
import { frontierSeries, type FrontierSeries } from '../../../common/report/chart/frontier-series';
import {
  COSTS,
  pointsBy,
  type Cost,
  type CostPoint,
  type FrontierPosition,
} from '../../../common/report/model/frontier';
import type { Report } from '../../../common/report/model/report';
import { formatRecall, recallTable, frontierSentence } from '../../../common/report/tables/recall';
import type { Table } from '../../../common/report/tables/table';
import { formatMs, formatNumber } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import { FrontierChart, type FrontierMark } from '../../charts/result/frontier-chart';
import { glyphOf, type Look } from '../../charts/result/marks';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { taskUnit } from './metrics';

const HEIGHT = 320;

type Looks = Readonly<Record<FrontierPosition, Pick<Look, 'colour' | 'shape'>>>;

function useLooks(): Looks {
  const { colors } = useEuiTheme().euiTheme;
  return useMemo(
    () => ({
      unbeaten: { colour: colors.success, shape: 'diamond' },
      unsure: { colour: colors.warning, shape: 'triangle' },
      beaten: { colour: colors.textSubdued, shape: 'circle' },
    }),
    [colors],
  );
}

const positionName = (position: FrontierPosition): string =>
  ({
    unbeaten: i18n.translate('dyno.result.frontier.unbeaten', { defaultMessage: 'no other cell beats it' }),
    unsure: i18n.translate('dyno.result.frontier.unsure', {
      defaultMessage: 'beaten, but within the intervals',
    }),
    beaten: i18n.translate('dyno.result.frontier.beaten', { defaultMessage: 'beaten' }),
  })[position];

const FORMATS: Record<Cost, (value: number) => string> = { p95: formatMs, rate: formatNumber };

const reach = ({ mean, interval }: Estimate): Span =>
  interval === null ? { min: mean, max: mean } : { min: interval.low, max: interval.high };

const shown = ({ mean, interval }: Estimate, format: (value: number) => string): string =>
  interval === null ? format(mean) : `${format(mean)} (${format(interval.low)} to ${format(interval.high)})`;

const markOf = (
  { name, recall, cost: found, position }: CostPoint,
  cost: Cost,
  series: FrontierSeries,
  looks: Looks,
): FrontierMark => ({
  x: recall.mean,
  y: found.mean,
  xs: reach(recall),
  ys: reach(found),
  look: looks[position],
  joined: position === 'unbeaten',
  heading: name,
  lines: [
    { label: series.name, value: shown(recall, formatRecall) },
    { label: series.costs[cost].name, value: shown(found, FORMATS[cost]) },
    { label: '', value: positionName(position) },
  ],
});

function CostChart({
  series,
  cost,
  task,
  unit,
}: {
  series: FrontierSeries;
  cost: Cost;
  task: string;
  unit: string;
}): ReactNode {
  const looks = useLooks();
  const marks = useMemo(
    () => pointsBy(series, cost).map((point) => markOf(point, cost, series, looks)),
    [series, cost, looks],
  );
  const title = i18n.translate('dyno.result.frontier.title', {
    defaultMessage: '{recall} of {task} against {cost}',
    values: { recall: series.name, task, cost: series.costs[cost].name },
  });
  const description = i18n.translate('dyno.result.frontier.description', {
    defaultMessage:
      'Each cell is a point, in a box of its two 95% intervals. The line connects the cells whose means no other cell beats.',
  });
  const present = new Set(pointsBy(series, cost).map(({ position }) => position));
  return (
    <>
      <ChartFrame
        title={title}
        description={description}
        height={HEIGHT}
        legend={(['unbeaten', 'unsure', 'beaten'] as const)
          .filter((position) => present.has(position))
          .map((position) => ({
            name: positionName(position),
            colour: looks[position].colour,
            glyph: glyphOf(looks[position].shape),
          }))}
      >
        <FrontierChart
          x={{ title: series.name, span: series.recall, format: formatTick }}
          y={{ title: series.costs[cost].name, span: series.costs[cost], format: FORMATS[cost] }}
          marks={marks}
        />
      </ChartFrame>
      <EuiSpacer size="s" />
      <EuiText size="s" component="p" data-test-subj="dynoUnbeaten">
        {frontierSentence(series, cost, unit)}
      </EuiText>
    </>
  );
}

/**
 * Formats a label of the axis of recall. The axis is a little longer than 1, so that points at 1 are complete. Values above 1 have no
 * label.
 */
const formatTick = (value: number): string => (value > 1 ? '' : String(Math.round(value * 1e4) / 1e4));

interface Judged {
  task: string;
  series: FrontierSeries;
  table: Table;
}

export function RecallPart({ report }: { report: Report }): ReactNode {
  const judged = useMemo(
    () =>
      report.tasks.flatMap((task): Judged[] => {
        const [series, table] = [frontierSeries(report, task), recallTable(report, task)];
        return series === null || table === null ? [] : [{ task, series, table }];
      }),
    [report],
  );
  if (judged.length === 0) return null;
  return (
    <Part title={i18n.translate('dyno.result.recall', { defaultMessage: 'Recall and its cost' })}>
      {judged.map(({ task, series, table }) => (
        <div key={task} data-test-subj="dynoRecall">
          {series.points.length < 2 ? null : (
            <EuiFlexGrid columns={2} gutterSize="l">
              {COSTS.map((cost) => (
                <EuiFlexItem key={cost}>
                  <CostChart series={series} cost={cost} task={task} unit={taskUnit(report, task)} />
                </EuiFlexItem>
              ))}
            </EuiFlexGrid>
          )}
          <EuiSpacer size="l" />
          <ReportTable table={table} />
          <EuiSpacer size="l" />
        </div>
      ))}
    </Part>
  );
}
