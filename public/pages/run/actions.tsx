/** Actions for a run: open its result, cancel it, continue it, delete it. */
import { EuiButton, EuiButtonEmpty } from '@elastic/eui';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import { isExample } from '../../../common/example';
import { FINAL_STATES, INACTIVE_STATES, isEndedByDefinition } from '../../../common/experiment/run';
import { useApp, usePrivilege } from '../../app/context';
import { useApi, useApiChange } from '../../api/queries';
import { i18n } from '../../i18n';
import { useLinkProps } from '../../ui/link';
import { useToasts } from '../../ui/toasts';
import { ContinueDialog } from './continue-dialog';
import { CancelDialog, DeleteDialog } from './dialogs';

interface RunActions {
  buttons: ReactNode[];
  dialog: ReactNode;
  /**
   * Opens the dialog that continues a run after a person has changed its environment, such as disks. Null if the run does not wait for
   * this, or the user may not continue it.
   */
  onContinue: (() => void) | null;
}

export function useRunActions(id: string, detail: RunDetail | undefined): RunActions {
  const { history } = useApp().host;
  const queries = useQueryClient();
  const toasts = useToasts();
  const linkProps = useLinkProps();
  // Nobody has these rights on the example, because it cannot be changed.
  const mayRun = usePrivilege('run') && !isExample(id);
  const mayManage = usePrivilege('manage') && !isExample(id);
  const [asks, setAsks] = useState<'cancel' | 'delete' | 'continue' | null>(null);
  const cancel = useApiChange('cancelRun', ['getRun', 'listRuns', 'listExperiments']);
  const resume = useApiChange('resumeRun', ['getRun', 'listRuns', 'listExperiments']);
  const remove = useApiChange('deleteRun', ['listRuns', 'listExperiments']);
  const baseline = useApi(
    'getBaseline',
    { params: { id: detail?.run.experiment.id ?? '' } },
    { enabled: asks === 'delete' && detail !== undefined },
  ).data?.baseline?.baseline;
  if (detail === undefined) return { buttons: [], dialog: null, onContinue: null };

  const { state } = detail.run.run;
  const ended = FINAL_STATES.includes(state);
  const hasResult = detail.trials.some((trial) => trial.state === 'completed');
  const request = { params: { id } };
  const isBaseline = baseline != null && 'run' in baseline && baseline.run === id;
  const buttons: ReactNode[] = [];

  const resumeOn = (target?: string): void =>
    resume.mutate(
      { ...request, query: target === undefined ? {} : { target } },
      {
        onSuccess: ({ run }) => {
          setAsks(null);
          if (run !== id) history.push(`/runs/${encodeURIComponent(run)}`);
        },
        onError: (error) =>
          toasts.failed(
            i18n.translate('dyno.run.resumeFailed', { defaultMessage: 'The run was not continued' }),
            error,
          ),
      },
    );
  const onContinue = state === 'waiting' && mayRun ? (): void => setAsks('continue') : null;
  if (onContinue) {
    buttons.push(
      <EuiButton key="continue" fill iconType="play" onClick={onContinue}>
        {i18n.translate('dyno.run.continue', { defaultMessage: 'Continue' })}
      </EuiButton>,
    );
  }
  const wantsEdit = isEndedByDefinition(detail.run) && mayManage;
  if (wantsEdit) {
    buttons.push(
      <EuiButton
        key="edit"
        fill={!hasResult}
        iconType="pencil"
        {...linkProps(`/experiments/${encodeURIComponent(detail.run.experiment.id)}`)}
      >
        {i18n.translate('dyno.run.edit', { defaultMessage: 'Edit experiment' })}
      </EuiButton>,
    );
  }
  if ((state === 'interrupted' || state === 'failed') && mayRun) {
    buttons.push(
      <EuiButton
        key="resume"
        fill={!hasResult && !wantsEdit}
        color={wantsEdit ? 'text' : 'primary'}
        iconType="play"
        isLoading={resume.isPending}
        onClick={() => resumeOn()}
      >
        {i18n.translate('dyno.run.resume', { defaultMessage: 'Continue' })}
      </EuiButton>,
    );
  }
  if (hasResult) {
    buttons.unshift(
      <EuiButton
        key="result"
        fill={ended}
        color={ended ? 'primary' : 'text'}
        iconType="chartBarHorizontal"
        {...linkProps(`/runs/${encodeURIComponent(id)}/result`)}
      >
        {ended
          ? i18n.translate('dyno.run.result', { defaultMessage: 'Result' })
          : i18n.translate('dyno.run.resultSoFar', { defaultMessage: 'Result so far' })}
      </EuiButton>,
    );
  }
  if (!ended && mayRun) {
    buttons.push(
      <EuiButton
        key="cancel"
        color="danger"
        iconType="stop"
        isLoading={cancel.isPending || cancel.isSuccess}
        onClick={() => setAsks('cancel')}
      >
        {cancel.isPending || cancel.isSuccess
          ? i18n.translate('dyno.run.cancelling', { defaultMessage: 'Ends' })
          : i18n.translate('dyno.run.cancel', { defaultMessage: 'Cancel run' })}
      </EuiButton>,
    );
  }
  if (INACTIVE_STATES.includes(state) && mayManage) {
    buttons.push(
      <EuiButtonEmpty key="delete" color="danger" iconType="trash" onClick={() => setAsks('delete')}>
        {i18n.translate('dyno.run.delete', { defaultMessage: 'Delete' })}
      </EuiButtonEmpty>,
    );
  }

  const close = (): void => setAsks(null);
  const failed = (title: string) => (error: unknown) => toasts.failed(title, error);
  const dialog =
    asks === 'continue' && onContinue ? (
      <ContinueDialog run={detail.run} isLoading={resume.isPending} onClose={close} onContinue={resumeOn} />
    ) : asks === 'cancel' ? (
      <CancelDialog
        detail={detail}
        onClose={close}
        onConfirm={() => {
          close();
          cancel.mutate(request, {
            onError: failed(
              i18n.translate('dyno.run.cancelFailed', { defaultMessage: 'The run was not cancelled' }),
            ),
          });
        }}
      />
    ) : asks === 'delete' ? (
      <DeleteDialog
        names={[detail.run.experiment.name]}
        isBaseline={isBaseline}
        isLoading={remove.isPending}
        onClose={close}
        onConfirm={() =>
          remove.mutate(
            { ...request, query: isBaseline ? { baseline: 'remove' } : {} },
            {
              onSuccess: () => {
                for (const name of ['getRun', 'getReport'])
                  queries.removeQueries({ queryKey: [name, request] });
                toasts.done(i18n.translate('dyno.run.deleted', { defaultMessage: 'The run was deleted' }));
                history.push('/runs');
              },
              onError: failed(
                i18n.translate('dyno.run.deleteFailed', { defaultMessage: 'The run was not deleted' }),
              ),
            },
          )
        }
      />
    ) : null;
  return { buttons, dialog, onContinue };
}
