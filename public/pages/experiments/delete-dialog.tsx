/** Asks before an experiment goes, and tells exactly what goes with it. */
import { EuiConfirmModal, EuiRadioGroup, EuiSpacer, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { useApiChange } from '../../api/queries';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';

interface DeleteDialogProps {
  experiment: ExperimentSummary;
  onClose: () => void;
}

export function DeleteDialog({ experiment, onClose }: DeleteDialogProps): ReactNode {
  const titleId = useGeneratedHtmlId();
  const [runs, setRuns] = useState<'keep' | 'delete'>('keep');
  const remove = useApiChange('deleteExperiment', ['listExperiments', 'listRuns']);
  const toasts = useToasts();
  const { id, name, runs: count, schedule } = experiment;
  const confirm = async (): Promise<void> => {
    try {
      const { deletedRuns } = await remove.mutateAsync({ params: { id }, query: { runs } });
      toasts.done(
        i18n.translate('dyno.experiments.delete.done', {
          defaultMessage: '{name} is gone{runs, plural, =0 {} one {, with # run} other {, with # runs}}',
          values: { name, runs: deletedRuns },
        }),
      );
      onClose();
    } catch (error) {
      toasts.failed(
        i18n.translate('dyno.experiments.delete.failed', {
          defaultMessage: 'The experiment was not deleted',
        }),
        error,
      );
    }
  };
  return (
    <EuiConfirmModal
      aria-labelledby={titleId}
      titleProps={{ id: titleId }}
      title={i18n.translate('dyno.experiments.delete.title', {
        defaultMessage: 'Delete {name}?',
        values: { name },
      })}
      buttonColor="danger"
      defaultFocusedButton="cancel"
      isLoading={remove.isPending}
      onCancel={onClose}
      onConfirm={() => void confirm()}
      cancelButtonText={i18n.translate('dyno.experiments.delete.cancel', { defaultMessage: 'Keep it' })}
      confirmButtonText={
        runs === 'delete'
          ? i18n.translate('dyno.experiments.delete.withRuns', {
              defaultMessage: 'Delete experiment and {count, plural, one {# run} other {# runs}}',
              values: { count },
            })
          : i18n.translate('dyno.experiments.delete.confirm', { defaultMessage: 'Delete experiment' })
      }
    >
      <EuiText size="s">
        <p>
          {schedule === null
            ? i18n.translate('dyno.experiments.delete.definition', {
                defaultMessage: 'The definition is deleted for good. Export it first to keep it.',
              })
            : i18n.translate('dyno.experiments.delete.scheduled', {
                defaultMessage:
                  'The definition and its schedule are deleted for good. Export the definition first to keep it.',
              })}
        </p>
      </EuiText>
      {count === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <EuiRadioGroup
            name="dyno-delete-runs"
            legend={{
              children: i18n.translate('dyno.experiments.delete.legend', {
                defaultMessage: 'Its {count, plural, one {run} other {# runs}}',
                values: { count },
              }),
            }}
            idSelected={`dyno-runs-${runs}`}
            onChange={(chosen) => setRuns(chosen === 'dyno-runs-delete' ? 'delete' : 'keep')}
            options={[
              {
                id: 'dyno-runs-keep',
                label: i18n.translate('dyno.experiments.delete.keepRuns', {
                  defaultMessage: 'are kept, with all their results',
                }),
              },
              {
                id: 'dyno-runs-delete',
                label: i18n.translate('dyno.experiments.delete.deleteRuns', {
                  defaultMessage: 'are deleted too: trials, samples, node metrics and reports',
                }),
              },
            ]}
          />
        </>
      )}
    </EuiConfirmModal>
  );
}
