import { readDefinitionText } from '../experiment/read';
import { experimentOf, literal, momentOf, type BuiltSearch } from './experiment';
import { neededBy, takeApart, type Panel, type StoredObject } from './panels';

const WINDOW = { from: 'now-15m', to: 'now' };

/** Makes a saved object of type `search` in the documented form of 8.x and 9.x. */
const search = (id: string, source: object, more: object = {}): StoredObject => ({
  type: 'search',
  id,
  attributes: {
    title: `Search ${id}`,
    columns: ['message'],
    sort: [['@timestamp', 'desc']],
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
    ...more,
  },
  references: [
    { name: 'kibanaSavedObjectMeta.searchSourceJSON.index', type: 'index-pattern', id: 'logs-view' },
    {
      name: 'kibanaSavedObjectMeta.searchSourceJSON.filter[0].meta.index',
      type: 'index-pattern',
      id: 'logs-view',
    },
  ],
});

const SOURCE = {
  query: { query: 'level: error', language: 'kuery' },
  filter: [
    {
      meta: { indexRefName: 'kibanaSavedObjectMeta.searchSourceJSON.filter[0].meta.index', negate: false },
      query: { match_phrase: { app: 'shop' } },
    },
  ],
  indexRefName: 'kibanaSavedObjectMeta.searchSourceJSON.index',
};

const dashboard = (panels: object[], references: StoredObject['references'] = []): StoredObject => ({
  type: 'dashboard',
  id: 'board',
  attributes: {
    title: 'Board',
    timeRestore: true,
    timeFrom: 'now-24h',
    timeTo: 'now',
    panelsJSON: JSON.stringify(panels),
    kibanaSavedObjectMeta: {
      searchSourceJSON: JSON.stringify({ query: { query: 'host: a', language: 'kuery' }, filter: [] }),
    },
  },
  references,
});

const nothing = (): undefined => undefined;

test('a saved search is converted to a search source, with its data view and order', () => {
  expect(takeApart(search('a', SOURCE), nothing)).toEqual({
    title: 'Search a',
    window: null,
    around: {},
    panels: [
      {
        kind: 'search',
        title: 'Search a',
        fields: {
          query: SOURCE.query,
          filter: [{ meta: { index: 'logs-view', negate: false }, query: { match_phrase: { app: 'shop' } } }],
          index: 'logs-view',
        },
        sort: [['@timestamp', 'desc']],
        sampleSize: null,
        window: null,
      },
    ],
  });
});

test('ES|QL sessions of Discover, and sessions with several tabs, are read', () => {
  const esql = {
    query: { esql: 'FROM logs | LIMIT 10' },
    index: { title: 'logs', timeFieldName: '@timestamp' },
  };
  expect(takeApart(search('e', esql), nothing).panels).toEqual([
    {
      kind: 'esql',
      title: 'Search e',
      query: 'FROM logs | LIMIT 10',
      timeField: '@timestamp',
      window: null,
    },
  ]);
  const tab = (label: string, source: object): object => ({
    id: label,
    label,
    attributes: { kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) } },
  });
  const tabs = { tabs: [tab('One', SOURCE), tab('Two', esql)] };
  expect(takeApart(search('t', {}, tabs), nothing).panels.map(({ kind, title }) => [kind, title])).toEqual([
    ['search', 'Search t, One'],
    ['esql', 'Search t, Two'],
  ]);
});

