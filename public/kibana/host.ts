/** Connects the app to Kibana: HTTP, browser history, theme, toasts, dashboards and alert rules. */
import type { AppHost, Breadcrumb, Changing, Message } from '../app/host';
import { RULE_TYPES, type RuleTypeId } from '../../common/alerting/rule-types';
import { i18n } from '../i18n';
import type { CoreStart, HttpAnswer, MountParameters, StartPlugins } from './sdk';
import { AMSTERDAM, amsterdamStyles } from './amsterdam';
import { dashboardPath } from './dashboard-path';
import { buildAround, buildSearch } from './discover-search';
import { hasOwnForm, keepScope, newRulePath } from './new-rule';
import { looksAmsterdam, themeOf, unreadAnswer } from './versions';

export const APP_ID = 'dyno';
const TITLE = 'Dyno';
/** Time in ms for which a message explains how to create a rule. If it were shown longer, it would cover the button that saves the rule. */
const HINT_MS = 15_000;
/** Id of Kibana's app for dashboards. */
const DASHBOARDS_APP = 'dashboards';

/** Returns whether the user may create rules. This is the case if Kibana shows its page of rules to the user. */
function mayMakeRules({ application }: CoreStart): boolean {
  const pages = application.capabilities['management']?.['insightsAndAlerting'];
  return (pages as Record<string, boolean> | undefined)?.['triggersActions'] === true;
}

export interface KibanaHost extends AppHost {
  /** Ends all subscriptions to Kibana, and undoes all changes that the app has made to Kibana's page. */
  leave(): void;
}

/** Returns the privilege that the user's roles grant. */
function privilegeOf({ application }: CoreStart): AppHost['privilege'] {
  const granted = application.capabilities[APP_ID] ?? {};
  return granted['manage'] === true ? 'manage' : granted['run'] === true ? 'run' : 'read';
}

