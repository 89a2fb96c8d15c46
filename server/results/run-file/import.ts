/** Stores the runs of a file. The whole file is checked before anything is stored. Importing the same file again changes nothing. */
import type { ImportedRun, ImportProgress } from '../../../common/api/run-files';
import { leftBehind, leftSentences } from '../../../common/experiment/left-behind';
import { INACTIVE_STATES, type RunDocument } from '../../../common/experiment/run';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DynoError, inputError, runError, type Problem } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask } from '../answer';
import { deliver } from '../bulk';
import { removeRun } from '../removal';
import { refresh, search } from '../search';
import type { SpaceId } from '../space';
import { METRICS, RUNS, type StoredDocument } from '../stored';
import { installMissing, installTemplates, type Template } from '../templates';
import { documentsOf, isUnfinished } from './export';
import { placed, readRunFile, RunSum, type CountedRun, type FileHead } from './format';

export interface ImportOptions {
  /** Whether to replace stored runs whose content differs from the file. By default, these runs are refused. */
  replace?: boolean;
  /** Kibana space in which the runs are stored; undefined outside Kibana. */
  space?: SpaceId;
  /** Index template for the events of Dyno's collector. Without it, events are stored only if this template is already installed. */
  metricsTemplate?: Template;
  /** Size of the compressed file in bytes. It is needed to report the progress of the check as a share of this size. */
  fileBytes?: number;
  onProgress?: (progress: ImportProgress) => void;
  /** Maximum size of the uncompressed text, in bytes. */
  mostBytes?: number;
}

/** First line of a checked file, and the counts in its last line. */
export interface CheckedFile extends FileHead {
  counts: CountedRun[];
}

/** Opens a file, and reads it from the beginning. It can be called several times, because the file is first checked and then stored. */
export type OpenFile = () => AsyncIterable<Buffer>;

const AT_ONCE = 500;
/** Number of trials or profiles per bulk request. A trial with its histograms has about 100 KB, and a profile at most 1 MB. */
const LARGE_AT_ONCE = 50;

/** Yields the chunks of a file. Reports the share of the file that was read. */
async function* reading(
  file: AsyncIterable<Buffer>,
  { fileBytes, onProgress }: Pick<ImportOptions, 'fileBytes' | 'onProgress'>,
): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of file) {
    read += chunk.length;
    if (fileBytes !== undefined) onProgress?.({ step: 'checking', share: Math.min(1, read / fileBytes) });
    yield chunk;
  }
}

/** Adds to an error message that nothing was stored. After a failed import, users want to know this first. */
const withNothingStored = ({ kind, problems }: DynoError): DynoError =>
  new DynoError(
    kind,
    problems.map((problem) => ({ ...problem, message: `${problem.message}; nothing was stored` })),
  );

/**
 * Reads and checks the whole file. Rejects with a DynoError (input): `results.file` if the file is damaged or contains a run that has not
 * ended, `results.file-newer` if a newer version of Dyno wrote it.
 */
export async function checkRunFile(
  open: OpenFile,
  options: Pick<ImportOptions, 'mostBytes' | 'fileBytes' | 'onProgress'> = {},
): Promise<CheckedFile> {
  const { mostBytes } = options;
  let head: FileHead | undefined;
  const reader = { head: (read: FileHead) => void (head = read), document: () => undefined };
  const counts = await readRunFile(
    reading(open(), options),
    reader,
    mostBytes === undefined ? {} : { mostBytes },
  ).catch((error: unknown) => {
    throw error instanceof DynoError ? withNothingStored(error) : error;
  });
  const unfinished = head!.runs.find(isUnfinished);
  if (unfinished)
    throw inputError(
      'results.file',
      unfinished.id,
      `the run is ${unfinished.state} in the file: only runs that have ended can be imported`,
    );
  return { ...head!, counts };
}

type StoredRun = Pick<RunDocument, 'run' | 'experiment' | 'provenance'>;

/** Finds the stored runs with these ids. They may be in any space, because ids are unique across spaces. */
async function findStored(
  client: ElasticsearchClient,
  ids: readonly string[],
): Promise<Map<string, StoredRun>> {
  await refresh(client, RUNS);
  const found = new Map<string, StoredRun>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const { hits } = await search<StoredRun>(client, RUNS, {
      query: { terms: { 'run.id': ids.slice(from, from + AT_ONCE) } },
      size: AT_ONCE,
      _source: ['run', 'experiment', 'provenance'],
    });
    for (const { _source } of hits) found.set(_source.run.id, _source);
  }
  return found;
}

async function sumOf(client: ElasticsearchClient, run: string): Promise<CountedRun> {
  const sum = new RunSum(run);
  for await (const document of documentsOf(client, run, { events: false })) sum.add(document);
  return sum.sum;
}

type Plan = Map<string, ImportedRun['outcome']>;

/**
 * Decides for each run whether it is stored, replaced or unchanged. Rejects with a DynoError `results.run-there` (input) that contains a
 * problem for each run that must not be replaced.
 */
