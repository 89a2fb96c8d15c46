/** Actions for the experiments selected in the list: delete them. */
import { EuiButton } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { i18n } from '../../i18n';
import { DeleteDialog } from './delete-dialog';

export function SelectedExperiments({
  experiments,
}: {
  experiments: readonly ExperimentSummary[];
}): ReactNode {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <EuiButton color="danger" iconType="trash" onClick={() => setAsks(true)}>
        {i18n.translate('dyno.experiments.deleteSelected', {
          defaultMessage: 'Delete {count, plural, one {# experiment} other {# experiments}}',
          values: { count: experiments.length },
        })}
      </EuiButton>
      {asks ? <DeleteDialog experiments={experiments} onClose={() => setAsks(false)} /> : null}
    </>
  );
}
