/** The progress of a run and its current step, updated every second. */
import { EuiFlexGroup, EuiFlexItem, EuiPanel, EuiProgress, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import { mostTrials } from '../../../common/experiment/trial-counts';
import { failedTrials, INACTIVE_STATES, outcomeOf } from '../../../common/experiment/run';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { useNow } from '../../ui/time';
import { tasksInCell } from './grid';
import { PhaseSteps } from './phase-steps';
import { TaskFigures } from './task-figures';
import { ticking } from './ticking';

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

const COLOURS = {
  queued: 'subdued',
  running: 'primary',
  waiting: 'accent',
  completed: 'success',
  'completed-with-failures': 'danger',
  failed: 'danger',
  cancelled: 'subdued',
  interrupted: 'warning',
} as const;

interface RunProgressProps {
  detail: RunDetail;
  /** Time at which the progress was received, in ms since the epoch. */
  updatedAt: number;
}

export function RunProgress({
  detail: { run, progress: reported, trials },
  updatedAt,
}: RunProgressProps): ReactNode {
  const isActive = !INACTIVE_STATES.includes(run.run.state);
  const now = useNow(isActive);
  const progress = reported === null || !isActive ? null : ticking(reported, now - updatedAt);
  const planned = run.plan.trials.length;
  const order = reported?.current?.order;
  const { definition, plan } = run;
  const defined = useMemo(() => {
    const cell = plan.trials.find((trial) => trial.order === order)?.cell;
    return tasksInCell({ definition, plan }, cell);
  }, [definition, plan, order]);
  const completed = trials.filter(({ state }) => state === 'completed').length;
  return (
    <EuiPanel hasBorder paddingSize="m" data-test-subj="dynoRunProgress">
      <EuiFlexGroup
        gutterSize="m"
        alignItems="baseline"
        justifyContent="spaceBetween"
        responsive={false}
        wrap
      >
        <EuiFlexItem grow={false}>
          <EuiText size="s">
            <strong>
              {i18n.translate('dyno.progress.trials', {
                defaultMessage:
                  '{completed} of {planned, plural, one {one trial} other {{all} trials}} completed',
                values: { completed: formatNumber(completed), planned, all: formatNumber(planned) },
              })}
            </strong>
          </EuiText>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <TimeLeft
            remainingMs={progress?.remainingMs}
            plannedMs={run.plan.estimate.ms}
            now={now}
            waits={run.run.state === 'queued'}
          />
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="s" />
      <EuiProgress
        value={completed}
        max={Math.max(1, planned)}
        size="m"
        color={COLOURS[outcomeOf(run.run.state, failedTrials(run))]}
        aria-label={i18n.translate('dyno.progress.bar', { defaultMessage: 'Completed trials' })}
      />
      {progress === null || run.run.state !== 'running' ? null : (
        <>
          <EuiSpacer size="m" />
          <PhaseSteps progress={progress} repetitions={mostTrials(run.definition.trials)} />
          {progress.tasks.length === 0 ? null : (
            <>
              <EuiSpacer size="m" />
              <TaskFigures defined={defined} tasks={progress.tasks} />
            </>
          )}
        </>
      )}
    </EuiPanel>
  );
}

interface TimeLeftProps {
  remainingMs: number | undefined;
  plannedMs: number;
  now: number;
  waits: boolean;
}

function TimeLeft({ remainingMs, plannedMs, now, waits }: TimeLeftProps): ReactNode {
  if (remainingMs === undefined && !waits) return null;
  return (
    <EuiText size="s" color="subdued" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {remainingMs === undefined
        ? i18n.translate('dyno.progress.willTake', {
            defaultMessage: 'will take about {length}',
            values: { length: formatDuration(plannedMs) },
          })
        : i18n.translate('dyno.progress.left', {
            defaultMessage: 'about {left} left, until {clock}',
            values: { left: formatDuration(remainingMs), clock: CLOCK.format(now + remainingMs) },
          })}
    </EuiText>
  );
}
