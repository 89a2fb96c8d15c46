/** Reliability of a result (its level of trust), as one line in one colour. A click shows the reasons. */
import { EuiIcon, EuiLink, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Trust, TrustLevel } from '../../common/analysis/trust';
import { meaningOfTrust } from '../../common/report/glance';
import { i18n } from '../i18n';
import { usePictureColours } from './picture-colours';

const ICONS: Readonly<Record<TrustLevel, string>> = {
  high: 'checkCircle',
  limited: 'warning',
  none: 'error',
};

export function TrustLine({ trust, onWhy }: { trust: Trust; onWhy: () => void }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { soft, ink } = usePictureColours()[meaningOfTrust(trust.level)];
  return (
    <div
      css={{
        display: 'flex',
        gap: euiTheme.size.s,
        alignItems: 'flex-start',
        alignSelf: 'flex-start',
        padding: '6px 10px',
        borderRadius: euiTheme.border.radius.medium,
        background: soft,
        color: ink,
        fontSize: 13,
        lineHeight: '18px',
      }}
      data-test-subj="dynoTrust"
    >
      <EuiIcon
        type={ICONS[trust.level]}
        size="m"
        color="currentColor"
        aria-hidden
        css={{ marginBlockStart: 1, flexShrink: 0 }}
      />
      <span css={{ minInlineSize: 0, overflowWrap: 'anywhere' }}>
        {trust.line}
        {trust.reasons.length === 0 ? null : (
          <>
            {' · '}
            <EuiLink
              onClick={onWhy}
              css={{ '&&': { color: 'inherit', textDecoration: 'underline', fontWeight: 600 } }}
            >
              {i18n.translate('dyno.result.trust.why', {
                defaultMessage: '{reasons, plural, one {why} other {all # reasons}}',
                values: { reasons: trust.reasons.length },
              })}
            </EuiLink>
          </>
        )}
      </span>
    </div>
  );
}
