import type { ElasticsearchRequest } from '../../../common/elasticsearch/client';
import type { RunDocument } from '../../../common/experiment/run';
import type { TargetConnection } from '../../target-cluster/connection';
import { putBackLeft, withClusterSettings, type SettingsKeeper } from './settings';

type Replaced = NonNullable<RunDocument['run']['replaced']>;

const NAME = 'search.max_buckets';
const CLUSTER = 'uuid-1';

/** Simulates a cluster with its settings in memory. `lost`: number of changes whose responses are lost. These are the first changes. `isForbidden`: whether the credentials may not change settings. */
function cluster(persistent: Record<string, unknown>) {
  const state = { persistent, lost: 0, changes: 0, isForbidden: false };
  const connection = {
    request({ method, body }: ElasticsearchRequest) {
      if (method === 'GET')
        return Promise.resolve({ status: 200, body: { persistent: state.persistent, transient: {} } });
      state.changes += 1;
      if (state.isForbidden)
        return Promise.resolve({ status: 403, body: { error: { reason: 'no permissions' } } });
      if (state.lost > 0) {
        state.lost -= 1;
        return Promise.reject(new Error('the response was not from Elasticsearch'));
      }
      const { persistent: set } = body as { persistent: Record<string, unknown> };
      state.persistent = Object.fromEntries(
        Object.entries({ ...state.persistent, ...set }).filter(([, value]) => value !== null),
      );
      return Promise.resolve({ status: 200, body: {} });
    },
  } as unknown as TargetConnection;
  return { state, changed: { connection, clusterUuid: CLUSTER } };
}

/** Creates an object that stores the original settings of a cluster, as the document of a run does. */
function keeper(): SettingsKeeper & { replaced: Replaced | undefined; notes: string[] } {
  const own = {
    replaced: undefined as Replaced | undefined,
    notes: [] as string[],
    left: () => own.replaced,
    keepReplaced: (replaced: Replaced | null) => {
      own.replaced = replaced ?? undefined;
      return Promise.resolve();
    },
    onNote: (message: string) => void own.notes.push(message),
    signal: new AbortController().signal,
  };
  return own;
}

const seen = (state: { persistent: Record<string, unknown> }) => () =>
  Promise.resolve(state.persistent[NAME]);

test('the next trial restores what a trial could not, and keeps the original values', async () => {
  const { state, changed } = cluster({ [NAME]: 1000 });
  const kept = keeper();
  const first = withClusterSettings(changed, { [NAME]: 70_000 }, kept, () => {
    state.lost = 1;
    return seen(state)();
  });
  expect(await first).toBe(70_000);
  expect(kept.notes).toEqual([expect.stringContaining('could not be restored yet')]);
  expect(kept.replaced).toEqual({ cluster: CLUSTER, settings: { [NAME]: 1000 } });

  expect(await withClusterSettings(changed, { [NAME]: 80_000 }, kept, seen(state))).toBe(80_000);
  expect([state.persistent, kept.replaced]).toEqual([{ [NAME]: 1000 }, undefined]);
});

test('settings that the credentials may not change do not wait to be restored', async () => {
  const { state, changed } = cluster({ [NAME]: 1000 });
  state.isForbidden = true;
  const kept = keeper();
  await expect(withClusterSettings(changed, { [NAME]: 80_000 }, kept, seen(state))).rejects.toMatchObject({
    code: 'target.forbidden',
  });
  expect([kept.replaced, kept.notes]).toEqual([undefined, []]);
});

test('a trial without settings is not measured with the settings of the trial before', async () => {
  const { state, changed } = cluster({});
  const kept = keeper();
  await withClusterSettings(changed, { [NAME]: 70_000 }, kept, () => {
    state.lost = 1;
    return Promise.resolve();
  });
  expect(state.persistent).toEqual({ [NAME]: 70_000 });
  expect(await withClusterSettings(changed, {}, kept, seen(state))).toBeUndefined();
  expect(state.persistent).toEqual({});
});

test('if settings cannot be restored, no further trial begins, and the original values stay stored', async () => {
  const { state, changed } = cluster({ [NAME]: 70_000 });
  const kept = keeper();
  kept.replaced = { cluster: CLUSTER, settings: { [NAME]: 1000 } };
  const stopped = new AbortController();
  stopped.abort();
  kept.signal = stopped.signal;
  state.lost = 5;
  const work = jest.fn();
  await expect(withClusterSettings(changed, { [NAME]: 80_000 }, kept, work)).rejects.toThrow(
    'not from Elasticsearch',
  );
  expect(work).not.toHaveBeenCalled();
  expect(kept.replaced).toEqual({ cluster: CLUSTER, settings: { [NAME]: 1000 } });
});

test('settings that wait to be restored in another cluster are not replaced by those of this one', async () => {
  const { state, changed } = cluster({});
  const kept = keeper();
  kept.replaced = { cluster: 'another', settings: { [NAME]: 1000 } };
  await putBackLeft(changed, kept);
  expect(state.changes).toBe(0);
  await expect(withClusterSettings(changed, { [NAME]: 80_000 }, kept, seen(state))).rejects.toMatchObject({
    code: 'target.settings-left',
  });
  expect(kept.replaced).toMatchObject({ cluster: 'another' });
  expect(await withClusterSettings(changed, {}, kept, seen(state))).toBeUndefined();
});

test('restoring is tried again after a temporary failure', async () => {
  const { state, changed } = cluster({ [NAME]: 70_000 });
  const kept = keeper();
  kept.replaced = { cluster: CLUSTER, settings: { [NAME]: null } };
  state.lost = 1;
  await putBackLeft(changed, kept);
  expect([state.persistent, kept.replaced]).toEqual([{}, undefined]);
  expect(kept.notes).toEqual(['settings of the cluster that could not be restored before are now restored']);
});
