import { createSavedSearchStore } from './saved-searches';
import { fakeSavedObjects } from './testing/fake-saved-objects';

const INDEX = 'kibanaSavedObjectMeta.searchSourceJSON.index';
const source = (given: object): object => ({ searchSourceJSON: JSON.stringify(given) });

function kibana() {
  const objects = fakeSavedObjects();
  objects.stored('index-pattern', {
    id: 'view',
    attributes: { title: 'logs-*', timeFieldName: '@timestamp' },
  });
  const searches: [id: string, view: string][] = [
    ['errors', 'view'],
    ['lost', 'gone'],
  ];
  for (const [id, view] of searches) {
    objects.stored('search', {
      id,
      attributes: { title: id, kibanaSavedObjectMeta: source({ indexRefName: INDEX, query: {} }) },
      references: [{ name: INDEX, type: 'index-pattern', id: view }],
    });
  }
  objects.stored('dashboard', {
    id: 'board',
    attributes: {
      title: 'Board',
      panelsJSON: JSON.stringify([
        { type: 'search', panelIndex: 'a', panelRefName: 'panel_a', embeddableConfig: {} },
        { type: 'search', panelIndex: 'b', panelRefName: 'panel_b', embeddableConfig: {} },
      ]),
      kibanaSavedObjectMeta: source({ query: { query: 'host: a', language: 'kuery' } }),
    },
    references: [
      { name: 'a:panel_a', type: 'search', id: 'errors' },
      { name: 'b:panel_b', type: 'search', id: 'lost' },
    ],
  });
  return createSavedSearchStore(objects.client);
}

test('dashboards and saved searches are listed by their titles', async () => {
  expect(await kibana().list()).toEqual([
    { type: 'dashboard', id: 'board', title: 'Board' },
    { type: 'search', id: 'errors', title: 'errors' },
    { type: 'search', id: 'lost', title: 'lost' },
  ]);
});

test('the panels of a dashboard contain the names and time fields of their data views', async () => {
  expect(await kibana().get('dashboard', 'board')).toEqual({
    title: 'Board',
    window: null,
    around: { query: { query: 'host: a', language: 'kuery' } },
    panels: [
      {
        kind: 'search',
        title: 'errors',
        fields: { query: {}, index: 'view' },
        sort: [],
        sampleSize: null,
        window: null,
        index: 'logs-*',
        timeField: '@timestamp',
      },
      { kind: 'left-out', title: 'lost', reason: 'its data view does not exist' },
    ],
  });
});

test('a missing object is reported', async () => {
  await expect(kibana().get('search', 'nobody')).rejects.toMatchObject({ code: 'saved-searches.none' });
});
