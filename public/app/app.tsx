/** The app: navigation, routes and context of all pages. Kibana or the standalone page shows this component. */
import { EuiPageTemplate, EuiSideNav } from '@elastic/eui';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { createClient } from '../api/client';
import { createQueryClient } from '../api/queries';
import { i18n } from '../i18n';
import { useLinkProps } from '../ui/link';
import { MAIN_ID } from '../ui/main-id';
import { ToastProvider } from '../ui/toasts';
import { askAhead } from './ask-ahead';
import { AppContextProvider, useApp } from './context';
import { CrashBoundary } from './crash-boundary';
import type { AppHost } from './host';
import { HostRouter } from './host-router';
import { AppRoutes, askForPage } from './routes';
import { Starting } from './starting';
import { Themed } from './themed';

/** Returns the sections of the navigation. A section is highlighted while the page is at its `path` or at one of the paths in `also`. */
const sections = (host: AppHost): { path: string; name: string; also?: readonly string[] }[] => [
  {
    path: '/experiments',
    name: i18n.translate('dyno.nav.experiments', { defaultMessage: 'Experiments' }),
  },
  { path: '/runs', name: i18n.translate('dyno.nav.runs', { defaultMessage: 'Runs' }) },
  { path: '/tune', name: i18n.translate('dyno.nav.tune', { defaultMessage: 'Tune an index' }) },
  { path: '/compare', name: i18n.translate('dyno.nav.compare', { defaultMessage: 'Compare' }) },
  {
    path: '/targets',
    name: i18n.translate('dyno.nav.targets', { defaultMessage: 'Targets' }),
    also: ['/traffic'],
  },
  { path: '/collector', name: i18n.translate('dyno.nav.collector', { defaultMessage: 'Collector' }) },
  ...(host.dashboards
    ? [
        {
          path: '/dashboards',
          name: i18n.translate('dyno.nav.dashboards', { defaultMessage: 'Dashboards' }),
        },
      ]
    : []),
  { path: '/about', name: i18n.translate('dyno.nav.about', { defaultMessage: 'About' }) },
];

function Navigation(): ReactNode {
  const { pathname } = useLocation();
  const { host } = useApp();
  const linkProps = useLinkProps();
  const label = i18n.translate('dyno.nav.label', { defaultMessage: 'Parts of Dyno' });
  const items = sections(host).map(({ path, name, also = [] }) => ({
    id: path,
    name,
    isSelected: pathname === path || pathname.startsWith(`${path}/`) || also.includes(pathname),
    ...linkProps(path),
  }));
  return (
    <EuiSideNav
      aria-label={label}
      mobileTitle={label}
      items={[{ id: 'dyno', name: i18n.translate('dyno.nav.title', { defaultMessage: 'Dyno' }), items }]}
    />
  );
}

/** On a phone, the navigation is one line. */
const NARROW_SIDEBAR = {
  '@media (max-width: 575px)': {
    '&&': { padding: 0 },
    '& .euiSideNav__mobileToggle': { padding: '8px 16px' },
  },
};

function Frame(): ReactNode {
  return (
    // The surrounding page determines the height. By default, EUI would use the whole window, including the header of Kibana.
    <EuiPageTemplate
      panelled
      restrictWidth={false}
      offset={0}
      style={{ minHeight: 0 }}
      mainProps={{ id: MAIN_ID }}
    >
      <EuiPageTemplate.Sidebar sticky minWidth={180} css={NARROW_SIDEBAR}>
        <Navigation />
      </EuiPageTemplate.Sidebar>
      <CrashBoundary>
        <Starting />
        <AppRoutes />
      </CrashBoundary>
    </EuiPageTemplate>
  );
}

export interface AppProps {
  host: AppHost;
  /**
   * Whether the document contains only this app. This is the case outside Kibana, and allows the app's styles to affect the whole document.
   */
  ownsDocument: boolean;
  /** Content above the pages, such as a header. */
  top?: ReactNode;
}

export function App({ host, ownsDocument, top }: AppProps): ReactNode {
  const context = useMemo(() => ({ host, client: createClient(host) }), [host]);
  const [queries] = useState(() => {
    const own = createQueryClient();
    askForPage(host);
    askAhead(own, context.client, host.history.location);
    return own;
  });
  return (
    <AppContextProvider value={context}>
      <Themed global={ownsDocument}>
        <QueryClientProvider client={queries}>
          <HostRouter host={host}>
            <ToastProvider>
              {top}
              <Frame />
            </ToastProvider>
          </HostRouter>
        </QueryClientProvider>
      </Themed>
    </AppContextProvider>
  );
}
