/** Lists what an interrupted run left in its target, such as indices and pipelines. A button removes them. */
import { EuiButton, EuiCallOut, EuiSpacer } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import type { LeftBehind as Left } from '../../../common/experiment/left-behind';
import { useApiChange } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useToasts } from '../../ui/toasts';

export function LeftBehind({ id, detail: { left } }: { id: string; detail: RunDetail }): ReactNode {
  const mayRun = usePrivilege('run');
  const toasts = useToasts();
  const [asks, setAsks] = useState(false);
  const cleanUp = useApiChange('cleanUpRun', ['getRun', 'listRuns']);
  if (left === null) return null;
  const deletes = left.indices.length + left.pipelines.length > 0;
  const clean = (): void => {
    setAsks(false);
    cleanUp.mutate(
      { params: { id } },
      {
        onSuccess: ({ left: still }) => {
          if (still === null)
            toasts.done(i18n.translate('dyno.run.left.done', { defaultMessage: 'The target is clean' }));
        },
        onError: (error) =>
          toasts.failed(
            i18n.translate('dyno.run.left.failed', { defaultMessage: 'The target was not cleaned up' }),
            error,
          ),
      },
    );
  };
  const notes = cleanUp.data?.notes ?? [];
  return (
    <>
      <EuiCallOut
        color="warning"
        iconType="broom"
        title={i18n.translate('dyno.run.left.title', {
          defaultMessage: 'This run left something in its target',
        })}
      >
        <LeftList left={left} />
        {notes.length === 0 ? null : (
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <p>
          {i18n.translate('dyno.run.left.why', {
            defaultMessage:
              'Dyno cleans this up before the next run on this target, or when Dyno starts. You can also clean up now.',
          })}
        </p>
        {mayRun ? (
          <EuiButton
            size="s"
            color="warning"
            isLoading={cleanUp.isPending}
            onClick={() => (deletes ? setAsks(true) : clean())}
          >
            {i18n.translate('dyno.run.left.clean', { defaultMessage: 'Clean up now' })}
          </EuiButton>
        ) : null}
      </EuiCallOut>
      <EuiSpacer size="l" />
      {asks ? <CleanUpDialog left={left} onClose={() => setAsks(false)} onConfirm={clean} /> : null}
    </>
  );
}

function LeftList({ left: { indices, pipelines, settings } }: { left: Left }): ReactNode {
  return (
    <ul>
      {indices.map((name) => (
        <li key={name}>
          {i18n.translate('dyno.run.left.index', { defaultMessage: 'The index {name}', values: { name } })}
        </li>
      ))}
      {pipelines.map((name) => (
        <li key={name}>
          {i18n.translate('dyno.run.left.pipeline', {
            defaultMessage: 'The ingest pipeline {name}',
            values: { name },
          })}
        </li>
      ))}
      {settings.map(({ name, was }) => (
        <li key={name}>
          {was === null
            ? i18n.translate('dyno.run.left.unset', {
                defaultMessage: 'The cluster setting {name}, which was not set before',
                values: { name },
              })
            : i18n.translate('dyno.run.left.setting', {
                defaultMessage: 'The cluster setting {name}, which was {was} before',
                values: { name, was },
              })}
        </li>
      ))}
    </ul>
  );
}

interface CleanUpDialogProps {
  left: Left;
  onClose: () => void;
  onConfirm: () => void;
}

function CleanUpDialog({ left, onClose, onConfirm }: CleanUpDialogProps): ReactNode {
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.run.left.ask', { defaultMessage: 'Clean up the target of this run?' })}
      onCancel={onClose}
      onConfirm={onConfirm}
      cancelButtonText={i18n.translate('dyno.run.left.no', { defaultMessage: 'Leave it' })}
      confirmButtonText={i18n.translate('dyno.run.left.yes', { defaultMessage: 'Clean up' })}
    >
      <p>
        {i18n.translate('dyno.run.left.goes', {
          defaultMessage:
            'Dyno deletes these indices and pipelines if they carry its mark, and restores the settings. All measured results are kept.',
        })}
      </p>
      <LeftList left={left} />
    </ConfirmDialog>
  );
}