test('panels of a dashboard are searches, ES|QL queries, or reported with a reason', () => {
  const lens = (state: object): object => ({ type: 'lens', embeddableConfig: { attributes: { state } } });
  const board = dashboard(
    [
      { type: 'search', panelIndex: 'p1', panelRefName: 'panel_p1', embeddableConfig: {} },
      {
        ...lens({
          datasourceStates: {
            textBased: { layers: { l: { query: { esql: 'FROM logs' }, timeField: '@timestamp' } } },
          },
        }),
        panelIndex: 'p2',
        title: 'Rate',
      },
      {
        ...lens({ query: { query: '', language: 'kuery' }, datasourceStates: { formBased: {} } }),
        panelIndex: 'p3',
        title: 'Bars',
      },
      { type: 'visualization', panelIndex: 'p4', title: 'Old', embeddableConfig: { savedVis: {} } },
      { type: 'markdown', panelIndex: 'p5', title: 'Note' },
      { type: 'search', panelIndex: 'p6', panelRefName: 'panel_p6', title: 'Gone', embeddableConfig: {} },
      { type: 'map', panelIndex: 'p7', title: 'Map' },
      { type: 'somethingNew', panelIndex: 'p8', title: 'New' },
      { type: 'map', panelIndex: 'p9', panelRefName: 'panel_p9', embeddableConfig: {} },
      { type: 'visualization', panelIndex: 'p10', panelRefName: 'panel_p10', embeddableConfig: {} },
      { type: 'canvas', panelIndex: 'p11', panelRefName: 'panel_p11', embeddableConfig: {} },
    ],
    [
      { name: 'p1:panel_p1', type: 'search', id: 'a' },
      { name: 'p6:panel_p6', type: 'search', id: 'gone' },
      { name: 'p9:panel_p9', type: 'map', id: 'm' },
      { name: 'p10:panel_p10', type: 'visualization', id: 'v' },
      { name: 'p11:panel_p11', type: 'canvas', id: 'secret' },
      { name: 'p3:indexpattern-datasource-layer-x', type: 'index-pattern', id: 'view' },
      { name: 'tag-1', type: 'tag', id: 'mine' },
    ],
  );
  const needed = neededBy(board);
  expect(needed.map(({ type, id }) => `${type} ${id}`)).toEqual([
    ...['search a', 'search gone', 'map m', 'visualization v', 'canvas secret'],
  ]);
  const named = (type: string, id: string): StoredObject => ({
    ...{ type, id, attributes: { title: `Saved ${type}` }, references: [] },
  });
  const taken = takeApart(board, ({ type, id }) => {
    if (id === 'secret') return 'forbidden';
    if (id === 'gone') return undefined;
    return id === 'a' ? search('a', SOURCE) : named(type, id);
  });
  expect(taken).toMatchObject({
    title: 'Board',
    window: { from: 'now-24h', to: 'now' },
    around: { query: { query: 'host: a', language: 'kuery' } },
  });
  expect(taken.panels.map((panel: Panel) => [panel.kind, panel.title])).toEqual([
    ['search', 'Search a'],
    ['esql', 'Rate'],
    ['left-out', 'Bars'],
    ['left-out', 'Old'],
    ['left-out', 'Note'],
    ['left-out', 'Gone'],
    ['left-out', 'Map'],
    ['left-out', 'New'],
    ['left-out', 'Saved map'],
    ['left-out', 'Saved visualization'],
    ['left-out', 'canvas secret'],
  ]);
  const reasons = new Map(
    taken.panels.flatMap((panel): [string, string][] =>
      panel.kind === 'left-out' ? [[panel.title, panel.reason]] : [],
    ),
  );
  expect(reasons.get('Gone')).toBe('the saved object search gone does not exist');
  expect(reasons.get('Saved map')).toContain('the searches of a map depend on');
  expect(reasons.get('Saved visualization')).toContain('the aggregations of a visualization');
  expect(reasons.get('canvas secret')).toBe('you may not read the saved object canvas secret');
});

test('order, number of documents and time range of a panel replace the saved ones', () => {
  const config = {
    sort: [['bytes', 'asc']],
    sampleSize: 100,
    timeRange: { from: 'now-7d', to: 'now' },
  };
  const board = dashboard(
    [{ type: 'search', panelIndex: 'p', panelRefName: 'panel_p', embeddableConfig: config }],
    [{ name: 'p:panel_p', type: 'search', id: 'a' }],
  );
  expect(takeApart(board, () => search('a', SOURCE, { sampleSize: 50 })).panels).toMatchObject([
    { sort: [['bytes', 'asc']], sampleSize: 100, window: { from: 'now-7d', to: 'now' } },
  ]);
});

test('controls of a dashboard are reported, because they filter its searches', () => {
  const board = dashboard([]);
  const controlGroupInput = { panelsJSON: '{"c": {"type": "optionsListControl"}}' };
  Object.assign(board.attributes as object, { controlGroupInput });
  expect(takeApart(board, nothing).panels).toMatchObject([{ kind: 'left-out', title: 'controls' }]);
});

test('an inline search in a section has the references of its panel', () => {
  const attributes = {
    title: 'Inline',
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify({ indexRefName: 'view' }) },
  };
  const board = dashboard(
    [{ title: 'Section', panels: [{ type: 'search', panelIndex: 'p', embeddableConfig: { attributes } }] }],
    [{ name: 'p:view', type: 'index-pattern', id: 'v' }],
  );
  expect(takeApart(board, nothing).panels).toMatchObject([
    { kind: 'search', title: 'Inline', fields: { index: 'v' } },
  ]);
});

test.each([
  ['no attributes', { type: 'dashboard', id: 'x', attributes: null, references: [] }],
  [
    'broken JSON',
    {
      type: 'search',
      id: 'x',
      attributes: { kibanaSavedObjectMeta: { searchSourceJSON: '{' } },
      references: [],
    },
  ],
  [
    'invalid panels',
    { type: 'dashboard', id: 'x', attributes: { panelsJSON: '[1, null, {"type": 3}]' }, references: [] },
  ],
  ['a search without a data view', search('n', { query: {} }, {})],
])('an object of %s gives no search', (_what, object) => {
  expect(takeApart(object as StoredObject, nothing).panels.filter(({ kind }) => kind !== 'left-out')).toEqual(
    [],
  );
});

const built = (more: Partial<BuiltSearch> = {}): BuiltSearch => ({
  kind: 'search',
  title: 'Errors',
  index: 'logs-*',
  timeField: '@timestamp',
  window: null,
  body: { size: 500, query: { bool: { must: [], filter: [{ match: { level: 'error' } }] } } },
  ...more,
});

