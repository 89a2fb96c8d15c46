/** Questions before what cannot be undone: each says what stays and what goes. */
import { EuiConfirmModal, useGeneratedHtmlId } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import { environmentLabel } from '../../../common/experiment/environment';
import { i18n } from '../../i18n';

interface DialogProps {
  onClose: () => void;
  onConfirm: () => void;
}

export function CancelDialog({ detail, onClose, onConfirm }: DialogProps & { detail: RunDetail }): ReactNode {
  const title = useGeneratedHtmlId();
  const completed = detail.trials.filter(({ state }) => state === 'completed').length;
  const { state, waiting } = detail.run.run;
  return (
    <EuiConfirmModal
      aria-labelledby={title}
      titleProps={{ id: title }}
      title={i18n.translate('dyno.cancel.title', { defaultMessage: 'Cancel this run?' })}
      onCancel={onClose}
      onConfirm={onConfirm}
      cancelButtonText={i18n.translate('dyno.cancel.no', { defaultMessage: 'Let it run' })}
      confirmButtonText={i18n.translate('dyno.cancel.yes', { defaultMessage: 'Cancel run' })}
      buttonColor="danger"
      defaultFocusedButton="cancel"
    >
      {state === 'queued' ? (
        <p>
          {i18n.translate('dyno.cancel.queued', {
            defaultMessage: 'It has not begun: nothing was measured, and its target was not touched.',
          })}
        </p>
      ) : (
        <>
          <p>
            {i18n.translate('dyno.cancel.stays', {
              defaultMessage:
                '{completed, plural, =0 {No trial is completed yet, so there will be no result.} one {What the completed trial measured stays, and its result can be read.} other {What the # completed trials measured stays, and their result can be read.}}',
              values: { completed },
            })}
          </p>
          <p>
            {waiting
              ? i18n.translate('dyno.cancel.waiting', {
                  defaultMessage: '{label} is never measured then. A cancelled run cannot go on.',
                  values: { label: environmentLabel(waiting.environment) },
                })
              : i18n.translate('dyno.cancel.goes', {
                  defaultMessage:
                    'The trial that runs now does not count. Dyno removes its index from the target and puts back every cluster setting that it changed. A cancelled run cannot go on.',
                })}
          </p>
        </>
      )}
    </EuiConfirmModal>
  );
}

interface DeleteDialogProps extends DialogProps {
  /** Of the experiments whose runs go. */
  names: readonly string[];
  isLoading: boolean;
}

export function DeleteDialog({ names, isLoading, onClose, onConfirm }: DeleteDialogProps): ReactNode {
  const title = useGeneratedHtmlId();
  const count = names.length;
  return (
    <EuiConfirmModal
      aria-labelledby={title}
      titleProps={{ id: title }}
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
      buttonColor="danger"
      defaultFocusedButton="cancel"
    >
      <p>
        {i18n.translate('dyno.delete.goes', {
          defaultMessage:
            'Trials, samples, node metrics and the verdict are removed for good. The experiment itself stays.',
        })}
      </p>
      <ul>
        {[...new Set(names)].slice(0, 10).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </EuiConfirmModal>
  );
}
