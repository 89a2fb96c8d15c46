/** Which cells may share what is loaded before their trials: the indices themselves, or the documents in them. */
import { stringifyPlain } from '../json/exact';
import { asksSynthetic } from '../elasticsearch/settings';
import type { CellDefinition } from './cell-definition';
import { documentSources } from './preload';

/** The same for cells whose trials begin with the same documents in the same indices. */
export function datasetKey(own: CellDefinition): string {
  const { index, preload, tasks } = own;
  const key =
    keys.get(own) ??
    stringifyPlain([index, preload, documentSources(own), tasks.find(({ ingest }) => ingest)?.ingest]);
  keys.set(own, key);
  return key;
}

/** Of a plan, each trial is asked for it. */
const keys = new WeakMap<CellDefinition, string>();

/**
 * The same for cells whose indices hold the same documents, however they are made: what one has loaded, the cluster can
 * put into those of the other by itself. Null where it cannot: without the whole `_source` no document can be read again,
 * and which of several indices one belongs to only the load knows.
 */
export function documentsKey({ index, preload, tasks }: CellDefinition): string | null {
  const isSourceKept =
    !('_source' in index.mapping) &&
    !Object.keys(index.settings).some((name) => name.endsWith('mapping.source.mode')) &&
    asksSynthetic(index.settings, index.mapping) === '';
  if (preload === undefined || index.count > 1 || !isSourceKept) return null;
  const ingest = tasks.find((task) => task.ingest)?.ingest;
  const made = preload.source === undefined ? [ingest?.source, ingest?.parse] : [preload.source];
  // Documents that are copied keep the routing under which they were stored.
  return stringifyPlain([preload.documents, made, ingest?.pipeline, preload.routing]);
}
