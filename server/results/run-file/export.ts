/** Writes runs with all their documents to one file. The documents are read in pages. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { FINAL_STATES, type RunDocument } from '../../../common/experiment/run';
import { inputError, runError } from '../../../common/problem';
import { secretRemover } from '../../../common/secrets/definition';
import { refresh, search, searchPages } from '../search';
import { withinSpace, type SpaceId } from '../space';
import { METRICS, PROFILES, RUNS, SAMPLES, trialOf, TRIALS, type StoredTrial } from '../stored';
import { headLine, lineOf, RunSum, type FileDocument, type HeadedRun } from './format';

/**
 * Number of documents that are read with one search. A sample has about 2 KB, an event of Dyno's collector 5 KB, a trial with its
 * histograms 100 KB, and a profile at most 1 MB.
 */
const PAGES = { [SAMPLES]: 2000, [METRICS]: 1000, [PROFILES]: 8, [TRIALS]: 20 } as const;
/** Number of runs that are listed with one search. */
const RUNS_AT_ONCE = 5000;

const by = (field: string, type: string): object => ({ [field]: { order: 'asc', unmapped_type: type } });

const SORTS = {
  [SAMPLES]: [
    by('@timestamp', 'date'),
    by('trial.id', 'keyword'),
    by('task', 'keyword'),
    by('phase', 'keyword'),
  ],
  // The order in which an import writes the documents.
  [METRICS]: [by('@timestamp', 'date'), { _seq_no: { order: 'asc' } }],
  [PROFILES]: [by('trial.order', 'long'), by('trial.id', 'keyword'), by('event', 'keyword')],
  [TRIALS]: [by('trial.order', 'long'), by('trial.id', 'keyword')],
} as const;

interface Hit {
  _index: string;
  _id: string;
  _source: unknown;
}

async function* pagesOf(
  client: ElasticsearchClient,
  kind: keyof typeof PAGES,
  run: string,
): AsyncGenerator<Hit> {
  await refresh(client, kind);
  const pages = searchPages<unknown>(client, kind, {
    query: { term: { 'run.id': run } },
    sort: SORTS[kind],
    size: PAGES[kind],
  });
  for await (const hits of pages) yield* hits;
}

/**
 * Yields the documents of a run in the order in which a run file contains them. `events`: whether to include the events of Dyno's
 * collector. Credentials are removed from definitions, because users may pass the file on. Rejects with the errors of the results reader.
 */
export async function* documentsOf(
  client: ElasticsearchClient,
  run: string,
  { events }: { events: boolean },
): AsyncGenerator<FileDocument> {
  const document = async (): Promise<RunDocument | undefined> => {
    const found = await search<RunDocument>(client, RUNS, { query: { term: { 'run.id': run } }, size: 1 });
    return found.hits[0]?._source;
  };
  const removed = secretRemover((await document())?.definition);
  for await (const { _source } of pagesOf(client, SAMPLES, run))
    yield { kind: 'samples', source: _source } as FileDocument;
  if (events)
    for await (const { _index: index, _id: id, _source: source } of pagesOf(client, METRICS, run))
      yield { kind: 'metrics', index, id, source } as FileDocument;
  for await (const { _source } of pagesOf(client, PROFILES, run))
    yield { kind: 'profiles', source: _source } as FileDocument;
  for await (const { _source } of pagesOf(client, TRIALS, run))
    yield { kind: 'trials', source: removed(trialOf(_source as StoredTrial)) as unknown } as FileDocument;
  await refresh(client, RUNS);
  const source = await document();
  if (source) yield { kind: 'run', source: removed(source) as unknown } as FileDocument;
}

const HEADED = ['run.id', 'run.state', 'run.started', 'experiment.id', 'experiment.name'];

type Headed = Pick<RunDocument, 'run' | 'experiment'>;

/**
 * Lists the runs of an experiment, or the runs with these ids, the oldest first. If `space` is set, runs of other spaces are left out.
 * Rejects with the errors of the results reader.
 */
export async function findHeaded(
  client: ElasticsearchClient,
  of: { experiment: string } | { runs: readonly string[] },
  space?: SpaceId,
): Promise<HeadedRun[]> {
  await refresh(client, RUNS);
  const query =
    'experiment' in of ? { term: { 'experiment.id': of.experiment } } : { terms: { 'run.id': of.runs } };
  const found: HeadedRun[] = [];
  const pages = searchPages<Headed>(client, RUNS, {
    query: space === undefined ? query : withinSpace(query, space),
    sort: [by('@timestamp', 'date'), by('run.id', 'keyword')],
    size: RUNS_AT_ONCE,
    _source: HEADED,
  });
  for await (const hits of pages) {
    for (const { _source } of hits) {
      const { run, experiment } = _source;
      const { id, name } = experiment;
      found.push({ id: run.id, experiment: { id, name }, state: run.state, started: run.started });
    }
  }
  return found;
}

/** Returns whether a run is queued, running or waiting. Such a run cannot be exported. */
export const isUnfinished = ({ state }: HeadedRun): boolean =>
  !FINAL_STATES.includes(state as RunDocument['run']['state']);

/** Throws a DynoError `run.unfinished` (input) if one of the runs is queued, running or waiting. */
export function checkFinished(runs: readonly HeadedRun[]): void {
  const unfinished = runs.find(isUnfinished);
  if (unfinished)
    throw inputError(
      'run.unfinished',
      unfinished.id,
      `the run is ${unfinished.state}: only runs that have ended are exported`,
    );
}

async function* textOf(
  client: ElasticsearchClient,
  runs: readonly HeadedRun[],
  dyno: string,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const sums: RunSum[] = [];
  let text = headLine(new Date().toISOString(), dyno, runs);
  hash.update(text);
  yield text;
  for (const { id } of runs) {
    const sum = new RunSum(id);
    sums.push(sum);
    for await (const document of documentsOf(client, id, { events: true })) {
      sum.add(document);
      text = lineOf(document);
      hash.update(text);
      yield text;
    }
    if (!sum.hasRun) throw runError('run.not-found', id, 'the run was deleted while it was exported');
  }
  yield lineOf({ runs: sums.map(({ sum }) => sum), sha256: hash.digest('hex') });
}

/**
 * Returns the content of a file with these runs as a stream. Throws a DynoError `run.unfinished` unless all runs have ended. `dyno`:
 * version of Dyno to record in the file. If the results cluster does not respond, the stream ends with an error. An import of the
 * incomplete file then reports that it is truncated.
 */
export function exportRuns(client: ElasticsearchClient, runs: readonly HeadedRun[], dyno: string): Readable {
  checkFinished(runs);
  const out = new PassThrough();
  pipeline(Readable.from(textOf(client, runs, dyno)), createGzip(), out).catch(() => undefined);
  return out;
}
