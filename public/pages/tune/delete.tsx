/** A dialog that asks for confirmation before an automatic tuning is deleted. It lists the data that are deleted with the tuning. */
import { EuiButtonEmpty, EuiText } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { Tuning } from '../../../common/tuning/tuning';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { RunsQuestion, type RunsChoice } from '../../ui/runs-choice';
import { useToasts } from '../../ui/toasts';

type Deleted = Pick<Tuning, 'id' | 'name' | 'stages'>;

export function DeleteTuning({ tuning }: { tuning: Deleted }): ReactNode {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <EuiButtonEmpty color="danger" iconType="trash" onClick={() => setAsks(true)}>
        {i18n.translate('dyno.tune.delete', { defaultMessage: 'Delete' })}
      </EuiButtonEmpty>
      {asks ? <Dialog tuning={tuning} onClose={() => setAsks(false)} /> : null}
    </>
  );
}

function Dialog({
  tuning: { id, name, stages },
  onClose,
}: {
  tuning: Deleted;
  onClose: () => void;
}): ReactNode {
  const [runs, setRuns] = useState<RunsChoice>('keep');
  const remove = useApiChange('deleteTuning', ['listTunings', 'listRuns', 'listExperiments']);
  const { history } = useApp().host;
  const toasts = useToasts();
  const count = stages.length;
  const confirm = (): void =>
    remove.mutate(
      { params: { id }, query: { runs } },
      {
        onSuccess: ({ deletedRuns }) => {
          toasts.done(
            i18n.translate('dyno.tune.delete.done', {
              defaultMessage: '{name} is gone{runs, plural, =0 {} one {, with # run} other {, with # runs}}',
              values: { name, runs: deletedRuns },
            }),
          );
          history.push('/tune');
        },
        onError: (error) =>
          toasts.failed(
            i18n.translate('dyno.tune.delete.failed', { defaultMessage: 'The tuning was not deleted' }),
            error,
          ),
      },
    );
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.tune.delete.title', { defaultMessage: 'Delete {name}?', values: { name } })}
      isLoading={remove.isPending}
      onCancel={onClose}
      onConfirm={confirm}
      cancelButtonText={i18n.translate('dyno.tune.delete.cancel', { defaultMessage: 'Keep it' })}
      confirmButtonText={
        runs === 'delete'
          ? i18n.translate('dyno.tune.delete.withRuns', {
              defaultMessage: 'Delete tuning and {count, plural, one {# run} other {# runs}}',
              values: { count },
            })
          : i18n.translate('dyno.tune.delete.confirm', { defaultMessage: 'Delete tuning' })
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.tune.delete.text', {
            defaultMessage:
              'The plan and the result of this tuning are deleted for good. The sample of documents is deleted, too, unless another tuning or experiment reads it.',
          })}
        </p>
      </EuiText>
      {count === 0 ? null : (
        <RunsQuestion
          legend={i18n.translate('dyno.tune.delete.legend', {
            defaultMessage: 'Its {count, plural, one {experiment and run} other {# experiments and runs}}',
            values: { count },
          })}
          chosen={runs}
          onChoose={setRuns}
        />
      )}
    </ConfirmDialog>
  );
}
