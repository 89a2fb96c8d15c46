/**
 * Reads the *history run* of each run. This is a summary for comparing the runs of an experiment over time. It is in the document of the
 * run, or is calculated from the trials of the run.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Definition } from '../../common/experiment/definition';
import { resolvePlan } from '../../common/experiment/plan';
import type { RunDocument } from '../../common/experiment/run';
import { historyRunOf, type HistoryRun } from '../../common/history/history-run';
import { indicesOf, type CompletedRun } from './completed-runs';
import { search, searchIndex, searchPages } from './search';
import { RUNS, TRIALS, trialOf, type StoredTrial } from './stored';
import { packHistoryRun, storedHistoryRun, type PackedHistoryRun } from './stored-history-run';

/** Number of runs that are read with one search. The summary of a run (history run) has about 3 KB, and more with cluster metrics. */
const SLICE = 100;
const SLICE_WITH_CLUSTER = 50;

/** Number of trials, or of definitions, that are read with one search. */
const PAGE = 500;

/**
 * Number of runs whose trials are read together. The trials of one run have a few hundred KB without histograms. The requests are small,
 * because the results cluster may also be the cluster under test.
 */
const RUNS_AT_ONCE = 10;

interface HistoryRunFields {
  'run.id': [string];
  'night.figures'?: [string];
  'night.cluster'?: [string];
}

/** Reads the summaries (history runs) in the documents of these runs. Runs whose documents contain no summary are missing in the result. */
async function readKept(
  client: ElasticsearchClient,
  runs: readonly CompletedRun[],
  withCluster: boolean,
): Promise<PackedHistoryRun[]> {
  const at = new Map(runs.map((run) => [run.id, run.at]));
  const { hits } = await searchIndex(
    client,
    { index: indicesOf(runs), what: RUNS },
    {
      size: runs.length,
      query: { terms: { 'run.id': [...at.keys()] } },
      stored_fields: '_none_',
      docvalue_fields: ['run.id', 'night.figures', ...(withCluster ? ['night.cluster'] : [])],
    },
  );
  return hits.flatMap(({ fields }) => {
    const own = fields as unknown as HistoryRunFields;
    const [run] = own['run.id'];
    const [figures, cluster] = [own['night.figures']?.[0], own['night.cluster']?.[0]];
    return storedHistoryRun({ run, at: at.get(run)! }, { figures, cluster }) ?? [];
  });
}

/**
 * Calculates the summaries (history runs) of these runs from their trials. It is called for runs whose documents contain no summary.
 * Returns the summaries by run id.
 */
async function makeOfTrials(
  client: ElasticsearchClient,
  runs: readonly CompletedRun[],
): Promise<Map<string, HistoryRun>> {
  const found = new Map<string, HistoryRun>();
  for (let from = 0; from < runs.length; from += RUNS_AT_ONCE) {
    const ids = runs.slice(from, from + RUNS_AT_ONCE).map(({ id }) => id);
    const query = { terms: { 'run.id': ids } };
    const documents = await search<
      Pick<RunDocument, 'run' | 'definition' | 'plan' | 'provenance' | 'progress' | 'verdict'>
    >(client, RUNS, {
      size: ids.length,
      query,
      _source: ['run', 'definition', 'plan', 'provenance', 'progress', 'verdict'],
    });
    const trials = await readTrials(client, query);
    for (const { _source: run } of documents.hits) {
      const own = trials.filter((trial) => trial.run.id === run.run.id).map(trialOf);
      found.set(run.run.id, historyRunOf(run, resolvePlan(run), own));
    }
  }
  return found;
}

async function readTrials(client: ElasticsearchClient, query: object): Promise<StoredTrial[]> {
  const found: StoredTrial[] = [];
  const pages = searchPages<StoredTrial>(client, TRIALS, {
    size: PAGE,
    query,
    sort: [{ 'trial.id': { order: 'asc', unmapped_type: 'keyword' } }],
    // Excludes the histograms, which are the largest part of a trial. The percentiles have their own fields.
    _source: {
      excludes: ['tasks.*Histogram', 'tasks.replay', 'tasks.failures', 'tasks.retries', 'factors', 'figures'],
    },
  });
  for await (const hits of pages) for (const { _source } of hits) found.push(_source);
  return found;
}

/**
 * Yields the summaries (history runs) of these runs, several at a time. If the document of a run contains no summary, the summary is
 * calculated from the trials.
 */
export async function* readHistoryRuns(
  client: ElasticsearchClient,
  runs: readonly CompletedRun[],
  withCluster: boolean,
): AsyncGenerator<PackedHistoryRun[]> {
  const size = withCluster ? SLICE_WITH_CLUSTER : SLICE;
  for (let from = 0; from < runs.length; from += size) {
    const slice = runs.slice(from, from + size);
    const kept = await readKept(client, slice, withCluster);
    const found = new Set(kept.map(({ run }) => run));
    const made = await makeOfTrials(
      client,
      slice.filter(({ id }) => !found.has(id)),
    );
    yield [
      ...kept,
      ...[...made.values()].map((night): PackedHistoryRun => {
        const { figures, cluster } = packHistoryRun(night);
        return { run: night.run, at: night.at, figures, cluster: withCluster ? cluster : undefined };
      }),
    ];
  }
}

/** Returns the definitions of these runs, by run id. */
export async function readDefinitions(
  client: ElasticsearchClient,
  runs: readonly string[],
): Promise<Map<string, Definition>> {
  const found = new Map<string, Definition>();
  for (let from = 0; from < runs.length; from += PAGE) {
    const ids = runs.slice(from, from + PAGE);
    const { hits } = await search<Pick<RunDocument, 'run' | 'definition'>>(client, RUNS, {
      size: ids.length,
      query: { terms: { 'run.id': ids } },
      _source: ['run.id', 'definition'],
    });
    for (const { _source } of hits) found.set(_source.run.id, _source.definition);
  }
  return found;
}
