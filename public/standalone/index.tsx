/** The page outside Kibana: its host is the browser itself and Dyno's own server. */
import { createBrowserHistory } from 'history';
import { createRoot } from 'react-dom/client';
import { App } from '../app/app';
import type { AppHost, Breadcrumb } from '../app/host';
import { darkMode, setDarkMode } from './dark-mode';
import { Header } from './header';
import { breadcrumbs } from './breadcrumbs';
import { bringIcons } from './icons';

const history = createBrowserHistory();

const host: AppHost = {
  history,
  urlOf: (path) => path,
  // A header that no form and no other site can send without asking first: what changes something demands it.
  fetch: (path, init = {}) =>
    fetch(path, { ...init, headers: { ...init.headers, 'x-dyno-request': '1' }, credentials: 'same-origin' }),
  darkMode,
  setDarkMode,
  setBreadcrumbs(trail: readonly Breadcrumb[]) {
    breadcrumbs.set(trail);
    document.title = [...trail.map(({ text }) => text).reverse(), 'Dyno'].join(' - ');
  },
  privilege: 'manage',
};

bringIcons();
createRoot(document.getElementById('dyno')!).render(<App host={host} ownsDocument top={<Header />} />);
