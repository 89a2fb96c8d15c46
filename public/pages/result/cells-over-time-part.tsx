/**
 * A chart that compares combinations of factor levels over the seconds of their trials. It shows the throughput, response times or metrics
 * of the nodes. Many published benchmarks contain such charts.
 */
import {
  EuiFlexGroup,
  EuiFlexItem,
  EuiResizeObserver,
  EuiSelect,
  EuiSkeletonRectangle,
  EuiSpacer,
} from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import type { Timeline } from '../../../common/api/timeline';
import { worst } from '../../../common/report/chart/course-series';
import { firstTask } from '../../../common/report/chart/interval-series';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { formatMs, formatNumber } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { ChartFrame } from '../../charts/result/chart-frame';
import { CourseChart } from '../../charts/result/course-chart';
import { glyphOf, lookOf } from '../../charts/result/marks';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Part } from '../../ui/page';
import { SamplesRemoved } from '../../ui/samples-removed';
import { useQueryState } from '../../ui/query-state';
import { nodeFigures } from '../run/node-figures';
import {
  courseLines,
  figureOverTime,
  isTaskFigure,
  ofNodes,
  ofTask,
  TASK_FIGURES,
  type TaskFigure,
} from './cells-over-time';
import { metricTitle, taskUnit } from './metrics';
import { useTask } from './use-choice';
import { courseRequest } from './requests';

const HEIGHT = 320;
/** Minimum distance between two points of a line, in px. Points that are closer could not be distinguished. */
const PX_OF_POINT = 4;
/** Assumed width of the chart until it is measured, in px. */
const USUAL_WIDTH = 1000;
const THROUGHPUT = 'throughput';

interface Drawn {
  report: Report;
  timeline: Timeline;
  figure: string;
  /** Width of the chart, in px. */
  width: number;
}

/** Returns the displayed name, the title of the axis and the format of a task's metric. */
function wordsOf(report: Report, task: string, figure: TaskFigure) {
  const isTime = figure !== THROUGHPUT;
  const metric = isTime ? (`${task}.latency.${figure}` as const) : THROUGHPUT;
  const title = metricTitle(report, metric, taskUnit(report, task));
  return {
    name: isTime
      ? title
      : i18n.translate('dyno.result.course.throughput', {
          defaultMessage: 'Throughput of {task}',
          values: { task },
        }),
    axis: title,
    format: isTime ? formatMs : formatNumber,
    bytes: false,
    join: isTime ? worst : undefined,
  };
}

function Course({ report, timeline, figure, width }: Drawn): ReactNode {
  const [task] = useTask(report);
  const colours = useSeriesColours();
  const { lines, y, name } = useMemo(() => {
    const node = nodeFigures().find(({ id }) => id === figure);
    const { join, ...words } =
      node === undefined
        ? wordsOf(report, task, isTaskFigure(figure) ? figure : THROUGHPUT)
        : {
            name: node.title,
            axis: `${node.title}, ${node.unit}`,
            format: node.format,
            bytes: node.bytes ?? false,
            join: undefined,
          };
    const moments =
      node === undefined
        ? ofTask(timeline, task, isTaskFigure(figure) ? figure : THROUGHPUT)
        : ofNodes(timeline, node.of);
    const { names } = cellNames(report);
    return {
      name: words.name,
      y: { title: words.axis, format: words.format, bytes: words.bytes },
      lines: courseLines(timeline, moments, Math.ceil(width / PX_OF_POINT), join).map(
        ({ cell, points }, at) => ({
          name: names[report.cells.findIndex(({ index }) => index === cell)] ?? '',
          look: lookOf(colours, at),
          points,
        }),
      ),
    };
  }, [report, timeline, task, figure, width, colours]);
  const title = i18n.translate('dyno.result.course.chart', {
    defaultMessage: '{figure} by cell over time',
    values: { figure: name },
  });
  const description = i18n.translate('dyno.result.course.description', {
    defaultMessage:
      'Each line is a cell: the mean of the cell’s trials at the same second of the load. Metrics of nodes are means over the nodes.',
  });
  return (
    <ChartFrame
      title={title}
      description={description}
      height={HEIGHT}
      legend={lines.map(({ name, look }) => ({ name, colour: look.colour, glyph: glyphOf(look.shape) }))}
    >
      <CourseChart lines={lines} y={y} />
    </ChartFrame>
  );
}

/** Returns the metrics for which the task or a node has at least one value. */
const optionsOf = ({ tasks, nodes }: Timeline, task: string): { value: string; text: string }[] => {
  const points = tasks.find((own) => own.task === task)?.points ?? [];
  return [
    ...TASK_FIGURES.filter((name) => points.some((point) => point[name] !== null)).map((value) => ({
      value,
      text:
        value === THROUGHPUT
          ? i18n.translate('dyno.result.choose.throughput', { defaultMessage: 'Throughput' })
          : value,
    })),
    ...nodeFigures()
      .filter(({ of }) => nodes.some((node) => node.points.some((point) => of(point) !== null)))
      .map(({ id, title }) => ({ value: id, text: title })),
  ];
};

export function CellsOverTimePart({ report }: { report: Report }): ReactNode {
  const { samples } = report.run;
  return (
    <Part title={i18n.translate('dyno.result.course.title', { defaultMessage: 'Cells over time' })}>
      {samples === undefined ? <CellsOverTime report={report} /> : <SamplesRemoved samples={samples} />}
    </Part>
  );
}

function CellsOverTime({ report }: { report: Report }): ReactNode {
  const query = useApi('getTimeline', courseRequest(report.run.id));
  const [width, setWidth] = useState(USUAL_WIDTH);
  const [task] = useTask(report);
  const first = task === firstTask(report) ? figureOverTime(report.focus.metric) : THROUGHPUT;
  const [wanted, setFigure] = useQueryState('over-time', first);
  return (
    <Loadable query={query} skeleton={<EuiSkeletonRectangle width="100%" height={HEIGHT} />}>
      {(timeline) => {
        const options = optionsOf(timeline, task);
        const figure = options.some(({ value }) => value === wanted) ? wanted : THROUGHPUT;
        const name = i18n.translate('dyno.result.course.figure', { defaultMessage: 'Figure' });
        return (
          <>
            <EuiFlexGroup gutterSize="s" responsive={false}>
              <EuiFlexItem grow={false}>
                <EuiSelect
                  compressed
                  prepend={name}
                  aria-label={name}
                  value={figure}
                  options={options}
                  onChange={({ target }) => setFigure(target.value)}
                />
              </EuiFlexItem>
            </EuiFlexGroup>
            <EuiSpacer size="m" />
            <EuiResizeObserver onResize={(size) => setWidth(Math.max(1, Math.round(size.width / 100) * 100))}>
              {(ref) => (
                <div ref={ref}>
                  <Course report={report} timeline={timeline} figure={figure} width={width} />
                </div>
              )}
            </EuiResizeObserver>
          </>
        );
      }}
    </Loadable>
  );
}
