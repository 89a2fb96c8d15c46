/** The timeline of a run: all charts on one time axis with one cursor. */
import {
  EuiFlexGroup,
  EuiFlexItem,
  EuiIcon,
  EuiPanel,
  EuiSkeletonRectangle,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { type ReactNode, useMemo } from 'react';
import type { RunDetail, TrialBrief } from '../../../common/api/runs';
import type { Timeline } from '../../../common/api/timeline';
import { focusOf } from '../../../common/analysis/focus';
import { cellNames } from '../../../common/report/model/cell-names';
import { INACTIVE_STATES } from '../../../common/experiment/run';
import { useTimeline } from '../../api/timeline';
import { type Phase, type TimeAxis, TimeAxisProvider } from '../../charts/time/axis';
import { SharedCursor } from '../../charts/time/cursor';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Part } from '../../ui/page';
import { SamplesRemoved } from '../../ui/samples-removed';
import { TimelineBar } from './timeline-bar';
import { HeatmapChart } from './heatmap-chart';
import { NodeCharts } from './node-charts';
import { PartsCharts } from './parts-charts';
import { TaskCharts } from './task-charts';
import type { Zoom } from './zoom';
import { formatDuration, formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { trialOutcome } from '../../../common/measurement/trial';
import { StateBadge } from '../../ui/run-state';
import { Time } from '../../ui/time';
import { parseTime } from '../../../common/units/time';

/** The selected trial with its values and all warnings. */
function ChosenTrial({ trials, id }: { trials: readonly TrialBrief[]; id: string }): ReactNode {
  const trial = trials.find((one) => one.id === id);
  if (trial === undefined) return null;
  const { state, unverified, started, ended, reason, tasks, doubts: warnings } = trial;
  return (
    <>
      <EuiPanel color="subdued" paddingSize="s" data-test-subj="dynoChosenTrial">
        <EuiFlexGroup gutterSize="l" alignItems="center" responsive={false} wrap>
          <EuiFlexItem grow={false}>
            <StateBadge state={trialOutcome(state, unverified)} />
          </EuiFlexItem>
          <EuiFlexItem grow={false}>
            <EuiText size="s">
              <Time iso={started} />
              {ended === null ? '' : `, ${formatDuration(parseTime(ended) - parseTime(started))}`}
            </EuiText>
          </EuiFlexItem>
          {tasks.map((task) => (
            <EuiFlexItem key={task.task} grow={false}>
              <EuiText size="s">
                <strong>{task.task}</strong> {formatNumber(task.throughput)} {task.unit},{' '}
                {i18n.translate('dyno.trial.figures', {
                  defaultMessage: 'p50 {p50}, p99 {p99}, rejected {rejected}',
                  values: {
                    p50: formatMs(task.latencyP50),
                    p99: formatMs(task.latencyP99),
                    rejected: formatPercent(task.rejectionRate),
                  },
                })}
              </EuiText>
            </EuiFlexItem>
          ))}
        </EuiFlexGroup>
        {[...(reason === '' ? [] : [reason]), ...warnings].map((note) => (
          <EuiText key={note} size="s" css={{ marginTop: 4 }}>
            <EuiIcon type="warning" color="warning" size="m" aria-hidden /> {note}
          </EuiText>
        ))}
      </EuiPanel>
      <EuiSpacer size="l" />
    </>
  );
}

interface TimelineProps {
  id: string;
  detail: RunDetail;
  zoom: Zoom;
  /** Time at which the run was last received, in ms since the epoch. */
  updatedAt: number;
  /** Whether the last update of the run failed. Another section of the page already shows a message about this, so the charts show none. */
  away: boolean;
}

export function Timeline(props: TimelineProps): ReactNode {
  const { samples } = props.detail.run;
  return samples === undefined ? <KeptTimeline {...props} /> : <SamplesRemoved samples={samples} />;
}

function KeptTimeline({ id, detail, zoom, updatedAt, away }: TimelineProps): ReactNode {
  const live = !INACTIVE_STATES.includes(detail.run.run.state);
  const query = useTimeline(id, zoom.asked, live);
  const shown = away && query.data !== undefined ? { ...query, error: null } : query;
  return (
    <Loadable query={shown as typeof query} skeleton={<EuiSkeletonRectangle width="100%" height={480} />}>
      {(timeline) => (
        <Charts
          id={id}
          detail={detail}
          timeline={timeline}
          zoom={zoom}
          live={live}
          updatedAt={updatedAt}
          away={away || query.error !== null}
        />
      )}
    </Loadable>
  );
}

interface ChartsProps extends TimelineProps {
  timeline: Timeline;
  live: boolean;
}

function Charts({ id, detail, timeline: given, zoom, live, updatedAt, away }: ChartsProps): ReactNode {
  const axis = useAxis(given, detail.run, zoom, live);
  const { definition } = detail.run;
  const timeline = useMemo(() => focusFirst(given, definition), [given, definition]);
  return (
    <TimeAxisProvider value={axis}>
      <SharedCursor>
        <TimelineBar
          trials={detail.trials}
          plan={detail.run.plan}
          zoom={zoom}
          news={live ? { updatedAt, away } : null}
        />
        <ChosenTrial trials={detail.trials} id={zoom.trial} />
        <Part title={i18n.translate('dyno.timeline.tasks', { defaultMessage: 'Tasks' })}>
          <TaskCharts timeline={timeline} />
          <EuiSpacer size="l" />
          <HeatmapChart id={id} detail={detail} timeline={timeline} zoom={zoom} live={live} />
          <PartsCharts id={id} detail={detail} zoom={zoom} live={live} />
        </Part>
        <Part title={i18n.translate('dyno.timeline.nodes', { defaultMessage: 'Nodes' })}>
          <NodeCharts timeline={timeline} />
        </Part>
      </SharedCursor>
    </TimeAxisProvider>
  );
}

/** Returns the timeline with another order of tasks. The task of the first claim comes first, so that its charts are on top. */
function focusFirst(timeline: Timeline, definition: RunDetail['run']['definition']): Timeline {
  const { task } = focusOf(definition);
  const isFirst = (own: Timeline['tasks'][number]): number => (own.task === task ? 0 : 1);
  return { ...timeline, tasks: [...timeline.tasks].sort((a, b) => isFirst(a) - isFirst(b)) };
}

function useAxis(
  { from, to, bucketMs, phases }: Timeline,
  { definition, plan }: Pick<RunDetail['run'], 'definition' | 'plan'>,
  { toStretch }: Zoom,
  live: boolean,
): TimeAxis {
  const { cells } = plan;
  const { names } = useMemo(() => cellNames({ definition, cells }), [definition, cells]);
  return useMemo(() => {
    const ended = phases.map((phase): Phase => ({
      ...phase,
      level: names[cells.findIndex(({ index }) => index === phase.cell)] ?? phase.label,
      to: phase.to ?? Math.max(to, phase.from),
    }));
    return {
      from,
      to: Math.max(to, from + bucketMs),
      bucketMs,
      phases: ended,
      hasEnded: !live,
      onZoom: toStretch,
    };
  }, [from, to, bucketMs, phases, cells, names, live, toStretch]);
}
