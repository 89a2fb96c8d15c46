/** Charts of the tasks over time: throughput, response times, rejections, and requests in flight. */
import { EuiButtonGroup, useEuiTheme } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Timeline } from '../../../common/api/timeline';
import { formatMs, formatNumber } from '../../../common/units/format';
import { trialStarts, useTimeAxis } from '../../charts/time/axis';
import type { Line } from '../../charts/time/lines';
import { TimeChart } from '../../charts/time/time-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { useQueryState } from '../../ui/query-state';
import { ChartStack } from './chart-stack';
import { pointsOf, unitsOf } from './task-lines';
import { windowsNote } from './windows-note';
import { LoadChart, RefusalChart } from './task-load-charts';

type Task = Timeline['tasks'][number];

export function TaskCharts({ timeline: { tasks } }: { timeline: Timeline }): ReactNode {
  return (
    <ChartStack>
      {unitsOf(tasks).map((unit) => (
        <Throughput key={unit} tasks={tasks.filter((task) => task.unit === unit)} unit={unit} all={tasks} />
      ))}
      {tasks.map((task) => (
        <ResponseTime key={task.task} task={task} alone={tasks.length === 1} />
      ))}
      <RefusalChart tasks={tasks} />
      <LoadChart tasks={tasks} />
    </ChartStack>
  );
}

function Throughput({
  tasks,
  unit,
  all,
}: {
  tasks: readonly Task[];
  unit: string;
  all: readonly Task[];
}): ReactNode {
  const { bucketMs, phases } = useTimeAxis();
  const colours = useSeriesColours();
  const lines = useMemo((): Line[] => {
    const starts = trialStarts(phases);
    return tasks.map((task) => ({
      id: task.task,
      name: task.task,
      colour: colours[all.indexOf(task) % colours.length]!,
      points: pointsOf(task.points, ({ throughput }) => throughput, bucketMs, starts),
    }));
  }, [tasks, all, colours, bucketMs, phases]);
  return (
    <TimeChart
      id={`throughput-${unit.replace('/', '-')}`}
      title={i18n.translate('dyno.chart.throughput', { defaultMessage: 'Throughput' })}
      unit={unit}
      description={i18n.translate('dyno.chart.throughput.text', {
        defaultMessage: 'Accepted per second, by task',
      })}
      lines={lines}
      format={(value) => `${formatNumber(value)} ${unit}`}
      tick={formatNumber}
    />
  );
}

function ResponseTime({ task, alone }: { task: Task; alone: boolean }): ReactNode {
  const { bucketMs, phases } = useTimeAxis();
  const colours = useSeriesColours();
  const { euiTheme } = useEuiTheme();
  const [scale] = useQueryState('scale', 'linear');
  const lines = useMemo((): Line[] => {
    const starts = trialStarts(phases);
    const figures = ['p50', 'p90', 'p99', 'max'] as const;
    return figures.map((figure, index) => ({
      id: figure,
      name: figure,
      colour: figure === 'max' ? euiTheme.colors.darkShade : colours[index]!,
      ...(figure === 'max' ? { dash: [2, 3] } : {}),
      points: pointsOf(task.points, (point) => point[figure], bucketMs, starts),
      overall: task.overall?.[figure] ?? null,
    }));
  }, [task, colours, euiTheme, bucketMs, phases]);
  return (
    <TimeChart
      id={`response-${task.task}`}
      title={
        alone
          ? i18n.translate('dyno.chart.response', { defaultMessage: 'Response time' })
          : i18n.translate('dyno.chart.responseOf', {
              defaultMessage: 'Response time of {task}',
              values: { task: task.task },
            })
      }
      unit="ms"
      note={windowsNote(task, bucketMs)}
      summedUp={i18n.translate('dyno.chart.allRequests', { defaultMessage: 'all measured requests' })}
      description={i18n.translate('dyno.chart.response.text', {
        defaultMessage: 'Percentiles of the time from the intended start of a request to its answer',
      })}
      lines={lines}
      format={formatMs}
      tick={formatNumber}
      logarithmic={scale === 'log'}
      controls={<ScaleSwitch />}
      height={200}
    />
  );
}

function ScaleSwitch(): ReactNode {
  const [scale, setScale] = useQueryState('scale', 'linear');
  return (
    <EuiButtonGroup
      legend={i18n.translate('dyno.chart.scale', { defaultMessage: 'Scale of the response times' })}
      buttonSize="compressed"
      options={[
        { id: 'linear', label: i18n.translate('dyno.chart.linear', { defaultMessage: 'Linear' }) },
        { id: 'log', label: i18n.translate('dyno.chart.log', { defaultMessage: 'Log' }) },
      ]}
      idSelected={scale === 'log' ? 'log' : 'linear'}
      onChange={setScale}
    />
  );
}
