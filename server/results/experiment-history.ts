/** Reads the facts that lists of experiments show: the number of runs, the active run and the last ended run of each experiment. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ACTIVE_STATES, FINAL_STATES, type RunDocument, type RunState } from '../../common/experiment/run';
import { ReadOnce, type Stamped } from './read-once';
import { refresh, search } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS, TRIALS } from './stored';

/** The fields of an ended run that lists of experiments show. Only these fields are read, not the whole document. */
export type PastRun = Pick<RunDocument, 'run' | 'progress'> & { verdict?: RunDocument['verdict'] };

/**
 * The fields of an unfinished run that lists of experiments show. An unfinished run is queued, running, or waiting for its next
 * environment.
 */
export type ActiveRun = Pick<RunDocument, 'run' | 'progress'>;

export interface ExperimentRuns {
  /** Number of all runs of the experiment. */
  runs: number;
  /**
   * The queued or running run of the experiment. Without such a run, the newest run that waits for its next environment. Null if the
   * experiment has neither.
   */
  active: ActiveRun | null;
  /** The newest run that has ended; null if no run has ended. */
  last: PastRun | null;
  /** A text that changes whenever the document of `last` changes; '' if `last` is null. */
  lastStamp: string;
}

export const NO_RUNS: ExperimentRuns = { runs: 0, active: null, last: null, lastStamp: '' };

export interface ExperimentHistory {
  /** Reads the facts about the runs of all experiments, by experiment id. Experiments without runs are missing in the result. */
  read(): Promise<Map<string, ExperimentRuns>>;
  /**
   * Reads a stamp for each of these runs, by run id. It changes whenever a trial of the run is stored, changed or removed. Runs without
   * trials are missing in the result.
   */
  trialStamps(runs: readonly string[]): Promise<Map<string, string>>;
}

/** Cache of ended runs. One cache may only be used for one results cluster. */
export type PastRunMemory = ReadOnce<PastRun>;

/** Maximum total size of the cached runs, in characters of JSON. This is enough for a few thousand runs. */
const MOST_CHARACTERS = 10_000_000;

export const pastRunMemory = (): PastRunMemory =>
  new ReadOnce(MOST_CHARACTERS, (run) => JSON.stringify(run).length);

/**
 * Maximum number of experiments, and of unfinished runs, that are read. It is the default maximum of hits in Elasticsearch
 * (`index.max_result_window`).
 */
const MOST = 10_000;

/** Number of runs that are read with one search. A run has a few KB. */
const PAGE = 1000;

interface Unfinished extends ActiveRun {
  experiment: Pick<RunDocument['experiment'], 'id'>;
}

/**
 * Sort order for the newest runs. The search returns only the sort values and no documents, which is ten times faster. The sort values show
 * whether a run in the cache is still current.
 * `_seq_no` increases with every write to the index. The fields after it also differ if a run was stored again in a new index, or if
 * another user may see different fields.
 */
const NEWEST = [
  { '@timestamp': { order: 'desc', unmapped_type: 'date' } },
  { 'experiment.id': { order: 'asc', unmapped_type: 'keyword' } },
  { 'run.id': { order: 'asc', unmapped_type: 'keyword' } },
  { _seq_no: { order: 'asc' } },
  { 'run.ended': { order: 'asc', unmapped_type: 'date' } },
  { 'verdict.answer': { order: 'asc', unmapped_type: 'keyword' } },
];

interface TrialAggregations {
  runs: { buckets: { key: string; doc_count: number; written: { value: number } }[] };
}

interface Aggregations {
  experiments: { buckets: { key: string; doc_count: number }[] };
}

export interface HistoryOptions {
  /** Space whose active runs are read. If undefined, the active runs of all spaces are read. */
  space?: SpaceId;
  memory?: PastRunMemory;
}

/** Creates a reader. Each read includes everything that was written before the call. Rejects with the errors of the results reader. */
export function createExperimentHistory(
  client: ElasticsearchClient,
  { space, memory = pastRunMemory() }: HistoryOptions = {},
): ExperimentHistory {
  const anyState = (states: readonly RunState[]): object => ({ terms: { 'run.state': states } });
  const unfinished = anyState([...ACTIVE_STATES, 'waiting']);

  /** Reads the number of runs of each experiment, and the sort values of its newest ended run. */
  const look = () =>
    search<never, Aggregations>(client, RUNS, {
      size: MOST,
      collapse: { field: 'experiment.id' },
      post_filter: anyState(FINAL_STATES),
      sort: NEWEST,
      stored_fields: '_none_',
      aggs: { experiments: { terms: { field: 'experiment.id', size: MOST } } },
    });

  /** Reads unfinished runs, the oldest first. */
  const readUnfinished = () =>
    search<Unfinished>(client, RUNS, {
      size: MOST,
      query: space === undefined ? unfinished : withinSpace(unfinished, space),
      sort: [{ '@timestamp': { order: 'asc', unmapped_type: 'date' } }],
      _source: ['run', 'progress', 'experiment.id'],
    });

  async function readRuns(ids: string[]): Promise<Map<string, PastRun>> {
    const found = new Map<string, PastRun>();
    for (let from = 0; from < ids.length; from += PAGE) {
      const { hits } = await search<PastRun>(client, RUNS, {
        size: PAGE,
        query: { terms: { 'run.id': ids.slice(from, from + PAGE) } },
        _source: ['run', 'progress.trials', 'progress.completed', 'verdict'],
      });
      for (const { _source: run } of hits) found.set(run.run.id, run);
    }
    return found;
  }

  return {
    async read() {
      await refresh(client, RUNS);
      const [{ hits, aggregations }, unfinishedRuns] = await Promise.all([look(), readUnfinished()]);
      const newest = new Map(
        hits.map(({ sort: [time, experiment, id, ...more] }): [string, Stamped] => [
          String(experiment),
          { id: String(id), stamp: [time, ...more].join(' ') },
        ]),
      );
      const past = await memory.of([...newest.values()], readRuns);
      const active = activeOf(unfinishedRuns.hits.map(({ _source }) => _source));
      const buckets = aggregations?.experiments.buckets ?? [];
      return new Map(
        buckets.map(({ key, doc_count: runs }) => {
          const { id = '', stamp: lastStamp = '' } = newest.get(key) ?? {};
          return [key, { runs, active: active.get(key) ?? null, last: past.get(id) ?? null, lastStamp }];
        }),
      );
    },

    async trialStamps(runs) {
      if (runs.length === 0) return new Map();
      await refresh(client, TRIALS);
      const { aggregations } = await search<never, TrialAggregations>(client, TRIALS, {
        size: 0,
        query: { terms: { 'run.id': runs } },
        aggs: {
          runs: {
            terms: { field: 'run.id', size: runs.length },
            // `_seq_no` increases with every write to the index.
            aggs: { written: { sum: { field: '_seq_no' } } },
          },
        },
      });
      const buckets = aggregations?.runs.buckets ?? [];
      return new Map(
        buckets.map(({ key, doc_count: trials, written }) => [key, `${trials} ${written.value}`]),
      );
    },
  };
}

/** Returns the run for `ExperimentRuns.active` of each experiment, by experiment id. `unfinished`: unfinished runs, the oldest first. */
function activeOf(unfinished: readonly Unfinished[]): Map<string, ActiveRun> {
  const active = new Map<string, ActiveRun>();
  for (const run of unfinished) {
    const { id } = run.experiment;
    const before = active.get(id);
    if (before === undefined || before.run.state === 'waiting') active.set(id, run);
  }
  return active;
}
