/** A link to the history of an experiment. */
import { EuiButtonEmpty } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../i18n';
import { useLinkProps } from './link';

/** The link as a button. `experiment` is the id of the experiment. */
export function HistoryButton({ experiment, size }: { experiment: string; size?: 's' }): ReactNode {
  const linkProps = useLinkProps();
  return (
    <EuiButtonEmpty
      size={size}
      iconType="visLine"
      {...linkProps(`/experiments/${encodeURIComponent(experiment)}/history`)}
    >
      {i18n.translate('dyno.history.link', { defaultMessage: 'History' })}
    </EuiButtonEmpty>
  );
}
