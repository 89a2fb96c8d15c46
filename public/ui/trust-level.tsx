/** Reliability of a result (its level of trust), for lists. The reasons appear on hover and focus. */
import { EuiText, EuiToolTip } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Trust, TrustLevel } from '../../common/analysis/trust';
import { i18n } from '../i18n';

const COLOURS = { high: 'subdued', limited: 'warning', none: 'danger' } as const;

const levelName = (level: TrustLevel): string =>
  ({
    high: i18n.translate('dyno.trust.high', { defaultMessage: 'Trust: high' }),
    limited: i18n.translate('dyno.trust.limited', { defaultMessage: 'Trust: limited' }),
    none: i18n.translate('dyno.trust.none', { defaultMessage: 'Trust: none' }),
  })[level];

export function TrustLevelText({
  trust: { level, line },
}: {
  trust: Pick<Trust, 'level' | 'line'>;
}): ReactNode {
  const text = (
    <EuiText size="xs" color={COLOURS[level]} component="span">
      {levelName(level)}
    </EuiText>
  );
  if (level === 'high') return <div>{text}</div>;
  return (
    <EuiToolTip content={line}>
      <span tabIndex={0}>{text}</span>
    </EuiToolTip>
  );
}
