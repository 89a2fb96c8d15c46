/** What the app needs from its host, which is Kibana or the standalone page. Nothing else may ask which it is. */
import type { EuiThemeModifications } from '@elastic/eui';
import type { History } from 'history';
import type { RuleTypeId } from '../../common/alerting/rule-types';
import type { SortPairs } from '../../common/saved-searches/panels';

/** A value that changes, and tells. */
export interface Changing<T> {
  get(): T;
  /** Returns what ends it. */
  subscribe(onChange: () => void): () => void;
}

export interface Breadcrumb {
  text: string;
  /** Within the app; the last one has none. */
  path?: string;
}

/** A short message about something that was done or could not be. */
export interface Message {
  title: string;
  outcome: 'done' | 'failed';
  /** Sentences, each in a line of its own. */
  lines: readonly string[];
  /** Where more is told, within the app. */
  more?: { text: string; path: string };
}

/** What a dashboard of the host is to show when it opens. */
export interface DashboardView {
  field: 'experiment.id' | 'run.id';
  value: string;
  /** Of documents that are of a task, only those of this one; of all tasks without. */
  task?: string;
  /** ISO 8601, or `now`. */
  from: string;
  to: string;
}

/** What a rule watches; everything without. */
export interface RuleScope {
  experiment?: string;
  target?: string;
}

/** A saved search, of which the host makes what it sends. */
export interface SearchToBuild {
  /** Of its search source. */
  fields: Readonly<Record<string, unknown>>;
  /** Query and filters of the dashboard whose panel it is; null for Discover itself. */
  around: Readonly<Record<string, unknown>> | null;
  sort: SortPairs;
  sampleSize: number | null;
}

export interface AppHost {
  /** Of the app's own paths, which begin with `/`. */
  history: History;
  /** `path` begins with `/api/dyno`; adds base path, credentials and what protects against forged requests. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The whole URL of such a path, for links and event sources. */
  urlOf(path: string): string;
  darkMode: Changing<boolean>;
  /** Where the user may choose it here; in Kibana it is Kibana's. */
  setDarkMode?(dark: boolean): void;
  /** Kibana's; undefined where there are none. `id` as the host's own routes tell it. */
  dashboards?: {
    hrefOf(id: string, view?: DashboardView): string;
    open(id: string, view?: DashboardView): void;
  };
  /** Builds searches as the host itself sends them; undefined where the host has no searches of its own. */
  searches?: {
    /** The body of one search, without the time. */
    build(search: SearchToBuild): Promise<Record<string, unknown>>;
    /** What the host sends beside a query of ES|QL for the query and filters of a dashboard; undefined for none. */
    buildAround(around: Readonly<Record<string, unknown>>): Promise<Record<string, unknown> | undefined>;
  };
  /** From the outermost to the page itself; the document's title follows. */
  setBreadcrumbs(breadcrumbs: readonly Breadcrumb[]): void;
  /** Where what floats above the pages (dialogs, tips) is put into the document, before it; at its end without. */
  portals?: HTMLElement;
  /** Tells it in the corner, where the host has a corner for all its apps; without, the app has one of its own. */
  notify?(message: Message): void;
  /** What the target `local` is here. */
  localTarget(): string;
  /** Where the host itself works with the cluster of the target `local`: what a load on it does to the host, and what to do. */
  loadsItself?(): { title: string; text: string };
  /** Where others use the machine of the host too: asked before it is loaded itself. */
  loadsMachine?(): { title: string; text: string };
  /** On which machine the files lie that experiments read. */
  filesPlace(): string;
  /** What tuning an index reads of it and keeps, and where. */
  samplesPlace(): string;
  /** Whether roles grant what users may do; then a page of the app shows which they need. */
  hasRoles: boolean;
  /** Where alerts on what Dyno measures are made, in a host that has such a place and a user who may go there. */
  rules?: {
    /** The form of a new rule, which watches `scope` (ids) and nothing else. */
    linkTo(rule: RuleTypeId, scope: RuleScope): { href: string; onClick(event: MouseEvent): void };
  };
  /** Where the host does not look as EUI does of itself: what of EUI's theme is another there, and what no theme says. */
  look?: { theme: EuiThemeModifications; css(dark: boolean): string };
  /** Of the user's: `all` may define and delete, `run` may run, `read` may look. */
  privilege: 'read' | 'run' | 'manage';
}
