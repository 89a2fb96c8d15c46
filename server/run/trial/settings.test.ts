import type { ElasticsearchRequest } from '../../../common/elasticsearch/client';
import type { RunDocument } from '../../../common/experiment/run';
import type { TargetConnection } from '../../target-cluster/connection';
import { putBackLeft, withClusterSettings, type SettingsKeeper } from './settings';

type Replaced = NonNullable<RunDocument['run']['replaced']>;

const NAME = 'search.max_buckets';
const CLUSTER = 'uuid-1';

/** A cluster whose settings are kept in memory; the answers of so many changes get lost. */
function cluster(persistent: Record<string, unknown>) {
  const state = { persistent, lost: 0, changes: 0 };
  const connection = {
    request({ method, body }: ElasticsearchRequest) {
      if (method === 'GET')
        return Promise.resolve({ status: 200, body: { persistent: state.persistent, transient: {} } });
      state.changes += 1;
      if (state.lost > 0) {
        state.lost -= 1;
        return Promise.reject(new Error('the answer was none of Elasticsearch’s'));
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

/** What the run's document holds. */
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

test('what a trial could not put back is put back by the next one, which keeps what it was at first', async () => {
  const { state, changed } = cluster({ [NAME]: 1000 });
  const kept = keeper();
  const first = withClusterSettings(changed, { [NAME]: 70_000 }, kept, () => {
    state.lost = 1;
    return seen(state)();
  });
  expect(await first).toBe(70_000);
  expect(kept.notes).toEqual([expect.stringContaining('could not be put back yet')]);
  expect(kept.replaced).toEqual({ cluster: CLUSTER, settings: { [NAME]: 1000 } });

  expect(await withClusterSettings(changed, { [NAME]: 80_000 }, kept, seen(state))).toBe(80_000);
  expect([state.persistent, kept.replaced]).toEqual([{ [NAME]: 1000 }, undefined]);
});

test('a trial without settings is not measured under those of the one before', async () => {
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

test('where they cannot be put back no further trial begins, and what they were stays known', async () => {
  const { state, changed } = cluster({ [NAME]: 70_000 });
  const kept = keeper();
  kept.replaced = { cluster: CLUSTER, settings: { [NAME]: 1000 } };
  const stopped = new AbortController();
  stopped.abort();
  kept.signal = stopped.signal;
  state.lost = 5;
  const work = jest.fn();
  await expect(withClusterSettings(changed, { [NAME]: 80_000 }, kept, work)).rejects.toThrow(
    'none of Elasticsearch',
  );
  expect(work).not.toHaveBeenCalled();
  expect(kept.replaced).toEqual({ cluster: CLUSTER, settings: { [NAME]: 1000 } });
});

test('what waits to be put back in another cluster is not forgotten for this one', async () => {
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

test('one that is refused for a moment is tried again', async () => {
  const { state, changed } = cluster({ [NAME]: 70_000 });
  const kept = keeper();
  kept.replaced = { cluster: CLUSTER, settings: { [NAME]: null } };
  state.lost = 1;
  await putBackLeft(changed, kept);
  expect([state.persistent, kept.replaced]).toEqual([{}, undefined]);
  expect(kept.notes).toEqual(['settings of the cluster that could not be put back before are put back']);
});
