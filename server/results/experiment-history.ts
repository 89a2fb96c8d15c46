/** What became of each experiment's runs: how many there were, which one goes on, and the newest that has ended. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ACTIVE_STATES, FINAL_STATES, type RunDocument, type RunState } from '../../common/experiment/run';
import { ReadOnce, type Stamped } from './read-once';
import { refresh, search } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS, TRIALS } from './stored';

/** What a list of many experiments tells of a run that has ended without reading all of it. */
export type PastRun = Pick<RunDocument, 'run' | 'progress'> & { verdict?: RunDocument['verdict'] };

/** And of one that goes on or waits. */
export type ActiveRun = Pick<RunDocument, 'run' | 'progress'>;

export interface ExperimentRuns {
  /** In all. */
  runs: number;
  /** The one that waits its turn or runs, else the newest that waits for its next environment; null without any. */
  active: ActiveRun | null;
  /** The newest that has ended; null if none has. */
  last: PastRun | null;
  /** Another one once the last one's document has changed; '' without a last one. */
  lastStamp: string;
}

export const NO_RUNS: ExperimentRuns = { runs: 0, active: null, last: null, lastStamp: '' };

export interface ExperimentHistory {
  /** By the experiment's id; those without runs are missing. */
  read(): Promise<Map<string, ExperimentRuns>>;
  /** By the ids of runs: another one once a trial was stored, changed or removed. Those without trials are missing. */
  trialStamps(runs: readonly string[]): Promise<Map<string, string>>;
}

/** What was read of runs that have ended, for all readers of the same results whose users may see the same of them. */
export type PastRunMemory = ReadOnce<PastRun>;

/** Characters of what is kept, as JSON: some thousands of runs. */
const MOST_CHARACTERS = 10_000_000;

export const pastRunMemory = (): PastRunMemory =>
  new ReadOnce(MOST_CHARACTERS, (run) => JSON.stringify(run).length);

/** Experiments, and runs that go on, at most: the defaults of index settings for buckets and for hits. */
const MOST = 10_000;

/** Runs that are read at once: a few KB each. */
const PAGE = 1000;

interface Unfinished extends ActiveRun {
  experiment: Pick<RunDocument['experiment'], 'id'>;
}

/**
 * By what the newest runs are sorted is how they are told: to look into a document, if only for its id, takes ten times as
 * long. `_seq_no` grows with every write to the index; the others tell runs apart that were stored again in a new index,
 * and users whose rights hide parts of runs from others.
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
  /** Runs of other spaces are not told as active. */
  space?: SpaceId;
  memory?: PastRunMemory;
}

/** Sees what was written before it. Rejects as the results reader does. */
export function createExperimentHistory(
  client: ElasticsearchClient,
  { space, memory = pastRunMemory() }: HistoryOptions = {},
): ExperimentHistory {
  const anyState = (states: readonly RunState[]): object => ({ terms: { 'run.state': states } });
  const unfinished = anyState([...ACTIVE_STATES, 'waiting']);

  /** How many runs each experiment has, and what the newest that has ended is told by. */
  const look = () =>
    search<never, Aggregations>(client, RUNS, {
      size: MOST,
      collapse: { field: 'experiment.id' },
      post_filter: anyState(FINAL_STATES),
      sort: NEWEST,
      stored_fields: '_none_',
      aggs: { experiments: { terms: { field: 'experiment.id', size: MOST } } },
    });

  /** The oldest first. */
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
      const [{ hits, aggregations }, going] = await Promise.all([look(), readUnfinished()]);
      const newest = new Map(
        hits.map(({ sort: [time, experiment, id, ...more] }): [string, Stamped] => [
          String(experiment),
          { id: String(id), stamp: [time, ...more].join(' ') },
        ]),
      );
      const past = await memory.of([...newest.values()], readRuns);
      const active = activeOf(going.hits.map(({ _source }) => _source));
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
            // It grows with every write to the index.
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

/** `unfinished`: the oldest first. */
function activeOf(unfinished: readonly Unfinished[]): Map<string, ActiveRun> {
  const active = new Map<string, ActiveRun>();
  for (const run of unfinished) {
    const { id } = run.experiment;
    const before = active.get(id);
    if (before === undefined || before.run.state === 'waiting') active.set(id, run);
  }
  return active;
}
