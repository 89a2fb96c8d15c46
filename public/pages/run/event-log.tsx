/** The events of a run, newest first. */
import { EuiFilterButton, EuiFilterGroup, EuiIcon, EuiSpacer, EuiText, useEuiTheme } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { TrialBrief } from '../../../common/api/runs';
import type { RunEvent } from '../../../common/experiment/run';
import { parseTime } from '../../../common/units/time';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { formatLocal } from '../../ui/time';

const HEIGHT = 300;
/** Maximum number of events shown. More would make the page slow. */
const MOST = 500;

const LEVELS: readonly RunEvent['level'][] = ['error', 'warning', 'info'];

const levelName = (level: RunEvent['level']): string =>
  ({
    error: i18n.translate('dyno.events.error', { defaultMessage: 'Errors' }),
    warning: i18n.translate('dyno.events.warning', { defaultMessage: 'Warnings' }),
    info: i18n.translate('dyno.events.info', { defaultMessage: 'Information' }),
  })[level];

/**
 * Returns the warnings of trials as events. The time of each event is the end of the trial, or its start while it is running. The grid of
 * trials shows the same warnings.
 */
export const trialWarnings = (trials: readonly TrialBrief[]): RunEvent[] =>
  trials.flatMap(({ order, started, ended, doubts: warnings }) =>
    warnings.map((warning): RunEvent => ({
      at: ended ?? started,
      level: 'warning',
      message: i18n.translate('dyno.events.ofTrial', {
        defaultMessage: 'Trial {number}: {warning}',
        values: { number: order + 1, warning },
      }),
    })),
  );

interface EventLogProps {
  /** Events in chronological order. */
  events: readonly RunEvent[];
  trials: readonly TrialBrief[];
}

export function EventLog({ events: runEvents, trials }: EventLogProps): ReactNode {
  const events = useMemo(
    () => [...runEvents, ...trialWarnings(trials)].sort((a, b) => parseTime(a.at) - parseTime(b.at)),
    [runEvents, trials],
  );
  // Levels that are shown, such as `error,warning`; all by default.
  const [chosen, setChosen] = useQueryState('events');
  const levels = chosen.split(',').filter((level) => LEVELS.some((known) => known === level));
  const title = i18n.translate('dyno.events.title', { defaultMessage: 'Events' });
  const shown = useMemo(
    () =>
      events
        .filter(({ level }) => levels.length === 0 || levels.includes(level))
        .slice(-MOST)
        .reverse(),
    // oxlint-disable-next-line react/exhaustive-deps -- `levels` follows from `chosen`
    [events, chosen],
  );
  const toggle = (level: string): void => {
    const next = levels.includes(level) ? levels.filter((one) => one !== level) : [...levels, level];
    setChosen(next.join(','));
  };
  return (
    <Part title={title}>
      <EuiFilterGroup compressed>
        {LEVELS.map((level) => (
          <EuiFilterButton
            key={level}
            isToggle
            isSelected={levels.includes(level)}
            hasActiveFilters={levels.includes(level)}
            numFilters={events.filter((event) => event.level === level).length}
            onClick={() => toggle(level)}
          >
            {levelName(level)}
          </EuiFilterButton>
        ))}
      </EuiFilterGroup>
      <EuiSpacer size="s" />
      <div
        role="log"
        aria-label={title}
        tabIndex={0}
        css={{ maxBlockSize: HEIGHT, overflowY: 'auto' }}
        data-test-subj="dynoEventLog"
      >
        {shown.length === 0 ? (
          <EuiText size="s" color="subdued">
            {i18n.translate('dyno.events.none', { defaultMessage: 'No events' })}
          </EuiText>
        ) : (
          shown.map((event, index) => <Event key={shown.length - index} event={event} />)
        )}
      </div>
    </Part>
  );
}

function Event({ event: { at, level, message } }: { event: RunEvent }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { icon, colour } = {
    error: { icon: 'error', colour: euiTheme.colors.danger },
    warning: { icon: 'warning', colour: euiTheme.colors.warning },
    info: { icon: 'info', colour: euiTheme.colors.textSubdued },
  }[level];
  return (
    <div
      css={{
        display: 'grid',
        gridTemplateColumns: '16px auto 1fr',
        gap: 8,
        alignItems: 'baseline',
        paddingBlock: 4,
        borderBottom: euiTheme.border.thin,
      }}
    >
      <EuiIcon type={icon} size="s" color={colour} title={levelName(level)} />
      <EuiText size="xs" color="subdued" css={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {/* The times are not focusable: with hundreds of them, the Tab key would stop too often. */}
        <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
          {formatLocal(at)}
        </time>
      </EuiText>
      <EuiText size="xs" css={{ overflowWrap: 'anywhere' }}>
        {message}
      </EuiText>
    </div>
  );
}
