/** Finds the source of the documents that are loaded before a trial, and checks the settings of this preload. */
import type { Problem } from '../problem';
import { changingTasks, writes } from '../tasks/registry';
import { sourceProblems } from '../tasks/source';
import { writeIndexProblems } from '../tasks/writes';
import type { Definition, SourceDefinition } from './definition';

type Parts = Pick<Definition, 'preload' | 'tasks'>;

/**
 * Returns the source of the preloaded documents: that of the preload, or else of the first task that has one. Undefined without any, and
 * if the documents are copied from an index.
 */
export const preloadSource = ({ preload, tasks }: Parts): SourceDefinition | undefined =>
  preload?.['from-index'] !== undefined
    ? undefined
    : (preload?.source ?? tasks.find(({ ingest }) => ingest)?.ingest?.source);

/** Returns the place of the documents that trials copy, such as `shop of the target production`. */
export const copiedFrom = ({
  'from-index': index,
  'from-target': target,
}: Pick<NonNullable<Definition['preload']>, 'from-index' | 'from-target'>): string =>
  target === undefined ? String(index) : `${index} of the target ${target}`;

/** Returns the names of the targets in a definition: the cluster under test, and the one from which trials copy documents. */
export const targetsIn = ({ target, preload }: Pick<Definition, 'target' | 'preload'>): string[] => [
  ...new Set([target, preload?.['from-target'] ?? target]),
];

/** Returns all sources of documents in a definition. The source of the preload comes first. */
export const documentSources = (definition: Parts): SourceDefinition[] => [
  ...(definition.preload?.source ? [definition.preload.source] : []),
  ...definition.tasks.flatMap(({ ingest }) => (ingest ? [ingest.source] : [])),
];

/** Returns the keys that copies of an index cannot have. */
function checkCopied({ index, preload }: Parts & Pick<Definition, 'index'>): Problem[] {
  const copied = 'documents are copied from an existing index';
  const refused: readonly [path: string, isGiven: boolean, message: string, allowed: string][] = [
    ['preload.source', preload!.source !== undefined, copied, 'documents, or from-index without a source'],
    ['preload.routing', preload!.routing !== undefined, `${copied}, and keep their routing`, 'no routing'],
    ['index.count', index.count > 1, `${copied} into one index`, '1'],
    [
      'index.as',
      index.as === 'data-stream',
      `${copied} into an index`,
      'an index, or documents from a source',
    ],
  ];
  return refused.flatMap(([path, isGiven, message, allowed]) =>
    isGiven ? [{ code: 'definition.preload-from-index', path, message, allowed }] : [],
  );
}

export function checkPreload(definition: Parts & Pick<Definition, 'index'>): Problem[] {
  const { index, preload, tasks } = definition;
  if (preload === undefined) return [];
  const problems: Problem[] =
    preload.source === undefined ? [] : sourceProblems(preload.source, 'preload.source');
  if (preload['from-index'] !== undefined) problems.push(...checkCopied(definition));
  else if (preload['from-target'] !== undefined) {
    problems.push({
      code: 'definition.preload-from-target',
      path: 'preload.from-target',
      message: 'names a cluster, but preload.from-index names no index of it',
      allowed: 'from-index with the name of an index, or no from-target',
    });
  } else if (preloadSource(definition) === undefined) {
    problems.push({
      code: 'definition.preload-source',
      path: 'preload.source',
      message: 'no task defines the documents',
      allowed: 'generator: a name, or file: a path',
    });
  }
  if (preload.routing !== undefined)
    problems.push(...writeIndexProblems({ routing: preload.routing }, 'preload', index));
  const writer = tasks.findIndex((task) => writes(task) || changingTasks([task]).length > 0);
  if (preload.reuse === 'same' && writer >= 0) {
    problems.push({
      code: 'definition.preload-reuse',
      path: 'preload.reuse',
      message: `trials cannot share indices because tasks[${writer}] writes to them`,
      found: 'same',
      allowed: `copy, never${tasks[writer]!.replay === undefined ? '' : ', or `types` of the replay that only read, such as [search]'}`,
    });
  }
  return problems;
}
