/** Dialogs that ask for confirmation before actions that cannot be undone. Each dialog says which data is kept and which is lost. */
import type { ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import { environmentLabel } from '../../../common/experiment/environment';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';

interface DialogProps {
  onClose: () => void;
  onConfirm: () => void;
}

export function CancelDialog({ detail, onClose, onConfirm }: DialogProps & { detail: RunDetail }): ReactNode {
  const completed = detail.trials.filter(({ state }) => state === 'completed').length;
  const { state, waiting } = detail.run.run;
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.cancel.title', { defaultMessage: 'Cancel this run?' })}
      onCancel={onClose}
      onConfirm={onConfirm}
      cancelButtonText={i18n.translate('dyno.cancel.no', { defaultMessage: 'Keep running' })}
      confirmButtonText={i18n.translate('dyno.cancel.yes', { defaultMessage: 'Cancel run' })}
    >
      {state === 'queued' ? (
        <p>
          {i18n.translate('dyno.cancel.queued', {
            defaultMessage: 'The run has not begun. Nothing was measured, and the target was not touched.',
          })}
        </p>
      ) : (
        <>
          <p>
            {i18n.translate('dyno.cancel.stays', {
              defaultMessage:
                '{completed, plural, =0 {No trial has completed, so there is no result.} one {The completed trial is kept, with its result.} other {The # completed trials are kept, with their result.}}',
              values: { completed },
            })}
          </p>
          <p>
            {waiting
              ? i18n.translate('dyno.cancel.waiting', {
                  defaultMessage: '{label} will not be measured. A cancelled run cannot be resumed.',
                  values: { label: environmentLabel(waiting.environment) },
                })
              : i18n.translate('dyno.cancel.goes', {
                  defaultMessage:
                    'The current trial does not count. Dyno deletes the index of this trial on the target, and restores every cluster setting that it changed. A cancelled run cannot be resumed.',
                })}
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}

interface DeleteDialogProps extends DialogProps {
  /** Names of the experiments whose runs are deleted. */
  names: readonly string[];
  /** Whether the run is the baseline of its experiment. */
  isBaseline?: boolean;
  isLoading: boolean;
}

export function DeleteDialog({
  names,
  isBaseline = false,
  isLoading,
  onClose,
  onConfirm,
}: DeleteDialogProps): ReactNode {
  const count = names.length;
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.delete.title', {
        defaultMessage: '{count, plural, one {Delete this run?} other {Delete # runs?}}',
        values: { count },
      })}
      onCancel={onClose}
      onConfirm={onConfirm}
      isLoading={isLoading}
      cancelButtonText={i18n.translate('dyno.delete.no', { defaultMessage: 'Keep' })}
      confirmButtonText={i18n.translate('dyno.delete.yes', {
        defaultMessage: '{count, plural, one {Delete run} other {Delete # runs}}',
        values: { count },
      })}
    >
      {isBaseline ? (
        <p>
          <strong>
            {i18n.translate('dyno.delete.baseline', {
              defaultMessage:
                'This run is the baseline of its experiment. Without this run, the experiment has no baseline.',
            })}
          </strong>
        </p>
      ) : null}
      <p>
        {i18n.translate('dyno.delete.goes', {
          defaultMessage:
            'Trials, samples, node metrics and the verdict are deleted for good. The experiment is kept.',
        })}
      </p>
      <ul>
        {[...new Set(names)].slice(0, 10).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
