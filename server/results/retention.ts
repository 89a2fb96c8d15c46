/**
 * Finds runs whose samples are older than the retention period, estimates the size of these samples, and removes them. The runs, their
 * trials and histories remain.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import {
  outdatedRuns,
  retentionText,
  type RetainedRun,
  type Retention,
} from '../../common/experiment/retention';
import type { RemovedSamples, RunState } from '../../common/experiment/run';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { RAW, removeKind } from './removal';
import { refresh, search, searchPages } from './search';
import { RUNS } from './stored';
import { parseTime } from '../../common/units/time';

/** Number of runs that are listed with one search. It reads only doc values and no documents. */
const PAGE = 10_000;
/** Number of runs whose samples are counted with one search. */
const COUNTED_AT_ONCE = 1000;
/** Maximum number of indices with one kind of data, such as samples. There is one index for each month. */
const MOST_INDICES = 1000;

/** A run whose samples must be removed. */
export interface OutdatedRun {
  id: string;
  /** Name of the index that contains the document of the run. */
  index: string;
  /** Number of samples and profiles of the run, plus number of events of Dyno's collector. */
  documents: number;
}

export interface RetentionPlan {
  /** Runs whose samples must be removed. The oldest run comes first. */
  runs: OutdatedRun[];
  documents: number;
  /**
   * Estimated size on disk of the documents to remove, in bytes. It is estimated from the mean size of a document in each index. Null if
   * the cluster does not report sizes.
   */
  bytes: number | null;
}

interface Columns {
  'run.id'?: [string];
  'run.state'?: [RunState];
  'run.ended'?: [string];
  'experiment.id'?: [string];
  'experiment.space'?: [string];
  '@timestamp'?: [string];
  'samples.removed'?: [string];
}

const COLUMNS: readonly (keyof Columns)[] = [
  'run.id',
  'run.state',
  'run.ended',
  'experiment.id',
  'experiment.space',
  '@timestamp',
  'samples.removed',
];

type Found = RetainedRun & { index: string };

/** Lists the runs of all spaces, the newest first. */
async function allRuns(client: ElasticsearchClient): Promise<Found[]> {
  await refresh(client, RUNS);
  const found: Found[] = [];
  const pages = searchPages(client, RUNS, {
    size: PAGE,
    stored_fields: '_none_',
    docvalue_fields: COLUMNS,
    sort: [
      { '@timestamp': { order: 'desc', unmapped_type: 'date' } },
      { 'run.id': { order: 'asc', unmapped_type: 'keyword' } },
    ],
  });
  for await (const hits of pages) {
    for (const { _index: index, fields = {} } of hits) {
      const own = fields as Columns;
      const [id, state, at] = [own['run.id']?.[0], own['run.state']?.[0], own['@timestamp']?.[0]];
      if (id === undefined || state === undefined || at === undefined) continue;
      found.push({
        id,
        index,
        state,
        experiment: `${own['experiment.space']?.[0] ?? 'default'} ${own['experiment.id']?.[0] ?? ''}`,
        ended: parseTime(own['run.ended']?.[0] ?? at),
        isRemoved: own['samples.removed'] !== undefined,
      });
    }
  }
  return found;
}

interface Counted {
  runs: { buckets: { key: string; doc_count: number }[] };
  indices: { buckets: { key: string; doc_count: number }[] };
}

interface Stats {
  indices?: Record<
    string,
    { primaries?: { docs?: { count?: number } }; total?: { store?: { size_in_bytes?: number } } }
  >;
}

/**
 * Returns the mean size of a document in each index, in bytes, by index name. The size includes replicas. Undefined if the sizes cannot be
 * read.
 */
async function bytesOfDocument(
  client: ElasticsearchClient,
  kind: string,
): Promise<Map<string, number> | undefined> {
  const asked = api.indexFigures(`${kind}-*`, '_stats/docs,store', having<Stats | null>(), {
    ignore_unavailable: true,
    filter_path: 'indices.*.primaries.docs.count,indices.*.total.store.size_in_bytes',
  });
  const stats = await ask(client, asked, 'read the sizes of the results', { failed: () => undefined });
  if (stats === undefined) return undefined;
  return new Map(
    Object.entries(stats?.indices ?? {}).flatMap(([index, { primaries, total }]) => {
      const [count, bytes] = [primaries?.docs?.count ?? 0, total?.store?.size_in_bytes];
      return count > 0 && bytes !== undefined ? [[index, bytes / count]] : [];
    }),
  );
}

/**
 * Returns which samples must be removed, without removing them. `keep`: the retention period. `kept`: ids of runs whose samples must
 * remain, such as baselines. Rejects with a DynoError `results.*`, or with the errors of the client.
 */
export async function planRetention(
  client: ElasticsearchClient,
  keep: Retention,
  kept: ReadonlySet<string>,
): Promise<RetentionPlan> {
  const outdated = outdatedRuns(await allRuns(client), keep, { now: Date.now(), kept });
  const counts = new Map<string, number>();
  let bytes: number | null = 0;
  for (const kind of outdated.length === 0 ? [] : RAW) {
    await refresh(client, kind);
    const sizes = await bytesOfDocument(client, kind);
    for (let from = 0; from < outdated.length; from += COUNTED_AT_ONCE) {
      const ids = outdated.slice(from, from + COUNTED_AT_ONCE).map(({ id }) => id);
      const { aggregations } = await search<never, Counted>(client, kind, {
        size: 0,
        query: { terms: { 'run.id': ids } },
        aggs: {
          runs: { terms: { field: 'run.id', size: ids.length } },
          indices: { terms: { field: '_index', size: MOST_INDICES } },
        },
      });
      for (const { key, doc_count: count } of aggregations?.runs.buckets ?? [])
        counts.set(key, (counts.get(key) ?? 0) + count);
      for (const { key, doc_count: count } of aggregations?.indices.buckets ?? []) {
        const each = sizes?.get(key);
        bytes = bytes === null || each === undefined ? null : bytes + each * count;
      }
    }
  }
  const runs = outdated.flatMap(({ id, index }) => {
    const documents = counts.get(id) ?? 0;
    return documents === 0 ? [] : [{ id, index, documents }];
  });
  return {
    runs,
    documents: runs.reduce((sum, { documents }) => sum + documents, 0),
    bytes: bytes === null ? null : Math.round(bytes),
  };
}

/**
 * Removes the samples and profiles of a run and the events of Dyno's collector. The document of the run records the removal only at the end. Therefore,
 * a removal that failed is repeated later. The caller must hold the lease of the run. Resolves to the number of removed documents. Rejects
 * with the errors of `removeRun` and of `onBulk`.
 */
export async function removeSamples(
  client: ElasticsearchClient,
  { id, index }: Pick<OutdatedRun, 'id' | 'index'>,
  keep: Retention,
  onBulk: () => Promise<void>,
): Promise<number> {
  let documents = 0;
  for (const kind of RAW) documents += await removeKind(client, kind, id, onBulk);
  const samples: RemovedSamples = { removed: new Date().toISOString(), keep: retentionText(keep) };
  await ask(
    client,
    api.updateDocument(index, id, { samples }, { refresh: true }),
    'record in a run that its samples were removed',
  );
  return documents;
}
