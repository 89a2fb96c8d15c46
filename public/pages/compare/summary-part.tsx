/** Says in sentences what changed between the runs. A switch limits the tables to rows that changed. */
import { EuiSpacer, EuiSwitch, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunComparison } from '../../../common/report/model/comparison';
import { summariseComparison } from '../../../common/report/model/comparison-summary';
import { formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { changedRows } from './side-by-side';

interface SummaryPartProps {
  comparison: RunComparison;
  changesOnly: boolean;
  onChangesOnly: (only: boolean) => void;
}

export function SummaryPart({ comparison, changesOnly, onChangesOnly }: SummaryPartProps): ReactNode {
  const { sentences, significance } = useMemo(() => summariseComparison(comparison), [comparison]);
  const { all, changed } = useMemo(() => changedRows(comparison), [comparison]);
  return (
    <Part title={i18n.translate('dyno.compare.summary', { defaultMessage: 'Summary' })}>
      <EuiText size="m" data-test-subj="dynoCompareSummary">
        {sentences.map((sentence) => (
          <p key={sentence}>
            <strong>{sentence}</strong>
          </p>
        ))}
      </EuiText>
      <EuiSpacer size="s" />
      <EuiText size="s" color="subdued">
        <p>{significance}</p>
      </EuiText>
      {all === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <EuiSwitch
            compressed
            label={i18n.translate('dyno.compare.changesOnly', {
              defaultMessage: 'Only changes: {changed} of {all} rows differ by more than ±{margin}',
              values: { changed, all, margin: formatPercent(comparison.margin) },
            })}
            checked={changesOnly}
            onChange={({ target }) => onChangesOnly(target.checked)}
          />
        </>
      )}
    </Part>
  );
}
