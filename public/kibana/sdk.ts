/**
 * The part of Kibana's plugin SDK for browsers that Dyno uses. It is valid from 8.3 to 9.x unless noted otherwise. The types are derived
 * from the built 8.3.3 (`core.entry.js`) and from Kibana's main. Paths after `Source:` belong to Kibana's repository; most are below
 * `src/core/packages`.
 */
import type { History } from 'history';

/** The part of an rxjs observable that Dyno uses. */
export interface Observable<T> {
  subscribe(next: (value: T) => void): { unsubscribe(): void };
}

export interface KibanaTheme {
  darkMode: boolean;
  /** Name of the theme, since 8.16: `amsterdam` or `borealis`. Source: theme/browser-common/src/theme_service.ts. */
  name?: string;
}

/** Parameters that Kibana passes to an app when it mounts the app. Source: application/browser/src/app_mount.ts. */
export interface MountParameters {
  element: HTMLElement;
  /** History of the app, version 4. */
  history: History;
  /** The current theme. Deprecated in 9.x, where `core.theme` replaces it. In 8.3, both exist. */
  theme$?: Observable<KibanaTheme>;
}

export interface AppRegistration {
  id: string;
  title: string;
  category: { id: string; label: string; order: number; euiIconType: string };
  euiIconType: string;
  order: number;
  /** Pages of the app. By default, Kibana's search shows them and its menus do not. Source: application/browser/src/application.ts. */
  deepLinks: { id: string; title: string; path: string }[];
  mount(params: MountParameters): Promise<() => void>;
}

/**
 * An entry in Kibana's list of features. The `catalogue` of a feature grants access to the entry with the same `id`. Source:
 * src/platform/plugins/shared/home/public/services/feature_catalogue.
 */
export interface CatalogueEntry {
  id: string;
  title: string;
  description: string;
  icon: string;
  path: string;
  showOnHomePage: boolean;
  category: 'admin' | 'data' | 'other';
  order: number;
}

export interface SetupPlugins {
  triggersActionsUi?: TriggersActionsUiSetup;
  home?: { featureCatalogue: { register(entry: CatalogueEntry): void } };
}

export interface CoreSetup {
  application: { register(app: AppRegistration): void };
  getStartServices(): Promise<[CoreStart, StartPlugins, ...unknown[]]>;
}

/** A response to a request through Kibana. Source: http/browser/src/types.ts. */
export interface HttpAnswer {
  response?: Response;
  /** The parsed body of the response. Only set in versions of Kibana without the option `rawResponse`. */
  body?: unknown;
}

export interface HttpOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | null;
  query?: Record<string, string>;
  asResponse: true;
  /** Makes Kibana pass on the response without reading its body. Kibana 8.3 ignores this option. */
  rawResponse: true;
}

/**
 * A search as Kibana builds it; the same from 8.3 to 9.x. Source: data/common/search/search_source/search_source.ts, in the contract
 * data/public/search.
 */
export interface SearchSource {
  getField(name: string): unknown;
  setField(name: string, value: unknown): unknown;
  removeField(name: string): unknown;
  setParent(parent: SearchSource): unknown;
  /** Returns the body of the search request. Some versions return a promise of the body. */
  getSearchRequestBody(): unknown;
}

/** A data view of Kibana. Source: data_views/common/data_views/data_view.ts. */
export interface DataView {
  timeFieldName?: string;
  isTimeNanosBased?(): boolean;
  getFieldByName?(name: string): { sortable?: boolean } | undefined;
}

/** Settings of Kibana. `get` throws for an unknown setting without a default. Source: core/ui-settings/browser. */
export interface UiSettings {
  get(name: string, otherwise?: unknown): unknown;
}

/** Start contracts of other plugins. Each may be undefined, because each plugin may be missing. */
export interface StartPlugins {
  data?: { search?: { searchSource?: { create(fields: Record<string, unknown>): Promise<SearchSource> } } };
}

export interface Toast {
  title: string;
  text?: (element: HTMLElement) => () => void;
}

/**
 * An entry of Kibana's help menu. Kibana opens a link of the type `custom` without leaving the page. Source:
 * chrome/browser/src/nav_controls (9.x) and `help_menu` (8.3).
 */
