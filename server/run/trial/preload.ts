/**
 * Loads documents before the measurement: with the load generator, or by copying an index that contains them. Then merges the indices if
 * requested, and waits until the cluster is quiet (no merges, no shard movements).
 */
import type { Destination } from '../../../common/elasticsearch/destination';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { TaskDefinition } from '../../../common/experiment/definition';
import { ORDINAL } from '../../../common/generators/vectors';
import { copiedFrom, preloadSource } from '../../../common/experiment/preload';
import { endedOf } from '../../../common/measurement/counts';
import { ERRORS } from '../../../common/measurement/outcomes';
import { formatNumber } from '../../../common/units/format';
import { messageOf, runError } from '../../../common/problem';
import type { LoadJob } from '../../load/contract';
import { startLoad } from '../../load/pool';
import type { TargetConnection } from '../../target-cluster/connection';
import { destinationOf } from '../../target-cluster/destination';
import { forceMerge, refresh } from '../../target-cluster/maintenance';
import type { IndexMark } from '../../target-cluster/mark';
import { copyDocuments } from '../../target-cluster/copy-documents';
import { offersReindex, reindex } from '../../target-cluster/reindex';
import type { Recalls } from './recall';
import { checkAway } from './outage';
import { countDocuments } from '../../target-cluster/snapshot';
import { waitUntilQuiet } from '../../target-cluster/readiness';
import { orAborted } from '../../target-cluster/or-aborted';

/**
 * Returns the load that stores documents in the given indices.
 * - `trialSeed`: seed of the random numbers, which differs between repetitions.
 * - `pipelines`: name of the ingest pipeline of each task whose lines the target parses.
 */
export type JobFor = (
  definition: CellDefinition,
  load: {
    indices: string[];
    destination?: Destination;
    trialSeed: string;
    pipelines: ReadonlyMap<string, string>;
    recalls?: Recalls;
  },
) => LoadJob;

export interface PreloadInput {
  /** A definition with `preload`. */
  definition: CellDefinition;
  connection: TargetConnection;
  jobFor: JobFor;
  workerFile: string;
  workers: number;
  /** Names of the ingest pipelines that parse lines, by task. They exist already. */
  pipelines: ReadonlyMap<string, string>;
  signal: AbortSignal;
  onNote: (message: string) => void;
  /** Called with the operation in progress if it takes long; called with '' when it has finished. */
  onDoing: (doing: string) => void;
}

/** Number of clients that load documents. More clients would only cause rejections, and the speed of this load does not matter. */
const CLIENTS = 4;
/** Maximum wait for merges after the load, in ms. Merges that are still running would disturb the measurement. */
const QUIET_TIMEOUT_MS = 600_000;
/** Retries of rejected documents. They continue for minutes, because this load must succeed but need not be fast. */
const RETRIES = { attempts: 30, base: '100ms', max: '10s' };
const TASK = 'preload';
/** Seed of the random numbers. It is the same in all trials, so that all of them load the same documents. */
const SEED = 'preload';

const firstIngest = ({ tasks }: CellDefinition): TaskDefinition | undefined =>
  tasks.find((task) => task.ingest);

/** Returns a definition with a single task, which indexes the documents of `preload`. */
function loadingDefinition(whole: CellDefinition): CellDefinition {
  const { preload, ...definition } = whole;
  const ingest = firstIngest(whole)?.ingest;
  const source = preloadSource(whole)!;
  return {
    ...definition,
    preload: undefined,
    tasks: [
      {
        name: TASK,
        ingest: {
          source,
          bulk: { docs: 1000 },
          parse: preload!.source === undefined ? ingest?.parse : undefined,
          pipeline: ingest?.pipeline,
          // With the ordinal of a document as `_id`, the judge of recall recognises true neighbours by the ids in a response.
          ...(source.vectors === undefined ? {} : { ids: { by: 'field', field: ORDINAL } }),
          routing: preload!.routing,
          retries: RETRIES,
        },
        executor: { 'constant-clients': { clients: CLIENTS, 'think-time': '0ms' } },
      },
    ],
    measure: { 'burn-in': '0s', warmup: '0s', documents: preload!.documents!, drain: '10m' },
  };
}

/**
 * Loads the documents into `indices`, refreshes and, if the definition requests it, merges the indices. Then waits until merges and shard
 * movements have ended. Rejects with a DynoError `preload.incomplete` if documents were not stored, or with the signal's reason.
 */
