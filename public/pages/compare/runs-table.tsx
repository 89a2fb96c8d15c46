/**
 * Table of the compared runs. Each run has a letter, such as A, by which the whole page refers to it. The user can choose the baseline in
 * this table.
 */
import { EuiBadge, EuiButtonEmpty, EuiButtonIcon, EuiFlexGroup, EuiFlexItem } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RunComparison } from '../../../common/report/model/comparison';
import { letter } from '../../../common/report/model/comparison-summary';
import { i18n } from '../../i18n';
import { outcomeOf } from '../../../common/experiment/run';
import { AppLink } from '../../ui/link';
import { PlainTable } from '../../ui/report-table';
import { StateBadge } from '../../ui/run-state';
import { Time } from '../../ui/time';

interface RunsTableProps {
  comparison: RunComparison;
  onBaseline: (id: string) => void;
  onRemove: (id: string) => void;
}

function Against({ at, reasons }: { at: number; reasons: readonly string[] }): ReactNode {
  if (at === 0)
    return (
      <EuiBadge color="primary">
        {i18n.translate('dyno.compare.baseline', { defaultMessage: 'baseline' })}
      </EuiBadge>
    );
  return reasons.length === 0 ? (
    <EuiBadge color="success" iconType="check">
      {i18n.translate('dyno.compare.fair', { defaultMessage: 'comparable' })}
    </EuiBadge>
  ) : (
    <EuiBadge color="warning" iconType="warning">
      {i18n.translate('dyno.compare.unfair', { defaultMessage: 'not comparable' })}
    </EuiBadge>
  );
}

function Changes({
  id,
  at,
  onBaseline,
  onRemove,
}: Omit<RunsTableProps, 'comparison'> & { id: string; at: number }): ReactNode {
  return (
    <EuiFlexGroup gutterSize="xs" responsive={false} alignItems="center">
      {at === 0 ? null : (
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty size="xs" iconType="flag" flush="left" onClick={() => onBaseline(id)}>
            {i18n.translate('dyno.compare.makeBaseline', { defaultMessage: 'Use as baseline' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      )}
      <EuiFlexItem grow={false}>
        <EuiButtonIcon
          iconType="cross"
          color="text"
          aria-label={i18n.translate('dyno.compare.remove', {
            defaultMessage: 'Remove run {letter}',
            values: { letter: letter(at) },
          })}
          onClick={() => onRemove(id)}
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

export function RunsTable({ comparison: { runs, unfair }, onBaseline, onRemove }: RunsTableProps): ReactNode {
  const headings = [
    '#',
    i18n.translate('dyno.compare.run', { defaultMessage: 'run' }),
    i18n.translate('dyno.compare.started', { defaultMessage: 'started' }),
    i18n.translate('dyno.compare.state', { defaultMessage: 'state' }),
    i18n.translate('dyno.compare.verdict', { defaultMessage: 'verdict' }),
    i18n.translate('dyno.compare.trust', { defaultMessage: 'trust' }),
    i18n.translate('dyno.compare.againstFirst', { defaultMessage: 'against A' }),
    i18n.translate('dyno.compare.change', { defaultMessage: 'change' }),
  ];
  return (
    <PlainTable caption={i18n.translate('dyno.compare.runs', { defaultMessage: 'Runs' })}>
      <thead>
        <tr>
          {headings.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map(({ id, name, started, state, failed, verdict, trust }, at) => (
          <tr key={id}>
            <th scope="row">
              <strong>{letter(at)}</strong>
            </th>
            <td>
              <AppLink to={`/runs/${encodeURIComponent(id)}/result`}>{`${name} (${id})`}</AppLink>
            </td>
            <td>
              <Time iso={started} />
            </td>
            <td>
              <StateBadge state={outcomeOf(state, failed)} />
            </td>
            <td>{verdict}</td>
            <td>{trust === null ? '–' : trust.level}</td>
            <td>
              <Against at={at} reasons={unfair[at]!} />
            </td>
            <td>
              <Changes id={id} at={at} onBaseline={onBaseline} onRemove={onRemove} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
