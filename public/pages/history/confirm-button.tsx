/**
 * A button that creates an experiment to confirm a change in the history. The new experiment alternates between the versions and settings
 * before and after the change. Therefore, other differences between the days cannot explain its result.
 */
import { EuiButtonEmpty } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { HistoryChange } from '../../../common/history/history';
import { useApiChange } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';

interface ConfirmButtonProps {
  experiment: string;
  change: Pick<HistoryChange, 'metric' | 'cell' | 'since'>;
}

/**
 * Opens an experiment that tests whether a change is real. If Dyno cannot restore the versions or settings before the change, the button
 * explains why.
 */
export function ConfirmButton({ experiment, change }: ConfirmButtonProps): ReactNode {
  const { host } = useApp();
  const mayDefine = usePrivilege('manage');
  const ask = useApiChange('getConfirmation');
  const [refused, setRefused] = useState('');
  if (!mayDefine) return null;
  const open = (): void =>
    ask.mutate(
      {
        params: { id: experiment },
        query: { metric: change.metric, cell: change.cell, since: change.since.run },
      },
      {
        onSuccess: ({ text, sentence }) => {
          if (text === null) setRefused(sentence);
          else host.history.push('/experiments/new', { text });
        },
        onError: ({ message }) => setRefused(message),
      },
    );
  return (
    <>
      <EuiButtonEmpty size="xs" flush="left" iconType="flask" isLoading={ask.isPending} onClick={open}>
        {i18n.translate('dyno.history.confirm', { defaultMessage: 'Confirm with an experiment' })}
      </EuiButtonEmpty>
      {refused === '' ? null : <p role="status">{refused}</p>}
    </>
  );
}
