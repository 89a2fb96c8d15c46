import { buildAround, buildSearch } from './discover-search';
import type { DataView, SearchSource } from './sdk';

const VIEW: DataView = {
  timeFieldName: '@timestamp',
  isTimeNanosBased: () => false,
  getFieldByName: (name) => ({ sortable: name !== 'message' }),
};

/** Simulates Kibana's search sources. `made` lists the created search sources with their fields. `view`: their data view. */
function sources(view: DataView | undefined = VIEW) {
  const made: { fields: Record<string, unknown>; parent?: Record<string, unknown> }[] = [];
  return {
    made,
    create(given: Record<string, unknown>): Promise<SearchSource> {
      const one: (typeof made)[number] = { fields: { ...given } };
      made.push(one);
      return Promise.resolve({
        getField: (name) => (name === 'index' ? view : one.fields[name]),
        setField: (name, value) => (one.fields[name] = value),
        removeField(name) {
          one.fields = Object.fromEntries(Object.entries(one.fields).filter(([key]) => key !== name));
        },
        setParent: (parent) => (one.parent = (parent as unknown as { own: typeof one }).own.fields),
        getSearchRequestBody: () => ({ ...one.fields, ...(one.parent ? { parent: one.parent } : {}) }),
        own: one,
      } as SearchSource);
    },
  };
}

const settings = (given: Record<string, unknown> = {}) => ({
  get: (name: string, otherwise?: unknown): unknown => given[name] ?? otherwise,
});

const ASKED = { fields: { index: 'v', fieldsFromSource: ['a'] }, around: null, sort: [], sampleSize: null };

test('Discover requests fields instead of the source, the newest first, with a tie breaker and highlighting', async () => {
  expect(await buildSearch(sources(), settings(), ASKED)).toEqual({
    index: 'v',
    size: 500,
    sort: [{ '@timestamp': { order: 'desc', format: 'strict_date_optional_time' } }, { _doc: 'desc' }],
    fields: [{ field: '*', include_unmapped: 'true' }],
    trackTotalHits: false,
    highlightAll: true,
    version: true,
  });
});

test('the panel of a dashboard keeps its own order and number of documents, with highlighting if the dashboard has filters', async () => {
  const around = { query: { query: 'host: a', language: 'kuery' } };
  const asked = { ...ASKED, around, sort: [['bytes', 'asc']], sampleSize: 100 } as const;
  const body = await buildSearch(sources(), settings(), asked);
  expect(body).toMatchObject({
    size: 100,
    sort: [{ bytes: 'asc' }, { _doc: 'asc' }],
    trackTotalHits: true,
    parent: { ...around, highlightAll: true },
  });
  expect(body).not.toHaveProperty('version');
  const plain = await buildSearch(sources(), settings(), { ...ASKED, around: { query: { query: '' } } });
  expect(plain['parent']).not.toHaveProperty('highlightAll');
});

test.each([
  ['times in nanoseconds', { ...VIEW, isTimeNanosBased: (): boolean => true }, [], 'date_nanos'],
  ['no time', { getFieldByName: VIEW.getFieldByName }, [], '[{"_score":"desc"}]'],
  ['a field that cannot be sorted', VIEW, [['message', 'asc']], '[{"_doc":"desc"}]'],
] as const)('a data view with %s is sorted as Discover does', async (_, view, sort, expected) => {
  const { sort: made } = await buildSearch(sources(view), settings(), { ...ASKED, sort });
  expect(JSON.stringify(made)).toContain(expected);
});

test('Kibana’s settings apply: number of documents, direction, source, and a hidden time column', async () => {
  const given = {
    'discover:sampleSize': 200,
    'discover:sort:defaultOrder': 'asc',
    'discover:searchFieldsFromSource': true,
    'doc_table:hideTimeColumn': true,
  };
  const body = await buildSearch(sources(), settings(given), { ...ASKED, sampleSize: 1000 });
  expect(body).toMatchObject({ size: 200, sort: [{ _doc: 'asc' }], fieldsFromSource: ['a'] });
  expect(body).not.toHaveProperty('fields');
});

test('a setting that a version no longer has keeps its default', async () => {
  const throwing = {
    get: (): unknown => {
      throw new Error('unknown setting');
    },
  };
  expect(await buildSearch(sources(), throwing, ASKED)).toMatchObject({ size: 500 });
});

test('nothing is added to an ES|QL query if the dashboard has neither a query nor filters', async () => {
  expect(await buildAround(sources(), { query: { query: '' }, filter: [] })).toBeUndefined();
  const around = { query: { query: 'a: b', language: 'kuery' } };
  expect(await buildAround(sources(), around)).toEqual(around.query);
});
