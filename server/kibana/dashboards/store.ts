/** Finds and installs Dyno's dashboards in the user's space, with the rights of the user. */
import { Readable } from 'node:stream';
import { DASHBOARD_KINDS, type Dashboard, type DashboardKind } from '../../../common/api/dashboards';
import { describeProblem, inputError, runError } from '../../../common/problem';
import type { SpaceId } from '../../results/space';
import type { DashboardStore } from '../../routes/services';
import { statusOfFailure, unless } from '../saved-object-errors';
import type { SavedObject, SavedObjectsClient, SavedObjectsImporter } from '../sdk-saved-objects';
import { DATA_VIEWS, dataView } from './data-views';
import { dashboardId, dataViewId, type DataViewName } from './ids';
import { dashboard, definitionOf } from './index';
import { DASHBOARDS_VERSION, isChangedSince, readMark } from './mark';
import type { ImportedObject } from './saved-object';

interface StoredDashboard {
  panelsJSON?: string;
}

type StoredDataView = Readonly<Record<string, unknown>>;

export interface DashboardParts {
  /** Client of the user in the space. */
  objects: SavedObjectsClient;
  importer: SavedObjectsImporter;
  space: SpaceId;
  /** Returns the current time in ms since the epoch. The clock must be the one from which Kibana takes the times of saved objects. */
  now?: () => number;
}

/**
 * Maximum number of attempts to install a dashboard. If storing took long, as on a loaded cluster, the dashboard would count as changed by
 * a user. The installation is then repeated.
 */
const MOST_ATTEMPTS = 3;

const forbidden = (what: string, needed: string): Error =>
  inputError('dashboards.forbidden', '', `you may not ${what} in this space: ask for ${needed}`);

async function permitted<T>(what: string, needed: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (statusOfFailure(error) === 403) throw forbidden(what, needed);
    throw error;
  }
}

const toRead = <T>(work: Promise<T>): Promise<T> =>
  permitted('see dashboards', 'Kibana’s privilege Read for Dashboard', work);
const toInstall = <T>(work: Promise<T>): Promise<T> =>
  permitted(
    'create dashboards and data views',
    'Kibana’s privileges All for Dashboard and for Data View Management',
    work,
  );

export function createDashboardStore({
  objects,
  importer,
  space,
  now = Date.now,
}: DashboardParts): DashboardStore {
  const stored = <T>(type: string, id: string): Promise<SavedObject<T> | undefined> =>
    toRead(unless([404], objects.get<T>(type, id)));

  async function dataViews(): Promise<Map<DataViewName, StoredDataView>> {
    const found = new Map<DataViewName, StoredDataView>();
    for (const name of Object.keys(DATA_VIEWS) as DataViewName[]) {
      const object = await stored<StoredDataView>('index-pattern', dataViewId(name, space));
      if (object) found.set(name, object.attributes);
    }
    return found;
  }

  async function look(kind: DashboardKind, isWhole: boolean): Promise<Dashboard> {
    const id = dashboardId(kind, space);
    const found = await stored<StoredDashboard>('dashboard', id);
    const mark = readMark(found?.attributes.panelsJSON ?? '');
    const { title, description } = definitionOf(kind, space);
    return {
      kind,
      id,
      title,
      description,
      state: !found
        ? 'missing'
        : !mark || isChangedSince(mark, found.updated_at)
          ? 'changed'
          : mark.version < DASHBOARDS_VERSION || !isWhole
            ? 'older'
            : 'current',
      installed: mark?.installed ?? null,
      updated: found?.updated_at ?? null,
    };
  }

  async function list(): Promise<Dashboard[]> {
    const isWhole = (await dataViews()).size === Object.keys(DATA_VIEWS).length;
    return Promise.all(DASHBOARD_KINDS.map((kind) => look(kind, isWhole)));
  }

  /**
   * Imports objects, and overwrites existing objects with the same ids. Copies that users made of a dashboard have other ids, so they are
   * never overwritten.
   */
  async function bring(given: readonly ImportedObject[]): Promise<void> {
    const { success, errors = [] } = await toInstall(
      importer.import({ readStream: Readable.from(given), overwrite: true, createNewCopies: false }),
    );
    if (success) return;
    const why = errors.map(({ type, id, error }) =>
      describeProblem({ code: '', path: `${type} ${id}`, message: error.message ?? error.type }),
    );
    throw runError('dashboards.refused', '', `Kibana rejected the dashboards: ${why.join('; ')}`);
  }

  async function installOnce(kinds: readonly DashboardKind[]): Promise<void> {
    const before = await dataViews();
    const views = (Object.keys(DATA_VIEWS) as DataViewName[]).map((name) =>
      dataView(name, space, before.get(name)),
    );
    const installed = new Date(now()).toISOString();
    await bring([...views, ...kinds.map((kind) => dashboard(kind, space, installed))]);
  }

  return {
    list: async () => ({ space, dashboards: await list() }),

    async install(replace) {
      const lacking = (await list()).filter(
        ({ kind, state }) => state === 'missing' || state === 'older' || replace.includes(kind),
      );
      let kinds = lacking.map(({ kind }) => kind);
      for (let attempt = 1; kinds.length > 0 && attempt <= MOST_ATTEMPTS; attempt++) {
        await installOnce(kinds);
        const bad = (await list()).filter(({ state }) => state !== 'current').map(({ kind }) => kind);
        kinds = kinds.filter((kind) => bad.includes(kind));
      }
      return { space, dashboards: await list() };
    },
  };
}
