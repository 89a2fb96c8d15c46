/** The current step of an active tuning, and the progress of its run. */
import {
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiProgress,
  EuiSpacer,
  EuiText,
  useEuiTheme,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { stepsOf, type TuningStep } from '../../../common/tuning/steps';
import type { Tuning } from '../../../common/tuning/tuning';
import { formatDuration } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';

/** Refresh interval while the tuning is active, in ms. */
const RENEW_MS = 3000;

function titleOf({ kind, number, state }: TuningStep): string {
  const title =
    kind === 'round'
      ? i18n.translate('dyno.tune.step.round', { defaultMessage: 'Round {number}', values: { number } })
      : kind === 'together'
        ? i18n.translate('dyno.tune.step.together', { defaultMessage: 'All together' })
        : number === 1
          ? i18n.translate('dyno.tune.step.confirmation', { defaultMessage: 'Confirmation' })
          : i18n.translate('dyno.tune.step.confirmationAgain', {
              defaultMessage: 'Confirmation {number}',
              values: { number },
            });
  return state === 'skipped'
    ? i18n.translate('dyno.tune.step.skipped', {
        defaultMessage: '{title}, not needed',
        values: { title },
      })
    : title;
}

/**
 * A bar for one step of a tuning. Its width is proportional to the number of trials in the step. `done`: number of trials that have ended.
 */
function Step({ step, done }: { step: TuningStep; done: number }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const isCurrent = step.state === 'current';
  const title = titleOf(step);
  return (
    <EuiFlexItem
      css={{ flexGrow: step.state === 'skipped' ? 1 : step.trials, flexBasis: 0, minInlineSize: 90 }}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <EuiProgress
        value={step.state === 'done' ? 1 : isCurrent ? done : 0}
        max={1}
        size="xs"
        color={isCurrent ? 'primary' : 'subdued'}
        role="progressbar"
        aria-label={title}
      />
      <EuiText
        size="xs"
        color={isCurrent ? 'default' : 'subdued'}
        css={{ marginTop: 4, fontWeight: isCurrent ? euiTheme.font.weight.semiBold : undefined }}
      >
        {title}
      </EuiText>
    </EuiFlexItem>
  );
}

interface StepsProps {
  tuning: Tuning;
  /** Progress of the current step. `done`: ended trials. `all`: all trials. `leftMs`: remaining time in ms; null if unknown. */
  trials?: { done: number; all: number; leftMs: number | null };
}

function Steps({ tuning, trials }: StepsProps): ReactNode {
  const steps = stepsOf(tuning);
  const current = steps.find(({ state }) => state === 'current');
  const counted = steps.filter(({ state }) => state !== 'skipped');
  const run = current?.stage?.run ?? '';
  return (
    <>
      <EuiPanel hasBorder paddingSize="m" data-test-subj="dynoTuneSteps">
        <EuiText size="s">
          <p>
            <strong>
              {current === undefined
                ? i18n.translate('dyno.tune.step.none', { defaultMessage: 'The next step begins' })
                : i18n.translate('dyno.tune.step.current', {
                    defaultMessage: 'Step {at} of {of}: {text}',
                    values: { at: counted.indexOf(current) + 1, of: counted.length, text: current.text },
                  })}
            </strong>
          </p>
        </EuiText>
        <EuiFlexGroup gutterSize="s" responsive={false} wrap css={{ marginTop: 8 }}>
          {steps.map((step) => (
            <Step
              key={`${step.kind} ${step.number}`}
              step={step}
              done={trials === undefined || trials.all === 0 ? 0 : trials.done / trials.all}
            />
          ))}
        </EuiFlexGroup>
        {run === '' ? null : (
          <EuiText size="s" css={{ marginTop: 8 }}>
            <p>
              {trials === undefined
                ? null
                : `${
                    trials.leftMs === null
                      ? i18n.translate('dyno.tune.step.trials', {
                          defaultMessage: '{done} of {all} trials of this step have ended.',
                          values: { done: trials.done, all: trials.all },
                        })
                      : i18n.translate('dyno.tune.step.trialsLeft', {
                          defaultMessage:
                            '{done} of {all} trials of this step have ended, about {time} left in this step.',
                          values: {
                            done: trials.done,
                            all: trials.all,
                            time: formatDuration(trials.leftMs),
                          },
                        })
                  } `}
              <AppLink to={`/runs/${encodeURIComponent(run)}`}>
                {i18n.translate('dyno.tune.step.watch', { defaultMessage: 'Watch its run' })}
              </AppLink>
            </p>
          </EuiText>
        )}
      </EuiPanel>
      <EuiSpacer size="l" />
    </>
  );
}

function StepsWithRun({ tuning, run }: { tuning: Tuning; run: string }): ReactNode {
  const { data } = useApi('getRun', { params: { id: run } }, { every: RENEW_MS, keep: true });
  if (data === undefined) return <Steps tuning={tuning} />;
  const { progress, trials, run: document } = data;
  return (
    <Steps
      tuning={tuning}
      trials={{
        done: progress?.completed ?? trials.filter(({ state }) => state === 'completed').length,
        all: progress?.trials ?? document.progress.trials,
        leftMs: progress?.remainingMs ?? null,
      }}
    />
  );
}

/** Shows the steps of an automatic tuning. Shows nothing after the tuning has ended. */
export function TuningSteps({ tuning }: { tuning: Tuning }): ReactNode {
  if (tuning.state !== 'running') return null;
  const run = tuning.stages.at(-1)?.run ?? '';
  return run === '' ? <Steps tuning={tuning} /> : <StepsWithRun tuning={tuning} run={run} />;
}