async function planImport(
  client: ElasticsearchClient,
  { counts }: CheckedFile,
  { replace = false, space }: ImportOptions,
): Promise<Plan> {
  const stored = await findStored(
    client,
    counts.map(({ id }) => id),
  );
  const plan: Plan = new Map();
  const problems: Problem[] = [];
  for (const { id, sha256 } of counts) {
    const there = stored.get(id);
    const refuse = (message: string, allowed?: string): void =>
      void problems.push({
        code: 'results.run-there',
        path: id,
        message: `${message}; nothing was stored`,
        ...(allowed === undefined ? {} : { allowed }),
      });
    if (there === undefined) {
      plan.set(id, 'stored');
      continue;
    }
    const { run, experiment } = there;
    const left = leftBehind(there);
    if (space !== undefined && (experiment.space ?? 'default') !== space)
      refuse('a run of this id belongs to another space');
    else if ((await sumOf(client, id)).sha256 === sha256) plan.set(id, 'unchanged');
    else if (!INACTIVE_STATES.includes(run.state)) refuse(`the run is already stored, and ${run.state}`);
    else if (replace && left)
      refuse(
        `the run is already stored, and left something in its target: ${leftSentences(left).join(', ')}`,
        'clean up first',
      );
    else if (replace) plan.set(id, 'replaced');
    else
      refuse(
        'the run is already stored with different content',
        'replace it (`--replace`), which removes the stored run',
      );
  }
  if (problems.length > 0) throw new DynoError('input', problems);
  return plan;
}

/**
 * Throws all errors except that of a missing privilege. Credentials may allow writing documents but not installing templates. In that case,
 * Kibana or the standalone server must have installed the templates.
 */
const orForbidden = (error: unknown): void => {
  if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
};

/**
 * Returns whether the events of Dyno's collector can be stored, which requires an index template. Without a template, the first event would
 * determine the types of the fields.
 */
async function mayStoreMetrics(
  client: ElasticsearchClient,
  template: Template | undefined,
): Promise<boolean> {
  if (template) await installMissing(client, [template]).catch(orForbidden);
  const isThere = await ask(client, api.templateExists(METRICS), 'look for a template', {
    failed: () => false,
  });
  return isThere !== false;
}

/**
 * Stores the runs of a file.
 * Rejects with a DynoError (input) `results.file`, `results.file-newer` or `results.run-there` before anything is stored. Rejects with a
 * DynoError `results.*` or the errors of the client if Elasticsearch does not accept the documents. A run becomes visible only after all
 * its documents are stored. Therefore, a failed import can be repeated.
 */
export async function importRuns(
  client: ElasticsearchClient,
  open: OpenFile,
  options: ImportOptions = {},
): Promise<ImportedRun[]> {
  const file = await checkRunFile(open, options);
  const plan = await planImport(client, file, options);
  await installTemplates(client).catch(orForbidden);
  const holdsMetrics = file.counts.some(({ metrics }) => metrics > 0);
  const keepsMetrics = holdsMetrics && (await mayStoreMetrics(client, options.metricsTemplate));
  // The new version must be higher than the versions of the documents that were just removed, because Elasticsearch remembers these for a
  // while.
  const version = Date.now();
  for (const [run, outcome] of plan) if (outcome === 'replaced') await removeRun(client, run);

  const all = file.counts.reduce(
    (sum, { samples, metrics, trials, profiles = 0 }) => sum + samples + metrics + trials + profiles + 1,
    0,
  );
  let done = 0;
  let batch: StoredDocument[] = [];
  const send = async (run: string): Promise<void> => {
    const { rejected, superseded, hindrance } = await deliver(client, batch);
    if (hindrance) throw new DynoError('run', [hindrance]);
    const [refused] = rejected;
    if (refused || superseded.length > 0) {
      await removeRun(client, run);
      const why = refused ? `${refused.document.id}: ${refused.reason}` : 'a newer state is stored';
      throw runError(
        'results.refused',
        run,
        `the run was not imported, because a document was refused: ${why}`,
      );
    }
    done += batch.length;
    batch = [];
    options.onProgress?.({ step: 'storing', share: done / all });
  };
  await readRunFile(open(), {
    head: () => undefined,
    async document(document) {
      const run = document.source.run.id;
      if (plan.get(run) === 'unchanged' || (document.kind === 'metrics' && !keepsMetrics)) {
        done += 1;
        return;
      }
      // The run's own document is stored last, because it makes the run visible.
      if (document.kind === 'run') await send(run);
      batch.push(placed(document, version, options.space));
      const most = document.kind === 'trials' || document.kind === 'profiles' ? LARGE_AT_ONCE : AT_ONCE;
      if (batch.length >= most || document.kind === 'run') await send(run);
    },
  });
  return file.counts.map(({ id, samples, metrics, trials }, at) => ({
    id,
    experiment: file.runs[at]!.experiment,
    outcome: plan.get(id)!,
    samples,
    trials,
    metrics: keepsMetrics ? metrics : 0,
    metricsLeftOut: keepsMetrics ? 0 : metrics,
  }));
}
