/**
 * Reads the saved objects of a saved search or a dashboard: searches in Kibana's form, ES|QL queries, and panels that cannot be converted,
 * with the reason. The objects are those of Kibana 8.x and 9.x. Invalid parts are reported and skipped, never guessed.
 */
import { parseExact } from '../json/exact';

export interface Reference {
  name: string;
  type: string;
  id: string;
}

export interface StoredObject {
  type: string;
  id: string;
  attributes: unknown;
  references: readonly Reference[];
}

type Fields = Record<string, unknown>;

/** Fields with their directions. */
export type SortPairs = readonly (readonly [field: string, direction: 'asc' | 'desc'])[];

/** The data from which Kibana creates a search source. `index`: the id of a data view, or the description of an inline data view. */
export interface SearchPanel {
  kind: 'search';
  title: string;
  fields: Fields;
  /** Sort order in the panel or in the saved search. Kibana adds further fields to this sort order. */
  sort: SortPairs;
  /** Number of documents on a page; null for Discover's default. */
  sampleSize: number | null;
  /** Time range of the panel; null if the panel uses the time range of the dashboard. */
  window: TimeWindow | null;
}

export interface EsqlPanel {
  kind: 'esql';
  title: string;
  query: string;
  /** Field to which Kibana applies the time range of the dashboard; null if there is no such field. */
  timeField: string | null;
  /** Time range of the panel; null if the panel uses the time range of the dashboard. */
  window: TimeWindow | null;
}

export interface LeftOut {
  kind: 'left-out';
  title: string;
  reason: string;
}

export type Panel = SearchPanel | EsqlPanel | LeftOut;

/** A time range in date math or ISO 8601. */
export interface TimeWindow {
  from: string;
  to: string;
}

export interface TakenApart {
  title: string;
  /** Time range of the dashboard; null if the dashboard was saved without a time range. */
  window: TimeWindow | null;
  /** Query and filters of the dashboard, which apply to each of its searches. */
  around: Fields;
  panels: Panel[];
}

const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Parses JSON in a text, as in saved objects; returns other values unchanged. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseExact(value);
  } catch {
    return undefined;
  }
}

const referencesIn = (value: unknown): Reference[] =>
  listOf(value).flatMap((one) => {
    const { name, type, id } = recordOf(one);
    return typeof name === 'string' && typeof type === 'string' && typeof id === 'string'
      ? [{ name, type, id }]
      : [];
  });

/** Returns a search source with the data views of its references inserted. Kibana inserts them before it creates a search source. */
function sourceOf(attributes: Fields, references: readonly Reference[]): Fields | undefined {
  const { searchSourceJSON } = recordOf(attributes['kibanaSavedObjectMeta']);
  const source = parsed(searchSourceJSON ?? attributes['serializedSearchSource']);
  if (typeof source !== 'object' || source === null) return undefined;
  const idOf = (name: unknown): string | undefined =>
    references.find((reference) => reference.name === name)?.id;
  const { indexRefName, filter, ...rest } = source as Fields;
  const filters = listOf(filter).map((one) => {
    const { meta, ...more } = recordOf(one);
    const { indexRefName: named, ...own } = recordOf(meta);
    const index = idOf(named) ?? own['index'];
    return { ...more, meta: { ...own, ...(index === undefined ? {} : { index }) } };
  });
  const index = idOf(indexRefName) ?? rest['index'];
  return {
    ...rest,
    ...(index === undefined ? {} : { index }),
    ...(filters.length === 0 ? {} : { filter: filters }),
  };
}

/** Reads a sort order: pairs such as `[['@timestamp', 'desc']]`, or a single pair. */
function sortOf(sort: unknown): SortPairs {
  const pairs = typeof listOf(sort)[0] === 'string' ? [sort] : listOf(sort);
  return pairs.flatMap((pair): SortPairs => {
    const [field, direction] = listOf(pair);
    return typeof field === 'string' ? [[field, direction === 'asc' ? 'asc' : 'desc']] : [];
  });
}

