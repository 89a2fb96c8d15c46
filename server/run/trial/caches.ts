/**
 * What the caches hold when a trial's load begins. For a cold start Elasticsearch's own are emptied, and the operating system's
 * is told to forget the data files where Dyno started the nodes on this machine. What stayed in memory is measured and kept.
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
  /** As the load addresses them. */
  names: readonly string[];
  /** Dyno made them: they may be closed for a moment. */
  areMade: boolean;
  /** Where the nodes keep their data; undefined where Dyno did not start them on this machine. */
  dataFolder: string | undefined;
  signal: AbortSignal;
  onNote: (message: string) => void;
}

/** Shards of an index that was closed open from their files, ms. */
const OPEN_TIMEOUT_MS = 120_000;
/** So much of the files may stay in memory before a start counts as less than cold. */
const KEPT_FROM = 0.01;
/** The same where the index was closed and opened, which reads some of each file again. */
const KEPT_FROM_REOPENED = 0.5;

const NOT_HERE =
  'the page cache of the operating system was left as it was: Dyno did not start these nodes on this machine';
const NO_TOOLS =
  'the page cache of the operating system was left as it was, or this is unknown: it takes dd of GNU coreutils and fincore of ' +
  'util-linux on this machine, and the right to read the data files';

/** Undefined where the definition does not say what they are to hold. Rejects with a DynoError, or with the signal's reason. */
export async function startCaches(input: CachesInput): Promise<CachesSummary | undefined> {
  const { definition, connection, names, dataFolder, signal } = input;
  const { caches } = definition.measure;
  if (caches === undefined) return undefined;
  if (caches === 'warm') return { start: 'warm', pageCache: null, kept: '' };
  const work = async (): Promise<CachesSummary> => {
    const pageCache = dataFolder === undefined ? null : await emptyPageCache(input, dataFolder);
    // Last, for what looks at the indices fills them a little.
    await ask(connection, api.clearCaches(names), 'empty the caches');
    return { start: 'cold', pageCache, kept: keptWords(input, pageCache) };
  };
  const summary = await orAborted(work(), signal);
  if (summary.kept !== '') input.onNote(`the caches are not wholly cold: ${summary.kept}`);
  return summary;
}

function keptWords({ dataFolder }: CachesInput, pageCache: PageCache | null): string {
  if (pageCache === null) return dataFolder === undefined ? NOT_HERE : NO_TOOLS;
  const { files, after, reopened } = pageCache;
  if (after <= files * (reopened ? KEPT_FROM_REOPENED : KEPT_FROM)) return '';
  const stayed = `${formatBytes(after)} of ${formatBytes(files)} of the data files stayed in the page cache`;
  return reopened
    ? `${stayed}, though the index was closed and opened`
    : `${stayed}: what requests have used is mapped by the nodes, and only closing the index would change that`;
}

/** Null where this machine lacks what it takes. */
async function emptyPageCache(input: CachesInput, folder: string): Promise<PageCache | null> {
  const { connection, names, areMade, signal, onNote } = input;
  const found = await findExisting(connection, names.join());
  const uuids = found.map(({ uuid }) => uuid);
  const before = await inMemory(await dataFiles(folder, uuids));
  if (before === undefined || before.files === 0) return null;
  if (areMade) {
    // A node lets go of what it has mapped.
    await ask(connection, api.closeIndices(names), 'close the index to empty the page cache');
    signal.throwIfAborted();
  }
  const isForgotten = await forget(await dataFiles(folder, uuids));
  if (areMade) {
    await ask(connection, api.openIndices(names), 'open the index again');
    for (const note of await waitUntilReady(connection, names, OPEN_TIMEOUT_MS)) onNote(note);
    // Opening reads all of a small index; of that, what is mapped by now is needed for an index that is open.
    await forget(await dataFiles(folder, uuids));
  }
  const after = await inMemory(await dataFiles(folder, uuids));
  if (!isForgotten || after === undefined) return null;
  return { files: after.files, before: before.resident, after: after.resident, reopened: areMade };
}
