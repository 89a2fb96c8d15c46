/** Asks before something that takes hours, or that needs its surroundings to be what a label says. */
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
  const [first, ...next] = cost.environments;
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
        {cost.clusters === null ? null : (
          <p>
            {i18n.translate('dyno.experiments.run.clusters', {
              defaultMessage:
                'Dyno sets {names} by itself: it starts {clusters, plural, one {a cluster} other {# clusters, one after the other,}} beside the embedded Elasticsearch, of up to {nodes, plural, one {one node} other {# nodes}}, and removes what it started.',
              values: {
                names: cost.clusters.names.join(', '),
                clusters: cost.clusters.clusters.length,
                nodes: Math.max(...cost.clusters.clusters.map(({ nodes }) => nodes)),
              },
            })}
          </p>
        )}
        {next.length === 0 ? null : (
          <p>
            {i18n.translate('dyno.experiments.run.environments', {
              defaultMessage:
                'It begins in environment {first}: Dyno takes your word that the target is that now. Afterwards it waits until you have set up {next} and continue it.',
              values: { first: first || '–', next: next.join('; ') },
            })}
          </p>
        )}
      </EuiText>
    </EuiConfirmModal>
  );
}
