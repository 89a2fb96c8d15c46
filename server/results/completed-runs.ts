/** Finds experiments and lists their completed runs, without reading the documents of the runs. */
import { createHash } from 'node:crypto';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Stamped } from './read-once';
import { search, searchPages } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS } from './stored';

export interface NamedExperiment {
  id: string;
  name: string;
}

/** A completed run: its id, start, index and stamp, without the document of the run. */
export interface CompletedRun extends Stamped {
  /** Start of the run, in ISO 8601 and UTC. */
  at: string;
  /** Name of the index that contains the run. */
  index: string;
}

/** Number of runs that are listed with one search: the default of `index.max_result_window`. */
const PAGE = 10_000;

/** Maximum number of experiments with the same name that are found. */
const MOST_NAMED = 20;

interface NamedAggregations {
  experiments: { buckets: { key: string; names: { buckets: { key: string }[] } }[] };
}

/**
 * Sort order for listing runs. The sort values contain the id, the start and the stamp of each run, so that no documents are loaded.
 * `_seq_no` increases with every write to the index.
 */
const IN_TIME = [
  { '@timestamp': { order: 'asc', unmapped_type: 'date' } },
  { 'run.id': { order: 'asc', unmapped_type: 'keyword' } },
  { 'run.started': { order: 'asc', unmapped_type: 'date' } },
  { _seq_no: { order: 'asc' } },
];

/** Returns a stamp of these runs: a text that differs if the document of any of the runs has changed. */
export const stampOf = (runs: readonly CompletedRun[]): string =>
  createHash('sha256').update(JSON.stringify(runs)).digest('hex');

/**
 * Returns the indices that contain these runs, for the path of a search. A long history has an index for each month. Most requests need
 * only a few of them.
 */
export function indicesOf(runs: readonly CompletedRun[]): string {
  const indices = [...new Set(runs.map(({ index }) => index))];
  // The names of these indices cannot be calculated from the dates: a run may have been found through an alias, and the user may not be
  // allowed to read its index under another name.
  return indices.every((index) => index.startsWith(`${RUNS}-`)) ? indices.join(',') : `${RUNS}-*`;
}

const visible = (query: object, space: SpaceId | undefined): object =>
  space === undefined ? query : withinSpace(query, space);

async function named(
  client: ElasticsearchClient,
  term: Partial<Record<'experiment.id' | 'experiment.name', string>>,
  space: SpaceId | undefined,
): Promise<NamedExperiment[]> {
  const { aggregations } = await search<never, NamedAggregations>(client, RUNS, {
    size: 0,
    query: visible({ term }, space),
    aggs: {
      experiments: {
        terms: { field: 'experiment.id', size: MOST_NAMED },
        aggs: { names: { terms: { field: 'experiment.name', size: 1 } } },
      },
    },
  });
  const buckets = aggregations?.experiments.buckets ?? [];
  return buckets.map(({ key: id, names }) => ({ id, name: names.buckets[0]?.key ?? id }));
}

/**
 * Returns the experiment with this id. If no experiment has this id, returns all experiments with this name. Only experiments with stored
 * runs are found.
 */
export async function findExperiments(
  client: ElasticsearchClient,
  idOrName: string,
  space?: SpaceId,
): Promise<NamedExperiment[]> {
  const byId = await named(client, { 'experiment.id': idOrName }, space);
  return byId.length > 0 ? byId : named(client, { 'experiment.name': idOrName }, space);
}

/** Returns the completed runs of an experiment, the oldest first. */
export async function completedRuns(
  client: ElasticsearchClient,
  experiment: string,
  space?: SpaceId,
): Promise<CompletedRun[]> {
  const filter = [{ term: { 'experiment.id': experiment } }, { term: { 'run.state': 'completed' } }];
  const found: CompletedRun[] = [];
  const pages = searchPages(client, RUNS, {
    size: PAGE,
    query: visible({ bool: { filter } }, space),
    sort: IN_TIME,
    stored_fields: '_none_',
  });
  for await (const hits of pages) {
    for (const { sort, _index: index } of hits) {
      const [, id, started, ...more] = sort as [number, string, number, number];
      found.push({ id, index, at: new Date(started).toISOString(), stamp: [started, ...more].join(' ') });
    }
  }
  return found;
}
