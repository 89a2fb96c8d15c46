/** Actions on the selected runs: compare, delete. */
import { EuiButton, EuiButtonEmpty, EuiFlexGroup, EuiFlexItem } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import { FINAL_STATES, INACTIVE_STATES } from '../../../common/experiment/run';
import { useApiChange } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { useLinkProps } from '../../ui/link';
import { useToasts } from '../../ui/toasts';
import { DeleteDialog } from '../run/dialogs';

export function Selected({ runs }: { runs: readonly RunSummary[] }): ReactNode {
  const linkProps = useLinkProps();
  const mayDelete = usePrivilege('manage');
  const removal = useRemoval();
  const [asks, setAsks] = useState(false);
  const ended = runs.filter(({ state }) => INACTIVE_STATES.includes(state));
  const { client } = useApp();
  const exportable = runs.filter(({ state }) => FINAL_STATES.includes(state));
  const ids = runs.map(({ id }) => encodeURIComponent(id)).join(',');
  return (
    <EuiFlexGroup gutterSize="s" responsive={false}>
      {!mayDelete || ended.length === 0 ? null : (
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty size="s" color="danger" iconType="trash" onClick={() => setAsks(true)}>
            {i18n.translate('dyno.runs.delete', {
              defaultMessage: 'Delete {count, plural, one {# run} other {# runs}}',
              values: { count: ended.length },
            })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      )}
      {exportable.length === 0 ? null : (
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty
            size="s"
            iconType="download"
            href={client.urlOf('exportRuns', { query: { run: exportable.map(({ id }) => id) } })}
          >
            {i18n.translate('dyno.runs.export', {
              defaultMessage: 'Export {count, plural, one {# run} other {# runs}}',
              values: { count: exportable.length },
            })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      )}
      <EuiFlexItem grow={false}>
        {runs.length < 2 ? (
          <EuiButton size="s" iconType="compare" isDisabled>
            {i18n.translate('dyno.runs.compareNone', { defaultMessage: 'Compare' })}
          </EuiButton>
        ) : (
          <EuiButton size="s" fill iconType="compare" {...linkProps(`/compare?runs=${ids}`)}>
            {i18n.translate('dyno.runs.compare', {
              defaultMessage: 'Compare {count} runs',
              values: { count: runs.length },
            })}
          </EuiButton>
        )}
      </EuiFlexItem>
      {asks ? (
        <DeleteDialog
          names={ended.map(({ experiment }) => experiment.name)}
          isLoading={removal.isDeleting}
          onClose={() => setAsks(false)}
          onConfirm={() => void removal.remove(ended).then(() => setAsks(false))}
        />
      ) : null}
    </EuiFlexGroup>
  );
}

/**
 * Returns a function that deletes runs one after the other and stops at the first failure. The runs deleted before the failure stay
 * deleted. `isDeleting`: whether runs are being deleted.
 */
function useRemoval(): { remove: (runs: readonly RunSummary[]) => Promise<void>; isDeleting: boolean } {
  const toasts = useToasts();
  const { mutateAsync } = useApiChange('deleteRun', ['listRuns', 'listExperiments']);
  const [isDeleting, setDeleting] = useState(false);
  const remove = async (runs: readonly RunSummary[]): Promise<void> => {
    setDeleting(true);
    let deleted = 0;
    try {
      for (const { id } of runs) {
        await mutateAsync({ params: { id }, query: {} });
        deleted += 1;
      }
    } catch (error) {
      toasts.failed(
        i18n.translate('dyno.runs.deleteFailed', { defaultMessage: 'Not all runs were deleted' }),
        error,
      );
    }
    if (deleted > 0) {
      toasts.done(
        i18n.translate('dyno.runs.deleted', {
          defaultMessage: '{deleted, plural, one {One run was} other {# runs were}} deleted',
          values: { deleted },
        }),
      );
    }
    setDeleting(false);
  };
  return { remove, isDeleting };
}
