/**
 * The current step of a run: the combination of factor levels, the repetition, the phase of the trial (such as warm-up), and the progress
 * of the phase.
 */
import { EuiFlexGroup, EuiFlexItem, EuiProgress, EuiText, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Progress } from '../../../common/measurement/progress';
import { formatDuration, formatPercent } from '../../../common/units/format';
import { phaseName } from '../../charts/time/time-header';
import { i18n } from '../../i18n';
import { phaseShare } from './ticking';

const STEPS = ['prepare', 'warm-up', 'measure', 'drain'] as const;

export function PhaseSteps({
  progress,
  repetitions,
}: {
  progress: Progress;
  repetitions: number;
}): ReactNode {
  const { phase } = progress;
  const at = STEPS.findIndex((step) => step === phase);
  return (
    <>
      <EuiText size="s">
        <p>{nowText(progress, repetitions)}</p>
      </EuiText>
      {at < 0 ? null : (
        <EuiFlexGroup gutterSize="s" responsive={false} css={{ marginTop: 8 }}>
          {STEPS.map((step, index) => (
            <Step
              key={step}
              name={phaseName(step)}
              state={index < at ? 'done' : index === at ? 'now' : 'ahead'}
              progress={progress}
              grow={step === 'measure' ? 4 : step === 'warm-up' ? 2 : 1}
            />
          ))}
        </EuiFlexGroup>
      )}
    </>
  );
}

interface StepProps {
  name: string;
  state: 'done' | 'now' | 'ahead';
  progress: Progress;
  grow: number;
}

function Step({ name, state, progress, grow }: StepProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const share = phaseShare(progress);
  const value = state === 'done' ? 1 : state === 'ahead' ? 0 : share;
  return (
    <EuiFlexItem
      css={{ flexGrow: grow, flexBasis: 0, minInlineSize: 0 }}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <EuiProgress
        {...(value === null ? {} : { value, max: 1 })}
        size="xs"
        color={state === 'now' ? 'primary' : 'subdued'}
        role="progressbar"
        aria-label={name}
      />
      <EuiText
        size="xs"
        color={state === 'now' ? 'default' : 'subdued'}
        css={{
          marginTop: 4,
          fontVariantNumeric: 'tabular-nums',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
          fontWeight: state === 'now' ? euiTheme.font.weight.semiBold : undefined,
        }}
      >
        {name}
        {state === 'now' ? ` ${lengthText(progress)}` : ''}
      </EuiText>
    </EuiFlexItem>
  );
}

function lengthText({ phase, phaseMs, phaseLengthMs, measured }: Progress): string {
  const since = formatDuration(phaseMs);
  if (phaseLengthMs !== null) {
    return i18n.translate('dyno.progress.phaseOf', {
      defaultMessage: '{since} of {length}',
      values: { since, length: formatDuration(phaseLengthMs) },
    });
  }
  return phase === 'measure' && measured > 0 ? `${since}, ${formatPercent(measured)}` : since;
}

function nowText(progress: Progress, repetitions: number): string {
  const { phase, current, phaseMs, phaseLengthMs, doing } = progress;
  if (doing !== undefined) {
    return i18n.translate('dyno.progress.doing', {
      defaultMessage: 'Dyno {doing} ({since})',
      values: { doing, since: formatDuration(phaseMs) },
    });
  }
  switch (phase) {
    case 'preflight':
      return i18n.translate('dyno.progress.preflight', {
        defaultMessage: 'Preflight: checking that the target is reachable, healthy and suitable',
      });
    case 'burn-in':
      return i18n.translate('dyno.progress.burnIn', {
        defaultMessage: 'Burn-in: load that does not count, to warm up the cluster ({since}{length})',
        values: {
          since: formatDuration(phaseMs),
          length: phaseLengthMs === null ? '' : ` / ${formatDuration(phaseLengthMs)}`,
        },
      });
    case 'done':
      return i18n.translate('dyno.progress.done', { defaultMessage: 'Writing the verdict' });
    default:
      return current === null
        ? ''
        : i18n.translate('dyno.progress.now', {
            defaultMessage: 'Trial {number}: {cell}, repetition {repetition} of {repetitions}',
            values: {
              number: current.order + 1,
              cell: current.cell,
              repetition: current.repetition + 1,
              repetitions,
            },
          });
  }
}
