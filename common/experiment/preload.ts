/** Documents that are in the indices before anything is measured: where they come from, and what must fit to them. */
import type { Problem } from '../problem';
import type { Definition, SourceDefinition } from './definition';
import { flattenSettings } from './path';

/** Undefined where neither the preload nor a task names one. */
export const preloadSource = ({ preload, tasks }: Definition): SourceDefinition | undefined =>
  preload?.source ?? tasks.find(({ ingest }) => ingest)?.ingest?.source;

/** All sources of documents of a definition, those of the preload first. */
export const documentSources = (definition: Definition): SourceDefinition[] => [
  ...(definition.preload?.source ? [definition.preload.source] : []),
  ...definition.tasks.flatMap(({ ingest }) => (ingest ? [ingest.source] : [])),
];

/** The same for cells whose trials begin with the same documents in the same indices. */
export const datasetKey = (definition: Definition): string => {
  const { index, preload, tasks } = definition;
  return JSON.stringify([
    index,
    preload,
    documentSources(definition),
    tasks.find(({ ingest }) => ingest)?.ingest,
  ]);
};

/**
 * The same for cells whose indices hold the same documents, however they are made: what one has loaded, the cluster can
 * put into those of the other by itself. Null where it cannot: without the whole `_source` no document can be read again,
 * and which of several indices one belongs to only the load knows.
 */
export function documentsKey(definition: Definition): string | null {
  const { index, preload, tasks } = definition;
  const { mapping } = index;
  const settings = flattenSettings(index.settings);
  const isSourceKept =
    !(typeof mapping === 'object' && '_source' in mapping) &&
    !Object.keys(settings).some((name) => name.endsWith('mapping.source.mode'));
  if (preload === undefined || index.count > 1 || !isSourceKept) return null;
  const ingest = tasks.find((task) => task.ingest)?.ingest;
  const made = preload.source === undefined ? [ingest?.source, ingest?.parse] : [preload.source];
  return JSON.stringify([preload.documents, made, ingest?.pipeline]);
}

export function checkPreload(definition: Definition): Problem[] {
  const { preload, tasks } = definition;
  if (preload === undefined) return [];
  const problems: Problem[] = [];
  if (preloadSource(definition) === undefined) {
    problems.push({
      code: 'definition.preload-source',
      path: 'preload.source',
      message: 'no task says what the documents are',
      allowed: 'generator: a name, or file: a path',
    });
  }
  const writer = tasks.findIndex(({ ingest }) => ingest);
  if (preload.reuse === 'same' && writer >= 0) {
    problems.push({
      code: 'definition.preload-reuse',
      path: 'preload.reuse',
      message: `trials cannot share indices that tasks[${writer}] writes to`,
      found: 'same',
      allowed: 'copy, never',
    });
  }
  return problems;
}
