/** A dialog before experiments are deleted. It says exactly what is deleted with them. */
import { EuiText } from '@elastic/eui';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { RunsQuestion, type RunsChoice } from '../../ui/runs-choice';
import { useToasts } from '../../ui/toasts';

interface DeleteDialogProps {
  /** Experiments to delete, at least one. */
  experiments: readonly ExperimentSummary[];
  onClose: () => void;
}

/** Maximum number of experiments whose names are listed. For more experiments, only their number is shown. */
const MOST_NAMES = 5;

export function DeleteDialog({ experiments, onClose }: DeleteDialogProps): ReactNode {
  const [runs, setRuns] = useState<RunsChoice>('keep');
  const removal = useRemoval();
  const count = experiments.reduce((sum, experiment) => sum + experiment.runs, 0);
  const isScheduled = experiments.some(({ schedule }) => schedule !== null);
  const { length } = experiments;
  const confirm = async (): Promise<void> => {
    if (await removal.remove(experiments, runs)) onClose();
  };
  return (
    <ConfirmDialog
      title={
        length === 1
          ? i18n.translate('dyno.experiments.delete.title', {
              defaultMessage: 'Delete {name}?',
              values: { name: experiments[0]!.name },
            })
          : i18n.translate('dyno.experiments.delete.several', {
              defaultMessage: 'Delete {length} experiments?',
              values: { length },
            })
      }
      isLoading={removal.isDeleting}
      onCancel={onClose}
      onConfirm={() => void confirm()}
      cancelButtonText={i18n.translate('dyno.experiments.delete.cancel', { defaultMessage: 'Keep it' })}
      confirmButtonText={
        runs === 'delete'
          ? i18n.translate('dyno.experiments.delete.withRuns', {
              defaultMessage:
                'Delete {length, plural, one {experiment} other {# experiments}} and {count, plural, one {# run} other {# runs}}',
              values: { count, length },
            })
          : i18n.translate('dyno.experiments.delete.confirm', {
              defaultMessage: 'Delete {length, plural, one {experiment} other {# experiments}}',
              values: { length },
            })
      }
    >
      <EuiText size="s">
        {length === 1 ? null : (
          <ul>
            {experiments.slice(0, MOST_NAMES).map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {length <= MOST_NAMES ? null : (
              <li>
                {i18n.translate('dyno.experiments.delete.more', {
                  defaultMessage: 'and {more} more',
                  values: { more: length - MOST_NAMES },
                })}
              </li>
            )}
          </ul>
        )}
        <p>
          {isScheduled
            ? i18n.translate('dyno.experiments.delete.scheduled', {
                defaultMessage:
                  '{length, plural, one {The definition and its schedule are} other {The definitions and their schedules are}} deleted for good. Export {length, plural, one {the definition} other {them}} first to keep {length, plural, one {it} other {them}}.',
                values: { length },
              })
            : i18n.translate('dyno.experiments.delete.definition', {
                defaultMessage:
                  '{length, plural, one {The definition is deleted for good. Export it first to keep it.} other {The definitions are deleted for good. Export them first to keep them.}}',
                values: { length },
              })}
        </p>
      </EuiText>
      {count === 0 ? null : (
        <RunsQuestion
          legend={i18n.translate('dyno.experiments.delete.legend', {
            defaultMessage:
              '{length, plural, one {Its} other {Their}} {count, plural, one {run} other {# runs}}',
            values: { count, length },
          })}
          chosen={runs}
          onChoose={setRuns}
        />
      )}
    </ConfirmDialog>
  );
}

interface Removal {
  /** Deletes experiments one by one and stops at the first failure. Returns false if some experiments were not deleted. */
  remove: (experiments: readonly ExperimentSummary[], runs: RunsChoice) => Promise<boolean>;
  isDeleting: boolean;
}

function useRemoval(): Removal {
  const { client } = useApp();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [isDeleting, setDeleting] = useState(false);
  const remove: Removal['remove'] = async (experiments, runs) => {
    setDeleting(true);
    let deleted = 0;
    let deletedRuns = 0;
    let failure: unknown;
    for (const { id } of experiments) {
      try {
        const answer = await client.call('deleteExperiment', { params: { id }, query: { runs } });
        deleted += 1;
        deletedRuns += answer.deletedRuns;
      } catch (error) {
        failure = error;
        break;
      }
    }
    if (deleted > 0)
      toasts.done(
        i18n.translate('dyno.experiments.delete.done', {
          defaultMessage:
            '{deleted, plural, one {{name} is} other {# experiments are}} gone{runs, plural, =0 {} one {, with # run} other {, with # runs}}',
          values: { name: experiments[0]!.name, deleted, runs: deletedRuns },
        }),
      );
    if (failure !== undefined)
      toasts.failed(
        i18n.translate('dyno.experiments.delete.failed', {
          defaultMessage:
            '{length, plural, one {The experiment was not deleted} other {Not all experiments were deleted}}',
          values: { length: experiments.length },
        }),
        failure,
      );
    setDeleting(false);
    // The lists are refreshed once for all experiments instead of once for each.
    await Promise.all(
      ['listExperiments', 'listRuns'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
    );
    return failure === undefined;
  };
  return { remove, isDeleting };
}
