/**
 * Compares an index of generated documents with an index of the original documents by size, segments, and number of distinct values of each
 * field.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Profile } from '../../common/generators/profile/profile';
import { runError } from '../../common/problem';
import { Batch } from '../load/sources/batch';
import { ProfileSource } from '../load/sources/profile';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask } from '../target-cluster/answer';
import type { TargetConnection } from '../target-cluster/connection';
import { createIndex, dropIndex } from '../target-cluster/index-lifecycle';
import { forceMerge, refresh } from '../target-cluster/maintenance';
import { waitUntilReady } from '../target-cluster/readiness';
import { diskUsage } from '../target-cluster/store';
import type { FoundDocument } from './documents';
import { distinctValues } from './index-facts';
import { mappedFields, type MappedField } from './mapping';

type Tree = Readonly<Record<string, unknown>>;

export interface BuiltIndex {
  documents: number;
  /** Mean size in bytes of the documents as they are sent in bulk requests. */
  sentBytes: number;
  storeBytes: number;
  segments: number;
  /** Bytes on disk of each field. Empty if the cluster does not report them. */
  fields: Readonly<Record<string, number>>;
  distinct: ReadonlyMap<string, number>;
}

export interface Comparison {
  original: BuiltIndex;
  made: BuiltIndex;
  fields: readonly MappedField[];
}

export interface CompareOptions {
  connection: TargetConnection;
  profile: Profile;
  documents: AsyncGenerator<FoundDocument>;
  onProgress(text: string): void;
  signal: AbortSignal;
}

const BULK = 1000;
const READY_MS = 60_000;
const SEED = 1;

/**
 * Creates an index of the original documents and an index of generated documents. Merges each to one segment and measures it. Always
 * removes both indices afterwards.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { connection, profile, onProgress, signal } = options;
  const fields = mappedFields(profile.mapping);
  const id = randomBytes(4).toString('hex');
  const names = { original: `dyno-learn-original-${id}`, made: `dyno-learn-made-${id}` };
  try {
    for (const index of Object.values(names)) await make(connection, index, profile, id);
    onProgress('loading the documents of the source');
    const sent = await fillWith(options, names.original);
    onProgress(`loading ${sent.documents} generated documents`);
    const made = await fillMade(options, names.made, sent.documents);
    onProgress('merging both to one segment');
    const looked = async (index: string, { documents, bytes }: Sent): Promise<BuiltIndex> => {
      await refresh(connection, index);
      await forceMerge(connection, [index], 1, signal);
      await refresh(connection, index);
      return {
        documents,
        sentBytes: bytes / Math.max(1, documents),
        ...(await look(connection, index, fields)),
      };
    };
    return {
      original: await looked(names.original, sent),
      made: await looked(names.made, made),
      fields,
    };
  } finally {
    for (const index of Object.values(names)) await dropIndex(connection, index);
  }
}

async function make(
  connection: TargetConnection,
  index: string,
  { mapping, settings }: Profile,
  id: string,
): Promise<void> {
  await createIndex(connection, {
    index,
    // Otherwise, the statistics of the store are cached for ten seconds.
    settings: {
      ...settings,
      number_of_shards: 1,
      number_of_replicas: 0,
      refresh_interval: '-1',
      'store.stats_refresh_interval': '0s',
    },
    mapping: withFielddata(mapping),
    mark: {
      run: '',
      trial: '',
      experiment: `learn ${id}`,
      carrier: { host: hostname(), pid: process.pid, instance: id },
    },
  });
  await waitUntilReady(connection, [index], READY_MS);
}

/**
 * Returns the mapping with fielddata enabled for all text fields. The cluster needs fielddata to count distinct terms. It does not change
 * the size on disk.
 */
function withFielddata(mapping: Tree): Tree {
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const own = value as Tree;
    const entries = Object.entries(own).map(([key, below]): [string, unknown] => [key, visit(below)]);
    const isText = own['type'] === 'text' && own['index'] !== false;
    return Object.fromEntries(isText ? [...entries, ['fielddata', true]] : entries);
  };
  return visit(mapping) as Tree;
}

interface Sent {
  documents: number;
  bytes: number;
}

async function send(connection: TargetConnection, index: string, body: string): Promise<void> {
  const { errors, items } = await ask(
    connection,
    api.bulkInto(index, body, { timeoutMs: 120_000 }),
    'load documents to compare them',
  );
  if (!errors) return;
  const refused = items.flatMap((item) => Object.values(item)).filter(({ status }) => status >= 300);
  const { type } = refused[0]?.error ?? {};
  // The message contains only the type of the error, because the reason may quote the document.
  throw runError(
    'learn.refused',
    index,
    `${refused.length} of ${items.length} documents were refused, the first as ${type}`,
  );
}

async function fillWith({ connection, documents, signal }: CompareOptions, index: string): Promise<Sent> {
  const sent = { documents: 0, bytes: 0 };
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    await send(connection, index, `${lines.join('\n')}\n`);
    lines = [];
  };
  for await (const { text } of documents) {
    signal.throwIfAborted();
    lines.push('{"index":{}}', text);
    sent.documents += 1;
    sent.bytes += Buffer.byteLength(text);
    if (lines.length >= 2 * BULK) await flush();
  }
  await flush();
  return sent;
}

async function fillMade(
  { connection, profile, signal }: CompareOptions,
  index: string,
  documents: number,
): Promise<Sent> {
  const source = new ProfileSource(profile, 'learned', { seed: SEED, share: { index: 0, of: 1 } });
  const batch = new Batch();
  const sent = { documents: 0, bytes: 0 };
  while (sent.documents < documents) {
    signal.throwIfAborted();
    batch.clear();
    source.fill(batch, { docs: Math.min(BULK, documents - sent.documents), bytes: Infinity }, Date.now());
    await send(connection, index, batch.body().toString('utf8'));
    sent.documents += batch.count;
    sent.bytes += batch.length - batch.count * ('{"index":{}}\n'.length + 1);
  }
  source.close();
  return sent;
}

interface Size {
  _all: { primaries: { store: { size_in_bytes: number }; segments: { count: number } } };
}

async function look(
  connection: TargetConnection,
  index: string,
  fields: readonly MappedField[],
): Promise<Omit<BuiltIndex, 'documents' | 'sentBytes'>> {
  // The disk usage is measured first, because its API flushes the index.
  const usage = await diskUsage(connection, [index]);
  const answer = having<Size>('_all.primaries.store', '_all.primaries.segments');
  const size = api.indexFigures(index, '_stats/store,segments', answer, {});
  const { _all: all } = await ask(connection, size, 'read the size of the index');
  return {
    storeBytes: all.primaries.store.size_in_bytes,
    segments: all.primaries.segments.count,
    fields: usage ?? {},
    distinct: await distinctValues(connection, index, fields, true),
  };
}
