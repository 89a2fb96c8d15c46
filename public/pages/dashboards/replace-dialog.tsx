/** Asks before somebody's edits of a dashboard are lost. */
import { EuiConfirmModal, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Dashboard } from '../../../common/api/dashboards';
import { i18n } from '../../i18n';

interface ReplaceDialogProps {
  dashboard: Dashboard;
  isLoading: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ReplaceDialog({ dashboard, isLoading, onConfirm, onCancel }: ReplaceDialogProps): ReactNode {
  const titleId = useGeneratedHtmlId();
  return (
    <EuiConfirmModal
      aria-labelledby={titleId}
      titleProps={{ id: titleId }}
      title={i18n.translate('dyno.dashboards.replace.title', {
        defaultMessage: 'Restore “{title}”?',
        values: { title: dashboard.title },
      })}
      buttonColor="danger"
      isLoading={isLoading}
      onCancel={onCancel}
      onConfirm={onConfirm}
      cancelButtonText={i18n.translate('dyno.dashboards.replace.cancel', { defaultMessage: 'Keep it' })}
      confirmButtonText={i18n.translate('dyno.dashboards.replace.confirm', {
        defaultMessage: 'Restore dashboard',
      })}
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.dashboards.replace.body', {
            defaultMessage:
              'Someone edited this dashboard after it was installed. Restoring it discards these edits for everyone in this space. To keep them, clone the dashboard first: Dyno never changes a copy.',
          })}
        </p>
      </EuiText>
    </EuiConfirmModal>
  );
}