/** Reads the time range in `timeFrom` and `timeTo`, or in `timeRange`; null if the object does not contain these keys. */
function windowOf(given: Fields): TimeWindow | null {
  const range = recordOf(given['timeRange'] ?? given['time_range']);
  const from = textOf(given['timeFrom']) || textOf(range['from']);
  const to = textOf(given['timeTo']) || textOf(range['to']);
  return from !== '' && to !== '' ? { from, to } : null;
}

/**
 * Returns the searches of a saved search, one for each of its tabs. `panel`: settings of the panel, which replace those of the saved
 * search; empty for a search outside a dashboard.
 */
function savedSearch(
  title: string,
  attributes: Fields,
  references: readonly Reference[],
  panel: Fields = {},
): Panel[] {
  // Since 9.2, a Discover session has tabs, each of which is a search.
  const tabs = listOf(attributes['tabs']);
  if (tabs.length > 0) {
    return tabs.flatMap((tab) => {
      const { label, attributes: own } = recordOf(tab);
      const named = tabs.length === 1 ? title : [title, textOf(label)].filter(Boolean).join(', ');
      return savedSearch(named, { ...recordOf(own), tabs: undefined }, references, panel);
    });
  }
  const source = sourceOf(attributes, references);
  if (source === undefined) return [leftOut(title, 'its search cannot be read')];
  const window = windowOf({ timeRange: panel['timeRange'] ?? panel['time_range'] });
  const { esql } = recordOf(source['query']);
  if (typeof esql === 'string') {
    // Discover creates the data view of an ES|QL query, which contains the time field.
    const { timeFieldName } = recordOf(source['index']);
    return [{ kind: 'esql', title, query: esql, timeField: textOf(timeFieldName) || null, window }];
  }
  if (source['index'] === undefined) return [leftOut(title, 'it names no data view')];
  const own = sortOf(panel['sort']);
  const size = panel['sampleSize'] ?? attributes['sampleSize'];
  return [
    {
      kind: 'search',
      title,
      fields: source,
      sort: own.length > 0 ? own : sortOf(attributes['sort']),
      sampleSize: typeof size === 'number' ? size : null,
      window,
    },
  ];
}

const leftOut = (title: string, reason: string): LeftOut => ({ kind: 'left-out', title, reason });

function lens(title: string, attributes: Fields, window: TimeWindow | null): Panel[] {
  const state = recordOf(attributes['state']);
  const { textBased } = recordOf(state['datasourceStates']);
  const layers = Object.values(recordOf(recordOf(textBased)['layers'])).map(recordOf);
  const queries = layers.flatMap(({ query, timeField }): Panel[] => {
    const { esql } = recordOf(query);
    return typeof esql === 'string'
      ? [{ kind: 'esql', title, query: esql, timeField: textOf(timeField) || null, window }]
      : [];
  });
  if (queries.length > 0) return queries;
  const { esql } = recordOf(state['query']);
  if (typeof esql === 'string') return [{ kind: 'esql', title, query: esql, timeField: null, window }];
  return [leftOut(title, 'Lens makes its aggregations only while it draws them')];
}

/** Types of panels without searches. */
const NO_SEARCH = new Set([
  'markdown',
  'image',
  'links',
  'navigation_embeddable',
  'LINKS',
  'DASHBOARD_MARKDOWN',
]);

