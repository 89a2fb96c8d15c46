/**
 * Charts of the durations of single requests within transactions, for one trial. It is the selected trial. If none is selected, it is the
 * active or the last one.
 */
import { EuiSkeletonRectangle, EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunDetail, TrialBrief } from '../../../common/api/runs';
import type { PartsTimeline } from '../../../common/api/timeline';
import { formatMs, formatNumber } from '../../../common/units/format';
import { useParts } from '../../api/timeline';
import { TimeAxisProvider, useTimeAxis, type TimeAxis } from '../../charts/time/axis';
import { PLOT_HEIGHT, TimeChart } from '../../charts/time/time-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { tasksInCell, trialInView } from './grid';
import { DASHES, pointsOf } from './task-lines';
import type { Zoom } from './zoom';

interface PartsChartsProps {
  id: string;
  detail: RunDetail;
  zoom: Zoom;
  live: boolean;
}

/** Shows the charts for all tasks that have transactions. */
export function PartsCharts({ id, detail, zoom, live }: PartsChartsProps): ReactNode {
  const trial = trialInView(detail.trials, zoom.trial);
  const { definition, plan } = detail.run;
  const tasks = useMemo(
    () => tasksInCell({ definition, plan }, trial?.cell),
    [definition, plan, trial?.cell],
  );
  if (trial === null) return null;
  return tasks
    .filter(({ transaction }) => transaction !== undefined)
    .map(({ name }) => (
      <div key={name}>
        <EuiSpacer size="l" />
        <Parts
          id={id}
          trial={trial}
          label={detail.run.plan.cells[trial.cell]?.label ?? ''}
          task={name}
          zoom={zoom}
          live={live && trial.state === 'running'}
        />
      </div>
    ));
}

interface PartsProps {
  id: string;
  trial: TrialBrief;
  /** Levels of the trial's factors as text. */
  label: string;
  task: string;
  zoom: Zoom;
  live: boolean;
}

function Parts(props: PartsProps): ReactNode {
  const { id, trial, task, zoom, live } = props;
  const query = useParts(id, trial.id, task, live);
  const axis = useTimeAxis();
  // Loaded data stay visible without an error, because a message above already says that the server is unreachable.
  const shown = query.data === undefined ? query : ({ ...query, error: null } as typeof query);
  return (
    <Loadable query={shown} skeleton={<EuiSkeletonRectangle width="100%" height={PLOT_HEIGHT} />}>
      {(data) => (
        <TimeAxisProvider value={axisOf(data, axis, zoom.trial === trial.id)}>
          <Lines {...props} data={data} />
        </TimeAxisProvider>
      )}
    </Loadable>
  );
}

/**
 * Returns the time axis of the charts. If `isShared` is true, the other charts of the page show the same trial, and the result is their
 * axis. Otherwise, the axis fits the points of this trial.
 */
function axisOf({ parts, columnMs }: PartsTimeline, axis: TimeAxis, isShared: boolean): TimeAxis {
  const times = parts.flatMap(({ points }) => points.map(({ at }) => at));
  if (isShared || times.length === 0) return { ...axis, bucketMs: columnMs };
  const [from, to] = [Math.min(...times), Math.max(...times) + columnMs];
  return { ...axis, from, to, bucketMs: columnMs };
}

function Lines({ trial, label, task, data }: PartsProps & { data: PartsTimeline }): ReactNode {
  const { bucketMs } = useTimeAxis();
  const colours = useSeriesColours();
  const lines = useMemo(
    () =>
      data.parts.map(({ name, points }, at) => ({
        id: name,
        name,
        colour: colours[at % colours.length]!,
        dash: DASHES[Math.floor(at / colours.length) % DASHES.length],
        points: pointsOf(points, ({ mean }) => mean, bucketMs, []),
      })),
    [data, colours, bucketMs],
  );
  return (
    <TimeChart
      id={`parts-${task}`}
      title={i18n.translate('dyno.parts.title', {
        defaultMessage: 'Parts of {task} in one trial',
        values: { task },
      })}
      unit="ms"
      note={i18n.translate('dyno.parts.note', {
        defaultMessage: 'Trial {number}: {label}, repetition {repetition}. Mean service time',
        values: { number: trial.order + 1, label, repetition: trial.repetition + 1 },
      })}
      description={i18n.translate('dyno.parts.text', {
        defaultMessage: 'Mean service time of each request in the transactions of {task}',
        values: { task },
      })}
      lines={lines}
      format={formatMs}
      tick={formatNumber}
      height={200}
    />
  );
}
