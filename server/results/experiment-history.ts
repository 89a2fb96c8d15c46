/** What became of each experiment's runs: how many there were, which one goes on, and the newest that has ended. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ACTIVE_STATES, FINAL_STATES, type RunDocument } from '../../common/experiment/run';
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

interface Going extends ActiveRun {
  experiment: Pick<RunDocument['experiment'], 'id'>;
}

/** What of a run that has ended is looked up with its version. A user whose rights hide parts of runs has other stamps. */
const LOOKED_UP = ['run.ended', 'progress.completed', 'verdict.answer'];

interface Newest {
  _id: string;
  fields?: Record<string, unknown[]>;
  _version: number;
  _seq_no: number;
  _primary_term: number;
}

interface TrialAggregations {
  runs: { buckets: { key: string; doc_count: number; written: { value: number } }[] };
}

interface Aggregations {
  experiments: {
    buckets: {
      key: string;
      doc_count: number;
      ended: { newest: { hits: { hits: Newest[] } } };
    }[];
  };
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
  const unfinished = { terms: { 'run.state': [...ACTIVE_STATES, 'waiting'] } };

  /** One request for all: each searches every index of runs, and a list is asked for every few seconds. */
  const look = () =>
    search<Going, Aggregations>(client, RUNS, {
      size: MOST,
      post_filter: space === undefined ? unfinished : withinSpace(unfinished, space),
      sort: [{ '@timestamp': { order: 'asc', unmapped_type: 'date' } }],
      _source: ['run', 'progress', 'experiment.id'],
      aggs: {
        experiments: {
          terms: { field: 'experiment.id', size: MOST },
          aggs: {
            ended: {
              filter: { terms: { 'run.state': FINAL_STATES } },
              aggs: {
                newest: {
                  top_hits: {
                    size: 1,
                    sort: [{ '@timestamp': 'desc' }],
                    _source: false,
                    docvalue_fields: LOOKED_UP,
                    version: true,
                    seq_no_primary_term: true,
                  },
                },
              },
            },
          },
        },
      },
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
      const { hits, aggregations } = await look();
      const buckets = aggregations?.experiments.buckets ?? [];
      const newest = buckets.flatMap(({ ended }) => ended.newest.hits.hits.slice(0, 1));
      const past = await memory.of(newest.map(stampOf), readRuns);
      const active = activeOf(hits.map(({ _source }) => _source));
      return new Map(
        buckets.map(({ key, doc_count: runs, ended }) => {
          const [found] = ended.newest.hits.hits;
          const last = (found && past.get(found._id)) ?? null;
          const lastStamp = found ? stampOf(found).stamp : '';
          return [key, { runs, active: active.get(key) ?? null, last, lastStamp }];
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

/** Writers set the version, to the time in ms: two writes within one differ by what the index counts. */
const stampOf = ({ _id, _version, _seq_no, _primary_term, fields = {} }: Newest): Stamped => ({
  id: _id,
  stamp: [_version, `${_seq_no}-${_primary_term}`, ...LOOKED_UP.map((name) => fields[name]?.[0])].join(' '),
});

/** `unfinished`: the oldest first. */
function activeOf(unfinished: readonly Going[]): Map<string, ActiveRun> {
  const active = new Map<string, ActiveRun>();
  for (const run of unfinished) {
    const { id } = run.experiment;
    const before = active.get(id);
    if (before === undefined || before.run.state === 'waiting') active.set(id, run);
  }
  return active;
}
