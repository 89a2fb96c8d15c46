/** Tests installation with simulated saved objects that record the time of storing as Kibana does. */
import { DASHBOARD_KINDS, type DashboardKind } from '../../../common/api/dashboards';
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
  /** Time in ms that Kibana takes to store each of the next objects. */
  slow: number[];
  mayWrite: boolean;
  store: DashboardStore;
}

function startKibana(space = 'default'): Kibana {
  const kibana: Omit<Kibana, 'store'> = { kept: new Map(), now: 1_000_000, slow: [], mayWrite: true };
  const objects = {
    get: (type: string, id: string) => {
      const found = kibana.kept.get(`${type}:${id}`);
      return found ? Promise.resolve({ id, ...structuredClone(found) }) : Promise.reject(boom(404));
    },
  } as unknown as SavedObjectsClient;
  const importer: SavedObjectsImporter = {
    async import({ readStream, overwrite }) {
      if (!kibana.mayWrite) throw boom(403);
      kibana.now += kibana.slow.shift() ?? 20;
      for await (const object of readStream) {
        const { type, id, attributes } = object as unknown as ImportedObject;
        if (!overwrite && kibana.kept.has(`${type}:${id}`)) throw new Error('conflict');
        kibana.kept.set(`${type}:${id}`, { attributes, updated_at: new Date(kibana.now).toISOString() });
      }
      return { success: true };
    },
  };
  return Object.assign(kibana, {
    store: createDashboardStore({ objects, importer, space, now: () => kibana.now }),
  });
}

const statesOf = async (store: DashboardStore): Promise<string[]> =>
  (await store.list()).dashboards.map(({ state }) => state);

/**
 * Returns the expected states of all dashboards, in the order of `DASHBOARD_KINDS`. `named`: states of some dashboards; `others`: state of
 * all others.
 */
const states = (others: string, named: Partial<Record<DashboardKind, string>> = {}): string[] =>
  DASHBOARD_KINDS.map((kind) => named[kind] ?? others);

test('missing dashboards are installed with their data views, and are then current', async () => {
  const { store, kept } = startKibana('team-a');
  expect(await statesOf(store)).toEqual(states('missing'));
  const { space, dashboards } = await store.install([]);
  expect(space).toBe('team-a');
  expect(dashboards.map(({ state }) => state)).toEqual(states('current'));
  expect(kept.size).toBe(DASHBOARD_KINDS.length + 4);
  expect([...kept.keys()].every((key) => key.endsWith('-team-a'))).toBe(true);
});

test('an edited dashboard is reported, and replaced only if it is named', async () => {
  const kibana = startKibana();
  await kibana.store.install([]);
  kibana.now += 60_000;
  const edited = kibana.kept.get('dashboard:dyno-overview-default')!;
  edited.attributes = { ...edited.attributes, title: 'Mine' };
  edited.updated_at = new Date(kibana.now).toISOString();
  expect(await statesOf(kibana.store)).toEqual(states('current', { overview: 'changed' }));
  await kibana.store.install([]);
  await kibana.store.install(['pressure']);
  expect(kibana.kept.get('dashboard:dyno-overview-default')!.attributes['title']).toBe('Mine');
  const { dashboards } = await kibana.store.install(['overview']);
  expect(dashboards.map(({ state }) => state)).toEqual(states('current'));
});

test('an older dashboard is reported and updated, copies are kept', async () => {
  const kibana = startKibana();
  await kibana.store.install([]);
  const ours = kibana.kept.get('dashboard:dyno-waiting-default')!;
  const panels = String(ours.attributes['panelsJSON']);
  ours.attributes = {
    ...ours.attributes,
    panelsJSON: panels.replace(`# (${DASHBOARDS_VERSION} `, `# (${DASHBOARDS_VERSION - 1} `),
  };
  kibana.kept.set('dashboard:copy', structuredClone(ours));
  expect(await statesOf(kibana.store)).toEqual(states('current', { waiting: 'older' }));
  const before = structuredClone(kibana.kept.get('dashboard:copy'));
  await kibana.store.install([]);
  expect(await statesOf(kibana.store)).toEqual(states('current'));
  expect(kibana.kept.get('dashboard:copy')).toEqual(before);
});

test('a dashboard whose mark was removed counts as edited', async () => {
  const kibana = startKibana();
  await kibana.store.install([]);
  kibana.kept.get('dashboard:dyno-pressure-default')!.attributes = { panelsJSON: '[]' };
  expect(await statesOf(kibana.store)).toEqual(states('current', { pressure: 'changed' }));
});

test('dashboards without their data view count as older, and an installation restores it', async () => {
  const kibana = startKibana();
  await kibana.store.install([]);
  kibana.kept.delete('index-pattern:dyno-samples-default');
  expect(await statesOf(kibana.store)).toEqual(states('older'));
  await kibana.store.install([]);
  expect(kibana.kept.has('index-pattern:dyno-samples-default')).toBe(true);
});

test('a cluster that stores slowly does not make an installation look like an edit', async () => {
  const kibana = startKibana();
  kibana.slow = [9000, 20];
  const { dashboards } = await kibana.store.install([]);
  expect(dashboards.map(({ state }) => state)).toEqual(states('current'));
});

test('a user who may not create dashboards learns which privileges to request', async () => {
  const kibana = startKibana();
  kibana.mayWrite = false;
  await expect(kibana.store.install([])).rejects.toMatchObject({ code: 'dashboards.forbidden' });
  await expect(kibana.store.install([])).rejects.toThrow('ask for Kibana’s privileges All for Dashboard');
});