export async function fill(input: PreloadInput, indices: string[]): Promise<void> {
  const { definition, signal } = input;
  const documents = definition.preload!.documents!;
  const job = input.jobFor(loadingDefinition(definition), {
    indices,
    destination: await destinationOf(input.connection, indices),
    trialSeed: SEED,
    pipelines: new Map(
      [input.pipelines.get(firstIngest(definition)?.name ?? '')].flatMap((name) =>
        name === undefined ? [] : [[TASK, name] as const],
      ),
    ),
  });
  const load = startLoad(job, {
    workerFile: input.workerFile,
    workers: input.workers,
    onSample: () => undefined,
  });
  const cancel = (): void => {
    load.stop(messageOf(signal.reason));
    load.abort();
  };
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const { tasks, stopped, awayMs } = await load.done;
    signal.throwIfAborted();
    const { total } = tasks[0]!;
    const { accepted } = total;
    if (accepted !== documents) {
      checkAway({ awayMs });
      const rest = [
        ...ERRORS.map(({ name, words }) => (total[name] > 0 ? `${formatNumber(total[name])} ${words}` : '')),
        endedOf(total) < documents ? 'the source has no more' : '',
        stopped,
      ].filter(Boolean);
      throw runError(
        'preload.incomplete',
        'preload.documents',
        `${formatNumber(accepted)} of ${formatNumber(documents)} documents were stored: ${rest.join(', ')}`,
      );
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    await load.stilled;
  }
  await comeToRest(input, indices);
}

/**
 * Copies the documents of the indices `from` into the indices `to` with the reindex API. Then refreshes, merges and waits as {@link fill}
 * does. Rejects with a DynoError `preload.incomplete` if documents are missing, or with the signal's reason.
 */
export async function fillFrom(
  input: PreloadInput & { mark: Omit<IndexMark, 'created'> },
  from: string,
  to: string,
): Promise<void> {
  const { connection, definition } = input;
  const documents = definition.preload!.documents!;
  const stored = await reindex(connection, from, to, input);
  if (stored !== documents) {
    throw runError(
      'preload.incomplete',
      'preload.documents',
      `${formatNumber(stored)} of ${formatNumber(documents)} documents were copied from ${from} to ${to}`,
    );
  }
  await comeToRest(input, [to]);
}

/**
 * Copies all documents of the index of `preload.from-index` into `to`, and then refreshes, merges and waits as {@link fill} does. Uses the
 * reindex API if the target contains that index and offers the API. Otherwise Dyno itself reads and writes the documents. `source`: the
 * cluster of the index.
 *
 * Resolves to the number of documents. Rejects with a DynoError, such as `preload.incomplete` if the copy does not contain each document
 * once. If `signal` is aborted, rejects with its reason.
 */
export async function copyExisting(
  input: PreloadInput & { mark: Omit<IndexMark, 'created'> },
  source: TargetConnection,
  to: string,
): Promise<number> {
  const { connection, definition, signal, onDoing } = input;
  const preload = definition.preload!;
  const from = preload['from-index']!;
  const isElsewhere = preload['from-target'] !== undefined;
  const doing = `copies the documents of ${copiedFrom(preload)}`;
  onDoing(doing);
  try {
    const stored =
      !isElsewhere && (await offersReindex(connection))
        ? await reindex(connection, from, to, input)
        : await copyDocuments(source, from, to, {
            signal,
            into: connection,
            onCopied: (documents) => onDoing(`${doing}: ${formatNumber(documents)}`),
          });
    await comeToRest(input, [to]);
    const found = await countDocuments(connection, [to], { refreshed: false });
    if (found !== stored)
      throw runError(
        'preload.incomplete',
        'preload.from-index',
        `${formatNumber(stored)} documents of ${from} were copied, but the copy ${to} contains ${formatNumber(found)}`,
      );
    return stored;
  } finally {
    onDoing('');
  }
}

/** Refreshes the indices, merges them if the definition requests it, and waits until merges and shard movements have ended. */
export async function comeToRest(input: PreloadInput, indices: readonly string[]): Promise<void> {
  const { definition, connection, signal, onNote } = input;
  const { 'force-merge': segments } = definition.preload!;
  await refresh(connection, indices.join());
  if (segments !== undefined) await forceMerge(connection, indices, segments, signal);
  const { note } = await orAborted(waitUntilQuiet(connection, QUIET_TIMEOUT_MS, signal), signal);
  if (note !== '') onNote(note);
}