function panelOf(panel: Fields, references: readonly Reference[], find: Find): Panel[] {
  const type = textOf(panel['type']);
  const config = recordOf(panel['embeddableConfig'] ?? panel['config']);
  const prefix = `${textOf(panel['panelIndex']) || textOf(panel['uid'])}:`;
  const own = references.map((one) =>
    one.name.startsWith(prefix) ? { ...one, name: one.name.slice(prefix.length) } : one,
  );
  const given = textOf(panel['title']) || textOf(config['title']);
  const wanted = panel['panelRefName'];
  const reference =
    (typeof wanted === 'string' ? own.find(({ name }) => name === wanted) : undefined) ??
    (typeof config['savedObjectId'] === 'string' ? { type, id: config['savedObjectId'] } : undefined);
  const answer = reference === undefined ? undefined : find(reference);
  if (reference !== undefined && (answer === undefined || answer === 'forbidden')) {
    const named = `the saved object ${reference.type} ${reference.id}`;
    const reason = answer === undefined ? `${named} does not exist` : `you may not read ${named}`;
    return [leftOut(given || `${reference.type} ${reference.id}`, reason)];
  }
  const found = answer as StoredObject | undefined;
  const attributes = recordOf(found?.attributes ?? config['attributes']);
  const title = given || textOf(attributes['title']) || `panel ${prefix.slice(0, -1)}`.trim();
  const all = [...(found?.references ?? referencesIn(attributes['references'])), ...own];
  switch (found?.type ?? type) {
    case 'search':
    case 'discover_session':
      return savedSearch(title, attributes, all, config);
    case 'lens':
      return lens(title, attributes, windowOf({ timeRange: config['timeRange'] ?? config['time_range'] }));
    case 'visualization':
      return [leftOut(title, 'the aggregations of a visualization are made only while it is drawn')];
    case 'map':
      return [leftOut(title, 'the searches of a map depend on the part of it that is shown')];
    default:
      return [
        leftOut(
          title,
          NO_SEARCH.has(type) ? 'it searches nothing' : `panels of the type ${type || '(none)'} are not read`,
        ),
      ];
  }
}

/** Types of references that are not panels: data views, and tags of dashboards. */
const NO_PANEL = ['index-pattern', 'tag'];

/**
 * Returns the saved objects that the panels of a dashboard refer to. Panels without a search are included, because messages about them
 * contain their titles.
 */
export const neededBy = ({ attributes, references }: StoredObject): { type: string; id: string }[] => {
  const byConfig = panelsIn(attributes).flatMap((panel) => {
    const { savedObjectId } = recordOf(panel['embeddableConfig'] ?? panel['config']);
    const type = textOf(panel['type']);
    return typeof savedObjectId === 'string' ? [{ type, id: savedObjectId }] : [];
  });
  return [...references, ...byConfig]
    .filter(({ type }) => type !== '' && !NO_PANEL.includes(type))
    .map(({ type, id }) => ({ type, id }));
};

/**
 * Function that returns a saved object by its type and id. It returns undefined if the object does not exist, and `forbidden` if the user
 * may not read it.
 */
export type Find = (reference: { type: string; id: string }) => StoredObject | 'forbidden' | undefined;

/**
 * Returns the controls of a dashboard as panels that cannot be converted. Users of the dashboard choose values in the controls, and most
 * versions of Kibana do not save these choices.
 */
function controlsIn(attributes: Fields): Panel[] {
  const { controlGroupInput, pinned_panels: pinned } = attributes;
  const { panelsJSON, controls } = recordOf(controlGroupInput);
  const panels = recordOf(parsed(panelsJSON));
  const all = [...Object.values(panels), ...listOf(controls), ...listOf(pinned)];
  return all.length === 0
    ? []
    : [leftOut('controls', 'what readers choose in them filters the searches only while they look')];
}

const panelsIn = (attributes: unknown): Fields[] => {
  const { panelsJSON, panels } = recordOf(attributes);
  const all = listOf(parsed(panelsJSON) ?? panels).map(recordOf);
  // Since 9.1, sections contain panels.
  return all.flatMap((one) => (Array.isArray(one['panels']) ? listOf(one['panels']).map(recordOf) : [one]));
};

/** Reads a saved search or a dashboard. `find`: finds the objects that {@link neededBy} returns. */
export function takeApart(object: StoredObject, find: Find): TakenApart {
  const attributes = recordOf(object.attributes);
  const title = textOf(attributes['title']) || object.id;
  const window = windowOf(attributes);
  if (object.type !== 'dashboard') {
    return { title, window, around: {}, panels: savedSearch(title, attributes, object.references) };
  }
  const { query, filter } = sourceOf(attributes, object.references) ?? {};
  return {
    title,
    window,
    around: { ...(query === undefined ? {} : { query }), ...(filter === undefined ? {} : { filter }) },
    panels: [
      ...panelsIn(attributes).flatMap((panel) => panelOf(panel, object.references, find)),
      ...controlsIn(attributes),
    ],
  };
}
