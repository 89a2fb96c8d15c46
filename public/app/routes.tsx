/** The routes of the app. Each page is loaded when it is first opened. */
import { EuiEmptyPrompt } from '@elastic/eui';
import { Suspense, type ReactNode } from 'react';
import { matchRoutes, Navigate, Route, Routes } from 'react-router';
import { i18n } from '../i18n';
import { AppLink } from '../ui/link';
import { Page as PageFrame } from '../ui/page';
import { useApp } from './context';
import type { AppHost } from './host';
import { lazyPage, PageComes, type LazyPage } from './lazy-page';

interface PageRoute {
  path: string;
  page: LazyPage;
  /** Returns whether the page exists in this host (Kibana or the standalone page). If undefined, the page exists in both. */
  isIn?: (host: AppHost) => boolean;
}

const experiments = lazyPage(() => import('../pages/experiments'));
const editor = lazyPage(() => import('../pages/editor'));
const docs = lazyPage(() => import('../pages/docs'));

const PAGES: readonly PageRoute[] = [
  { path: '/experiments', page: experiments },
  // Query: `?preset=NAME&scale=quick`, `?copy=ID` or `?traffic=FILE&target=ID&format=F&lasts=MS` begins with that definition.
  { path: '/experiments/new', page: editor },
  { path: '/experiments/:id', page: editor },
  // Query: `?series=METRIC&of=CELL`, `&time=30d` or `FROM/TO`.
  { path: '/experiments/:id/history', page: lazyPage(() => import('../pages/history')) },
  { path: '/accounts/:seed', page: lazyPage(() => import('../pages/account')) },
  { path: '/runs', page: lazyPage(() => import('../pages/runs')) },
  { path: '/runs/:id', page: lazyPage(() => import('../pages/run')) },
  { path: '/runs/:id/result', page: lazyPage(() => import('../pages/result')) },
  // Query: `?runs=A,B`.
  { path: '/compare', page: lazyPage(() => import('../pages/compare')) },
  { path: '/tune', page: lazyPage(() => import('../pages/tune')) },
  { path: '/tune/new', page: lazyPage(() => import('../pages/tune/new')) },
  { path: '/tune/:id', page: lazyPage(() => import('../pages/tune/tuning')) },
  { path: '/targets', page: lazyPage(() => import('../pages/targets')) },
  { path: '/targets/:id', page: lazyPage(() => import('../pages/targets/target')) },
  // Query: `?file=PATH` shows what one file contains, `&target=ID` begins a replay on that target.
  { path: '/traffic', page: lazyPage(() => import('../pages/traffic')) },
  {
    path: '/privileges',
    page: lazyPage(() => import('../pages/privileges')),
    isIn: ({ hasRoles }) => hasRoles,
  },
  { path: '/collector', page: lazyPage(() => import('../pages/collector')) },
  { path: '/about', page: lazyPage(() => import('../pages/about')) },
  { path: '/docs', page: docs },
  { path: '/docs/:name', page: docs },
  {
    path: '/dashboards',
    page: lazyPage(() => import('../pages/dashboards')),
    isIn: ({ dashboards }) => dashboards !== undefined,
  },
];

const FIRST = '/experiments';

const pagesOf = (host: AppHost): PageRoute[] => PAGES.filter(({ isIn = () => true }) => isIn(host));

/** Begins to load the page at the current URL while the app is being drawn. */
export function askForPage(host: AppHost): void {
  const { pathname } = host.history.location;
  const routes = pagesOf(host).map(({ path, page }) => ({ path, page }));
  matchRoutes(routes, pathname === '/' ? FIRST : pathname)
    ?.at(-1)
    ?.route.page.ask();
}

function NotFound(): ReactNode {
  const title = i18n.translate('dyno.notFound.title', { defaultMessage: 'This page does not exist' });
  return (
    <PageFrame title={title}>
      <EuiEmptyPrompt
        iconType="search"
        title={<h2>{title}</h2>}
        body={
          <AppLink to="/experiments">
            {i18n.translate('dyno.notFound.back', { defaultMessage: 'All experiments' })}
          </AppLink>
        }
      />
    </PageFrame>
  );
}

export function AppRoutes(): ReactNode {
  const { host } = useApp();
  return (
    <Suspense fallback={<PageComes />}>
      <Routes>
        <Route path="/" element={<Navigate to={FIRST} replace />} />
        {pagesOf(host).map(({ path, page: Page }) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}
