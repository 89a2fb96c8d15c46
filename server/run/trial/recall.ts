/**
 * Finds the true neighbours that are needed to determine the recall of requests. This happens before the load. The neighbours are stored in
 * Dyno's data folder, so that they are found only once for the same documents and queries.
 */
import { stringifyPlain } from '../../../common/json/exact';
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { preloadSource } from '../../../common/experiment/preload';
import { similarityOf } from '../../../common/experiment/vectors';
import { ORDINAL, vectorSet, type VectorSet } from '../../../common/generators/vectors';
import { queriesOf, withQueriesLike } from '../../../common/parameters/registry';
import { inputError, messageOf } from '../../../common/problem';
import type { RecallAsked, RecallJob } from '../../../common/requests/recall';
import { changingTasks, parametersOf, recallsOf } from '../../../common/tasks/registry';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { formatNumber, formatPercent } from '../../../common/units/format';
import { NeighbourLists } from '../../load/neighbours/lists';
import { findNeighbours } from '../../load/neighbours/neighbours';
import type { NeighboursOrder } from '../../load/neighbours/nearest';
import { sourceFile } from '../../load/sources/check';
import { vectorReader } from '../../load/sources/vectors';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';
import { writeWhole } from '../../whole-file';

/** True neighbours for the requests of a load, by name of the task, and within a task by position of the request. */
export type Recalls = ReadonlyMap<string, ReadonlyMap<number, RecallJob>>;

export interface RecallInput {
  definition: CellDefinition;
  client: ElasticsearchClient;
  indices: readonly string[];
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  /** Folder in which true neighbours are stored for later trials. If undefined, each trial determines them again. */
  neighboursFolder?: string | undefined;
  workerFile: string;
  signal: AbortSignal;
  /** Called with a description of an operation that takes long; '' when it has finished. */
  onDoing: (doing: string) => void;
  onNote: (message: string) => void;
}

/** Version of the files with stored neighbours, and of the code that finds the neighbours. Must be increased when either changes. */
const FORM = 1;
/** Number of documents per page, when the documents that match a filter are read. */
const PAGE = 10_000;

/**
 * Determines the true neighbours. Rejects with a DynoError if a file cannot be read or a filter cannot be evaluated, or with the signal's
 * reason.
 */
export async function findRecalls(input: RecallInput): Promise<Recalls> {
  const { definition, onNote } = input;
  const asked = definition.tasks.flatMap((task) =>
    [...recallsOf(task)].map(([place, request]) => ({ task, place, request })),
  );
  const recalls = new Map<string, Map<number, RecallJob>>();
  if (asked.length === 0) return recalls;
  const documents = definition.preload === undefined ? undefined : preloadSource(definition)?.vectors;
  if (documents === undefined) {
    onNote('recall is not judged: the true neighbours are known only for vectors that preload loads');
    return recalls;
  }
  const writer = definition.tasks.find(({ ingest }) => ingest)?.name ?? changingTasks(definition.tasks)[0];
  if (writer !== undefined) {
    onNote(`recall is not judged: ${writer} changes documents, and with them the true neighbours`);
    return recalls;
  }
  const resolveFile = (file: string): string => sourceFile(file, input.folder);
  for (const { task, place, request } of asked) {
    const own = withQueriesLike(parametersOf(task), documents);
    const queries = queriesOf(own).find(([name]) => name === request.parameter)?.[1];
    if (queries === undefined) continue;
    const set = vectorSet(queries, resolveFile);
    const job = await recallJob(input, request, {
      documents: vectorSet(documents, resolveFile),
      queries: set,
      queryCount: Math.min(queries.count, countIn(set, 'queries')),
    });
    recalls.set(task.name, (recalls.get(task.name) ?? new Map<number, RecallJob>()).set(place, job));
  }
  return recalls;
}

function countIn(set: VectorSet, role: 'documents' | 'queries'): number {
  const reader = vectorReader(set, role);
  reader.close();
  return reader.count;
}

