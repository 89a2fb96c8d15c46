/**
 * A bar above the charts that stays visible while the page scrolls. It shows which time range of the run the charts cover. Users choose
 * another range there.
 */
import { EuiButtonEmpty, EuiFlexGroup, EuiFlexItem, EuiSelect, EuiText, useEuiTheme } from '@elastic/eui';
import type { ComponentProps, ReactNode } from 'react';
import type { TrialBrief } from '../../../common/api/runs';
import type { StoredPlan } from '../../../common/experiment/plan';
import { formatDuration } from '../../../common/units/format';
import { formatClock } from '../../charts/time/clock';
import { useTimeAxis } from '../../charts/time/axis';
import { phaseName } from '../../charts/time/time-header';
import { TrialStrip } from '../../charts/time/trial-strip';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';
import { LiveBadge } from './live-badge';
import type { Zoom } from './zoom';

interface TimelineBarProps {
  trials: readonly TrialBrief[];
  plan: StoredPlan;
  zoom: Zoom;
  /** Status of live updates; null if the run has ended. */
  news: ComponentProps<typeof LiveBadge> | null;
}

export function TimelineBar({ trials, plan, zoom, news }: TimelineBarProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  return (
    <div
      css={{
        position: 'sticky',
        // Places the bar below Kibana's own header.
        top: 'var(--euiFixedHeadersOffset, 0px)',
        zIndex: 5,
        paddingBlock: 8,
        marginBottom: 8,
        backgroundColor: euiTheme.colors.backgroundBasePlain,
      }}
    >
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false} wrap css={{ marginBottom: 8 }}>
        <EuiFlexItem grow={false} css={{ inlineSize: 380, maxInlineSize: '100%' }}>
          <TrialChoice trials={trials} plan={plan} zoom={zoom} />
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <Span />
        </EuiFlexItem>
        {zoom.from === '' ? null : (
          <EuiFlexItem grow={false}>
            <EuiButtonEmpty size="s" iconType="magnifyMinus" onClick={zoom.out}>
              {zoom.trial === '' && zoom.blocks.length === 0
                ? i18n.translate('dyno.timeline.outToRun', { defaultMessage: 'Back to the whole run' })
                : zoom.trial === ''
                  ? i18n.translate('dyno.timeline.outToEnvironment', {
                      defaultMessage: 'Back to the environment',
                    })
                  : i18n.translate('dyno.timeline.outToTrial', { defaultMessage: 'Back to the whole trial' })}
            </EuiButtonEmpty>
          </EuiFlexItem>
        )}
        {zoom.trial === '' && zoom.block === null ? null : (
          <EuiFlexItem grow={false}>
            <EuiButtonEmpty size="s" iconType="maximize" onClick={zoom.whole}>
              {i18n.translate('dyno.timeline.whole', { defaultMessage: 'Whole run' })}
            </EuiButtonEmpty>
          </EuiFlexItem>
        )}
        <EuiFlexItem />
        <EuiFlexItem grow={false}>
          <PhaseKey />
        </EuiFlexItem>
        {news === null ? null : (
          <EuiFlexItem grow={false}>
            <LiveBadge {...news} />
          </EuiFlexItem>
        )}
      </EuiFlexGroup>
      <TrialStrip selected={zoom.trial} onSelect={zoom.toTrial} />
    </div>
  );
}

const DAY_MS = 24 * 3_600_000;

/** Shows the time range of the charts, and how much time each point covers. */
function Span(): ReactNode {
  const { from, to, bucketMs } = useTimeAxis();
  const clock = (at: number): string =>
    to - from < DAY_MS ? formatClock(at) : formatLocal(new Date(at).toISOString());
  return (
    <EuiText size="xs" color="subdued" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {i18n.translate('dyno.timeline.span', {
        defaultMessage: '{from} – {to} ({length}), one point per {bucket}. Drag across a chart to zoom in.',
        values: {
          from: clock(from),
          to: clock(to),
          length: formatDuration(to - from),
          bucket: formatDuration(bucketMs),
        },
      })}
    </EuiText>
  );
}

/** The legend of the phases' colours. */
function PhaseKey(): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { backgroundLightWarning, backgroundLightPrimary } = euiTheme.colors;
  const phases = [
    { phase: 'warm-up', colour: backgroundLightWarning },
    { phase: 'measure', colour: backgroundLightPrimary },
  ] as const;
  return (
    <EuiText size="xs" color="subdued" css={{ display: 'flex', gap: 12 }}>
      {phases.map(({ phase, colour }) => (
        <span key={phase} css={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
          <span
            aria-hidden
            css={{
              inlineSize: 12,
              blockSize: 12,
              borderRadius: 2,
              backgroundColor: colour,
              border: euiTheme.border.thin,
            }}
          />
          {phaseName(phase)}
        </span>
      ))}
    </EuiText>
  );
}

/** Prefix that distinguishes options for environments (labels such as `disk: ssd`) from options for trials. */
const ENVIRONMENT = 'environment ';

function TrialChoice({ trials, plan, zoom }: Omit<TimelineBarProps, 'news'>): ReactNode {
  const whole = i18n.translate('dyno.timeline.whole', { defaultMessage: 'Whole run' });
  const options = [
    { value: '', text: whole },
    ...zoom.blocks.map(({ label }) => ({ value: `${ENVIRONMENT}${label}`, text: label })),
    ...trials.map(({ id, order, cell, repetition }) => ({
      value: id,
      text: i18n.translate('dyno.timeline.trial', {
        defaultMessage: 'Trial {number}: {label}, repetition {repetition}',
        values: { number: order + 1, label: plan.cells[cell]?.label ?? '', repetition: repetition + 1 },
      }),
    })),
  ];
  return (
    <EuiSelect
      compressed
      fullWidth
      prepend={i18n.translate('dyno.timeline.show', { defaultMessage: 'Show' })}
      aria-label={i18n.translate('dyno.timeline.choose', {
        defaultMessage: 'The part of the run that the charts show',
      })}
      options={options}
      value={
        zoom.block
          ? `${ENVIRONMENT}${zoom.block.label}`
          : trials.some(({ id }) => id === zoom.trial)
            ? zoom.trial
            : ''
      }
      onChange={({ target: { value } }) => {
        if (value === '') zoom.whole();
        else if (value.startsWith(ENVIRONMENT)) zoom.toBlock(value.slice(ENVIRONMENT.length));
        else zoom.toTrial(value);
      }}
    />
  );
}
