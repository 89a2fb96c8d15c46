/**
 * Prepares the caches for a trial's load. For a cold start, clears Elasticsearch's caches. If Dyno started the nodes on this machine, also
 * removes the data files from the operating system's page cache, and records how much of the files remained in that cache.
 */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { CachesSummary, PageCache } from '../../../common/measurement/caches';
import { formatBytes } from '../../../common/units/format';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';
import type { TargetConnection } from '../../target-cluster/connection';
import { findExisting } from '../../target-cluster/existing';
import { orAborted } from '../../target-cluster/or-aborted';
import { dataFiles, forget, inMemory } from '../../target-cluster/page-cache';
import { waitUntilReady } from '../../target-cluster/readiness';

export interface CachesInput {
  definition: CellDefinition;
  connection: TargetConnection;
  /** Names under which the load addresses the indices. */
  names: readonly string[];
  /** Whether Dyno created the indices. Only then may Dyno close them for a moment. */
  areMade: boolean;
  /** Folder in which the nodes keep their data. Undefined unless Dyno started them on this machine. */
  dataFolder: string | undefined;
  signal: AbortSignal;
  onNote: (message: string) => void;
}

/** Maximum wait for the shards of a reopened index, in ms. */
const OPEN_TIMEOUT_MS = 120_000;
/** If more than this share of the data files remains in memory, in [0, 1], the start does not count as cold. */
const KEPT_FROM = 0.01;
/**
 * Like {@link KEPT_FROM}, if an index was closed and opened again. The share is higher, because opening an index reads a part of each file.
 */
const KEPT_FROM_REOPENED = 0.5;

const NOT_HERE =
  'the page cache of the operating system was not emptied, because Dyno did not start these nodes on this machine';
const NO_TOOLS =
  'the page cache of the operating system may not have been emptied: this needs dd (GNU coreutils) and fincore (util-linux) ' +
  'on this machine, and the right to read the data files';

/**
 * Prepares the caches. Returns undefined if the definition has no `measure.caches`. Rejects with a DynoError, or with the signal's reason.
 */
export async function startCaches(input: CachesInput): Promise<CachesSummary | undefined> {
  const { definition, connection, names, dataFolder, signal } = input;
  const { caches } = definition.measure;
  if (caches === undefined) return undefined;
  if (caches === 'warm') return { start: 'warm', pageCache: null, kept: '' };
  const work = async (): Promise<CachesSummary> => {
    const pageCache = dataFolder === undefined ? null : await emptyPageCache(input, dataFolder);
    // This comes last, because the requests before it fill the caches a little.
    await ask(connection, api.clearCaches(names), 'empty the caches');
    return { start: 'cold', pageCache, kept: keptWords(input, pageCache) };
  };
  const summary = await orAborted(work(), signal);
  if (summary.kept !== '') input.onNote(`the caches are not entirely cold: ${summary.kept}`);
  return summary;
}

function keptWords({ dataFolder }: CachesInput, pageCache: PageCache | null): string {
  if (pageCache === null) return dataFolder === undefined ? NOT_HERE : NO_TOOLS;
  const { files, after, reopened } = pageCache;
  if (after <= files * (reopened ? KEPT_FROM_REOPENED : KEPT_FROM)) return '';
  const stayed = `${formatBytes(after)} of ${formatBytes(files)} of the data files stayed in the page cache`;
  return reopened
    ? `${stayed}, though the index was closed and opened`
    : `${stayed}: the nodes keep files mapped that requests have used, and release them only if the index is closed`;
}

/** Drops the data files from the page cache. Returns null if this machine lacks the tools. */
async function emptyPageCache(input: CachesInput, folder: string): Promise<PageCache | null> {
  const { connection, names, areMade, signal, onNote } = input;
  const found = await findExisting(connection, names.join());
  const uuids = found.map(({ uuid }) => uuid);
  const before = await inMemory(await dataFiles(folder, uuids));
  if (before === undefined || before.files === 0) return null;
  if (areMade) {
    // A node releases its memory-mapped files only when their index is closed.
    await ask(connection, api.closeIndices(names), 'close the index to empty the page cache');
    signal.throwIfAborted();
  }
  const isForgotten = await forget(await dataFiles(folder, uuids));
  if (areMade) {
    await ask(connection, api.openIndices(names), 'open the index again');
    for (const note of await waitUntilReady(connection, names, OPEN_TIMEOUT_MS)) onNote(note);
    // Opening a small index reads all of it. Pages that are mapped after that cannot be dropped, because the open index needs them.
    await forget(await dataFiles(folder, uuids));
  }
  const after = await inMemory(await dataFiles(folder, uuids));
  if (!isForgotten || after === undefined) return null;
  return { files: after.files, before: before.resident, after: after.resident, reopened: areMade };
}