test('a definition has the searches of the most used data view, the others by their paths, within the time range', () => {
  const text = experimentOf({
    title: 'Board\n# injected: true',
    window: WINDOW,
    panels: [
      built(),
      built({ title: 'errors', body: { query: { match: { a: '{{b}}' } } } }),
      built({ index: 'metrics-*', timeField: null }),
      {
        kind: 'esql',
        title: 'Rate',
        query: 'FROM logs-* | WHERE @timestamp >= ?_tstart',
        timeField: '@timestamp',
        window: null,
      },
    ],
    leftOut: [{ kind: 'left-out', title: 'Bars', reason: 'Lens makes\nits aggregations' }],
  });
  expect(text).toContain('# Not carried over: Bars: Lens makes its aggregations.\n');
  const { index, tasks } = readDefinitionText(text, 'x.yml');
  const range = {
    range: { '@timestamp': { gte: '{{from}}', lte: '{{to}}', format: 'strict_date_optional_time' } },
  };
  expect(index.existing).toBe('logs-*');
  expect(tasks[0]!.requests).toMatchObject({
    list: [
      {
        name: 'Errors',
        search: {
          params: { preference: '{{session}}', ignore_unavailable: true },
          body: { size: 500, query: { bool: { filter: [{ match: { level: 'error' } }, range] } } },
        },
      },
      {
        name: 'errors 2',
        search: { body: { query: { bool: { must: [{ match: { a: '{{{{b}}' } }], filter: [range] } } } },
      },
      {
        name: 'Errors 3',
        http: { method: 'POST', path: '/metrics-*/_search' },
        expect: ['_shards.failed == 0', 'timed_out == false'],
      },
      {
        name: 'Rate',
        esql: { body: { filter: { bool: { filter: [range] } }, params: [{ _tstart: '{{from}}' }] } },
      },
    ],
    parameters: {
      from: { date: { from: 'now-15m', to: 'now-15m' } },
      to: { date: { from: 'now', to: 'now' } },
    },
  });
});

test('a time range that only Elasticsearch can compute stays date math in the request', () => {
  const text = experimentOf({
    title: 'Day',
    window: { from: 'now/d', to: 'now/d' },
    panels: [built()],
    leftOut: [],
  });
  const { tasks } = readDefinitionText(text, 'x.yml');
  expect(Object.keys(tasks[0]!.requests!.parameters ?? {})).toEqual(['session']);
  expect(JSON.stringify(tasks[0]!.requests)).toContain('"gte":"now/d","lte":"now/d"');
});

test('a definition of ES|QL queries only has their source', () => {
  const esql = {
    kind: 'esql',
    title: 'Q',
    query: 'from logs-a, logs-b | LIMIT 1',
    timeField: null,
    window: null,
  } as const;
  const text = experimentOf({ title: 'Q', window: WINDOW, panels: [esql], leftOut: [] });
  expect(readDefinitionText(text, 'x.yml').index.existing).toBe('logs-a,logs-b');
  // Nothing limits it to the time range.
  expect(text).not.toContain('now-15m');
});

test('a panel with its own time range has its own parameters', () => {
  const own = { from: 'now-7d', to: 'now' };
  const text = experimentOf({
    title: 'Board',
    window: WINDOW,
    panels: [built(), built({ title: 'Week', window: own })],
    leftOut: [],
  });
  expect(text).toContain('# Week has its own time range: from now-7d to now.\n');
  const { tasks } = readDefinitionText(text, 'x.yml');
  expect(tasks[0]!.requests!.parameters).toMatchObject({
    from: { date: { from: 'now-15m', to: 'now-15m' } },
    from_2: { date: { from: 'now-7d', to: 'now-7d' } },
  });
  expect(JSON.stringify(tasks[0]!.requests!.list[1])).toContain('{{from_2}}');
});

test('the query and filters of a dashboard are applied to its ES|QL queries', () => {
  const esql = {
    kind: 'esql',
    title: 'Q',
    query: 'FROM logs',
    timeField: '@timestamp',
    window: null,
  } as const;
  const around = { bool: { must: [], filter: [{ term: { host: 'a' } }] } };
  const text = experimentOf({ title: 'Q', window: WINDOW, panels: [esql], leftOut: [], around });
  const { tasks } = readDefinitionText(text, 'x.yml');
  expect(tasks[0]!.requests!.list[0]).toMatchObject({
    esql: { body: { filter: { bool: { filter: [{ term: { host: 'a' } }, { range: {} }] } } } },
  });
});

test.each([
  ['now', 'now'],
  ['now-15m', 'now-15m'],
  ['now-2w', 'now-14d'],
  ['now-1M', undefined],
  ['now/d', undefined],
  ['now-1d/d', undefined],
  ['2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ['yesterday', undefined],
])('%s as a moment', (text, moment) => {
  expect(momentOf(text)).toBe(moment);
});

test('two braces in Kibana stay two braces', () => {
  expect(literal({ '{{a}}': ['x {{b}}', 1, null, true] })).toEqual({
    '{{{{a}}': ['x {{{{b}}', 1, null, true],
  });
});