async function recallJob(
  input: RecallInput,
  { field, parameter, k, share, filter, similarity }: RecallAsked,
  sets: Pick<NeighboursOrder, 'documents' | 'queries' | 'queryCount'>,
): Promise<RecallJob> {
  const { definition } = input;
  const order: NeighboursOrder = {
    ...sets,
    count: definition.preload!.documents!,
    k,
    similarity: similarityOf(definition.index.mapping, field),
    least: similarity ?? null,
    allowed: filter === undefined ? null : await matching(input, filter, definition.preload!.documents!),
  };
  checkSets(order);
  const { queryCount: queries } = order;
  return { parameter, k, share, queries, neighbours: await neighboursOf(input, order) };
}

function checkSets({ documents, queries, count }: NeighboursOrder): void {
  const [all, asked] = [vectorReader(documents, 'documents'), vectorReader(queries, 'queries')];
  all.close();
  asked.close();
  if (all.dimensions !== asked.dimensions)
    throw inputError(
      'vectors.dimensions',
      'tasks',
      'the vectors of queries and documents have different dimensions',
      {
        found: `${asked.dimensions}`,
        allowed: `${all.dimensions}`,
      },
    );
  if (all.count < count)
    throw inputError('vectors.documents', 'preload.documents', 'more than the file has vectors', {
      found: `${count}`,
      allowed: `at most ${all.count}`,
    });
}

/**
 * Returns the packed lists of true neighbours. If the folder contains them from an earlier trial, reads them. Otherwise determines them and
 * stores them in the folder.
 */
async function neighboursOf(input: RecallInput, order: NeighboursOrder): Promise<string> {
  const { neighboursFolder, workerFile, signal, onDoing, onNote } = input;
  const file =
    neighboursFolder === undefined ? undefined : path.join(neighboursFolder, `${await keyOf(order)}.lists`);
  const known = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined && NeighbourLists.unpack(known).queries === order.queryCount) return known;
  const doing = `finding the true neighbours of ${formatNumber(order.queryCount)} queries among ${formatNumber(order.count)} vectors`;
  onDoing(doing);
  let packed: string;
  try {
    const found = await findNeighbours(order, {
      workerFile,
      signal,
      onProgress: (share) => onDoing(`${doing}: ${formatPercent(share)}`),
    });
    packed = found.pack();
  } finally {
    onDoing('');
  }
  if (file !== undefined) {
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await writeWhole(file, packed);
    } catch (error) {
      onNote(`true neighbours could not be kept for later runs: ${messageOf(error)}`);
    }
  }
  return packed;
}

/**
 * Returns the name under which the true neighbours are stored. The name is the same for the same documents, queries and filter. If the size
 * or the modification time of a file changes, the name is another.
 */
async function keyOf({ documents, queries, allowed, ...rest }: NeighboursOrder): Promise<string> {
  const sets = await Promise.all(
    [documents, queries].map(async (set) => {
      if (set.kind === 'generated') return set;
      const { size, mtimeMs } = await stat(set.file);
      return { ...set, size, mtimeMs };
    }),
  );
  const hash = createHash('sha256').update(stringifyPlain([FORM, ...sets, rest]));
  if (allowed !== null) hash.update(allowed);
  return hash.digest('hex').slice(0, 32);
}

const found = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.looseObject({ _id: z.string(), sort: z.array(z.unknown()) })) }),
});

/**
 * Returns an array with one byte for each document, in the order of the documents: 1 if the document matches the filter. The target
 * evaluates the filter.
 */
async function matching(
  { client, indices, signal }: RecallInput,
  filter: unknown,
  documents: number,
): Promise<Uint8Array> {
  const allowed = new Uint8Array(new SharedArrayBuffer(documents));
  const pages = api.pages(PAGE, async (page) => {
    signal.throwIfAborted();
    const body = {
      _source: false,
      track_total_hits: false,
      query: { bool: { filter } },
      sort: [{ [ORDINAL]: 'asc' }],
      ...page,
    };
    const { hits } = await ask(
      client,
      // The filter is written with all digits of its numbers.
      api.search(indices, body, found, { isExact: true }),
      'find the documents that the filter of a knn request lets through',
    );
    return hits.hits;
  });
  for await (const hits of pages)
    for (const { _id: id } of hits) {
      const number = Number(id);
      if (Number.isInteger(number) && number >= 0 && number < documents) allowed[number] = 1;
    }
  return allowed;
}
