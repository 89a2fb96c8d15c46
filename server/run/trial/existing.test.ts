import type { ElasticsearchRequest } from '../../../common/elasticsearch/client';
import type { TargetConnection } from '../../target-cluster/connection';
import { ExistingData } from './existing';

/** Simulates a target with one index, `a`, that other clients may change. */
function target() {
  const state = { uuid: 'u-1', documents: 100, segments: 3, asked: [] as string[] };
  const connection = {
    request({ method, path }: ElasticsearchRequest) {
      state.asked.push(`${method} ${path}`);
      const body = path.endsWith('_count')
        ? { count: state.documents }
        : path.includes('_stats')
          ? { _all: { primaries: { docs: { deleted: 0 }, segments: { count: state.segments } } } }
          : { a: { settings: { index: { uuid: state.uuid } } } };
      return Promise.resolve({ status: 200, body });
    },
  } as unknown as TargetConnection;
  return { state, connection };
}

test('a trial that searches only reads', async () => {
  const { state, connection } = target();
  const data = new ExistingData({ connection, name: 'a', isWritten: false, first: undefined });
  expect([data.names, data.all]).toEqual([['a'], []]);
  expect(await data.prepare()).toBeNull();
  expect(await data.look()).toMatchObject({ name: 'a', documents: 100, written: false, changed: '' });
  expect(await data.changes(0)).toBe('');
  expect(await data.remove()).toEqual([]);
  expect(new Set(state.asked.map((request) => request.split(' ')[0]))).toEqual(new Set(['GET']));
});

test('changes by others are noticed within a trial, and between the first trial and a later one', async () => {
  const { state, connection } = target();
  const first = new ExistingData({ connection, name: 'a', isWritten: false, first: undefined });
  const found = await first.look();
  state.documents = 101;
  expect(await first.changes(0)).toBe('documents 100 to 101');
  const later = new ExistingData({ connection, name: 'a', isWritten: false, first: found });
  expect((await later.look()).changed).toBe('documents 100 to 101');
  state.uuid = 'u-2';
  expect(await later.changes(0)).toBe('1 index gone, 1 index new, documents 100 to 101');
});

test('a trial that writes reports the documents of others, and not its own', async () => {
  const { state, connection } = target();
  const before = { indices: ['a'], uuids: ['u-1'], documents: 1, deleted: 0, segments: 1, storeBytes: 1 };
  const data = new ExistingData({ connection, name: 'a', isWritten: true, first: before });
  expect(await data.look()).toMatchObject({ documents: 100, written: true, changed: '' });
  state.documents = 200;
  state.segments = 9;
  expect(await data.changes(0)).toBe('');
  expect(await data.changes(5)).toBe('5 documents that the trial did not write');
});
