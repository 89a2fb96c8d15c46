/**
 * What the seats of a run and the process that carries it say to each other: documents of one index in the results cluster. No
 * machine opens a port, and the cluster under test sees nothing of it.
 *
 * Ids are computed, so that every read is a realtime GET; what must happen once is a document that is created once. The index
 * belongs to one process that carries the run, and goes with it.
 */
import { randomBytes } from 'node:crypto';
import { errorType, isDone, isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import type { ProcessIdentity } from '../process-life';
import { refusal } from '../results/answer';

/** Each run has one that begins so. */
export const BUS_PREFIX = 'dyno-seats-';

/** Of one answer, ms: whoever waits longer has lost its lease anyway. */
const ANSWER_MS = 4000;

const INDEX = {
  settings: {
    number_of_shards: 1,
    auto_expand_replicas: '0-1',
    // Nothing but the list of workers is searched, after a refresh of its own.
    refresh_interval: '-1',
  },
  mappings: { dynamic: false, properties: { kind: { type: 'keyword' } } },
};

/** A run looks for workers. */
export interface Call {
  kind: 'call';
  run: { id: string; experiment: string };
  coordinator: ProcessIdentity;
  /** Of Dyno: seats of another version are refused. */
  version: string;
  seats: number;
  /** Several workers of one machine may take part. */
  shareMachine: boolean;
}

/** A process that would take a seat. */
export interface WorkerCard {
  kind: 'worker';
  /** Of this one: a worker that has lost its seat may offer itself again. */
  offer: string;
  process: ProcessIdentity;
  /** Of the machine: by default each has one seat. */
  machine: string;
  cores: number;
  version: string;
  labels: Record<string, string>;
}

/** Written each second by the process that carries the run: what of the bus it still answers for. */
export interface Beat {
  kind: 'beat';
  number: number;
  /** Offers that hold a seat. */
  seats: string[];
}

/** Several messages, packed; `text` is for `mailbox.ts` alone. */
export interface Parcel {
  kind: 'parcel';
  text: string;
}

type Entry = Call | WorkerCard | Beat | Parcel;

export const CALL = 'call';
export const BEAT = 'beat';
export const cardOf = (machine: string): string => `worker-${machine}`;

/** Reads see what was written before them. All reject with a DynoError where the results cluster does not answer. */
export interface Bus {
  readonly index: string;
  /** False where the document is there already. */
  create(id: string, entry: Entry): Promise<boolean>;
  put(id: string, entry: Entry): Promise<void>;
  /** Those that are there, by id. Rejects with a DynoError `seats.over` where the bus is gone. */
  read<T extends Entry>(ids: readonly string[]): Promise<Map<string, T>>;
  /** Those who have come, in the order of their coming. */
  workers(): Promise<WorkerCard[]>;
  remove(ids: readonly string[]): Promise<void>;
  /** By the clock of one node, the same for all who ask, ms since the epoch. */
  time(): Promise<number>;
  /** Removes it: nothing of the seats is left in the results. */
  close(): Promise<void>;
}

interface Found<T> {
  docs?: { _id: string; found?: boolean; _source?: T; error?: unknown }[];
}

/** Written to by this name only. */
const aliasOf = (index: string): string => `${index}-bus`;

const over = (index: string): Error =>
  runError('seats.over', index, 'the run that its seats were taken for is over');

/** On an index that exists. */
export function busOn(results: ElasticsearchClient, index: string): Bus {
  const client: ElasticsearchClient = {
    request: (request) => results.request({ timeoutMs: ANSWER_MS, ...request }),
  };
  const isGone = (body: unknown): boolean => errorType(body) === 'index_not_found_exception';
  const write = async (id: string, entry: Entry, opType: 'create' | 'index'): Promise<boolean> => {
    const { status, body } = await client.request({
      method: 'PUT',
      path: `/${aliasOf(index)}/_doc/${encodeURIComponent(id)}`,
      // Without it, a write after the end of the run would make an index of that name.
      query: { op_type: opType, require_alias: true },
      body: entry,
      repeatable: opType === 'index',
    });
    if (status === 409 && opType === 'create') return false;
    if (isGone(body)) throw over(index);
    if (!isDone({ status, body })) throw refusal(status, body, 'write to the seats of a run');
    return true;
  };
  /** By the elected master's clock, whichever node was asked; null where the credentials may not know it. */
  const masterTime = async (): Promise<number | null> => {
    const { status, body } = await client.request<{ nodes?: Record<string, { timestamp?: number }> }>({
      method: 'GET',
      path: '/_nodes/_master/stats/http',
      query: { filter_path: 'nodes.*.timestamp' },
    });
    const [node] = Object.values(body?.nodes ?? {});
    return isSuccess(status) ? (node?.timestamp ?? null) : null;
  };
  /** By the clock of the node that was asked: several of them may differ by what their own clocks do. */
  const searchTime = async (): Promise<number> => {
    const { status, body } = await client.request<{
      aggregations?: { now?: { buckets?: { to: number }[] } };
    }>({
      method: 'POST',
      path: `/${index}/_search`,
      body: { size: 0, aggs: { now: { date_range: { field: 'at', ranges: [{ to: 'now' }] } } } },
      repeatable: true,
    });
    if (isGone(body)) throw over(index);
    const now = body?.aggregations?.now?.buckets?.[0]?.to;
    if (!isSuccess(status) || now === undefined) throw refusal(status, body, 'read the clock of a node');
    return now;
  };
  return {
    index,

    create: (id, entry) => write(id, entry, 'create'),
    put: async (id, entry) => void (await write(id, entry, 'index')),

    async read<T extends Entry>(ids: readonly string[]) {
      const { status, body } = await client.request<Found<T>>({
        method: 'POST',
        path: `/${index}/_mget`,
        body: { ids },
        repeatable: true,
      });
      const docs = body?.docs;
      if (status === 404 || docs?.some(isGone)) throw over(index);
      if (!isSuccess(status) || docs?.length !== ids.length || docs.some(({ error }) => error !== undefined))
        throw refusal(status, body, 'read the seats of a run');
      return new Map(docs.flatMap(({ _id, _source }) => (_source ? [[_id, _source] as const] : [])));
    },

    async workers() {
      await refresh(client, index);
      const { status, body } = await client.request<{ hits?: { hits: { _source: WorkerCard }[] } }>({
        method: 'POST',
        path: `/${index}/_search`,
        body: { size: 1000, query: { term: { kind: 'worker' } }, sort: '_doc' },
        repeatable: true,
      });
      if (isGone(body)) throw over(index);
      if (!isSuccess(status) || body.hits === undefined)
        throw refusal(status, body, 'list the workers of a run');
      return body.hits.hits.map(({ _source }) => _source);
    },

    async remove(ids) {
      const lines = ids.map((id) => JSON.stringify({ delete: { _id: id } }));
      const { status, body } = await client.request({
        method: 'POST',
        path: `/${aliasOf(index)}/_bulk`,
        query: { require_alias: true },
        body: `${lines.join('\n')}\n`,
      });
      if (!isDone({ status, body })) throw refusal(status, body, 'clean up the seats of a run');
    },

    async time() {
      // It is cut to whole milliseconds.
      return ((await masterTime()) ?? (await searchTime())) + 0.5;
    },

    async close() {
      const { status, body } = await client.request({ method: 'DELETE', path: `/${index}` });
      if (!isDone({ status, body }) && status !== 404)
        throw refusal(status, body, 'remove the index for the seats of a run');
    },
  };
}

const prefixOf = (runId: string): string => `${BUS_PREFIX}${runId}-`;

/** A process that goes on with the run makes another one. */
const indexOf = (runId: string): string => `${prefixOf(runId)}${randomBytes(4).toString('hex')}`;

/** Those that stand, of one run or of all, with the ids of their runs. */
export async function findBuses(
  results: ElasticsearchClient,
  runId = '*',
): Promise<{ index: string; run: string }[]> {
  const { status, body } = await results.request<Record<string, unknown>>({
    method: 'GET',
    path: `/${prefixOf(runId)}*/_alias`,
    query: { allow_no_indices: true },
  });
  if (!isSuccess(status)) throw refusal(status, body, 'look for what is left of the seats of runs');
  return Object.keys(body).map((index) => ({
    index,
    run: index.slice(BUS_PREFIX.length, index.lastIndexOf('-')),
  }));
}

/** Makes the bus of a run, and calls for workers. */
export async function openBus(results: ElasticsearchClient, call: Call): Promise<Bus> {
  // What processes that are gone have left of it.
  for (const left of await findBuses(results, call.run.id)) await busOn(results, left.index).close();
  const index = indexOf(call.run.id);
  const { status, body } = await results.request({
    method: 'PUT',
    path: `/${index}`,
    body: { ...INDEX, aliases: { [aliasOf(index)]: {} } },
  });
  if (!isDone({ status, body })) throw refusal(status, body, 'make the index for the seats of a run');
  const bus = busOn(results, index);
  await bus.put(CALL, call);
  await refresh(results, index);
  return bus;
}

/** So that a search sees all who have come, or all who call. */
async function refresh(results: ElasticsearchClient, index: string): Promise<void> {
  const { status, body } = await results.request({ method: 'POST', path: `/${index}/_refresh` });
  if (!isSuccess(status) && status !== 404) throw refusal(status, body, 'refresh the seats of runs');
}

/** Runs that look for workers, with the names of their buses. */
export async function calls(results: ElasticsearchClient): Promise<{ index: string; call: Call }[]> {
  const { status, body } = await results.request<{ hits?: { hits: { _index: string; _source: Call }[] } }>({
    method: 'POST',
    path: `/${BUS_PREFIX}*/_search`,
    query: { allow_no_indices: true, ignore_unavailable: true },
    body: { size: 100, query: { term: { kind: 'call' } } },
    repeatable: true,
  });
  if (!isSuccess(status) || body.hits === undefined)
    throw refusal(status, body, 'look for runs with free seats');
  return body.hits.hits.map(({ _index, _source }) => ({ index: _index, call: _source }));
}
