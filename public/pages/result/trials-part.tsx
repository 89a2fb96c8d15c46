/** The trials in the order in which they were executed. This section shows whether the cluster became faster or slower during the run. */
import { EuiButtonGroup, EuiSpacer, EuiTablePagination } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import { formatChange } from '../../../common/analysis/wording';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { metricFormat } from '../../../common/report/chart/interval-series';
import { orderSeries } from '../../../common/report/chart/order-series';
import { trialsTable } from '../../../common/report/tables/run';
import { ChartFrame } from '../../charts/result/chart-frame';
import { glyphOf, lookOf } from '../../charts/result/marks';
import { NearViewport } from '../../charts/result/near-viewport';
import { NumberedChart } from '../../charts/result/numbered-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { ReportTable } from '../../ui/report-table';
import { metricTitle, taskUnit } from './metrics';
import { useMetric, useTask } from './use-choice';

const HEIGHT = 240;
const PAGE = 25;

function Course({ report }: { report: Report }): ReactNode {
  const [task] = useTask(report);
  const [wanted] = useMetric(report, task);
  const [drift, setDrift] = useQueryState('drift');
  const colours = useSeriesColours();
  const series = useMemo(() => orderSeries(report, task, wanted), [report, task, wanted]);
  const isCompared = series.points.some(({ ratio }) => ratio !== null);
  const relative = drift === 'relative' && isCompared;
  const { names } = cellNames(report);
  const nameKey = JSON.stringify(names);
  const groups = useMemo(
    () => (JSON.parse(nameKey) as string[]).map((name, at) => ({ name, look: lookOf(colours, at) })),
    [nameKey, colours],
  );
  const points = useMemo(
    () =>
      series.points
        .map(({ order, cell, value, ratio, state, ...rest }) => ({
          ...rest,
          isLost: state !== 'completed',
          number: order,
          value: relative ? ratio : value,
          look: groups[cell]!.look,
        }))
        // A completed trial without the metric does not count as lost.
        .filter(({ value, isLost }): boolean => value !== null || isLost),
    [series, relative, groups],
  );
  const metric = metricTitle(report, series.metric, taskUnit(report, task));
  const yTitle = relative
    ? i18n.translate('dyno.result.trials.relative', { defaultMessage: 'Relative to the mean of its cell' })
    : metric;
  const y = useMemo(
    () =>
      relative
        ? { title: yTitle, span: series.y.ratio, format: formatChange }
        : {
            title: yTitle,
            span: series.y.value,
            unit: series.y.value.unit,
            format: metricFormat(series.metric),
          },
    [yTitle, relative, series],
  );
  const title = i18n.translate('dyno.result.trials.chart', {
    defaultMessage: '{metric} by order of execution',
    values: { metric: series.words.title },
  });
  const description = i18n.translate('dyno.result.trials.description', {
    defaultMessage:
      'One mark per trial; a ring marks trials with a warning. A slope shows a drift of the cluster.',
  });
  return (
    <ChartFrame
      title={title}
      description={description}
      height={HEIGHT}
      legend={groups.map(({ name, look }) => ({ name, colour: look.colour, glyph: glyphOf(look.shape) }))}
      controls={
        isCompared ? (
          <EuiButtonGroup
            legend={i18n.translate('dyno.result.trials.scale', {
              defaultMessage: 'Metric shown for each trial',
            })}
            options={[
              {
                id: 'absolute',
                label: i18n.translate('dyno.result.trials.absolute', { defaultMessage: 'Each trial' }),
              },
              {
                id: 'relative',
                label: i18n.translate('dyno.result.trials.toCell', { defaultMessage: 'To its cell' }),
              },
            ]}
            idSelected={relative ? 'relative' : 'absolute'}
            onChange={(id) => setDrift(id === 'relative' ? id : '')}
            buttonSize="compressed"
          />
        ) : undefined
      }
    >
      <NumberedChart
        x={{
          title: i18n.translate('dyno.result.trials.order', { defaultMessage: 'Order of execution' }),
          span: series.x,
        }}
        y={y}
        points={points}
        radius={4.5}
        reference={relative ? 1 : null}
        lostName={i18n.translate('dyno.result.trials.lost', {
          defaultMessage: 'not completed, not counted',
        })}
      />
    </ChartFrame>
  );
}

function Trials({ report }: { report: Report }): ReactNode {
  const [page, setPage] = useState(0);
  const table = useMemo(() => trialsTable(report), [report]);
  const pages = Math.ceil(table.rows.length / PAGE);
  const rows = table.rows.slice(page * PAGE, (page + 1) * PAGE);
  const base = `/runs/${encodeURIComponent(report.run.id)}`;
  return (
    <>
      <ReportTable
        table={{ ...table, rows }}
        titled={false}
        last={{
          name: i18n.translate('dyno.result.trials.course', { defaultMessage: 'Course' }),
          render: (row) => (
            <AppLink to={`${base}?trial=${encodeURIComponent(report.trials[page * PAGE + row]!.id)}`}>
              {i18n.translate('dyno.result.trials.open', {
                defaultMessage: 'Trial {order} over time',
                values: { order: report.trials[page * PAGE + row]!.order + 1 },
              })}
            </AppLink>
          ),
        }}
      />
      {pages < 2 ? null : (
        <EuiTablePagination
          aria-label={table.title}
          pageCount={pages}
          activePage={page}
          onChangePage={setPage}
          itemsPerPage={PAGE}
          showPerPageOptions={false}
        />
      )}
    </>
  );
}

export function TrialsPart({ report }: { report: Report }): ReactNode {
  if (report.trials.length === 0) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.trialsInOrder', {
        defaultMessage: 'Trials in the order in which they ran',
      })}
    >
      {report.run.trials.completed > 0 ? (
        <NearViewport height={HEIGHT + 110}>{() => <Course report={report} />}</NearViewport>
      ) : null}
      <EuiSpacer size="m" />
      <NearViewport height={36 + Math.min(PAGE, report.trials.length) * 29}>
        {() => <Trials report={report} />}
      </NearViewport>
    </Part>
  );
}
