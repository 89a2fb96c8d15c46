import type { ElasticsearchRequest } from '../../../common/elasticsearch/client';
import { readDefinition } from '../../../common/experiment/read';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { LoadOutcome } from '../../load/contract';
import type { TargetConnection } from '../../target-cluster/connection';
import { until } from '../../../test/support/until';
import { TrialIndices } from './indices';
import { readyAtRest } from './steps/measure';

const MARK = { mappings: { _meta: { dyno: { run: 'r', trial: 't' } } } };

/** Simulates a cluster that merges until the test ends the merges. */
function merging() {
  const asked: string[] = [];
  const state = { merges: 1 };
  const answer = ({ method, path }: ElasticsearchRequest): object => {
    if (path.startsWith('/_nodes/stats'))
      return { nodes: { n: { indices: { merges: { current: state.merges } } } } };
    if (path.startsWith('/_cluster/health'))
      return {
        status: 'green',
        number_of_data_nodes: 1,
        active_primary_shards: 1,
        relocating_shards: 0,
        initializing_shards: 0,
        unassigned_shards: 0,
      };
    return method === 'GET' ? { 'dyno-trial-a': MARK } : { acknowledged: true };
  };
  const connection = {
    request(request: ElasticsearchRequest) {
      asked.push(`${request.method} ${request.path}`);
      return Promise.resolve({ status: 200, body: answer(request) });
    },
  } as unknown as TargetConnection;
  const [cell] = resolveCells(
    readDefinition({
      version: 1,
      name: 'indices',
      tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }],
      measure: { duration: '5s' },
    }),
  );
  const cancelled = new AbortController();
  const indices = new TrialIndices({
    definition: cell!.definition,
    connection,
    names: ['dyno-trial-a'],
    mark: { run: 'r', trial: 't' } as never,
    signal: cancelled.signal,
    onNote: () => undefined,
  } as unknown as ConstructorParameters<typeof TrialIndices>[0]);
  return { asked, state, indices, cancelled };
}

/** Returns a load whose threads are ready, or never become ready. */
function load(ready: Promise<number>) {
  let end: (error: Error) => void = () => undefined;
  const handle = {
    ready,
    aborted: false,
    done: new Promise<LoadOutcome>((_, reject) => (end = reject)),
    abort(): void {
      handle.aborted = true;
      end(new Error('aborted'));
    },
  };
  return handle;
}

test('indices exist before the cluster is at rest, and a load waits for both', async () => {
  const { state, indices } = merging();
  expect(await indices.prepare()).toBeNull();
  let begun = false;
  const both = readyAtRest(load(Promise.resolve(20)), indices).then((leadMs) => {
    begun = true;
    return leadMs;
  });
  await new Promise(setImmediate);
  expect(begun).toBe(false);
  state.merges = 0;
  expect(await both).toBe(20);
});

test('a load ends if the wait for the cluster fails, even if its threads were never ready', async () => {
  const { indices, cancelled } = merging();
  await indices.prepare();
  const waiting = load(new Promise(() => undefined));
  const both = readyAtRest(waiting, indices);
  cancelled.abort(new Error('cancelled by SIGINT'));
  await expect(both).rejects.toThrow('cancelled by SIGINT');
  expect(waiting.aborted).toBe(true);
});

test('a load that fails does not wait for the cluster to be at rest', async () => {
  const { indices, cancelled } = merging();
  await indices.prepare();
  await expect(readyAtRest(load(Promise.reject(new Error('no thread'))), indices)).rejects.toThrow(
    'no thread',
  );
  cancelled.abort(new Error('over'));
});

test('indices are removed only after the last look at the cluster', async () => {
  const { asked, state, indices } = merging();
  await indices.prepare();
  const removed = indices.remove();
  await until('a look at the cluster', () => asked.some((one) => one.includes('/_nodes/stats')));
  state.merges = 0;
  expect(await removed).toEqual([]);
  const looks = asked.filter((one) => one.includes('/_nodes/stats')).length;
  expect(asked.at(-1)).toBe('DELETE /dyno-trial-a');
  expect(asked.slice(0, -2).filter((one) => one.includes('/_nodes/stats'))).toHaveLength(looks);
});
