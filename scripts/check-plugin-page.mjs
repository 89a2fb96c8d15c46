// Checks the browser bundle of a packed plugin in a real Chromium. The page treats the bundle as Kibana's page does, under Kibana's
// strictest content security policy.
/* global window, document, Response, setTimeout -- of the page */
import { findChromium } from './chromium.mjs';

const ORIGIN = 'http://kibana.test';
/**
 * Content security policy of the test page. It is that of the newest Kibana, but also forbids what Kibana only reports. Source:
 * `csp_directives.ts` in `SOURCES` of kibana-double.mjs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
].join('; ');

/**
 * Versions of Kibana in which the pages are checked, with their themes (`types.ts` of Kibana's theme). 8.19 represents all 8.x versions,
 * because they have the same theme.
 */
const KIBANAS = [
  { version: '8.19', theme: 'amsterdam' },
  { version: '9.0', theme: 'borealis' },
  { version: '9.5', theme: 'borealis' },
];

/** Script that runs in Kibana's page before the bundles of plugins are loaded. As in Kibana, defining a bundle twice causes an error. */
const BEFORE = `window.__kbnPublicPath__ = { dyno: '${ORIGIN}/bundles/plugin/dyno/' };
{
  const modules = new Map();
  window.__kbnBundles__ = {
    define(key, bundleRequire, moduleKey) {
      if (typeof bundleRequire !== 'function') throw new Error('expected a function for ' + key);
      if (modules.has(key)) throw new Error('__kbnBundles__ already has a module defined for "' + key + '"');
      modules.set(key, { bundleRequire, moduleKey });
    },
    has: (key) => modules.has(key),
    get(key) {
      const { bundleRequire, moduleKey } = modules.get(key);
      return bundleRequire(moduleKey);
    },
    keys: () => [...modules.keys()],
  };
}`;

/** Runs in the page: loads the bundle, mounts the app and unmounts it as Kibana does. Returns the fault as text; '' without a fault. */
async function live({ version, theme: name }) {
  const bundles = window.__kbnBundles__;
  if (bundles.keys().join() !== 'plugin/dyno/public') return `it defines ${bundles.keys().join()}`;
  const { plugin } = bundles.get('plugin/dyno/public');
  if (typeof plugin !== 'function') return 'its bundle exports no plugin';
  const made = plugin({});
  const unknown = new Set();
  /** Returns an object that only has `properties`. If code reads another property, the name of that property is added to `unknown`. */
  const strict = (of, properties) =>
    new Proxy(properties, {
      get(target, key) {
        if (typeof key !== 'symbol' && key !== 'then' && !(key in target)) unknown.add(`${of}.${key}`);
        return target[key];
      },
    });
  const looking = new Set();
  let theme = { darkMode: false, name };
  const theme$ = {
    subscribe(next) {
      looking.add(next);
      next(theme);
      return { unsubscribe: () => looking.delete(next) };
    },
  };
  const switchToDark = () => {
    theme = { darkMode: true, name };
    for (const next of looking) next(theme);
  };
  // In a space with a solution view, Kibana shows only those breadcrumbs of the app that it sets for `project` (`breadcrumbs.tsx` of
  // Kibana's navigation).
  let breadcrumbs = { classic: [], solution: [] };
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
  const start = strict('core', {
    application: strict('core.application', {
      capabilities: { dyno: { read: true }, navLinks: {}, catalogue: {}, management: {} },
      getUrlForApp: () => '/',
      navigateToApp: async () => {},
    }),
    chrome: strict('core.chrome', {
      setBreadcrumbs(classic, { project } = {}) {
        breadcrumbs = { classic, solution: project?.value ?? [] };
      },
      setHelpExtension() {},
      docTitle: { change() {}, reset() {} },
    }),
    docLinks: { DOC_LINK_VERSION: version, links: {} },
    http: strict('core.http', {
      basePath: { prepend: (path) => path },
      fetch: async () => ({
        response: new Response('{"experiments":[]}', { headers: { 'content-type': 'application/json' } }),
      }),
    }),
    notifications: { toasts: { addSuccess() {}, addDanger() {} } },
    // `uiSettings` is deprecated (`core_start.ts`), but all versions have it. If a setting does not exist, `get` needs a fallback.
    uiSettings: strict('core.uiSettings', {
      get(key, fallback) {
        if (fallback === undefined) throw new Error(`Unexpected \`IUiSettingsClient.get("${key}")\` call`);
        return fallback;
      },
    }),
    featureFlags: strict('core.featureFlags', {}),
    theme: { theme$, getTheme: () => theme },
  });
  const [apps, entries] = [[], []];
  // These are the checks of `validateApp` in Kibana's application_service.tsx.
  const register = (app) => {
    if (!/^[a-zA-Z0-9_:-]+$/.test(app.id)) throw new Error(`Invalid application id: ${app.id}`);
    if (apps.some(({ id }) => id === app.id))
      throw new Error(`An application is already registered: ${app.id}`);
    apps.push(app);
  };
  made.setup(
    strict('setup', { application: { register }, getStartServices: async () => [start, {}] }),
    strict('setup plugins', {
      home: { featureCatalogue: { register: (entry) => entries.push(entry) } },
      triggersActionsUi: undefined,
    }),
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
  // React sets the breadcrumbs in an effect, which may run after the heading is shown.
  const unnamed = () =>
    Object.keys(breadcrumbs).find(
      (view) => ![breadcrumbs[view]].flat().some(({ text }) => text === 'Experiments'),
    );
  for (let waited = 0; unnamed() !== undefined; waited += 50) {
    if (waited > 5000) return `its breadcrumbs do not name the page in a ${unnamed()} view`;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const colour = () => window.getComputedStyle(element.querySelector('h1')).color;
  const light = colour();
  switchToDark();
  for (let waited = 0; colour() === light; waited += 50) {
    if (waited > 5000) return 'the page does not follow Kibana into dark mode';
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  unmount();
  if (looking.size > 0) return `${looking.size} listeners of the theme remain after unmounting`;
  const left = document.querySelectorAll('[class*="dyno"], [id*="dyno"], style[data-emotion^="dyno"]').length;
  if (unknown.size > 0) return `it reads ${[...unknown].join(', ')}, which this Kibana may not have`;
  return element.childNodes.length === 0 && left === 0
    ? ''
    : `${left} elements or style sheets, or the page, remain after unmounting`;
}

/**
 * Checks in a browser what the plugin must do. Returns pairs of a requirement and the reason why the plugin does not meet it ('' if it
 * does). Resolves to undefined if no browser is found. `textOf`: returns the content of a file in the zip.
 */
export async function checkInBrowser(textOf) {
  const executablePath = findChromium();
  if (!executablePath) return undefined;
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  try {
    const demands = [];
    for (const kibana of KIBANAS) {
      const { failure, errors } = await visit(browser, textOf, kibana);
      const what = `Kibana ${kibana.version} (${kibana.theme})`;
      demands.push(
        [`in a page of ${what} the app is mounted, follows the theme and is unmounted clean`, failure],
        [`no errors in the console of ${what}`, errors.slice(0, 3).join('; ')],
      );
    }
    return demands;
  } finally {
    await browser.close();
  }
}

async function visit(browser, textOf, kibana) {
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
  const failure = await page.evaluate(live, kibana).catch((error) => error.message);
  await page.close();
  return { failure, errors };
}
