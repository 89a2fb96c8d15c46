/**
 * The bus of a run: an index in the results cluster through which the processes of the run exchange messages. One process executes the run.
 * Other processes, the *workers*, generate parts of the load. The parts are numbered, and each number is a *seat*, which a worker takes.
 *
 * Messages are documents. Therefore no machine opens a port, and the cluster under test is not affected. The sending and the receiving
 * process compute the same id for a message, so the receiving process can use a realtime GET. An action that must happen at most once is
 * represented by a document that can be created only once.
 *
 * The process that executes the run creates the index, and removes it when the run has ended.
 */
import { randomBytes } from 'node:crypto';
import { errorType } from '../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import { having, type Endpoint, type Expected } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import type { ProcessIdentity } from '../process-life';
import { ask, askIfThere, badAnswer } from '../results/answer';

/** Prefix of the names of all buses. The bus of a run is an index through which its processes exchange messages. */
export const BUS_PREFIX = 'dyno-seats-';

/** Timeout of a request to the bus, in ms. A worker that waits longer must stop its load anyway. */
const ANSWER_MS = 4000;

const INDEX = {
  settings: {
    number_of_shards: 1,
    auto_expand_replicas: '0-1',
    // Automatic refreshes are off. Only the list of workers is searched, after an explicit refresh.
    refresh_interval: '-1',
  },
  mappings: { dynamic: false, properties: { kind: { type: 'keyword' } } },
};

/** Message with which a run asks for workers: processes that generate parts of its load. */
export interface Call {
  kind: 'call';
  run: { id: string; experiment: string };
  coordinator: ProcessIdentity;
  /** Version of Dyno. Workers with another version are refused. */
  version: string;
  /** Number of workers that the run needs. */
  seats: number;
  /** Whether several workers on the same machine may generate load. */
  shareMachine: boolean;
}

/** Message with which a process offers to generate a part of the load. */
export interface WorkerCard {
  kind: 'worker';
  /** Id of this message. A worker that no longer belongs to the run may offer itself again, with another id. */
  offer: string;
  process: ProcessIdentity;
  /** Id of the machine. By default, only one worker per machine may generate load. */
  machine: string;
  cores: number;
  version: string;
  labels: Record<string, string>;
}

/** Sign of life of the process that executes the run. The process writes one every second. */
export interface Beat {
  kind: 'beat';
  number: number;
  /** Ids of the offers of all workers that currently belong to the run. */
  seats: string[];
}

/** Several packed messages. Only `mailbox.ts` reads `text`. */
export interface Parcel {
  kind: 'parcel';
  text: string;
}

type Entry = Call | WorkerCard | Beat | Parcel;

export const CALL = 'call';
export const BEAT = 'beat';
export const cardOf = (machine: string): string => `worker-${machine}`;

/**
 * The index through which the processes of a run exchange messages. A read sees all earlier writes, also those of other processes. All
 * methods reject with a DynoError if the results cluster does not answer.
 */
export interface Bus {
  readonly index: string;
  /** Creates a document. Resolves to false if a document with this id exists already. */
  create(id: string, entry: Entry): Promise<boolean>;
  put(id: string, entry: Entry): Promise<void>;
  /**
   * Returns the documents that exist among those with these `ids`, by id. Rejects with a DynoError `seats.over` if the index has been
   * removed.
   */
  read<T extends Entry>(ids: readonly string[]): Promise<Map<string, T>>;
  /** Returns the workers that have offered themselves, in the order of their offers. */
  workers(): Promise<WorkerCard[]>;
  remove(ids: readonly string[]): Promise<void>;
  /** Returns the time in ms since the epoch, by the clock of one node of the results cluster. All callers get the time of the same node. */
  time(): Promise<number>;
  /** Removes the index. */
  close(): Promise<void>;
}

/** Returns the name of the alias through which all documents are written to a bus. `index`: the index of the bus. */
const aliasOf = (index: string): string => `${index}-bus`;

const over = (index: string): Error => runError('seats.over', index, 'the run of these seats has ended');

/** Returns the bus of a run, whose index exists already. */
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
    // Without the alias, a write after the end of the run would create a new index.
    const put = api.putDocument(aliasOf(index), id, entry, { op_type: opType, require_alias: true });
    const written = await onBus(
      { ...put, repeatable: opType === 'index' },
      'send a message to the seats of a run',
      {
        ...(opType === 'create' ? { conflict: () => false as const } : {}),
      },
    );
    return written !== false;
  };
  /**
   * Returns the time of the elected master. The result therefore does not depend on the node that receives the request. Undefined if the
   * credentials may not read this time.
   */
  const masterTime = async (): Promise<number | undefined> => {
    const times = await ask(client, api.nodeTimes('_master/'), 'read the clock of the master', {
      failed: () => undefined,
    });
    return Object.values(times?.nodes ?? {})[0]?.timestamp;
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
      // The time is truncated to whole milliseconds, so half a millisecond is added to get the middle.
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

/** Returns a new name for a run's index of messages. A process that resumes the run creates an index with another name. */
const indexOf = (runId: string): string => `${prefixOf(runId)}${randomBytes(4).toString('hex')}`;

/**
 * Returns the indices through which the processes of runs exchange messages, with the ids of their runs. A run may have several if an
 * earlier process of the run has died. `runId`: only indices of this run.
 */
export async function findBuses(
  results: ElasticsearchClient,
  runId = '*',
): Promise<{ index: string; run: string }[]> {
  const found = await ask(
    results,
    api.indicesLike(`${prefixOf(runId)}*`),
    'find the indices of the seats of runs',
  );
  return found.map((index) => ({
    index,
    run: index.slice(BUS_PREFIX.length, index.lastIndexOf('-')),
  }));
}

/** Creates the index through which the processes of a run exchange messages, with the message that asks for workers. */
export async function openBus(results: ElasticsearchClient, call: Call): Promise<Bus> {
  // Removes indices that dead processes left behind.
  for (const left of await findBuses(results, call.run.id)) await busOn(results, left.index).close();
  const index = indexOf(call.run.id);
  const body = { ...INDEX, aliases: { [aliasOf(index)]: {} } };
  // No other process uses this name. If the index exists already, an earlier try of this request created the index.
  await ask(results, api.createIndex(index, body), 'create the index for the seats of a run', {
    exists: () => undefined,
  });
  const bus = busOn(results, index);
  await bus.put(CALL, call);
  await refreshBus(results, index);
  return bus;
}

/** Refreshes the index, so that a search finds all workers or calls. */
const refreshBus = (results: ElasticsearchClient, index: string): Promise<unknown> =>
  askIfThere(results, api.refresh(index), 'refresh the seats of runs');

interface Hits<T> {
  hits: { hits: { _index: string; _source: T }[] };
}

/** Returns the runs that ask for workers, with the names of the indices for their messages. */
export async function calls(results: ElasticsearchClient): Promise<{ index: string; call: Call }[]> {
  const query = { allow_no_indices: true, ignore_unavailable: true };
  const body = { size: 100, query: { term: { kind: 'call' } } };
  const calling = api.search(`${BUS_PREFIX}*`, body, having<Hits<Call>>('hits.hits[]'), { query });
  const { hits } = await ask(results, calling, 'look for runs with free seats');
  return hits.hits.map(({ _index, _source }) => ({ index: _index, call: _source }));
}
