/** Decides which cells can share their preloaded documents. They use the same indices, or clones of them. */
import { stringifyPlain } from '../json/exact';
import { asksSynthetic } from '../elasticsearch/settings';
import type { CellDefinition } from './cell-definition';
import { documentSources } from './preload';

/** Returns a key for the dataset of a cell. Cells with the same key begin their trials with the same documents in the same indices. */
export function datasetKey(own: CellDefinition): string {
  const { index, preload, tasks } = own;
  const key =
    keys.get(own) ??
    stringifyPlain([index, preload, documentSources(own), tasks.find(({ ingest }) => ingest)?.ingest]);
  keys.set(own, key);
  return key;
}

/** Cache of keys, because each trial of a plan needs the key of its cell. */
const keys = new WeakMap<CellDefinition, string>();

/**
 * Returns the same key for cells whose indices contain the same documents, even if the settings of the indices differ. Elasticsearch can
 * then copy the documents from one index to the other with the reindex API. Returns null if it cannot: documents without a complete
 * `_source` cannot be read back, and the reindex API cannot distribute documents over several indices.
 */
export function documentsKey({ index, preload, tasks }: CellDefinition): string | null {
  const isSourceKept =
    !('_source' in index.mapping) &&
    !Object.keys(index.settings).some((name) => name.endsWith('mapping.source.mode')) &&
    asksSynthetic(index.settings, index.mapping) === '';
  // Copies of an existing index are always made from that index.
  if (preload?.documents === undefined || index.count > 1 || !isSourceKept) return null;
  const ingest = tasks.find((task) => task.ingest)?.ingest;
  const made = preload.source === undefined ? [ingest?.source, ingest?.parse] : [preload.source];
  // Documents that are copied keep their routing, so a different routing needs a different dataset.
  return stringifyPlain([preload.documents, made, ingest?.pipeline, preload.routing]);
}
