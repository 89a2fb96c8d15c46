/** The interface of the app's host, which is Kibana or the standalone page. No other code may depend on which host it is. */
import type { EuiThemeModifications } from '@elastic/eui';
import type { History } from 'history';
import type { RuleTypeId } from '../../common/alerting/rule-types';
import type { SortPairs } from '../../common/saved-searches/panels';

/** A value that may change, with a function to subscribe to its changes. */
export interface Changing<T> {
  get(): T;
  /** Returns a function that ends the subscription. */
  subscribe(onChange: () => void): () => void;
}

export interface Breadcrumb {
  text: string;
  /** Path of the page within the app. The last breadcrumb has no path. */
  path?: string;
}

/** A short message about something that succeeded or failed. */
export interface Message {
  title: string;
  outcome: 'done' | 'failed';
  /** Sentences, one per line. */
  lines: readonly string[];
  /** Link to details within the app. */
  more?: { text: string; path: string };
}

/** Time range and filters with which Kibana opens a dashboard. */
export interface DashboardView {
  field: 'experiment.id' | 'run.id';
  value: string;
  /** Shows only documents of this task. Default: documents of all tasks. */
  task?: string;
  /** Beginning and end, as ISO 8601 or `now`. */
  from: string;
  to: string;
}

/** Scope of a new alert rule, as ids. Without an id, the rule watches everything. */
export interface RuleScope {
  experiment?: string;
  target?: string;
}

/** A saved search of Kibana. The body of a search request is built from it. */
export interface SearchToBuild {
  /** Contents of the search source, Kibana's object for a search: index, query, filters and more. */
  fields: Readonly<Record<string, unknown>>;
  /** Query and filters of the dashboard that contains the saved search as a panel. Null if Discover shows the search. */
  around: Readonly<Record<string, unknown>> | null;
  sort: SortPairs;
  sampleSize: number | null;
}

export interface AppHost {
  /** Browser history of the app. Its paths begin with `/`. */
  history: History;
  /**
   * Sends a request to Dyno's server. `path` begins with `/api/dyno`. The base path, credentials and protection against forged requests are
   * added.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the complete URL of a path for {@link fetch}, for links and event sources. */
  urlOf(path: string): string;
  darkMode: Changing<boolean>;
  /** Switches the dark mode on or off. Undefined in Kibana, whose own setting applies. */
  setDarkMode?(dark: boolean): void;
  /** Opens Kibana's dashboards. Undefined outside Kibana. `id`: id of a dashboard, as Dyno's server returns it. */
  dashboards?: {
    hrefOf(id: string, view?: DashboardView): string;
    open(id: string, view?: DashboardView): void;
  };
  /** Builds the bodies of saved searches exactly as Kibana sends them. Undefined outside Kibana. */
  searches?: {
    /** Returns the body of a search request, without the filter on the time range. */
    build(search: SearchToBuild): Promise<Record<string, unknown>>;
    /**
     * Returns the filter that Kibana adds to the ES|QL queries of a dashboard. `around`: query and filters of the dashboard. Undefined if
     * Kibana adds no filter.
     */
    buildAround(around: Readonly<Record<string, unknown>>): Promise<Record<string, unknown> | undefined>;
  };
  /** Sets the breadcrumbs, from the outermost to the page itself, and the document's title. */
  setBreadcrumbs(breadcrumbs: readonly Breadcrumb[]): void;
  /**
   * Dialogs and tooltips are inserted into the document before this element. If undefined, they are inserted at the end of the document.
   */
  portals?: HTMLElement;
  /** Shows a message as one of Kibana's toasts. Undefined outside Kibana, where the app shows its own toasts. */
  notify?(message: Message): void;
  /** Returns a description of the predefined target `local`. In Kibana, this is the cluster of Kibana. */
  localTarget(): string;
  /**
   * Returns a warning that load on the predefined target `local` slows down Kibana, which uses this cluster itself. Undefined outside
   * Kibana.
   */
  loadsItself?(): { title: string; text: string };
  /**
   * Returns a question for the user to confirm before a certification loads this machine, because the load may slow down other people's
   * work. Undefined if nobody else works on this machine; the user is not asked then.
   */
  loadsMachine?(): { title: string; text: string };
  /** Returns the name of the machine on which the files of experiments, such as datasets, must be stored. */
  filesPlace(): string;
  /** Returns a text that says where the documents are stored that a tuning copies from an index. */
  samplesPlace(): string;
  /** Whether users get their privileges from roles. The app then has a page that lists the privileges that users need. */
  hasRoles: boolean;
  /** Creates Kibana's alert rules. Undefined outside Kibana, or if the user may not create rules. */
  rules?: {
    /** Returns the link to the form of a new rule. The rule only watches the experiment or target in `scope`. */
    linkTo(rule: RuleTypeId, scope: RuleScope): { href: string; onClick(event: MouseEvent): void };
  };
  /** Changes to EUI's theme and additional styles. Undefined if the app looks like plain EUI. */
  look?: { theme: EuiThemeModifications; css(dark: boolean): string };
  /** Privilege of the user: `read` allows viewing results, `run` also starting runs, `manage` also changing and deleting experiments. */
  privilege: 'read' | 'run' | 'manage';
}
