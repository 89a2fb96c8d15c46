/** Compares the searches of an experiment that was made *From Kibana* with those that Kibana itself sends in a browser. */
import type { Page } from 'playwright-core';
import { readDefinitionText } from '../../common/experiment/read';
import { openChromium, picture, type Opened } from '../browser/support/chromium';
import { until } from '../support/until';
import { ask, askElasticsearch, base, describeWithElasticsearch, logIn } from './support/kibana';

const INDEX = 'dyno-test-shop';
const VIEW = 'dyno-test-view';
const SEARCH = 'dyno-test-search';
const BOARD = 'dyno-test-board';
const WINDOW = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
const G = `_g=(time:(from:'${WINDOW.from}',to:'${WINDOW.to}'))`;

type Json = Record<string, unknown>;

const REFERENCE = { name: 'kibanaSavedObjectMeta.searchSourceJSON.index', type: 'index-pattern', id: VIEW };

/** A saved search in the format of Discover. */
const savedSearch = {
  attributes: {
    title: 'Errors of the shop',
    columns: ['message'],
    sort: [['@timestamp', 'desc']],
    kibanaSavedObjectMeta: {
      searchSourceJSON: JSON.stringify({
        query: { query: 'level : error', language: 'kuery' },
        filter: [],
        highlightAll: true,
        version: true,
        indexRefName: REFERENCE.name,
      }),
    },
  },
  references: [REFERENCE],
};

const ESQL = `FROM ${INDEX} | STATS count = COUNT(*)`;

const esqlPanel = {
  title: 'Rate',
  visualizationType: 'lnsDatatable',
  type: 'lens',
  references: [],
  state: {
    adHocDataViews: {},
    internalReferences: [],
    filters: [],
    query: { esql: ESQL },
    visualization: { layerId: 'l', layerType: 'data', columns: [{ columnId: 'count' }] },
    datasourceStates: {
      textBased: {
        layers: {
          l: {
            index: VIEW,
            query: { esql: ESQL },
            columns: [{ columnId: 'count', fieldName: 'count', meta: { type: 'number' } }],
            allColumns: [{ columnId: 'count', fieldName: 'count', meta: { type: 'number' } }],
            timeField: '@timestamp',
          },
        },
        indexPatternRefs: [{ id: VIEW, title: INDEX, timeField: '@timestamp' }],
      },
    },
  },
};

const panel = (type: string, i: string, more: object): object => ({
  ...{ version: '8.12.2', type, panelIndex: i, gridData: { x: 0, y: 0, w: 24, h: 15, i } },
  ...more,
});

const board = {
  attributes: {
    title: 'Shop',
    timeRestore: true,
    timeFrom: WINDOW.from,
    timeTo: WINDOW.to,
    panelsJSON: JSON.stringify([
      panel('search', 'p1', { panelRefName: 'panel_p1', embeddableConfig: { sort: [['bytes', 'asc']] } }),
      panel('lens', 'p2', { embeddableConfig: { attributes: esqlPanel } }),
      panel('map', 'p3', { panelRefName: 'panel_p3', embeddableConfig: {} }),
    ]),
    optionsJSON: '{}',
    kibanaSavedObjectMeta: {
      searchSourceJSON: JSON.stringify({ query: { query: 'app : shop', language: 'kuery' }, filter: [] }),
    },
  },
  references: [
    { name: 'p1:panel_p1', type: 'search', id: SEARCH },
    { name: 'p3:panel_p3', type: 'map', id: 'dyno-test-map' },
  ],
};

/** A search that a page of Kibana sends to Kibana's server. */
interface Sent {
  index?: string;
  body?: Json;
  query?: string;
  filter?: Json;
  track_total_hits?: unknown;
}

/**
 * Returns a search in a comparable form. The filter on the time range is removed, because it always differs. `total`: value of
 * `track_total_hits`, which Kibana's server adds.
 */
function comparable(body: Json, total: unknown): Json {
  const isTime = (one: unknown): boolean => JSON.stringify(one).startsWith('{"range":{"@timestamp"');
  const bool = (body['query'] as { bool: Json }).bool;
  const filter = (bool['filter'] as unknown[]).filter((one) => !isTime(one));
  return { ...body, query: { bool: { ...bool, filter } }, track_total_hits: total ?? true };
}

