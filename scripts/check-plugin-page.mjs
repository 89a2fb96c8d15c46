// The browser's part of checking a packed plugin: what Kibana's page does with its bundle, in a real Chromium, under a
// content security policy as strict as Kibana's may be.
/* global window, document, Response, setTimeout -- of the page */
import { findChromium } from './chromium.mjs';

const ORIGIN = 'http://kibana.test';
/** As strict as Kibana's may be. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'unsafe-inline' 'self'; worker-src blob: 'self'; img-src 'self' data: blob:; font-src 'self' data:";

/** What Kibana's page has before the bundles of its plugins. */
const BEFORE = `window.__kbnPublicPath__ = { dyno: '${ORIGIN}/bundles/plugin/dyno/' };
window.bundles = {};
window.__kbnBundles__ = { define(id, require, key) { window.bundles[id] = () => require(key); } };`;

/** Runs in the page: what Kibana does with a bundle, from its definition to the app's end. */
async function live() {
  const { bundles } = window;
  if (Object.keys(bundles).join() !== 'plugin/dyno/public')
    return `it defines ${Object.keys(bundles).join()}`;
  const { plugin } = bundles['plugin/dyno/public']();
  const made = plugin({});
  const listen = (value) => ({
    subscribe(next) {
      next(value);
      return { unsubscribe() {} };
    },
  });
  const location = { pathname: '/experiments', search: '', hash: '', state: undefined, key: 'a' };
  const history = {
    location,
    action: 'POP',
    length: 1,
    listen: () => () => {},
    createHref: ({ pathname }) => pathname,
    push() {},
    replace() {},
    go() {},
  };
  const start = {
    application: {
      capabilities: { dyno: { read: true } },
      getUrlForApp: () => '/',
      navigateToApp: async () => {},
    },
    chrome: { setBreadcrumbs() {}, setHelpExtension() {}, docTitle: { change() {}, reset() {} } },
    docLinks: { DOC_LINK_VERSION: '8.19' },
    http: {
      basePath: { prepend: (path) => path },
      fetch: async () => ({
        response: new Response('{"experiments":[]}', { headers: { 'content-type': 'application/json' } }),
      }),
    },
    notifications: { toasts: { addSuccess() {}, addDanger() {} } },
    theme: { theme$: listen({ darkMode: false }) },
  };
  const [apps, entries] = [[], []];
  made.setup(
    { application: { register: (app) => apps.push(app) }, getStartServices: async () => [start] },
    { home: { featureCatalogue: { register: (entry) => entries.push(entry) } } },
  );
  made.start(start, {});
  if (apps.length !== 1) return `it registers ${apps.length} apps`;
  if (entries.length !== 1) return `it has ${entries.length} entries on the home page`;
  const element = document.getElementById('app');
  const unmount = await apps[0].mount({ element, history, appBasePath: '/app/dyno' });
  for (let waited = 0; element.querySelector('h1') === null; waited += 50) {
    if (waited > 20_000) return `no page within 20 s: ${element.textContent.slice(0, 200)}`;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  unmount();
  const left = document.querySelectorAll('[class*="dyno"], [id*="dyno"], style[data-emotion^="dyno"]').length;
  return element.childNodes.length === 0 && left === 0
    ? ''
    : `${left} elements or style sheets, or the page, remain after unmounting`;
}

/** `textOf`: the text of a file of the zip by its name. Each demand and why it is not met; undefined without a browser. */
export async function checkInBrowser(textOf) {
  const executablePath = findChromium();
  if (!executablePath) return undefined;
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      const headers = { 'content-security-policy': POLICY };
      if (pathname === '/') {
        const body = `<!doctype html><link rel="icon" href="data:,"><div id="app"></div><script src="/before.js"></script>
          <script src="/bundles/plugin/dyno/dyno.plugin.js"></script>`;
        return route.fulfill({ contentType: 'text/html', headers, body });
      }
      if (pathname === '/before.js') return route.fulfill({ contentType: 'text/javascript', body: BEFORE });
      const content = textOf(pathname.replace('/bundles/plugin/dyno/', 'kibana/dyno/target/public/'));
      return content === undefined
        ? route.fulfill({ status: 404 })
        : route.fulfill({ contentType: 'text/javascript', body: content });
    });
    await page.goto(`${ORIGIN}/`);
    const failure = await page.evaluate(live).catch((error) => error.message);
    return [
      ['the browser entry defines its bundle, mounts the app and unmounts it clean', failure],
      ['no errors in the browser’s console', errors.slice(0, 3).join('; ')],
    ];
  } finally {
    await browser.close();
  }
}
