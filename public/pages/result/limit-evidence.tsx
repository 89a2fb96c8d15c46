/**
 * Shows why a resource, such as CPU or disk, counts as the limit of some trials: the metrics with their thresholds, and which metrics are
 * missing.
 */
import { EuiText, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { CellLimit, Evidence } from '../../../common/analysis/limiting-factor';
import { limitName } from '../../../common/report/tables/limit';
import { formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';

/** A bar that shows the share `value`, in [0, 1]. A mark shows the threshold `from`. */
function Gauge({ value, from }: Pick<Evidence, 'value' | 'from'>): ReactNode {
  const { euiTheme } = useEuiTheme();
  // Some thresholds are far below the whole. The bar then ends at twice the threshold.
  const end = Math.max(from * 1.25, Math.min(1, from * 2), value);
  const share = (of: number): string => `${Math.min(100, (of / end) * 100)}%`;
  return (
    <span
      aria-hidden
      css={{
        display: 'inline-block',
        position: 'relative',
        width: 120,
        height: 8,
        background: euiTheme.colors.backgroundBaseSubdued,
        border: `1px solid ${euiTheme.colors.borderBaseSubdued}`,
        verticalAlign: 'middle',
      }}
    >
      <span
        css={{
          position: 'absolute',
          insetBlock: 0,
          insetInlineStart: 0,
          width: share(value),
          background: value >= from ? euiTheme.colors.vis.euiColorVis6 : euiTheme.colors.vis.euiColorVis0,
        }}
      />
      <span
        css={{
          position: 'absolute',
          insetBlock: -3,
          insetInlineStart: share(from),
          width: 2,
          background: euiTheme.colors.textParagraph,
        }}
      />
    </span>
  );
}

function EvidenceList({ title, items }: { title: string; items: readonly Evidence[] }): ReactNode {
  if (items.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul css={{ '&&': { listStyle: 'none', marginInlineStart: 0 } }}>
        {items.map(({ resource, figure, value, from, text }) => (
          <li key={`${resource} ${figure}`} css={{ '&&': { marginBlockEnd: 4 } }}>
            <Gauge value={value} from={from} /> <strong>{limitName(resource)}</strong>: {text}{' '}
            <EuiText size="xs" color="subdued" component="span">
              {i18n.translate('dyno.result.limit.from', {
                defaultMessage: '(counts as the limit from {from})',
                values: { from: formatPercent(from) },
              })}
            </EuiText>
          </li>
        ))}
      </ul>
    </>
  );
}

export function LimitEvidence({ limit }: { limit: CellLimit }): ReactNode {
  const { name, evidence, also, ruledOut, unknown } = limit;
  const isFound = name !== 'none found';
  return (
    <EuiText size="s">
      <EvidenceList
        title={
          isFound
            ? i18n.translate('dyno.result.limit.for', { defaultMessage: 'Evidence' })
            : i18n.translate('dyno.result.limit.nearest', { defaultMessage: 'Closest to a limit' })
        }
        items={evidence}
      />
      <EvidenceList
        title={i18n.translate('dyno.result.limit.also', { defaultMessage: 'Also at its limit' })}
        items={also}
      />
      <EvidenceList
        title={i18n.translate('dyno.result.limit.out', { defaultMessage: 'Ruled out' })}
        items={
          isFound
            ? ruledOut
            : ruledOut.filter(
                (own) =>
                  !evidence.some((near) => near.resource === own.resource && near.figure === own.figure),
              )
        }
      />
      {unknown.length === 0 ? null : (
        <>
          <h4>{i18n.translate('dyno.result.limit.unknown', { defaultMessage: 'Not judged' })}</h4>
          <ul>
            {unknown.map(({ resource, why }) => (
              <li key={resource}>
                <strong>{limitName(resource)}</strong>: {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </EuiText>
  );
}
