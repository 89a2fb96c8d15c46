/** A chart of the effect of a factor on a metric, with the choice of both. */
import { EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import {
  clusterFigures,
  firstMetric,
  intervalSeries,
  METRICS,
  metricAxis,
  metricFormat,
  tooFewRequests,
  type MetricName,
} from '../../../common/report/chart/interval-series';
import { CLUSTER } from '../../../common/measurement/cluster-metrics';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { ChartFrame } from '../../charts/result/chart-frame';
import { IntervalChart, intervalHeight, type IntervalMark } from '../../charts/result/interval-chart';
import { glyphOf, lookOf } from '../../charts/result/marks';
import type { Spacing } from '../../charts/result/slots';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { FactorControls } from './factor-controls';
import { EVERY_CELL, factorsOf, type FactorView } from './factor-view';
import { figureLines, isPriced, metricTitle, metricUnit, taskUnit, titleOfTask } from './metrics';
import { useFactorView, useMetric, useTask } from './use-choice';

const HEIGHT = 340;

const describe = (isPooled: boolean): string =>
  isPooled
    ? i18n.translate('dyno.result.factor.pooled', {
        defaultMessage:
          'Large marks are percentiles over all requests of a cell’s trials, because a single trial has too few requests for this percentile. Bars are 95% intervals for the variation between requests, not between trials. The dashed line is the baseline.',
      })
    : i18n.translate('dyno.result.factor.description', {
        defaultMessage:
          'Large marks are means over trials, bars are their 95% intervals, and small circles are single trials. The dashed line is the mean of the baseline.',
      });

interface FactorMark extends IntervalMark {
  pooled: boolean;
}

function marksOf(report: Report, task: string, metric: MetricName, view: FactorView): FactorMark[] {
  const figures = intervalSeries(report, task, metric);
  const { names } = cellNames(report);
  const unit = taskUnit(report, task);
  const baseline = i18n.translate('dyno.result.baseline', { defaultMessage: 'baseline' });
  return view.cells.flatMap(({ cell, x, group }) => {
    const own = figures[cell];
    if (!own) return [];
    const { mean, low, high, values, pooled } = own;
    return [
      {
        pooled,
        x,
        group,
        mean,
        low,
        high,
        values,
        heading: cell === report.baseline ? `${names[cell]} (${baseline})` : names[cell]!,
        lines: figureLines(own, metric, metricUnit(report, metric, unit)),
      },
    ];
  });
}

/**
 * Returns the positions of the chart. The level of the baseline gets "(baseline)" after its name, if the chart has only one group and at
 * most 12 positions.
 */
function placesOf(report: Report, view: FactorView): FactorView['places'] {
  const at = view.cells.find(({ cell }) => cell === report.baseline)?.x;
  const baseline = i18n.translate('dyno.result.baseline', { defaultMessage: 'baseline' });
  const named = at === undefined || view.groups.length > 1 || view.places.names.length > 12 ? -1 : at;
  return {
    ...view.places,
    names: view.places.names.map((name, x) => (x === named ? `${name} (${baseline})` : name)),
  };
}

function referenceOf(
  report: Report,
  task: string,
  metric: MetricName,
): { value: number; name: string } | null {
  const mean = intervalSeries(report, task, metric)[report.baseline]?.summary.mean ?? null;
  if (mean === null) return null;
  const name = i18n.translate('dyno.result.baselineOf', {
    defaultMessage: 'Baseline: {cell}',
    values: { cell: cellNames(report).names[report.baseline] },
  });
  return { value: mean, name };
}

const whyEmpty = (report: Report, task: string, metric: MetricName): string =>
  tooFewRequests(report, task, metric) ||
  i18n.translate('dyno.result.factor.none', { defaultMessage: 'No trial has this metric.' });

/** Returns the metric of the first claim as an additional option of the chart. Null if the list of metrics already contains this metric. */
function firstOption(report: Report, task: string): { id: MetricName; label: string } | null {
  const id = firstMetric(report, task);
  const isOffered = METRICS.some((name) => name === id) || id.startsWith(`${CLUSTER}.`);
  return isOffered ? null : { id, label: metricTitle(report, id, taskUnit(report, task)) };
}

export function FactorPart({ report }: { report: Report }): ReactNode {
  const [task, setTask] = useTask(report);
  const [wantedMetric, setMetric] = useMetric(report, task);
  const searched = report.cells.some(({ tasks }) =>
    tasks.some((own) => own.task === task && own.highestRate !== null),
  );
  const priced = isPriced(report);
  const isThere = (wantedMetric !== 'sustainable' || searched) && (wantedMetric !== 'per_money' || priced);
  const metric = isThere ? wantedMetric : 'throughput';
  const { view, set } = useFactorView(report);
  const [wantedSpacing, setSpacing] = useQueryState('spacing', 'even');
  const spacing: Spacing = wantedSpacing === 'linear' || wantedSpacing === 'log' ? wantedSpacing : 'even';
  const [zero, setZero] = useQueryState('zero');
  const wantsZero = zero === '' ? undefined : zero === '1';
  const colours = useSeriesColours();
  const factors = useMemo(() => factorsOf(report), [report]);
  const marks = useMemo(() => marksOf(report, task, metric, view), [report, task, metric, view]);
  const reference = useMemo(() => referenceOf(report, task, metric), [report, task, metric]);
  const places = useMemo(() => placesOf(report, view), [report, view]);
  const groups = useMemo(
    () =>
      view.groups.map((name, at) => ({
        name,
        look: lookOf(colours, at),
        // A line between categories would suggest values between them.
        joined: view.choice.x !== EVERY_CELL && view.places.values !== null && view.places.names.length > 2,
      })),
    [view, colours],
  );
  const axis = useMemo(
    () =>
      metricAxis(metric, marks, {
        always: reference === null ? [] : [reference.value],
        ...(wantsZero === undefined ? {} : { fromZero: wantsZero }),
      }),
    [metric, marks, reference, wantsZero],
  );
  const { fromZero } = axis;
  const title = metricTitle(report, metric, taskUnit(report, task));
  const y = useMemo(() => ({ title, format: metricFormat(metric), ...axis }), [title, metric, axis]);
  const chartTitle = i18n.translate('dyno.result.factor.chart', {
    defaultMessage: '{metric} by {factor}',
    values: { metric: titleOfTask(title, task, metric), factor: view.places.title },
  });
  const description = describe(marks.some(({ pooled }) => pooled));
  return (
    <Part title={i18n.translate('dyno.result.factor', { defaultMessage: 'Results by factor' })}>
      <FactorControls
        tasks={report.tasks}
        task={task}
        setTask={setTask}
        metric={metric}
        first={firstOption(report, task)}
        searched={searched}
        priced={priced}
        ofCluster={clusterFigures(report)}
        setMetric={setMetric}
        factors={factors}
        view={view}
        setView={set}
        spacing={spacing}
        setSpacing={setSpacing}
        fromZero={fromZero}
        setFromZero={(on) => setZero(on ? '1' : '0')}
      />
      <EuiSpacer size="m" />
      <ChartFrame
        title={chartTitle}
        description={description}
        height={intervalHeight(places, groups.length, HEIGHT)}
        empty={marks.length === 0 ? whyEmpty(report, task, metric) : ''}
        legend={
          groups.length < 2
            ? []
            : groups.map(({ name, look }) => ({ name, colour: look.colour, glyph: glyphOf(look.shape) }))
        }
      >
        <IntervalChart
          places={places}
          spacing={spacing}
          groups={groups}
          marks={marks}
          y={y}
          reference={reference}
        />
      </ChartFrame>
    </Part>
  );
}
