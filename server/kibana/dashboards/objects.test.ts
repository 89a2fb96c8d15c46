import { DASHBOARD_KINDS } from '../../../common/api/dashboards';
import { GRID_WIDTH } from './assemble';
import { DATA_VIEWS, dataView } from './data-views';
import type { DataViewName } from './ids';
import { dashboard } from './index';
import { DASHBOARDS_VERSION, isChangedSince, readMark } from './mark';
import type { ImportedObject } from './saved-object';

const INSTALLED = '2026-11-20T10:00:00.000Z';
const SPACES = ['default', 'team-a'];

interface Panel {
  panelIndex: string;
  type: string;
  gridData: { x: number; y: number; w: number; h: number };
  embeddableConfig: {
    attributes?: {
      references: { name: string; id: string }[];
      state: {
        datasourceStates: {
          indexpattern: {
            layers: Record<
              string,
              { columns: Record<string, { references?: string[] }>; columnOrder: string[] }
            >;
          };
        };
        visualization: object;
        query: { query: string };
      };
    };
  };
}

const objectsOf = (space: string): ImportedObject[] => [
  ...(Object.keys(DATA_VIEWS) as DataViewName[]).map((name) => dataView(name, space)),
  ...DASHBOARD_KINDS.map((kind) => dashboard(kind, space, INSTALLED)),
];

const panelsOf = ({ attributes }: ImportedObject): Panel[] =>
  JSON.parse(attributes['panelsJSON'] as string) as Panel[];

const cases = SPACES.flatMap((space) =>
  DASHBOARD_KINDS.map((kind) => [kind, space, dashboard(kind, space, INSTALLED)] as const),
);

test('no two spaces have an id in common, and the same space has the same ids every time', () => {
  const [first, second] = SPACES.map((space) => objectsOf(space).map(({ id }) => id));
  expect(first!.filter((id) => second!.includes(id))).toEqual([]);
  expect(new Set(first).size).toBe(first!.length);
  expect(objectsOf('default')).toEqual(objectsOf('default'));
});

test('no two panels of all dashboards have the same id', () => {
  const ids = cases.flatMap(([, , object]) => panelsOf(object).map(({ panelIndex }) => panelIndex));
  expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
});

test.each(cases)(
  '%s in %s refers to data views of its space, in each panel and in the dashboard',
  (_, space, object) => {
    const views = new Set(objectsOf(space).map(({ id }) => id));
    const inPanels = panelsOf(object).flatMap(({ panelIndex, embeddableConfig }) =>
      (embeddableConfig.attributes?.references ?? []).map(({ name, id }) => ({
        type: 'index-pattern',
        id,
        name: `${panelIndex}:${name}`,
      })),
    );
    expect(inPanels.length).toBeGreaterThan(3);
    expect(object.references).toEqual(inPanels);
    expect(inPanels.filter(({ id }) => !views.has(id))).toEqual([]);
  },
);

test.each(cases)('%s in %s has layers with all their columns', (_, __, object) => {
  for (const { embeddableConfig } of panelsOf(object)) {
    const { attributes } = embeddableConfig;
    if (!attributes) continue;
    const { layers } = attributes.state.datasourceStates.indexpattern;
    for (const [id, { columns, columnOrder }] of Object.entries(layers)) {
      expect([...columnOrder].sort()).toEqual(Object.keys(columns).sort());
      expect(attributes.references.map(({ name }) => name)).toContain(`indexpattern-datasource-layer-${id}`);
      const named = [
        ...Object.values(columns).flatMap(({ references = [] }) => references),
        ...[
          ...JSON.stringify([columns, attributes.state.visualization]).matchAll(
            /"((?:bucket|figure)\d+(?:X\d+)?)"/g,
          ),
        ].map(([, name = '']) => name),
      ];
      expect(named.filter((name) => !columnOrder.includes(name))).toEqual([]);
    }
  }
});

test.each(cases)('%s in %s has panels that do not overlap', (_, __, object) => {
  const taken = new Set<string>();
  for (const { gridData } of panelsOf(object)) {
    expect(gridData.x + gridData.w).toBeLessThanOrEqual(GRID_WIDTH);
    for (let x = gridData.x; x < gridData.x + gridData.w; x++) {
      for (let y = gridData.y; y < gridData.y + gridData.h; y++) {
        expect(taken.has(`${x},${y}`)).toBe(false);
        taken.add(`${x},${y}`);
      }
    }
  }
});

test('trials and samples are limited to the space, metrics of nodes are not', () => {
  for (const [kind, space, object] of cases) {
    const queries = panelsOf(object).flatMap(
      ({ embeddableConfig }) => embeddableConfig.attributes?.state.query.query ?? [],
    );
    const own = space === 'default' ? 'not experiment.space: *' : 'experiment.space: "team-a"';
    const wrong = queries.filter((query) =>
      kind === 'overview' || kind === 'history' || kind === 'transactions'
        ? !query.includes(own)
        : query.includes('experiment.space'),
    );
    expect(queries).not.toEqual([]);
    expect(wrong).toEqual([]);
  }
});

test('a dashboard contains its version and the time of its installation in the text of a panel', () => {
  for (const [, , object] of cases) {
    expect(readMark(object.attributes['panelsJSON'] as string)).toEqual({
      version: DASHBOARDS_VERSION,
      installed: INSTALLED,
    });
  }
  expect(readMark('[]')).toBeUndefined();
});

test('an object that was stored during the installation is unchanged, one that was stored later is changed', () => {
  const mark = { version: 1, installed: INSTALLED };
  expect(isChangedSince(mark, '2026-11-20T10:00:01.000Z')).toBe(false);
  expect(isChangedSince(mark, '2026-11-20T10:00:09.000Z')).toBe(true);
  expect(isChangedSince(mark, undefined)).toBe(false);
});

test('a data view keeps what a user added to it', () => {
  const { attributes } = dataView('samples', 'default', {
    fieldFormatMap: JSON.stringify({ throughput: { id: 'number' } }),
    runtimeFieldMap: JSON.stringify({ mine: { type: 'long' } }),
    fieldAttrs: '{"task":{"count":3}}',
  });
  expect(attributes['fieldAttrs']).toBe('{"task":{"count":3}}');
  expect(Object.keys(JSON.parse(attributes['fieldFormatMap'] as string) as object)).toEqual(
    expect.arrayContaining(['throughput', 'run.id']),
  );
  expect(Object.keys(JSON.parse(attributes['runtimeFieldMap'] as string) as object)).toEqual(
    expect.arrayContaining(['mine', 'task_and_cell']),
  );
});
