/**
 * A small index for requests that a user tries before a run. The index has the settings of the definition and some of its documents. It is
 * removed afterwards. Its mapping names this process, so that a later process can remove the index after a crash.
 */
import { baselineIndex } from '../../../common/experiment/cells';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { Definition } from '../../../common/experiment/definition';
import { preloadSource } from '../../../common/experiment/preload';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import { ORDINAL } from '../../../common/generators/vectors';
import { parsePlain, stringifyPlain } from '../../../common/json/exact';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import type { IngestJob } from '../../../common/tasks/ingest';
import { operationJob, task as taskSchema } from '../../../common/tasks/registry';
import type { ParseDefinition } from '../../../common/tasks/parse';
import { plural } from '../../../common/units/format';
import { sourceFile } from '../../load/sources/check';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';
import type { Connection } from '../../target-cluster/connection';
import { createIndex, dropIndex, findMarkedIndices } from '../../target-cluster/index-lifecycle';
import { describeHolder, findTargetHolder } from '../../target-cluster/lease';
import { refresh } from '../../target-cluster/maintenance';
import { waitUntilReady } from '../../target-cluster/readiness';
import { thisProcess } from '../../process-life';
import { indexName, isHolderGone, isStaleProbe, newRunId, TRY_MARK } from '../active-run/active-run';
import { indicesToCreate, pipelineBody } from '../trial/trials';
import { linesOf, sampleDocuments } from './sample-documents';

/** Number of documents: enough for most queries to find something, and few enough to be created quickly. */
const DOCUMENTS = 300;
const READY_MS = 20_000;
const BULK_MS = 30_000;

export interface Temporary {
  name: string;
  /** Number of documents in the index. */
  documents: number;
  /** Sentences that say how this index differs from the index of a trial. */
  notes: string[];
}

export interface TemporaryPlace {
  connection: Connection;
  folder: string;
  signal: AbortSignal;
}

/**
 * Creates a temporary index with the settings of `definition`, calls `use`, and always removes the index afterwards. If the definition has
 * factors, the index is that of the baseline. Rejects with a DynoError: `target.illegal-index` if Elasticsearch refuses the settings or the
 * mapping, `target.busy` if a run is measuring on the cluster.
 */
export async function withTemporaryIndex<T>(
  definition: Definition,
  place: TemporaryPlace,
  use: (index: Temporary) => Promise<T>,
): Promise<T> {
  const { connection, signal } = place;
  await checkIdle(connection);
  await removeStale(connection);
  const cell = resolveCells(definition)[baselineIndex(definition)]!.definition;
  const run = newRunId(new Date());
  const name = `${indexName(cell.index.name, run, 0)}-try`;
  const mark = { run, trial: TRY_MARK, experiment: definition.name, carrier: thisProcess() };
  try {
    for (const wanted of indicesToCreate(cell, [name], mark)) await createIndex(connection, wanted);
    const notes = await waitUntilReady(connection, [name], READY_MS, signal);
    const filled = await fill(cell, name, place);
    return await use({ name, documents: filled.documents, notes: [...notes, ...filled.notes] });
  } finally {
    await drop(connection, name);
  }
}

async function checkIdle(connection: Connection): Promise<void> {
  const holder = await findTargetHolder(connection, isHolderGone);
  if (holder === undefined) return;
  throw runError(
    'target.busy',
    '',
    `${describeHolder(holder)} measures on this cluster, and a temporary index would disturb it: try again when it has ended, or choose an index of the target`,
  );
}

/** Removes temporary indices that a dead process left behind. */
async function removeStale(connection: Connection): Promise<void> {
  for (const { index, mark } of await findMarkedIndices(connection))
    if (mark.trial === TRY_MARK && isStaleProbe(mark)) await dropIndex(connection, index);
}

async function drop(connection: Connection, name: string): Promise<void> {
  try {
    await dropIndex(connection, name);
  } catch (error) {
    throw runError(
      'target.try-left',
      '',
      `${messageOf(error)}; the temporary index ${name} could not be removed: the next run on this cluster removes it`,
      error,
    );
  }
}

