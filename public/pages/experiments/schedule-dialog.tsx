/** Dialog for the schedule of an experiment. It changes only the key `schedule` of the definition. */
import { EuiButton, EuiButtonEmpty, EuiSpacer, EuiText } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { missedSentence } from '../../../common/experiment/missed';
import { scheduleProblem } from '../../../common/experiment/schedule';
import { editText } from '../../../common/experiment/text/edit';
import { useApi, useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { formatShort } from '../../ui/time';
import { useToasts } from '../../ui/toasts';
import { ScheduleFields } from '../editor/schedule/fields';

/**
 * Lists the scheduled times at which no run started, with the reasons. The dialog for the schedule shows them, because users fix the
 * schedule there.
 */
function MissedList({ experiment }: { experiment: string }): ReactNode {
  const { data } = useApi('getMissed', { params: { id: experiment }, query: { limit: 5 } });
  if (data === undefined || data.missed.length === 0) return null;
  return (
    <>
      <EuiSpacer size="m" />
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.experiments.schedule.missed', {
            defaultMessage: 'Missed times, the newest first:',
          })}
        </p>
        <ul>
          {data.missed.map((missed) => (
            <li key={missed.last}>{missedSentence(missed, formatShort)}</li>
          ))}
        </ul>
      </EuiText>
    </>
  );
}

interface ScheduleDialogProps {
  experiment: ExperimentSummary;
  onClose: () => void;
}

export function ScheduleDialog({
  experiment: { id, name, schedule },
  onClose,
}: ScheduleDialogProps): ReactNode {
  const { client } = useApp();
  const toasts = useToasts();
  const change = useApiChange('saveExperiment', ['listExperiments', 'getExperiment']);
  const [value, setValue] = useState(schedule);
  // Set immediately on the click, so that a second click finds the button disabled.
  const [saves, setSaves] = useState(false);
  const save = async (): Promise<void> => {
    setSaves(true);
    try {
      // The newest version is read first, because only one line of it changes.
      const { text, version } = await client.call('getExperiment', { params: { id } });
      const next = editText(text, [
        value === null ? { path: ['schedule'], remove: true } : { path: ['schedule'], value },
      ]);
      await change.mutateAsync({ params: { id }, body: { text: next, version } });
      toasts.done(
        value === null
          ? i18n.translate('dyno.experiments.schedule.removed', {
              defaultMessage: '{name} runs only when started manually',
              values: { name },
            })
          : i18n.translate('dyno.experiments.schedule.done', {
              defaultMessage: '{name} is scheduled',
              values: { name },
            }),
      );
      onClose();
    } catch (error) {
      toasts.failed(
        i18n.translate('dyno.experiments.schedule.failed', { defaultMessage: 'The schedule was not saved' }),
        error,
      );
      setSaves(false);
    }
  };
  return (
    <Dialog
      onClose={onClose}
      initialFocus="select"
      title={i18n.translate('dyno.experiments.schedule.title', {
        defaultMessage: 'Schedule of {name}',
        values: { name },
      })}
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.experiments.schedule.cancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
          <EuiButton
            fill
            isLoading={saves}
            isDisabled={
              JSON.stringify(value) === JSON.stringify(schedule) ||
              (value !== null && scheduleProblem(value) !== undefined)
            }
            onClick={() => void save()}
          >
            {i18n.translate('dyno.experiments.schedule.save', { defaultMessage: 'Save schedule' })}
          </EuiButton>
        </>
      }
    >
      <ScheduleFields value={value} onChange={setValue} />
      <MissedList experiment={id} />
    </Dialog>
  );
}