function darkModeOf(
  core: CoreStart,
  params: Pick<MountParameters, 'theme$'>,
): Changing<boolean> & { end(): void } {
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

/**
 * Returns whether the app should open a link itself. If a modifier key is pressed, the browser handles the click, and opens a new tab or a
 * download.
 */
const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;

/** Sends a request. Resolves to the response, whatever its status is. Rejects if no response arrives. */
async function fetchBy({ http }: CoreStart, path: string, init: RequestInit = {}): Promise<Response> {
  const [pathname = '', search = ''] = path.split('?');
  const headers = new Headers(init.headers);
  // Kibana adds this header itself. If the header were added here in a different letter case, it would be sent twice.
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

/**
 * Returns a function that shows a message as Kibana's toast, because toasts of the app would be hidden under those of Kibana. The text is
 * plain DOM, because Kibana has its own React.
 */
function notifier({ notifications: { toasts } }: CoreStart, linkTo: LinkTo): (message: Message) => void {
  return ({ title, outcome, lines, more }) => {
    const text = (element: HTMLElement): (() => void) => {
      for (const line of lines) {
        const paragraph = document.createElement('p');
        paragraph.textContent = line;
        element.append(paragraph);
      }
      if (more) {
        const link = document.createElement('a');
        link.textContent = more.text;
        const { href, onClick } = linkTo(more.path);
        link.href = href;
        link.addEventListener('click', onClick);
        element.append(link);
      }
      return () => element.replaceChildren();
    };
    const toast = { title, ...(lines.length > 0 || more ? { text } : {}) };
    if (outcome === 'done') toasts.addSuccess(toast);
    else toasts.addDanger(toast);
  };
}

/** Explains how to create a rule from the list of rules. In older versions, no link leads directly to the form. */
function explainHowToCreate({ notifications: { toasts } }: CoreStart, rule: RuleTypeId): void {
  const hint = {
    title: i18n.translate('dyno.kibana.newRule', {
      defaultMessage: 'Click Create rule, then choose {name}',
      values: { name: RULE_TYPES[rule].name },
    }),
    text: i18n.translate('dyno.kibana.newRule.why', {
      defaultMessage: 'Within five minutes, Dyno fills in what you were looking at.',
    }),
  };
  toasts.addInfo(hint, { toastLifeTimeMs: HINT_MS });
}

type LinkTo = (path: string, app?: string) => { href: string; onClick: (event: MouseEvent) => void };

/**
 * Returns functions that build the bodies of saved searches with Kibana's search sources. Empty if this version of Kibana has no search
 * sources.
 */
function searchesOf({ uiSettings }: CoreStart, { data }: StartPlugins): Pick<AppHost, 'searches'> {
  const sources = data?.search?.searchSource;
  if (sources === undefined) return {};
  return {
    searches: {
      build: (search) => buildSearch(sources, uiSettings, search),
      buildAround: (around) => buildAround(sources, around),
    },
  };
}

export function createHost(
  core: CoreStart,
  params: Pick<MountParameters, 'history' | 'theme$'>,
  portals: HTMLElement,
  plugins: StartPlugins = {},
): KibanaHost {
  const { application, chrome, http } = core;
  const darkMode = darkModeOf(core, params);

  const linkTo: LinkTo = (path, app = APP_ID) => ({
    href: application.getUrlForApp(app, { path }),
    onClick(event) {
      if (!isPlain(event)) return;
      event.preventDefault();
      void application.navigateToApp(app, { path });
    },
  });

  const linkToRule: NonNullable<AppHost['rules']>['linkTo'] = (rule, scope) => {
    const { DOC_LINK_VERSION: version } = core.docLinks;
    const { href, onClick } = linkTo(newRulePath(version, rule), 'management');
    return {
      href,
      onClick(event) {
        keepScope(rule, scope, window.sessionStorage, Date.now());
        // The toast remains visible after the change to the other app.
        if (!hasOwnForm(version)) explainHowToCreate(core, rule);
        onClick(event);
      },
    };
  };

  return {
    history: params.history,
    fetch: (path, init) => fetchBy(core, path, init),
    urlOf: (path) => http.basePath.prepend(path),
    darkMode,
    portals,
    notify: notifier(core, linkTo),
    localTarget: () =>
      i18n.translate('dyno.kibana.localTarget', {
        defaultMessage:
          'The cluster of this Kibana, at the address in kibana.yml. A run uses the rights of the user who starts it. You cannot change this target here.',
      }),
    loadsItself: () => ({
      title: i18n.translate('dyno.kibana.loadsItself', {
        defaultMessage: 'This target is the cluster that Kibana itself uses',
      }),
      text: i18n.translate('dyno.kibana.loadsItself.why', {
        defaultMessage:
          'While a run overloads this cluster, Kibana is slow for everybody, rules and tasks of all apps wait, and alerts on rejections get no data until the samples of the run can be stored. Measure another target, or store the results in another cluster (dyno.results.hosts in kibana.yml).',
      }),
    }),
    loadsMachine: () => ({
      title: i18n.translate('dyno.kibana.loadsMachine', {
        defaultMessage: 'Load the machine of this Kibana for two minutes?',
      }),
      text: i18n.translate('dyno.kibana.loadsMachine.why', {
        defaultMessage:
          'Other people use this Kibana. For two minutes, it may be slow for them, and the certification may end with *too busy* because of their work. Choose a time when few people use this Kibana.',
      }),
    }),
    filesPlace: () =>
      i18n.translate('dyno.kibana.filesPlace', {
        defaultMessage: 'In the folder corpora in Dyno’s data folder, on the machine of Kibana.',
      }),
    samplesPlace: () =>
      i18n.translate('dyno.kibana.samplesPlace', {
        defaultMessage:
          'Dyno reads the mapping and settings of the index, and stores a sample of up to 2,000 documents with the results. Everyone who may read the results can read this sample. Dyno does not change the index.',
      }),
    hasRoles: true,
    setBreadcrumbs(trail: readonly Breadcrumb[]) {
      const breadcrumbs = [
        { text: TITLE, ...linkTo('/') },
        ...trail.map(({ text, path }) => ({ text, ...(path === undefined ? {} : linkTo(path)) })),
      ];
      // In a solution view, the breadcrumbs are set explicitly, because the view's navigation does not contain the app.
      chrome.setBreadcrumbs(breadcrumbs, { project: { value: breadcrumbs, absolute: true } });
      chrome.docTitle.change([...trail.map(({ text }) => text).reverse(), TITLE]);
    },
    dashboards: {
      hrefOf: (id, view) => application.getUrlForApp(DASHBOARDS_APP, { path: dashboardPath(id, view) }),
      open: (id, view) => void application.navigateToApp(DASHBOARDS_APP, { path: dashboardPath(id, view) }),
    },
    ...(looksAmsterdam(core) ? { look: { theme: AMSTERDAM, css: amsterdamStyles } } : {}),
    ...searchesOf(core, plugins),
    privilege: privilegeOf(core),
    ...(mayMakeRules(core) ? { rules: { linkTo: linkToRule } } : {}),
    leave() {
      darkMode.end();
      chrome.docTitle.reset();
    },
  };
}