interface Filled {
  documents: number;
  notes: string[];
}

async function fill(cell: CellDefinition, index: string, place: TemporaryPlace): Promise<Filled> {
  const loading = loadingJob(cell, place.folder);
  if (loading === undefined)
    return { documents: 0, notes: ['the definition names no source of documents, so the index is empty'] };
  const { job, parse } = loading;
  const { connection, signal } = place;
  const batch = await sampleDocuments({ job, index, count: DOCUMENTS, seed: cell.seed, signal });
  signal.throwIfAborted();
  const body = linesOf(batch);
  const { lines, notes } =
    parse === undefined ? { lines: body, notes: [] } : await parsed(connection, body, parse);
  const { stored, refused, why } = await send(connection, index, lines, job.pipeline);
  await refresh(connection, index);
  if (refused > 0) notes.push(`${plural(refused, 'document')} of ${batch.count} could not be stored: ${why}`);
  return { documents: stored, notes };
}

/**
 * Returns the job that loads documents before requests are sent. It only creates new documents. Undefined if the definition has no source
 * of documents.
 */
function loadingJob(
  cell: CellDefinition,
  folder: string,
): { job: IngestJob; parse: ParseDefinition | undefined } | undefined {
  const source = preloadSource(cell);
  if (source === undefined) return undefined;
  const ingest = cell.tasks.find((task) => task.ingest)?.ingest;
  const isOwn = cell.preload?.source === undefined;
  const parse = isOwn ? ingest?.parse : undefined;
  const ids =
    source.vectors === undefined
      ? ingest?.ids && { by: ingest.ids.by, field: ingest.ids.field }
      : { by: 'field', field: ORDINAL };
  const read = taskSchema.parse({
    name: 'try',
    ingest: {
      source,
      pipeline: ingest?.pipeline,
      ids,
      routing: cell.preload?.routing ?? (isOwn ? ingest?.routing : undefined),
    },
  });
  const { index, seed } = cell;
  const resolveFile = (file: string): string => sourceFile(file, folder);
  const job = operationJob(read, { index, seed, resolveFile, pipeline: undefined });
  return { job: job as unknown as IngestJob, parse };
}

/** Lets the target parse the lines of a source, with an ingest pipeline that exists only in the request. */
async function parsed(
  connection: Connection,
  body: readonly string[],
  parse: ParseDefinition,
): Promise<{ lines: readonly string[]; notes: string[] }> {
  const sources = body.flatMap((line, at) => (at % 2 === 1 ? [parsePlain(line)] : []));
  try {
    const { docs: answers } = await ask(
      connection,
      { ...api.simulatePipeline(pipelineBody(parse), sources), timeoutMs: BULK_MS },
      'parse the lines of the documents',
    );
    const lines = body.map((line, at) =>
      at % 2 === 0 ? line : stringifyPlain(answers[(at - 1) / 2]?.doc?._source ?? parsePlain(line)),
    );
    return { lines, notes: [] };
  } catch (error) {
    if (!(error instanceof DynoError) || !/No processor type/.test(error.message)) throw error;
    return {
      lines: body,
      notes: [
        'the target has no grok processor to parse the lines for this try, so the documents contain unparsed lines',
      ],
    };
  }
}

async function send(
  connection: Connection,
  index: string,
  lines: readonly string[],
  pipeline: string | undefined,
): Promise<{ stored: number; refused: number; why: string }> {
  const { items } = await ask(
    connection,
    api.bulkInto(index, `${lines.join('\n')}\n`, { timeoutMs: BULK_MS, pipeline }),
    'store documents in the temporary index',
  );
  const all = items.flatMap((item) => Object.values(item));
  const wrong = all.filter(({ status }) => status >= 300);
  const { type = '', reason = '' } = wrong[0]?.error ?? {};
  if (all.length > 0 && wrong.length === all.length)
    throw inputError(
      'try.documents',
      'index.mapping',
      `the documents of the definition do not fit its index: all ${all.length} were refused, the first as ${type}: ${reason}`,
    );
  return { stored: all.length - wrong.length, refused: wrong.length, why: `${type}: ${reason}` };
}
