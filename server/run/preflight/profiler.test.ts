import { runError } from '../../../common/problem';
import type { TargetConnection } from '../../target-cluster/connection';
import type { LoadedProfiler, NodeProcess } from '../../target-cluster/node-profiler';
import { loadProfiler } from './profiler';

const NODES = { nodes: { 'id-1': { name: 'dyno-1', process: { id: 4711 } } } };
const connection = {
  request: () => Promise.resolve({ status: 200, body: NODES }),
} as unknown as TargetConnection;
const cells = [
  { measure: { profile: 'off', 'profile-event': 'wall' } },
  { measure: { profile: 'profiler' } },
  { measure: { profile: 'profiler', 'profile-event': 'alloc' } },
] as never;
const loaded = {} as LoadedProfiler;

test('without a cell that asks for it, no profiler is loaded', async () => {
  const others = [{ measure: {} }, { measure: { profile: 'hot-threads' } }] as never;
  expect(await loadProfiler({ connection }, others)).toBeUndefined();
});

test('the nodes load the profiler before the first trial, and sample each event of the cells once', async () => {
  const asked: unknown[] = [];
  const profiler = {
    load: (nodes: readonly NodeProcess[], events: readonly string[]) => {
      asked.push(...nodes, ...events);
      return Promise.resolve(loaded);
    },
  };
  expect(await loadProfiler({ connection, profiler }, cells)).toBe(loaded);
  expect(asked).toEqual([{ id: 'id-1', name: 'dyno-1', pid: 4711 }, 'cpu', 'alloc']);
});

test('a target that Dyno did not start is refused, with the key and what to use instead', async () => {
  await expect(loadProfiler({ connection }, cells)).rejects.toThrow(
    /^measure\.profile: .*did not start the nodes.*found profiler; allowed: hot-threads/,
  );
});

test('nodes that cannot load the profiler are refused with the reason', async () => {
  const profiler = {
    load: () => Promise.reject(runError('profiler.machine', '', 'no library for this machine')),
  };
  await expect(loadProfiler({ connection, profiler }, cells)).rejects.toThrow(
    /^measure\.profile: the nodes cannot load the profiler: no library for this machine/,
  );
});
