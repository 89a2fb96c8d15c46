/** The timeline of a run: all its charts on one time axis, under one cursor. */
import { EuiSkeletonRectangle, EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import type { Timeline } from '../../../common/api/timeline';
import { INACTIVE_STATES } from '../../../common/experiment/run';
import { useTimeline } from '../../api/timeline';
import { TimeAxisProvider, type Phase, type TimeAxis } from '../../charts/time/axis';
import { SharedCursor } from '../../charts/time/cursor';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Part } from '../../ui/page';
import { ChosenTrial } from './chosen-trial';
import { TimelineBar } from './timeline-bar';
import { HeatmapChart } from './heatmap-chart';
import { NodeCharts } from './node-charts';
import { PartsCharts } from './parts-charts';
import { TaskCharts } from './task-charts';
import type { Zoom } from './zoom';

interface TimelineProps {
  id: string;
  detail: RunDetail;
  zoom: Zoom;
  /** Then it needs not be said twice that the server is away. */
  away: boolean;
}

export function Timeline({ id, detail, zoom, away }: TimelineProps): ReactNode {
  const live = !INACTIVE_STATES.includes(detail.run.run.state);
  const query = useTimeline(id, zoom.asked, live);
  const shown = away && query.data !== undefined ? { ...query, error: null } : query;
  return (
    <Loadable query={shown as typeof query} skeleton={<EuiSkeletonRectangle width="100%" height={480} />}>
      {(timeline) => <Charts id={id} detail={detail} timeline={timeline} zoom={zoom} live={live} />}
    </Loadable>
  );
}

interface ChartsProps extends Omit<TimelineProps, 'away'> {
  timeline: Timeline;
  live: boolean;
}

function Charts({ id, detail, timeline, zoom, live }: ChartsProps): ReactNode {
  const axis = useAxis(timeline, zoom);
  return (
    <TimeAxisProvider value={axis}>
      <SharedCursor>
        <TimelineBar trials={detail.trials} plan={detail.run.plan} zoom={zoom} live={live} />
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

function useAxis({ from, to, bucketMs, phases }: Timeline, { toStretch }: Zoom): TimeAxis {
  return useMemo(() => {
    const ended = phases.map((phase): Phase => ({ ...phase, to: phase.to ?? Math.max(to, phase.from) }));
    return { from, to: Math.max(to, from + bucketMs), bucketMs, phases: ended, onZoom: toStretch };
  }, [from, to, bucketMs, phases, toStretch]);
}
