/** The latency heat map of one trial. It is the selected trial. If none is selected, it is the active or the last one. */
import { EuiFlexGroup, EuiFlexItem, EuiSelect, EuiSkeletonRectangle, EuiText, EuiTitle } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RunDetail, TrialBrief } from '../../../common/api/runs';
import type { Heatmap, Timeline } from '../../../common/api/timeline';
import { useHeatmap } from '../../api/timeline';
import { useTimeAxis } from '../../charts/time/axis';
import { HeatmapPlot } from '../../charts/time/heatmap-plot';
import { InSight } from '../../charts/time/in-sight';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { useQueryState } from '../../ui/query-state';
import { trialInView } from './grid';
import type { Zoom } from './zoom';

const HEIGHT = 220;

interface HeatmapChartProps {
  id: string;
  detail: RunDetail;
  timeline: Timeline;
  zoom: Zoom;
  live: boolean;
}

export function HeatmapChart({ id, detail, timeline, zoom, live }: HeatmapChartProps): ReactNode {
  const trial = trialInView(detail.trials, zoom.trial);
  const tasks = timeline.tasks.map(({ task }) => task);
  const [chosen, setChosen] = useQueryState('task');
  const task = tasks.includes(chosen) ? chosen : (tasks[0] ?? '');
  if (trial === null || task === '') return null;
  const label = detail.run.plan.cells[trial.cell]?.label ?? '';
  const heading = i18n.translate('dyno.heatmap.title', { defaultMessage: 'Response times of one trial' });
  return (
    <section aria-label={heading} data-test-subj="dynoChart-heatmap">
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false} wrap>
        <EuiFlexItem grow={false}>
          <EuiTitle size="xxs">
            <h3>{heading}</h3>
          </EuiTitle>
        </EuiFlexItem>
        <EuiFlexItem>
          <EuiText size="xs" color="subdued">
            {i18n.translate('dyno.heatmap.note', {
              defaultMessage:
                'Trial {number}: {label}, repetition {repetition}. The stronger the colour is, the more answers of {task} had this response time. The colour scale is logarithmic.',
              values: { number: trial.order + 1, label, repetition: trial.repetition + 1, task },
            })}
          </EuiText>
        </EuiFlexItem>
        {tasks.length < 2 ? null : (
          <EuiFlexItem grow={false}>
            <EuiSelect
              compressed
              aria-label={i18n.translate('dyno.heatmap.task', { defaultMessage: 'Task of the heat map' })}
              options={tasks.map((name) => ({ value: name, text: name }))}
              value={task}
              onChange={({ target }) => setChosen(target.value)}
            />
          </EuiFlexItem>
        )}
      </EuiFlexGroup>
      <InSight height={HEIGHT}>
        <Answered id={id} trial={trial} task={task} zoom={zoom} title={heading} live={live} />
      </InSight>
    </section>
  );
}

interface AnsweredProps {
  id: string;
  trial: TrialBrief;
  task: string;
  zoom: Zoom;
  title: string;
  live: boolean;
}

function Answered({ id, trial, task, zoom, title, live }: AnsweredProps): ReactNode {
  const query = useHeatmap(id, trial.id, task, live && trial.state === 'running');
  const axis = useTimeAxis();
  // Loaded data stay visible without an error, because a message above already says that the server is unreachable.
  const shown = query.data === undefined ? query : ({ ...query, error: null } as typeof query);
  return (
    <Loadable query={shown} skeleton={<EuiSkeletonRectangle width="100%" height={HEIGHT} />}>
      {(data) => {
        const span = spanOf(data);
        if (span === null) return <Nothing />;
        // The heat map uses the time axis of the other charts if they show this trial, else its own.
        const [from, to] = zoom.trial === trial.id ? [axis.from, axis.to] : span;
        return (
          <HeatmapPlot
            title={title}
            description={i18n.translate('dyno.heatmap.text', {
              defaultMessage: 'Distribution of the response times of {task} over the time of the trial',
              values: { task },
            })}
            data={within(data, from, to)}
            from={from}
            to={to}
            onZoom={zoom.toStretch}
            height={HEIGHT}
          />
        );
      }}
    </Loadable>
  );
}

function spanOf({ columns, columnMs }: Heatmap): [from: number, to: number] | null {
  return columns.length === 0 ? null : [columns[0]!, columns.at(-1)! + columnMs];
}

/** Returns the heat map with only those columns that overlap a time range. */
function within(data: Heatmap, from: number, to: number): Heatmap {
  const kept = data.columns.map((at) => at + data.columnMs > from && at < to);
  return {
    ...data,
    columns: data.columns.filter((_, index) => kept[index]),
    counts: data.counts.filter((_, index) => kept[index]),
  };
}

function Nothing(): ReactNode {
  return (
    <EuiText size="s" color="subdued" textAlign="center">
      {i18n.translate('dyno.heatmap.nothing', { defaultMessage: 'No answers yet' })}
    </EuiText>
  );
}
