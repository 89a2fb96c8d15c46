/** The steps of a trial before its load. */
import { isDataStream } from '../../../../common/experiment/data-stream';
import type { CellDefinition } from '../../../../common/experiment/cell-definition';
import { readMappings } from '../../../target-cluster/index-lifecycle';
import { startCaches } from '../caches';
import { timesOf } from '../document';
import type { Needs } from '../input';
import { withLookUps } from '../look-ups';
import { findRecalls, type Recalls } from '../recall';
import { withFoundFormats } from '../replay';
import type { Undo } from '../undo';

export interface Remaining {
  /** Indices that remain after the trial, because later trials need them or because their removal failed. */
  indices: string[];
  /** Pipelines that cannot be removed. */
  pipelines: string[];
}

/**
 * Registers the removal of the trial's indices and pipelines for the end of the trial, even if the trial fails. The last trial also removes
 * indices that an earlier trial has loaded for several trials. Returns an object that later lists what could not be removed, or must
 * remain.
 */
export function removeAtEnd({ target: { indices, pipelines } }: Needs<'target'>, undo: Undo): Remaining {
  const remaining: Remaining = { indices: [], pipelines: [] };
  undo(async () => (remaining.pipelines = await pipelines.remove()));
  undo(async () => (remaining.indices = await indices.remove()));
  return remaining;
}

/** Reports the beginning of the trial, and stores its document. */
export async function begin({ listener, document }: Needs<'listener' | 'document'>): Promise<void> {
  listener.onPhase('prepare', null);
  listener.onTimes(timesOf(document));
  await listener.onBegin(structuredClone(document));
}

/** Creates and loads the indices, or finds existing ones. */
export async function prepareIndices({
  target: { indices },
  document,
}: Needs<'target' | 'document'>): Promise<void> {
  document.preload = await indices.prepare();
  const { unasked = [] } = indices;
  if (unasked.length > 0) document.unasked = [...unasked];
}

/** Stores in the trial's document what the existing data contains, and what other clients have changed in it since the run began. */
export async function lookAtExisting({ target, document }: Needs<'target' | 'document'>): Promise<void> {
  const { existing } = target.indices;
  if (existing !== undefined) document.existing = await existing.look();
}

/**
 * Returns the definition, completed with what its requests need: terms and times from the target's documents, and formats of logs. These
 * can be determined only after the data has been loaded.
 */
export async function readWhatRequestsNeed({
  target: { connection, indices, engine },
  definition,
  files,
  listener,
}: Needs<'target' | 'definition' | 'files' | 'listener'>): Promise<CellDefinition> {
  return await withFoundFormats(
    await withLookUps(connection, indices.names, definition),
    files.folder,
    engine,
    {
      names: indices.names,
      mappingsOf: (names) => readMappings(connection, names, 'read the date fields in the mappings'),
      onNote: listener.onNote,
    },
  );
}

/** Determines the true neighbours that are needed for recall. */
export const findNeighbours = (
  {
    target: { connection: client, indices },
    generator: { workerFile },
    files,
    signal,
    listener,
  }: Needs<'target' | 'generator' | 'files' | 'signal' | 'listener'>,
  definition: CellDefinition,
): Promise<Recalls> =>
  findRecalls({ ...files, ...listener, definition, client, indices: indices.names, workerFile, signal });

/** Prepares the caches as the definition requires: clears them for a cold start, and leaves them unchanged for a warm start. */
export async function fillCaches(
  {
    target: { connection, indices, dataFolder },
    signal,
    listener,
    document,
  }: Needs<'target' | 'signal' | 'listener' | 'document'>,
  definition: CellDefinition,
): Promise<void> {
  // Waits for running merges first. They would load data into the caches that no request needs.
  if (definition.measure.caches !== undefined) await indices.atRest?.();
  const caches = await startCaches({
    definition,
    connection,
    names: indices.names,
    // The index to which a data stream writes cannot be closed.
    areMade: indices.existing === undefined && !isDataStream(definition.index),
    dataFolder,
    signal,
    onNote: listener.onNote,
  });
  if (caches !== undefined) document.caches = caches;
}
