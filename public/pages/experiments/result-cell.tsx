/** Contents of table cells in the list of experiments: the last result, the last run, and the schedule. */
import { EuiBadge, EuiFlexGroup, EuiFlexItem, EuiProgress, EuiText, EuiToolTip } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { missedSentence, missedWord } from '../../../common/experiment/missed';
import { isOver, scheduleWords } from '../../../common/experiment/schedule';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { formatShort, ShortTime } from '../../ui/time';
import { IntervalChart } from './interval-chart';

type Last = NonNullable<ExperimentSummary['last']>;

interface Word {
  text: string;
  color: 'success' | 'danger' | 'warning' | 'hollow';
}

export function verdictOf({ state, answer }: Pick<Last, 'state' | 'answer'>): Word {
  if (state === 'failed')
    return { text: i18n.translate('dyno.experiments.failed', { defaultMessage: 'Failed' }), color: 'danger' };
  if (state === 'cancelled')
    return {
      text: i18n.translate('dyno.experiments.cancelled', { defaultMessage: 'Cancelled' }),
      color: 'hollow',
    };
  if (state === 'interrupted')
    return {
      text: i18n.translate('dyno.experiments.interrupted', { defaultMessage: 'Interrupted' }),
      color: 'warning',
    };
  if (answer === 'confirmed')
    return {
      text: i18n.translate('dyno.experiments.confirmed', { defaultMessage: 'Confirmed' }),
      color: 'success',
    };
  if (answer === 'refuted')
    return {
      text: i18n.translate('dyno.experiments.refuted', { defaultMessage: 'Refuted' }),
      color: 'danger',
    };
  if (answer === 'no-claim')
    return {
      text: i18n.translate('dyno.experiments.noClaim', { defaultMessage: 'No claim' }),
      color: 'hollow',
    };
  return {
    text: i18n.translate('dyno.experiments.undecided', { defaultMessage: 'Undecided' }),
    color: 'hollow',
  };
}

export function ResultCell({ last }: { last: Last | null }): ReactNode {
  if (last === null) {
    return (
      <EuiText size="s" color="subdued">
        {i18n.translate('dyno.experiments.never', { defaultMessage: 'Never run' })}
      </EuiText>
    );
  }
  const { text, color } = verdictOf(last);
  return (
    <EuiFlexGroup gutterSize="m" alignItems="center" responsive={false} wrap>
      <EuiFlexItem grow={false} css={{ minInlineSize: 104 }}>
        <div>
          <EuiToolTip content={[last.sentence, last.trust?.line].filter(Boolean).join(' ')}>
            <EuiBadge color={color} tabIndex={0}>
              {text}
            </EuiBadge>
          </EuiToolTip>
        </div>
        {last.failed > 0 ? (
          <EuiText size="xs" color="danger">
            {i18n.translate('dyno.experiments.failedTrials', {
              defaultMessage: '{count, plural, one {# trial} other {# trials}} failed',
              values: { count: last.failed },
            })}
          </EuiText>
        ) : null}
        {last.thresholdsFailed > 0 ? (
          <EuiText size="xs" color="danger">
            {i18n.translate('dyno.experiments.thresholds', {
              defaultMessage: '{count, plural, one {# threshold} other {# thresholds}} broken',
              values: { count: last.thresholdsFailed },
            })}
          </EuiText>
        ) : null}
        <EuiText size="xs">
          <AppLink to={`/runs/${encodeURIComponent(last.id)}/result`}>
            {i18n.translate('dyno.experiments.openResult', { defaultMessage: 'Open result' })}
          </AppLink>
        </EuiText>
      </EuiFlexItem>
      <EuiFlexItem grow={false}>
        <IntervalChart metric={last.metric} unit={last.unit} cells={last.cells} />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

/** Shows the active run. If no run is active, shows the time at which the last run ended. */
export function LastRunCell({ experiment: { active, last } }: { experiment: ExperimentSummary }): ReactNode {
  if (active) return <Active active={active} />;
  return <EuiText size="xs">{last?.ended ? <ShortTime iso={last.ended} /> : '–'}</EuiText>;
}

/** Shows the schedule of an experiment and the time of its next run. */
export function ScheduleCell({
  experiment: { schedule, nextRun, missed },
}: {
  experiment: ExperimentSummary;
}): ReactNode {
  if (schedule === null) return <EuiText size="xs">–</EuiText>;
  return (
    <EuiText size="xs">
      {scheduleWords(schedule)}
      {nextRun === null ? (
        isOver(schedule, new Date()) ? (
          <EuiText size="xs" color="subdued">
            {i18n.translate('dyno.experiments.scheduleDone', { defaultMessage: 'Done' })}
          </EuiText>
        ) : null
      ) : (
        <EuiText size="xs" color="subdued">
          {i18n.translate('dyno.experiments.nextRun', { defaultMessage: 'Next' })} <ShortTime iso={nextRun} />
        </EuiText>
      )}
      {missed === null ? null : (
        <EuiToolTip content={missedSentence(missed, formatShort)}>
          <EuiText size="xs" color="warning" tabIndex={0}>
            {missedWord(missed) === 'skipped'
              ? i18n.translate('dyno.experiments.skipped', { defaultMessage: 'Skipped' })
              : i18n.translate('dyno.experiments.missed', { defaultMessage: 'Missed' })}{' '}
            <ShortTime iso={missed.last} />
          </EuiText>
        </EuiToolTip>
      )}
    </EuiText>
  );
}

function Active({ active }: { active: NonNullable<ExperimentSummary['active']> }): ReactNode {
  const words =
    active.waitsFor !== null
      ? i18n.translate('dyno.experiments.waiting', {
          defaultMessage: 'Waiting for {label}',
          values: { label: active.waitsFor },
        })
      : active.state === 'queued'
        ? i18n.translate('dyno.experiments.queued', { defaultMessage: 'Waiting for its target' })
        : i18n.translate('dyno.experiments.running', {
            defaultMessage: 'Running, {completed} of {trials} trials',
            values: { completed: active.completed, trials: active.trials },
          });
  return (
    <EuiText size="xs" css={{ inlineSize: '100%' }}>
      <AppLink to={`/runs/${encodeURIComponent(active.id)}`}>{words}</AppLink>
      {active.state === 'queued' ? null : (
        <EuiProgress
          size="xs"
          color="primary"
          aria-label={words}
          value={active.completed}
          max={Math.max(1, active.trials)}
        />
      )}
    </EuiText>
  );
}
