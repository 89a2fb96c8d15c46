/**
 * Entry of the pages outside Kibana. It provides the app with what Kibana would provide, such as history and HTTP, from the browser and
 * Dyno's server.
 */
import { createBrowserHistory } from 'history';
import { createRoot } from 'react-dom/client';
import { REQUEST_HEADER } from '../../common/api/request-header';
import { App } from '../app/app';
import type { AppHost, Breadcrumb } from '../app/host';
import { i18n } from '../i18n';
import { darkMode, setDarkMode } from './dark-mode';
import { Header } from './header';
import { bringIcons } from '../ui/icons';
import { breadcrumbs } from './header';

const history = createBrowserHistory();

const host: AppHost = {
  history,
  urlOf: (path) => path,
  // Forms cannot send this header, and other sites cannot send it without a preflight request. The server requires it for changes.
  fetch: (path, init = {}) =>
    fetch(path, { ...init, headers: { ...init.headers, [REQUEST_HEADER]: '1' }, credentials: 'same-origin' }),
  darkMode,
  setDarkMode,
  setBreadcrumbs(trail: readonly Breadcrumb[]) {
    breadcrumbs.set(trail);
    document.title = [...trail.map(({ text }) => text).reverse(), 'Dyno'].join(' - ');
  },
  localTarget: () =>
    i18n.translate('dyno.standalone.localTarget', {
      defaultMessage:
        'Dyno provides this target: the embedded Elasticsearch, or the one that Dyno was started with. You cannot change it here.',
    }),
  filesPlace: () =>
    i18n.translate('dyno.standalone.filesPlace', {
      defaultMessage: 'In the folder corpora in Dyno’s data folder, on the machine where Dyno runs.',
    }),
  samplesPlace: () =>
    i18n.translate('dyno.tune.form.indexHelp', {
      defaultMessage:
        'Dyno reads the mapping and settings of the index, and stores a sample of up to 2,000 documents on this host. Dyno does not change the index.',
    }),
  hasRoles: false,
  privilege: 'manage',
};

const element = document.getElementById('dyno')!;
Object.assign(element.style, { display: 'flex', flexDirection: 'column', minHeight: '100vh' });
bringIcons();
createRoot(element).render(<App host={host} ownsDocument top={<Header />} />);
