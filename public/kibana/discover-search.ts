/**
 * Searches as Discover sends them, built with Kibana's own search sources. What Discover adds to a saved search before it asks
 * is the same in 8.12, 8.19 and 9.x: the page of documents, their order with a tie breaker, and all fields instead of the source.
 * Read in discover/public (fetch_documents.ts, embeddable/utils/update_search_source.ts) and discover/common/utils/sorting.
 */
import type { SearchToBuild } from '../app/host';
import type { DataView, SearchSource, UiSettings } from './sdk';

interface SearchSources {
  create(fields: Record<string, unknown>): Promise<SearchSource>;
}

/** Kibana's own settings, and what they are without being set. */
const SETTINGS = {
  sampleSize: ['discover:sampleSize', 500],
  sortOrder: ['discover:sort:defaultOrder', 'desc'],
  hidesTime: ['doc_table:hideTimeColumn', false],
  /** Deprecated: reads the source instead of fields. */
  fromSource: ['discover:searchFieldsFromSource', false],
} as const;

/** Discover lets nobody ask for more documents. */
const MOST_DOCUMENTS = 10_000;

function settingsOf(uiSettings: UiSettings): Record<keyof typeof SETTINGS, unknown> {
  const read = ([name, otherwise]: (typeof SETTINGS)[keyof typeof SETTINGS]): unknown => {
    try {
      return uiSettings.get(name, otherwise);
    } catch {
      // Versions that no longer know a setting behave as without it.
      return otherwise;
    }
  };
  return {
    sampleSize: read(SETTINGS.sampleSize),
    sortOrder: read(SETTINGS.sortOrder),
    hidesTime: read(SETTINGS.hidesTime),
    fromSource: read(SETTINGS.fromSource),
  };
}

type Sort = Record<string, unknown>;

/** The order of the documents; `pairs`: as it was saved. */
function sortOf(
  pairs: SearchToBuild['sort'],
  view: DataView | undefined,
  settings: ReturnType<typeof settingsOf>,
): Sort[] {
  const direction = settings.sortOrder === 'asc' ? 'asc' : 'desc';
  const time = view?.timeFieldName || undefined;
  const isSortable = (field: string): boolean => view?.getFieldByName?.(field)?.sortable === true;
  const usual: SearchToBuild['sort'] =
    time !== undefined && isSortable(time) && settings.hidesTime !== true ? [[time, direction]] : [];
  const wanted = (pairs.length > 0 ? pairs : usual).filter(([field]) => isSortable(field));
  if (wanted.length === 0) return [{ [time === undefined ? '_score' : '_doc']: direction }];
  const isNanos = view?.isTimeNanosBased?.() === true;
  const sort = wanted.map(([field, order]): Sort => {
    if (field !== time) return { [field]: order };
    const format = isNanos
      ? { format: 'strict_date_optional_time_nanos', numeric_type: 'date_nanos' }
      : { format: 'strict_date_optional_time' };
    return { [field]: { order, ...format } };
  });
  return time === undefined ? sort : [...sort, { _doc: wanted[0]![1] }];
}

const sizeOf = (own: number | null, setting: unknown): number => {
  const usual = typeof setting === 'number' && setting > 0 ? setting : SETTINGS.sampleSize[1];
  return own === null || own <= 0 ? usual : Math.min(own, Math.max(usual, 0), MOST_DOCUMENTS);
};

/** The body that Kibana sends, without the time. */
export async function buildSearch(
  sources: SearchSources,
  uiSettings: UiSettings,
  { fields, around, sort, sampleSize }: SearchToBuild,
): Promise<Record<string, unknown>> {
  const settings = settingsOf(uiSettings);
  const source = await sources.create({ ...fields });
  source.setField('size', sizeOf(sampleSize, settings.sampleSize));
  source.setField('sort', sortOf(sort, source.getField('index') as DataView | undefined, settings));
  if (settings.fromSource === true) source.removeField('fields');
  else {
    source.removeField('fieldsFromSource');
    source.setField('fields', [{ field: '*', include_unmapped: 'true' }]);
  }
  if (around === null) {
    // Discover counts the hits by another request, and marks what was found.
    source.setField('trackTotalHits', false);
    source.setField('highlightAll', true);
    source.setField('version', true);
  } else {
    // Kibana's server adds this to what a panel asks.
    source.setField('trackTotalHits', true);
    source.setParent(await parentOf(sources, around));
  }
  return (await source.getSearchRequestBody()) as Record<string, unknown>;
}

/** A dashboard is the parent of its panels' searches: their queries and filters hold together. */
async function parentOf(sources: SearchSources, around: Record<string, unknown>): Promise<SearchSource> {
  const { query, filter } = around as { query?: { query?: unknown }; filter?: unknown[] };
  const isLimited = Boolean(query?.query) || (filter?.length ?? 0) > 0;
  return await sources.create({ ...around, ...(isLimited ? { highlightAll: true } : {}) });
}

/** The query and filters of a dashboard as Kibana sends them beside a query of ES|QL; undefined where there are none. */
export async function buildAround(
  sources: SearchSources,
  around: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const { query, filter } = around as { query?: { query?: unknown }; filter?: unknown[] };
  if (!query?.query && (filter?.length ?? 0) === 0) return undefined;
  const body = (await (await sources.create({ ...around })).getSearchRequestBody()) as {
    query?: Record<string, unknown>;
  };
  return body.query;
}
