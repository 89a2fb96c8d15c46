/**
 * What the saved objects of a saved search or a dashboard ask: searches in Kibana's own form, queries of ES|QL, and what
 * cannot be carried over, with the reason. The objects are those of Kibana 8.x and 9.x; what is not as it should be is named
 * and left out, never guessed.
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

/** What Kibana's search source is created from: `index` is the id of a data view, or what describes one of its own. */
export interface SearchPanel {
  kind: 'search';
  title: string;
  fields: Fields;
}

export interface EsqlPanel {
  kind: 'esql';
  title: string;
  query: string;
  /** By which Kibana limits it to the time of the dashboard; null where it names none. */
  timeField: string | null;
}

export interface LeftOut {
  kind: 'left-out';
  title: string;
  reason: string;
}

export type Panel = SearchPanel | EsqlPanel | LeftOut;

/** In date math or ISO 8601. */
export interface TimeWindow {
  from: string;
  to: string;
}

export interface TakenApart {
  title: string;
  /** As it was saved; null where it was not. */
  window: TimeWindow | null;
  /** Query and filters of the dashboard, which go for each of its searches. */
  around: Fields;
  panels: Panel[];
}

const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** JSON within a text, as saved objects have it, or what it stands for already. */
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

/** A search source with the data views of its references put in, as Kibana does before it creates one. */
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

/** As many documents as Discover asks for unless the search says otherwise. */
const ROWS = 500;

/** Of `[['@timestamp', 'desc']]`, or one such pair alone. */
function sortOf(sort: unknown): Fields[] {
  const pairs = typeof listOf(sort)[0] === 'string' ? [sort] : listOf(sort);
  return pairs.flatMap((pair) => {
    const [field, direction] = listOf(pair);
    return typeof field === 'string' ? [{ [field]: direction === 'asc' ? 'asc' : 'desc' }] : [];
  });
}

function savedSearch(title: string, attributes: Fields, references: readonly Reference[]): Panel[] {
  // Since 9.2 a session of Discover has tabs, each of them a search.
  const tabs = listOf(attributes['tabs']);
  if (tabs.length > 0) {
    return tabs.flatMap((tab) => {
      const { label, attributes: own } = recordOf(tab);
      const named = tabs.length === 1 ? title : [title, textOf(label)].filter(Boolean).join(', ');
      return savedSearch(named, { ...recordOf(own), tabs: undefined }, references);
    });
  }
  const source = sourceOf(attributes, references);
  if (source === undefined) return [leftOut(title, 'its search cannot be read')];
  const { esql } = recordOf(source['query']);
  if (typeof esql === 'string') {
    // In Discover the data view of a query of ES|QL is made for it, and tells the field of the time.
    const { timeFieldName } = recordOf(source['index']);
    return [{ kind: 'esql', title, query: esql, timeField: textOf(timeFieldName) || null }];
  }
  if (source['index'] === undefined) return [leftOut(title, 'it names no data view')];
  const sort = sortOf(attributes['sort']);
  const size = attributes['sampleSize'];
  return [
    {
      kind: 'search',
      title,
      fields: {
        ...source,
        size: typeof size === 'number' ? size : ROWS,
        ...(sort.length === 0 ? {} : { sort }),
      },
    },
  ];
}

const leftOut = (title: string, reason: string): LeftOut => ({ kind: 'left-out', title, reason });

function lens(title: string, attributes: Fields): Panel[] {
  const state = recordOf(attributes['state']);
  const { textBased } = recordOf(state['datasourceStates']);
  const layers = Object.values(recordOf(recordOf(textBased)['layers'])).map(recordOf);
  const queries = layers.flatMap(({ query, timeField }): Panel[] => {
    const { esql } = recordOf(query);
    return typeof esql === 'string'
      ? [{ kind: 'esql', title, query: esql, timeField: textOf(timeField) || null }]
      : [];
  });
  if (queries.length > 0) return queries;
  const { esql } = recordOf(state['query']);
  if (typeof esql === 'string') return [{ kind: 'esql', title, query: esql, timeField: null }];
  return [leftOut(title, 'Lens makes its aggregations only while it draws them')];
}

/** What other panels are, by their types. */
const NO_SEARCH = new Set([
  'markdown',
  'image',
  'links',
  'navigation_embeddable',
  'LINKS',
  'DASHBOARD_MARKDOWN',
]);

function panelOf(
  panel: Fields,
  references: readonly Reference[],
  find: (reference: { type: string; id: string }) => StoredObject | undefined,
): Panel[] {
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
  const found = reference === undefined ? undefined : find(reference);
  if (reference !== undefined && found === undefined)
    return [
      leftOut(given || reference.id, `the saved object ${reference.type} ${reference.id} is not there`),
    ];
  const attributes = recordOf(found?.attributes ?? config['attributes']);
  const title = given || textOf(attributes['title']) || `panel ${prefix.slice(0, -1)}`.trim();
  const all = [...(found?.references ?? referencesIn(attributes['references'])), ...own];
  switch (found?.type ?? type) {
    case 'search':
    case 'discover_session':
      return savedSearch(title, attributes, all);
    case 'lens':
      return lens(title, attributes);
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

/** The objects that a saved search or dashboard needs beside itself. */
export const neededBy = ({ attributes, references }: StoredObject): { type: string; id: string }[] => {
  const byConfig = panelsIn(attributes).flatMap((panel) => {
    const { savedObjectId } = recordOf(panel['embeddableConfig'] ?? panel['config']);
    const type = textOf(panel['type']);
    return typeof savedObjectId === 'string' ? [{ type, id: savedObjectId }] : [];
  });
  return [...references, ...byConfig]
    .filter(({ type }) => ['search', 'lens'].includes(type))
    .map(({ type, id }) => ({ type, id }));
};

const panelsIn = (attributes: unknown): Fields[] => {
  const { panelsJSON, panels } = recordOf(attributes);
  const all = listOf(parsed(panelsJSON) ?? panels).map(recordOf);
  // Sections of 9.1 and later hold panels of their own.
  return all.flatMap((one) => (Array.isArray(one['panels']) ? listOf(one['panels']).map(recordOf) : [one]));
};

/** `find`: the objects that {@link neededBy} names, as far as they are there. */
export function takeApart(
  object: StoredObject,
  find: (reference: { type: string; id: string }) => StoredObject | undefined,
): TakenApart {
  const attributes = recordOf(object.attributes);
  const title = textOf(attributes['title']) || object.id;
  const from = textOf(attributes['timeFrom']) || textOf(recordOf(attributes['timeRange'])['from']);
  const to = textOf(attributes['timeTo']) || textOf(recordOf(attributes['timeRange'])['to']);
  const window = from !== '' && to !== '' ? { from, to } : null;
  if (object.type !== 'dashboard') {
    return { title, window, around: {}, panels: savedSearch(title, attributes, object.references) };
  }
  const { query, filter } = sourceOf(attributes, object.references) ?? {};
  return {
    title,
    window,
    around: { ...(query === undefined ? {} : { query }), ...(filter === undefined ? {} : { filter }) },
    panels: panelsIn(attributes).flatMap((panel) => panelOf(panel, object.references, find)),
  };
}
