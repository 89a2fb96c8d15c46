/** What became of a run, or why it has not begun: the sentence that a reader looks for first. */
import { EuiCallOut, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import { i18n } from '../../i18n';
import { AnswerBadge } from '../../ui/answer';
import { AppLink } from '../../ui/link';

export function Outcome({ id, detail }: { id: string; detail: RunDetail }): ReactNode {
  const callOut = calledOut(id, detail);
  return callOut === null ? null : (
    <>
      {callOut}
      <EuiSpacer size="l" />
    </>
  );
}

function calledOut(id: string, { run: { run, verdict }, queuedBehind }: RunDetail): ReactNode {
  const reason = run.reason === '' ? null : <p>{run.reason}</p>;
  switch (run.state) {
    case 'running':
      return null;
    case 'queued':
      return (
        <EuiCallOut
          iconType="clock"
          title={i18n.translate('dyno.run.waits', {
            defaultMessage:
              '{behind, plural, =0 {Next on its target: begins as soon as that is free} one {Waits behind one run on its target} other {Waits behind # runs on its target}}',
            values: { behind: queuedBehind ?? 0 },
          })}
        >
          <p>
            {i18n.translate('dyno.run.waitsWhy', {
              defaultMessage:
                'One run at a time loads a target, for two would measure each other. This page follows by itself.',
            })}
          </p>
        </EuiCallOut>
      );
    case 'completed':
      return verdict === null ? null : (
        <EuiCallOut color={COLOURS[verdict.answer]} title={verdict.sentence} iconType="flask">
          <AnswerBadge answer={verdict.answer} />{' '}
          <AppLink to={`/runs/${encodeURIComponent(id)}/result`}>
            {i18n.translate('dyno.run.why', { defaultMessage: 'Read why, with figures and intervals' })}
          </AppLink>
        </EuiCallOut>
      );
    case 'failed':
      return (
        <EuiCallOut
          color="danger"
          iconType="error"
          title={i18n.translate('dyno.run.failed', { defaultMessage: 'This run failed' })}
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
            defaultMessage: 'This run was interrupted and can go on where it stopped',
          })}
        >
          {reason}
        </EuiCallOut>
      );
  }
}

const COLOURS = { confirmed: 'success', refuted: 'danger', undecided: 'primary' } as const;
