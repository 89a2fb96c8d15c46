/** Kibana as the house that the app lives in. */
import type { AppHost, Breadcrumb, Changing } from '../app/host';
import type { CoreStart, HttpAnswer, MountParameters } from './sdk';
import { themeOf, unreadAnswer } from './versions';

export const APP_ID = 'dyno';
const TITLE = 'Dyno';

export interface KibanaHost extends AppHost {
  /** Ends what listens to Kibana, and takes back what was set there. */
  leave(): void;
}

/** What the user's roles grant. */
function privilegeOf({ application }: CoreStart): AppHost['privilege'] {
  const granted = application.capabilities[APP_ID] ?? {};
  return granted['manage'] === true ? 'manage' : granted['run'] === true ? 'run' : 'read';
}

function darkModeOf(core: CoreStart, params: MountParameters): Changing<boolean> & { end(): void } {
  let dark = false;
  const listeners = new Set<() => void>();
  const subscription = themeOf(core, params)?.subscribe(({ darkMode }) => {
    dark = darkMode;
    listeners.forEach((listener) => listener());
  });
  return {
    get: () => dark,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end: () => subscription?.unsubscribe(),
  };
}

/** A click that Kibana may follow by itself: no new tab, no download. */
const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;

/** An answer is an answer, whatever its status; rejects where there is none. */
async function fetchBy({ http }: CoreStart, path: string, init: RequestInit = {}): Promise<Response> {
  const [pathname = '', search = ''] = path.split('?');
  const headers = new Headers(init.headers);
  // Kibana sends it by itself, and a second one beside it where the names differ in case.
  headers.delete('content-type');
  const asked = http.fetch(pathname, {
    method: init.method ?? 'GET',
    headers: Object.fromEntries(headers),
    query: Object.fromEntries(new URLSearchParams(search)),
    ...(typeof init.body === 'string' ? { body: init.body } : {}),
    signal: init.signal ?? null,
    asResponse: true,
    rawResponse: true,
  });
  const answer = await asked.catch((error: HttpAnswer) => {
    if (error.response) return error;
    throw error;
  });
  const response = unreadAnswer(answer);
  if (response) return response;
  throw new TypeError('no answer');
}

export function createHost(core: CoreStart, params: MountParameters): KibanaHost {
  const { application, chrome, http } = core;
  const darkMode = darkModeOf(core, params);

  const linkTo = (path: string): { href: string; onClick: (event: MouseEvent) => void } => ({
    href: application.getUrlForApp(APP_ID, { path }),
    onClick(event) {
      if (!isPlain(event)) return;
      event.preventDefault();
      void application.navigateToApp(APP_ID, { path });
    },
  });

  return {
    history: params.history,
    fetch: (path, init) => fetchBy(core, path, init),
    urlOf: (path) => http.basePath.prepend(path),
    darkMode,
    setBreadcrumbs(trail: readonly Breadcrumb[]) {
      chrome.setBreadcrumbs([
        { text: TITLE, ...linkTo('/') },
        ...trail.map(({ text, path }) => ({ text, ...(path === undefined ? {} : linkTo(path)) })),
      ]);
      chrome.docTitle.change([...trail.map(({ text }) => text).reverse(), TITLE]);
    },
    privilege: privilegeOf(core),
    leave() {
      darkMode.end();
      chrome.docTitle.reset();
    },
  };
}
