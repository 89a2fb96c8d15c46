/**
 * Builds the same searches as Kibana's Discover, with Kibana's search sources. Discover changes a saved search in three ways, which are the
 * same in 8.12, 8.19 and 9.x. It sets the page size, adds a tiebreaker to the order, and requests all fields instead of `_source`. Derived
 * from discover/public (fetch_documents.ts, embeddable/utils/update_search_source.ts) and discover/common/utils/sorting.
 */
import type { SearchToBuild } from '../app/host';
import type { DataView, SearchSource, UiSettings } from './sdk';

interface SearchSources {
  create(fields: Record<string, unknown>): Promise<SearchSource>;
}

/** Kibana's settings that Discover uses: the name of each setting and its default. */
const SETTINGS = {
  sampleSize: ['discover:sampleSize', 500],
  sortOrder: ['discover:sort:defaultOrder', 'desc'],
  hidesTime: ['doc_table:hideTimeColumn', false],
  /** Whether Discover reads `_source` instead of fields. This setting is deprecated. */
  fromSource: ['discover:searchFieldsFromSource', false],
} as const;

/** Maximum number of documents on a page of Discover. */
const MOST_DOCUMENTS = 10_000;

function settingsOf(uiSettings: UiSettings): Record<keyof typeof SETTINGS, unknown> {
  const read = ([name, otherwise]: (typeof SETTINGS)[keyof typeof SETTINGS]): unknown => {
    try {
      return uiSettings.get(name, otherwise);
    } catch {
      // Versions that lack the setting behave as if it had its default.
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

/** Returns the `sort` of the search. `pairs`: fields and directions that are stored in the saved search. */
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

/** Returns the body of the search that Kibana sends, without the filter on the time range. */
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
    // Discover highlights matches, and counts the hits in a separate request.
    source.setField('trackTotalHits', false);
    source.setField('highlightAll', true);
    source.setField('version', true);
  } else {
    // Kibana's server adds this parameter to the request of a panel.
    source.setField('trackTotalHits', true);
    source.setParent(await parentOf(sources, around));
  }
  return (await source.getSearchRequestBody()) as Record<string, unknown>;
}

/**
 * Returns a search source with the query and filters of a dashboard. If it is the parent of a panel's search source, Kibana adds this query
 * and these filters to the search of the panel.
 */
async function parentOf(sources: SearchSources, around: Record<string, unknown>): Promise<SearchSource> {
  const { query, filter } = around as { query?: { query?: unknown }; filter?: unknown[] };
  const isLimited = Boolean(query?.query) || (filter?.length ?? 0) > 0;
  return await sources.create({ ...around, ...(isLimited ? { highlightAll: true } : {}) });
}

/**
 * Returns the filter that Kibana adds to an ES|QL query because of the query and filters of a dashboard. `around`: the query and filters.
 * Undefined if `around` has neither.
 */
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
