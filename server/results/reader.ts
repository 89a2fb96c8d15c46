/** Reads stored results: runs, their trials and their samples. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ACTIVE_STATES, type RunDocument, type RunState } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import type { SeriesSample } from '../../common/report/model/series';
import { inputError } from '../../common/problem';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import type { ProfileChoice, ProfileHead } from '../../common/report/model/profile';
import { getProfiles, listProfiles } from './profiles';
import { refresh, search, searchPages } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS, SAMPLES, TRIALS, trialOf, type StoredTrial } from './stored';

export interface ResultsReader {
  /**
   * Finds a run by its id or by the beginning of its id. Resolves to undefined if no run matches. Rejects with a DynoError
   * `results.ambiguous-run` (input) if several runs match.
   */
  getRun(idOrPrefix: string): Promise<RunDocument | undefined>;
  /** Lists runs, the newest first. */
  listRuns(options: {
    limit: number;
    states?: readonly RunState[];
    /** Id of the experiment whose runs are listed; all experiments by default. */
    experiment?: string;
  }): Promise<RunDocument[]>;
  /** Reads the trials of these runs, in the order of their execution. */
  getTrials(...runIds: string[]): Promise<TrialDocument[]>;
  /** Reads the runs with these ids. Ids without a run are ignored. */
  getRuns(ids: readonly string[]): Promise<RunDocument[]>;
  /** Reads the samples of a run or of one trial, in the order of their times. */
  getSamples(of: { run: string } | { trial: string }): Promise<SampleDocument[]>;
  /** Reads only the fields of samples that the charts of a report need. The samples are in chronological order. */
  getSeriesSamples(run: string): Promise<SeriesSample[]>;
  /** Lists the profiles of a run without their stacks, in the order of its trials. Empty for a run without profiles. */
  listProfiles(run: string): Promise<ProfileHead[]>;
  /** Reads the chosen profiles of a run, in the order of its trials. Their stacks are still packed. */
  getProfiles(run: string, choice: ProfileChoice): Promise<ProfileDocument[]>;
  /** Finds runs that have changed settings of the cluster with this uuid and have not restored them. The oldest run comes first. */
  findRunsWithReplaced(clusterUuid: string): Promise<RunDocument[]>;
  /** Finds runs of all processes whose stored state is queued or running. The oldest run comes first. */
  findActiveRuns(): Promise<RunDocument[]>;
}

type Sort = readonly Record<string, { order: 'asc' | 'desc'; unmapped_type: string }>[];

const by = (field: string, type: string, order: 'asc' | 'desc' = 'asc'): Sort[number] => ({
  [field]: { order, unmapped_type: type },
});

/** Number of hits that are read with one search. A sample with its histograms has about 2 KB. */
const PAGE = 2000;

/** Names of the fields of a {@link SeriesSample}. Together, they have a twentieth of the size of a sample. */
const SERIES_FIELDS = ['@timestamp', 'trial.id', 'task', 'phase', 'throughput'];

/**
 * Creates a reader. Reads include everything that was written before the call. A missing index counts as empty. Reads reject with a
 * DynoError `results.unauthorised`, `results.forbidden` or `results.refused`, or with the errors of the client.
 */
export function createResultsReader(
  client: ElasticsearchClient,
  { space }: { space?: SpaceId } = {},
): ResultsReader {
  /** Restricts a query to the space, so that runs of other spaces are not found. */
  const visible = (query: object): object => (space === undefined ? query : withinSpace(query, space));

  async function some<T>(kind: string, query: object, sort: Sort, size: number): Promise<T[]> {
    await refresh(client, kind);
    const { hits } = await search<T>(client, kind, { query, sort, size });
    return hits.map(({ _source }) => _source);
  }

  async function all<T>(kind: string, query: object, sort: Sort, fields?: readonly string[]): Promise<T[]> {
    await refresh(client, kind);
    const found: T[] = [];
    const part = fields === undefined ? {} : { _source: fields };
    for await (const hits of searchPages<T>(client, kind, { query, sort, size: PAGE, ...part }))
      for (const { _source } of hits) found.push(_source);
    return found;
  }

  const newestFirst: Sort = [by('@timestamp', 'date', 'desc'), by('run.id', 'keyword')];
  const oldestFirst: Sort = [by('@timestamp', 'date'), by('run.id', 'keyword')];
  const inTime: Sort = [
    by('@timestamp', 'date'),
    ...['trial.id', 'task', 'phase'].map((field) => by(field, 'keyword')),
  ];
  const anyState = (states: readonly RunState[]): object => ({ terms: { 'run.state': states } });

  return {
    async getRun(idOrPrefix) {
      if (idOrPrefix === '') return undefined;
      const [run] = await some<RunDocument>(
        RUNS,
        visible({ term: { 'run.id': idOrPrefix } }),
        newestFirst,
        1,
      );
      if (run !== undefined) return run;
      const found = await some<RunDocument>(
        RUNS,
        visible({ prefix: { 'run.id': idOrPrefix } }),
        newestFirst,
        10,
      );
      if (found.length < 2) return found[0];
      throw inputError('results.ambiguous-run', 'run', 'several run ids begin with this text', {
        found: idOrPrefix,
        allowed: found.map(({ run: { id } }) => id).join(', '),
      });
    },

    listRuns({ limit, states, experiment }) {
      const filter = [
        ...(states === undefined ? [] : [anyState(states)]),
        ...(experiment === undefined ? [] : [{ term: { 'experiment.id': experiment } }]),
      ];
      return some(RUNS, visible({ bool: { filter } }), newestFirst, limit);
    },

    async getTrials(...runIds) {
      const sort = [by('trial.order', 'long'), by('trial.id', 'keyword')];
      const stored = await all<StoredTrial>(TRIALS, { terms: { 'run.id': runIds } }, sort);
      return stored.map(trialOf);
    },

    getRuns: (ids) => all(RUNS, visible({ terms: { 'run.id': ids } }), newestFirst),

    getSamples(of) {
      const query = 'run' in of ? { term: { 'run.id': of.run } } : { term: { 'trial.id': of.trial } };
      return all(SAMPLES, query, inTime);
    },

    getSeriesSamples: (run) => all(SAMPLES, { term: { 'run.id': run } }, inTime, SERIES_FIELDS),

    listProfiles: (run) => listProfiles(client, run),

    getProfiles: (run, choice) => getProfiles(client, run, choice),

    findRunsWithReplaced(clusterUuid) {
      return all(RUNS, { term: { 'run.replaced.cluster': clusterUuid } }, oldestFirst);
    },

    findActiveRuns() {
      return all(RUNS, visible(anyState(ACTIVE_STATES)), oldestFirst);
    },
  };
}
