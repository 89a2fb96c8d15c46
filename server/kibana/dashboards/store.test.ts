/** Installing, against a double of Kibana's saved objects that notes as Kibana does when it stored what. */
import type { DashboardStore } from '../../routes/services';
import type { SavedObjectsClient, SavedObjectsImporter } from '../sdk-saved-objects';
import { DASHBOARDS_VERSION } from './mark';
import type { ImportedObject } from './saved-object';
import { createDashboardStore } from './store';

const boom = (statusCode: number): Error =>
  Object.assign(new Error(`status ${statusCode}`), { output: { statusCode } });

interface Kibana {
  kept: Map<string, { attributes: Record<string, unknown>; updated_at: string }>;
  now: number;
  /** ms that storing takes. */
  slow: number[];
  mayWrite: boolean;
  store: DashboardStore;
}

function kibana(space = 'default'): Kibana {
  const house: Omit<Kibana, 'store'> = { kept: new Map(), now: 1_000_000, slow: [], mayWrite: true };
  const objects = {
    get: (type: string, id: string) => {
      const found = house.kept.get(`${type}:${id}`);
      return found ? Promise.resolve({ id, ...structuredClone(found) }) : Promise.reject(boom(404));
    },
  } as unknown as SavedObjectsClient;
  const importer: SavedObjectsImporter = {
    async import({ readStream, overwrite }) {
      if (!house.mayWrite) throw boom(403);
      house.now += house.slow.shift() ?? 20;
      for await (const object of readStream) {
        const { type, id, attributes } = object as unknown as ImportedObject;
        if (!overwrite && house.kept.has(`${type}:${id}`)) throw new Error('conflict');
        house.kept.set(`${type}:${id}`, { attributes, updated_at: new Date(house.now).toISOString() });
      }
      return { success: true };
    },
  };
  return Object.assign(house, {
    store: createDashboardStore({ objects, importer, space, now: () => house.now }),
  });
}

const statesOf = async (store: DashboardStore): Promise<string[]> =>
  (await store.list()).dashboards.map(({ state }) => state);

test('what is missing is installed, with its data views, and is current then', async () => {
  const { store, kept } = kibana('team-a');
  expect(await statesOf(store)).toEqual(['missing', 'missing', 'missing']);
  const { space, dashboards } = await store.install([]);
  expect(space).toBe('team-a');
  expect(dashboards.map(({ state }) => state)).toEqual(['current', 'current', 'current']);
  expect(kept.size).toBe(6);
  expect([...kept.keys()].every((key) => key.endsWith('-team-a'))).toBe(true);
});

test('an edited one is told, kept, and put back only when it is named', async () => {
  const house = kibana();
  await house.store.install([]);
  house.now += 60_000;
  const edited = house.kept.get('dashboard:dyno-overview-default')!;
  edited.attributes = { ...edited.attributes, title: 'Mine' };
  edited.updated_at = new Date(house.now).toISOString();
  expect(await statesOf(house.store)).toEqual(['changed', 'current', 'current']);
  await house.store.install([]);
  await house.store.install(['pressure']);
  expect(house.kept.get('dashboard:dyno-overview-default')!.attributes['title']).toBe('Mine');
  const { dashboards } = await house.store.install(['overview']);
  expect(dashboards.map(({ state }) => state)).toEqual(['current', 'current', 'current']);
});

test('an older one is told and updated; copies stay as they are', async () => {
  const house = kibana();
  await house.store.install([]);
  const ours = house.kept.get('dashboard:dyno-waiting-default')!;
  const panels = String(ours.attributes['panelsJSON']);
  ours.attributes = {
    ...ours.attributes,
    panelsJSON: panels.replace(`# (${DASHBOARDS_VERSION} `, `# (${DASHBOARDS_VERSION - 1} `),
  };
  house.kept.set('dashboard:copy', structuredClone(ours));
  expect(await statesOf(house.store)).toEqual(['current', 'current', 'older']);
  const before = structuredClone(house.kept.get('dashboard:copy'));
  await house.store.install([]);
  expect(await statesOf(house.store)).toEqual(['current', 'current', 'current']);
  expect(house.kept.get('dashboard:copy')).toEqual(before);
});

test('one whose mark somebody took away counts as edited', async () => {
  const house = kibana();
  await house.store.install([]);
  house.kept.get('dashboard:dyno-pressure-default')!.attributes = { panelsJSON: '[]' };
  expect(await statesOf(house.store)).toEqual(['current', 'changed', 'current']);
});

test('a data view that is gone makes them older, and comes back', async () => {
  const house = kibana();
  await house.store.install([]);
  house.kept.delete('index-pattern:dyno-samples-default');
  expect(await statesOf(house.store)).toEqual(['older', 'older', 'older']);
  await house.store.install([]);
  expect(house.kept.has('index-pattern:dyno-samples-default')).toBe(true);
});

test('a cluster that stores slowly does not make an installation look like an edit', async () => {
  const house = kibana();
  house.slow = [9000, 20];
  const { dashboards } = await house.store.install([]);
  expect(dashboards.map(({ state }) => state)).toEqual(['current', 'current', 'current']);
});

test('who may not create dashboards is told what to ask for', async () => {
  const house = kibana();
  house.mayWrite = false;
  await expect(house.store.install([])).rejects.toMatchObject({ code: 'dashboards.forbidden' });
  await expect(house.store.install([])).rejects.toThrow('ask for Kibana’s privileges All for Dashboard');
});
