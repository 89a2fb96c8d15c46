/** Asks before something that takes hours. */
import { EuiConfirmModal, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import type { ReactNode } from 'react';
import { formatBytes, formatDuration, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import type { Asked } from './use-actions';

interface RunDialogProps {
  asked: Asked;
  onConfirm: () => void;
  onCancel: () => void;
}

export function RunDialog({ asked: { experiment, cost }, onConfirm, onCancel }: RunDialogProps): ReactNode {
  const titleId = useGeneratedHtmlId();
  return (
    <EuiConfirmModal
      aria-labelledby={titleId}
      titleProps={{ id: titleId }}
      title={i18n.translate('dyno.experiments.run.title', {
        defaultMessage: 'This takes about {time}',
        values: { time: formatDuration(cost.ms) },
      })}
      onCancel={onCancel}
      onConfirm={onConfirm}
      defaultFocusedButton="confirm"
      cancelButtonText={i18n.translate('dyno.experiments.run.cancel', { defaultMessage: 'Not now' })}
      confirmButtonText={i18n.translate('dyno.experiments.run.confirm', { defaultMessage: 'Run it' })}
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.experiments.run.body', {
            defaultMessage:
              '{name} has {cells, plural, one {# cell} other {# cells}} with {trials, plural, one {# trial} other {# trials}} each. It sends about {documents} documents to {target} and needs up to {disk} of disk there at a time. You can cancel it whenever you like; what was measured stays.',
            values: {
              name: experiment.name,
              cells: cost.cells,
              trials: cost.trials,
              documents: formatNumber(cost.documents),
              target: experiment.target,
              disk: formatBytes(cost.diskBytes),
            },
          })}
        </p>
      </EuiText>
    </EuiConfirmModal>
  );
}
