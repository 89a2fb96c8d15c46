/** Decides which cells can share the documents that are loaded before a trial, either in the same indices or in clones of them. */
import { stringifyPlain } from '../json/exact';
import { asksSynthetic } from '../elasticsearch/settings';
import type { CellDefinition } from './cell-definition';
import { documentSources } from './preload';

/**
 * Returns a key for the documents that are loaded before the trials of a cell (its *dataset*). For cells with the same key, the loaded
 * documents and the definitions of the indices are equal.
 */
export function datasetKey(own: CellDefinition): string {
  const { index, preload, tasks } = own;
  const key =
    keys.get(own) ??
    stringifyPlain([index, preload, documentSources(own), tasks.find(({ ingest }) => ingest)?.ingest]);
  keys.set(own, key);
  return key;
}

/** Cache of the results of {@link datasetKey}. Each trial of a plan needs the key of its cell. */
const keys = new WeakMap<CellDefinition, string>();

/**
 * Returns a text that identifies the loaded documents of a cell. If two cells have the same text, their indices contain the same documents,
 * although the settings of the indices may differ. The reindex API can then copy the documents from one index to the other.
 *
 * Null if the reindex API cannot be used. It needs a complete `_source`, and cannot distribute documents over several indices.
 */
export function documentsKey({ index, preload, tasks }: CellDefinition): string | null {
  const isSourceKept =
    !('_source' in index.mapping) &&
    !Object.keys(index.settings).some((name) => name.endsWith('mapping.source.mode')) &&
    asksSynthetic(index.settings, index.mapping) === '';
  // If documents are copied from an existing index, they are always copied from that index.
  if (preload?.documents === undefined || index.count > 1 || !isSourceKept) return null;
  const ingest = tasks.find((task) => task.ingest)?.ingest;
  const made = preload.source === undefined ? [ingest?.source, ingest?.parse] : [preload.source];
  // Documents that are copied keep their routing. Cells with different routing therefore cannot share documents.
  return stringifyPlain([preload.documents, made, ingest?.pipeline, preload.routing]);
}
