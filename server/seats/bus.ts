/**
 * What the seats of a run and the process that carries it say to each other: documents of one index in the results cluster. No
 * machine opens a port, and the cluster under test sees nothing of it.
 *
 * Ids are computed, so that every read is a realtime GET; what must happen once is a document that is created once. The index
 * belongs to one process that carries the run, and goes with it.
 */
import { randomBytes } from 'node:crypto';
import { errorType } from '../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import { having, type Endpoint, type Expected } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import type { ProcessIdentity } from '../process-life';
import { ask, askIfThere, badAnswer } from '../results/answer';

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

/** Written to by this name only. */
const aliasOf = (index: string): string => `${index}-bus`;

const over = (index: string): Error =>
  runError('seats.over', index, 'the run that its seats were taken for is over');

/** On an index that exists. */
export function busOn(results: ElasticsearchClient, index: string): Bus {
  const client = withDefaults(results, { timeoutMs: ANSWER_MS });
  const isGone = (body: unknown): boolean => errorType(body) === 'index_not_found_exception';
  const onBus = <T, V = never>(
    endpoint: Endpoint<T>,
    doing: string,
    expected?: Expected<V>,
  ): Promise<T | V> =>
    ask<T, V>(client, endpoint, doing, {
      noIndex: () => {
        throw over(index);
      },
      ...expected,
    });
  const write = async (id: string, entry: Entry, opType: 'create' | 'index'): Promise<boolean> => {
    // Without the alias, a write after the end of the run would make an index of that name.
    const put = api.putDocument(aliasOf(index), id, entry, { op_type: opType, require_alias: true });
    const written = await onBus({ ...put, repeatable: opType === 'index' }, 'write to the seats of a run', {
      ...(opType === 'create' ? { conflict: () => false as const } : {}),
    });
    return written !== false;
  };
  /** By the elected master's clock, whichever node was asked; undefined where the credentials may not know it. */
  const masterTime = async (): Promise<number | undefined> => {
    const told = await ask(client, api.nodeTimes('_master/'), 'read the clock of the master', {
      failed: () => undefined,
    });
    return Object.values(told?.nodes ?? {})[0]?.timestamp;
  };
  return {
    index,

    create: (id, entry) => write(id, entry, 'create'),
    put: async (id, entry) => void (await write(id, entry, 'index')),

    async read<T extends Entry>(ids: readonly string[]) {
      const doing = 'read the seats of a run';
      const { docs } = await onBus(api.getDocuments<T>(index, ids), doing, {
        missing: () => {
          throw over(index);
        },
      });
      if (docs.some(isGone)) throw over(index);
      if (docs.length !== ids.length || docs.some(({ error }) => error !== undefined))
        throw badAnswer(doing, 'some documents are missing');
      return new Map(docs.flatMap(({ _id, _source }) => (_source ? [[_id!, _source] as const] : [])));
    },

    async workers() {
      await refreshBus(client, index);
      const body = { size: 1000, query: { term: { kind: 'worker' } }, sort: '_doc' };
      const asked = api.search(index, body, having<Hits<WorkerCard>>('hits.hits[]'));
      const { hits } = await onBus(asked, 'list the workers of a run');
      return hits.hits.map(({ _source }) => _source);
    },

    async remove(ids) {
      const places = ids.map((id) => ({ delete: { _index: aliasOf(index), _id: id } }));
      const lines = places.map((place) => `${JSON.stringify(place)}\n`).join('');
      await ask(client, api.bulk('delete', lines, ANSWER_MS), 'clean up the seats of a run');
    },

    async time() {
      // It is cut to whole milliseconds.
      return (
        ((await masterTime()) ?? (await onBus<number>(api.searchTime(index), 'read the clock of a node'))) +
        0.5
      );
    },

    async close() {
      await ask(client, api.deleteIndex(index), 'remove the index for the seats of a run', {
        missing: () => undefined,
      });
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
  const found = await ask(
    results,
    api.indicesLike(`${prefixOf(runId)}*`),
    'look for what is left of the seats of runs',
  );
  return found.map((index) => ({
    index,
    run: index.slice(BUS_PREFIX.length, index.lastIndexOf('-')),
  }));
}

/** Makes the bus of a run, and calls for workers. */
export async function openBus(results: ElasticsearchClient, call: Call): Promise<Bus> {
  // What processes that are gone have left of it.
  for (const left of await findBuses(results, call.run.id)) await busOn(results, left.index).close();
  const index = indexOf(call.run.id);
  const body = { ...INDEX, aliases: { [aliasOf(index)]: {} } };
  // No other process makes an index of this name: a repeated request that finds it has made it.
  await ask(results, api.createIndex(index, body), 'make the index for the seats of a run', {
    exists: () => undefined,
  });
  const bus = busOn(results, index);
  await bus.put(CALL, call);
  await refreshBus(results, index);
  return bus;
}

/** So that a search sees all who have come, or all who call. */
const refreshBus = (results: ElasticsearchClient, index: string): Promise<unknown> =>
  askIfThere(results, api.refresh(index), 'refresh the seats of runs');

interface Hits<T> {
  hits: { hits: { _index: string; _source: T }[] };
}

/** Runs that look for workers, with the names of their buses. */
export async function calls(results: ElasticsearchClient): Promise<{ index: string; call: Call }[]> {
  const query = { allow_no_indices: true, ignore_unavailable: true };
  const body = { size: 100, query: { term: { kind: 'call' } } };
  const calling = api.search(`${BUS_PREFIX}*`, body, having<Hits<Call>>('hits.hits[]'), { query });
  const { hits } = await ask(results, calling, 'look for runs with free seats');
  return hits.hits.map(({ _index, _source }) => ({ index: _index, call: _source }));
}
