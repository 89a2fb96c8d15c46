/** A panel at the top of a run's page. It says how the run ended, or why it has not started. */
import { EuiButton, EuiCallOut, EuiPanel, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { trustOf } from '../../../common/analysis/run-trust';
import type { Trust } from '../../../common/analysis/trust';
import type { RunDetail } from '../../../common/api/runs';
import { environmentLabel } from '../../../common/experiment/environment';
import { answerOf, failedTrials, isEndedByDefinition, type Verdict } from '../../../common/experiment/run';
import { i18n } from '../../i18n';
import { useApp } from '../../app/context';
import { AnswerChip } from '../../ui/answer-chip';
import { useLinkProps } from '../../ui/link';
import { TrustLine } from '../../ui/trust-line';

interface OutcomeProps {
  id: string;
  detail: RunDetail;
  /** Opens the dialog that continues the run. Null if the run does not wait, or if the user may not continue it. */
  onContinue: (() => void) | null;
}

export function Outcome({ id, detail, onContinue }: OutcomeProps): ReactNode {
  const callOut = calledOut(id, detail, onContinue);
  return callOut === null ? null : (
    <>
      {callOut}
      <EuiSpacer size="l" />
    </>
  );
}

function HeldBack({ why }: { why: string }): ReactNode {
  return (
    <EuiCallOut
      iconType="clock"
      title={i18n.translate('dyno.run.heldBack', { defaultMessage: 'No run can begin on this machine now' })}
    >
      <p>
        {i18n.translate('dyno.run.heldBackWhy', {
          defaultMessage:
            'This run begins automatically when this has ended: {why}. This page updates automatically.',
          values: { why },
        })}
      </p>
    </EuiCallOut>
  );
}

function calledOut(
  id: string,
  { run: document, queuedBehind, heldBack }: RunDetail,
  onContinue: OutcomeProps['onContinue'],
): ReactNode {
  const { run, verdict, progress } = document;
  const failed = failedTrials(document);
  const trust = trustOf(document);
  const reason = run.reason === '' ? null : <p>{run.reason}</p>;
  switch (run.state) {
    case 'running':
      return null;
    case 'queued':
      if (heldBack !== '') return <HeldBack why={heldBack} />;
      return (
        <EuiCallOut
          iconType="clock"
          title={i18n.translate('dyno.run.waits', {
            defaultMessage:
              '{behind, plural, =0 {Next in the queue: begins as soon as the target is free} one {One run before it in the queue of its target} other {# runs before it in the queue of its target}}',
            values: { behind: queuedBehind ?? 0 },
          })}
        >
          <p>
            {i18n.translate('dyno.run.waitsWhy', {
              defaultMessage:
                'Only one run at a time loads a target, because two would disturb each other. This page updates automatically.',
            })}
          </p>
        </EuiCallOut>
      );
    case 'waiting':
      return (
        <EuiCallOut
          color="primary"
          iconType="hourglass"
          title={i18n.translate('dyno.run.waiting', {
            defaultMessage: 'Set up {label}, then continue',
            values: { label: environmentLabel(run.waiting?.environment ?? {}) },
          })}
        >
          {run.reason === '' ? null : (
            <p>
              {i18n.translate('dyno.run.waitingFailed', {
                defaultMessage: 'The run could not continue: {reason}',
                values: { reason: run.reason },
              })}
            </p>
          )}
          <p>
            {i18n.translate('dyno.run.waitingWhy', {
              defaultMessage:
                'Everything measured so far is kept. Until you continue, this run uses nothing and blocks no other run, even for days. The next environment may be another cluster.',
            })}
          </p>
          {onContinue === null ? null : (
            <EuiButton size="s" iconType="play" onClick={onContinue}>
              {i18n.translate('dyno.run.continue', { defaultMessage: 'Continue' })}
            </EuiButton>
          )}
        </EuiCallOut>
      );
    case 'completed':
      return (
        <>
          {failed === 0 ? null : (
            <EuiCallOut
              color="danger"
              iconType="warning"
              title={i18n.translate('dyno.run.completedWithFailures', {
                defaultMessage:
                  'Completed with failures: {failed} of {trials, plural, one {# trial} other {# trials}} failed. The results are from the other trials',
                values: { failed, trials: progress.trials },
              })}
            />
          )}
          {failed === 0 || verdict === null ? null : <EuiSpacer size="m" />}
          {verdict === null ? null : <Result id={id} verdict={verdict} trust={trust} />}
        </>
      );
    case 'failed':
      return (
        <EuiCallOut
          color="danger"
          iconType="error"
          title={
            isEndedByDefinition(document)
              ? i18n.translate('dyno.run.failedByDefinition', {
                  defaultMessage:
                    'This run was ended by its own definition: edit the experiment and run it again',
                })
              : i18n.translate('dyno.run.failed', {
                  defaultMessage: 'This run failed. It can be resumed when the cause is fixed',
                })
          }
        >
          {reason}
        </EuiCallOut>
      );
    case 'cancelled':
      return (
        <EuiCallOut
          iconType="minusCircle"
          title={i18n.translate('dyno.run.cancelled', { defaultMessage: 'This run was cancelled' })}
        >
          {reason}
        </EuiCallOut>
      );
    case 'interrupted':
      return (
        <EuiCallOut
          color="warning"
          iconType="pause"
          title={i18n.translate('dyno.run.interrupted', {
            defaultMessage: 'This run was interrupted and can be resumed where it stopped',
          })}
        >
          {reason}
        </EuiCallOut>
      );
  }
}

/** The verdict in the same words as at the top of the result page, with a link to that page. */
function Result({ id, verdict, trust }: { id: string; verdict: Verdict; trust: Trust | null }): ReactNode {
  const linkProps = useLinkProps();
  const result = `/runs/${encodeURIComponent(id)}/result`;
  const open = linkProps(result);
  const { history } = useApp().host;
  const answer = answerOf(verdict);
  const size = verdict.claims.length === 1 ? verdict.claims[0]?.effect?.size : undefined;
  return (
    <EuiPanel hasBorder hasShadow={false} paddingSize="m">
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 24px' }}>
        <div css={{ display: 'flex', alignItems: 'center', gap: 12 }}>
          <AnswerChip state={answer} trust={trust?.level} />
          {size === undefined || size === '–' ? null : (
            <strong css={{ fontSize: 26, lineHeight: '32px' }}>{size}</strong>
          )}
        </div>
        <div css={{ flex: '1 1 320px', minInlineSize: 0 }}>
          <EuiText size="s">
            <p>{verdict.sentence}</p>
          </EuiText>
        </div>
        <EuiButton size="s" iconType="chartBarHorizontal" {...open}>
          {i18n.translate('dyno.run.why', { defaultMessage: 'Open the result with metrics and intervals' })}
        </EuiButton>
      </div>
      {trust === null ? null : (
        <>
          <EuiSpacer size="s" />
          <TrustLine trust={trust} onWhy={() => history.push(result)} />
        </>
      )}
    </EuiPanel>
  );
}