describeWithElasticsearch('An experiment from a saved search or a dashboard of Kibana', () => {
  let opened: Opened;
  let page: Page;
  const sent: Sent[] = [];

  beforeAll(async () => {
    await askElasticsearch('DELETE', `/${INDEX}?ignore_unavailable=true`);
    await askElasticsearch('PUT', `/${INDEX}`, {
      settings: { number_of_replicas: 0 },
      mappings: {
        properties: {
          '@timestamp': { type: 'date' },
          message: { type: 'text' },
          level: { type: 'keyword' },
          app: { type: 'keyword' },
          bytes: { type: 'long' },
        },
      },
    });
    const lines = Array.from({ length: 50 }, (_, i) => {
      const at = new Date(Date.parse(WINDOW.from) + i * 60_000).toISOString();
      const doc = { '@timestamp': at, message: `failed ${i}`, level: 'error', app: 'shop', bytes: i };
      return `{"index":{}}\n${JSON.stringify(doc)}\n`;
    });
    await askElasticsearch('POST', `/${INDEX}/_bulk?refresh=true`, lines.join(''));
    await ask('DELETE', `/api/data_views/data_view/${VIEW}`);
    const view = { data_view: { id: VIEW, title: INDEX, name: INDEX, timeFieldName: '@timestamp' } };
    expect((await ask('POST', '/api/data_views/data_view', view)).status).toBe(200);
    const map = { attributes: { title: 'Where buyers are' }, references: [] };
    for (const [type, id, object] of [
      ['search', SEARCH, savedSearch],
      ['map', 'dyno-test-map', map],
      ['dashboard', BOARD, board],
    ] as const)
      expect((await ask('POST', `/api/saved_objects/${type}/${id}?overwrite=true`, object)).status).toBe(200);
    opened = await openChromium();
    page = await (await opened.context({ width: 1600 })).newPage();
    page.on('request', (request) => {
      if (!/\/internal\/(bsearch|search)/.test(request.url()) || request.method() !== 'POST') return;
      const { batch, params } = (request.postDataJSON() ?? {}) as {
        batch?: { request: { params: Sent } }[];
        params?: Sent;
      };
      sent.push(...(batch?.map((one) => one.request.params) ?? (params ? [params] : [])));
    });
    await logIn(page);
  });

  afterAll(async () => {
    await opened?.browser.close();
    for (const object of [`search/${SEARCH}`, 'map/dyno-test-map', `dashboard/${BOARD}`])
      await ask('DELETE', `/api/saved_objects/${object}`);
    await ask('DELETE', `/api/data_views/data_view/${VIEW}`);
    await askElasticsearch('DELETE', `/${INDEX}?ignore_unavailable=true`);
  });
  beforeEach(() => sent.splice(0));

  const documents = (): Promise<Sent> =>
    until('the search for documents', () => sent.find(({ body }) => Number(body?.['size']) > 0));

  /** Creates an experiment in the dialog, as a user does. Returns its text. */
  async function fromKibana(kind: 'Dashboard' | 'Saved search of Discover', title: string): Promise<string> {
    await page.goto(`${base()}/app/dyno/experiments`, { waitUntil: 'domcontentloaded' });
    await page.getByRole('button', { name: 'From Kibana' }).click({ timeout: 60_000 });
    await page.getByRole('combobox', { name: 'From' }).selectOption({ label: kind });
    await page.getByRole('combobox', { name: 'Title or id' }).fill(title);
    await page.getByRole('option', { name: title }).click();
    await picture(page, `kibana-from-${kind.split(' ')[0]!.toLowerCase()}`);
    await page.getByRole('button', { name: 'Create experiment' }).click();
    await page.waitForURL(/\/experiments\/new/);
    return await page.evaluate('window.history.state.state.text');
  }

  const requestsIn = (text: string) => readDefinitionText(text, 'x.yml').tasks[0]!.requests!.list;

  test('a saved search sends exactly the request of Discover, except for the time', async () => {
    await page.goto(`${base()}/app/discover#/view/${SEARCH}?${G}`, { waitUntil: 'domcontentloaded' });
    const { index, body, track_total_hits: total } = await documents();
    expect(index).toBe(INDEX);
    const text = await fromKibana('Saved search of Discover', savedSearch.attributes.title);
    const [request] = requestsIn(text) as unknown as [{ search: { body: Json; params: Json } }];
    const own = request.search.body;
    expect(comparable(own, own['track_total_hits'])).toEqual(comparable(body!, total));
    expect(request.search.params).toMatchObject({ preference: '{{session}}' });
    expect(own).toMatchObject({ _source: false, version: true, highlight: {} });
  });

  test('a dashboard sends the searches of its panels, with their order and the filters of the dashboard', async () => {
    await page.goto(`${base()}/app/dashboards#/view/${BOARD}?${G}`, { waitUntil: 'domcontentloaded' });
    const { body, track_total_hits: total } = await documents();
    const esql = await until('the query of ES|QL', () => sent.find(({ query }) => query === ESQL));
    const text = await fromKibana('Dashboard', board.attributes.title);
    const [search, rate] = requestsIn(text) as unknown as [
      { search: { body: Json } },
      { esql: { query: string; body: { filter: Json } } },
    ];
    const own = search.search.body;
    expect(comparable(own, own['track_total_hits'])).toEqual(comparable(body!, total));
    expect(own['sort']).toMatchObject([{ bytes: { order: 'asc' } }, { _doc: {} }]);
    expect(rate.esql.query).toBe(ESQL);
    const filterOf = (filter: Json): unknown => comparable({ query: filter }, null)['query'];
    expect(filterOf(rate.esql.body.filter)).toEqual(filterOf(esql.filter!));
    expect(text).toContain('# Not carried over: Where buyers are: the searches of a map depend');
  });
});