export interface HelpExtension {
  appName: string;
  links: (
    | { linkType: 'documentation'; href: string }
    | { linkType: 'custom'; href: string; content: string }
  )[];
}

/** A breadcrumb in Kibana's header. Source: core-chrome-browser/src/breadcrumb.ts. */
interface ChromeBreadcrumb {
  text: string;
  href?: string;
  onClick?: (event: MouseEvent) => void;
}

export interface CoreStart {
  application: {
    capabilities: Record<string, Record<string, unknown> | undefined>;
    getUrlForApp(id: string, options?: { path?: string }): string;
    navigateToApp(id: string, options?: { path?: string }): Promise<void>;
  };
  chrome: {
    /** Sets the breadcrumbs. `project`: breadcrumbs for spaces with a solution view. Versions without solution views ignore `project`. */
    setBreadcrumbs(
      breadcrumbs: ChromeBreadcrumb[],
      params?: { project?: { value: ChromeBreadcrumb[]; absolute?: boolean } },
    ): void;
    docTitle: { change(title: string[]): void; reset(): void };
    /** Adds an entry to the help menu. Kibana removes the entry when another app is opened. */
    setHelpExtension(extension: HelpExtension): void;
  };
  /** Version of Kibana in links to Elastic's documentation, such as `8.19` or `master`. Source: doc-links/browser/src/types.ts. */
  docLinks: { DOC_LINK_VERSION: string };
  http: {
    basePath: { prepend(path: string): string };
    /** Sends a request. Rejects if the status is not a success; in this case, the error contains the response. */
    fetch(path: string, options: HttpOptions): Promise<HttpAnswer>;
  };
  notifications: {
    /**
     * Kibana's toasts. `text` may be a function that renders the text into an element and returns a function that removes it. Source:
     * notifications/browser/src/types.ts.
     */
    toasts: Record<'addSuccess' | 'addDanger', (toast: Toast) => unknown> & {
      addInfo(toast: { title: string; text: string }, options: { toastLifeTimeMs: number }): unknown;
    };
  };
  theme?: { theme$?: Observable<KibanaTheme>; getTheme?(): KibanaTheme };
  uiSettings: UiSettings;
}

/** The functions of Kibana's React that a rule form needs. Kibana 8.3 has React 16, Kibana 9.x has React 18. */
export interface KibanaReact {
  createElement(type: 'div', props: { ref: { current: HTMLElement | null } }): unknown;
  useRef<T>(initial: T): { current: T };
  useEffect(effect: () => undefined | (() => void), dependencies?: readonly unknown[]): void;
}

/** The properties of a rule form that Dyno uses. Source: `RuleTypeParamsExpressionProps` in triggers_actions_ui/public/types.ts. */
export interface RuleFormProps {
  ruleParams: Readonly<Record<string, unknown>>;
  setRuleParams(name: string, value: unknown): void;
}

/** A rule type as Kibana's pages know it. Source: `RuleTypeModel` in triggers_actions_ui/public/types.ts. */
export interface RuleTypeModel {
  id: string;
  description: string;
  iconClass: string;
  documentationUrl: string | null;
  /** Returns error messages by parameter. Must be synchronous. */
  validate(params: unknown): { errors: Record<string, string[]> };
  /** A component of Kibana's React. */
  ruleParamsExpression(props: RuleFormProps): unknown;
  requiresAppContext: boolean;
  defaultActionMessage: string;
  defaultRecoveryMessage: string;
}

/** The plugin `triggersActionsUi`, which may be missing. */
export interface TriggersActionsUiSetup {
  ruleTypeRegistry: { register(ruleType: RuleTypeModel): void };
}

/** Globals of the scripts that Kibana loads: ui-shared-deps and the bundle loader (8.3 to 9.x). */
declare global {
  interface Window {
    __kbnBundles__: {
      define(bundle: string, require: (key: string) => unknown, key: string): void;
    };
    /** Base URLs of the plugins' bundles, by plugin id, each with a slash at the end. */
    __kbnPublicPath__: Record<string, string>;
    /** Packages that Kibana shares with plugins. Source: kbn-ui-shared-deps-src/src/entry.js. */
    __kbnSharedDeps__?: { React?: KibanaReact };
  }
}
