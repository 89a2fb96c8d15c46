/** Text that is shown instead of a comparison table if none of the table's rows changed. */
import { EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';

export const NoChanges = ({ margin }: { margin: number }): ReactNode => (
  <EuiText size="s" color="subdued">
    <p>
      {i18n.translate('dyno.compare.noChanges', {
        defaultMessage: 'Nothing here differs by more than ±{margin}.',
        values: { margin: formatPercent(margin) },
      })}
    </p>
  </EuiText>
);
