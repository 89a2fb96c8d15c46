/** `refresh`, `force-merge`, `cluster-health`: requests that operators and applications send in addition to reads and writes. */
import * as z from 'zod';
import { allShards, noFlags } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const refresh = defineRequestKind({
  name: 'refresh',
  schema: z.strictObject({}),
  text: 'Refreshes the indices of the trial. Fails if a shard failed.',
  label: { id: 'dyno.editor.request.refresh', text: 'Refresh' },
  first: {},
  example: { request: {} },
  outgoing: () => ({ method: 'POST', path: '/{{index}}/_refresh' }),
  maintains: true,
  judge: allShards,
});

export const forceMerge = defineRequestKind({
  name: 'force-merge',
  schema: z.strictObject({
    /**
     * Parameters of the query string.
     * @example { max_num_segments: 1 }
     */
    params: paramsSchema,
  }),
  text: "Merges the segments of the trial's indices. Fails if a shard failed.",
  label: { id: 'dyno.editor.request.forceMerge', text: 'Force merge' },
  first: { params: { max_num_segments: 1 } },
  example: { request: { params: { only_expunge_deletes: true } } },
  outgoing: ({ params }) => ({ method: 'POST', path: '/{{index}}/_forcemerge', params }),
  maintains: true,
  judge: allShards,
});

export const clusterHealth = defineRequestKind({
  name: 'cluster-health',
  schema: z.strictObject({
    /**
     * Parameters of the query string.
     * @example { wait_for_status: yellow, timeout: 10s }
     */
    params: paramsSchema,
  }),
  text: 'Reads the health of the cluster. Fails if Elasticsearch waits for a state, and the cluster does not reach the state in time.',
  label: { id: 'dyno.editor.request.clusterHealth', text: 'Cluster health' },
  first: {},
  example: {
    request: { params: { wait_for_status: 'yellow', timeout: '10s' } },
    expect: ['number_of_data_nodes > 0'],
  },
  outgoing: ({ params }) => ({ method: 'GET', path: '/_cluster/health', params }),
  judge: noFlags({
    timed_out: { type: 'timed-out', reason: 'the cluster did not reach the requested state in time' },
  }),
});
