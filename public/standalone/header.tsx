/**
 * The header of the page outside Kibana: name, breadcrumbs, and a switch between light and dark. Within Kibana, the app uses Kibana's
 * header.
 */
import {
  EuiHeader,
  EuiHeaderBreadcrumbs,
  EuiHeaderSectionItem,
  EuiHeaderSectionItemButton,
  EuiIcon,
  EuiLink,
  EuiSkipLink,
} from '@elastic/eui';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useApp, useDarkMode } from '../app/context';
import { i18n } from '../i18n';
import { MAIN_ID } from '../ui/main-id';
import { useLinkProps } from '../ui/link';
import type { Breadcrumb } from '../app/host';
import { settable } from './changing';

/** Breadcrumbs that the current page passes to the header. */
export const breadcrumbs = settable<readonly Breadcrumb[]>([]);

export function Header(): ReactNode {
  const { host } = useApp();
  const dark = useDarkMode();
  const linkProps = useLinkProps();
  const trail = useSyncExternalStore(breadcrumbs.subscribe, breadcrumbs.get);
  const theme = dark
    ? i18n.translate('dyno.header.light', { defaultMessage: 'Light theme' })
    : i18n.translate('dyno.header.dark', { defaultMessage: 'Dark theme' });
  return (
    <header>
      <EuiSkipLink destinationId={MAIN_ID} overrideLinkBehavior position="fixed">
        {i18n.translate('dyno.header.skip', { defaultMessage: 'Skip to main content' })}
      </EuiSkipLink>
      <EuiHeader position="static">
        {/* The breadcrumbs shrink on narrow screens. */}
        <EuiHeaderSectionItem css={{ '&&': { flex: '1 1 auto', minInlineSize: 0 } }}>
          <EuiLink
            color="text"
            css={{
              flexShrink: 0,
              paddingInline: 12,
              fontWeight: 600,
              '&, &:hover, &:focus': { textDecoration: 'none' },
            }}
            {...linkProps('/experiments')}
          >
            <EuiIcon type="visGauge" size="l" aria-hidden /> Dyno
          </EuiLink>
          <EuiHeaderBreadcrumbs
            css={{ '&&': { flex: '1 1 0', minInlineSize: 0, overflow: 'hidden' } }}
            aria-label={i18n.translate('dyno.header.breadcrumbs', { defaultMessage: 'Where you are' })}
            breadcrumbs={trail.map(({ text, path }) => ({
              text,
              ...(path === undefined ? {} : linkProps(path)),
            }))}
          />
        </EuiHeaderSectionItem>
        <EuiHeaderSectionItem css={{ '&&': { flexShrink: 0 } }}>
          <EuiLink color="text" css={{ paddingInline: 12 }} {...linkProps('/docs')}>
            {i18n.translate('dyno.header.docs', { defaultMessage: 'Documentation' })}
          </EuiLink>
          <EuiHeaderSectionItemButton
            aria-label={theme}
            title={theme}
            onClick={() => host.setDarkMode?.(!dark)}
          >
            <EuiIcon type={dark ? 'sun' : 'moon'} />
          </EuiHeaderSectionItemButton>
        </EuiHeaderSectionItem>
      </EuiHeader>
    </header>
  );
}
