/** Finds the source of the documents that are loaded before a trial, and checks the settings of this preload. */
import { flattenSettings } from '../elasticsearch/settings';
import type { Problem } from '../problem';
import { changingTasks, writes } from '../tasks/registry';
import { sourceProblems } from '../tasks/source';
import { writeIndexProblems } from '../tasks/writes';
import type { Definition, SourceDefinition } from './definition';

type Parts = Pick<Definition, 'preload' | 'tasks'>;

/**
 * Returns the source of the documents that are loaded before a trial: that of `preload`, or else that of the first ingest task. Undefined
 * if no source exists, or if Dyno copies the documents from an index or restores them from a snapshot.
 */
export const preloadSource = ({ preload, tasks }: Parts): SourceDefinition | undefined =>
  preload?.['from-index'] !== undefined || preload?.['from-snapshot'] !== undefined
    ? undefined
    : (preload?.source ?? tasks.find(({ ingest }) => ingest)?.ingest?.source);

/**
 * Returns a phrase about the index from which the documents of a trial are copied, such as `shop of the target production`. '' if they are
 * not copied.
 */
export function copiedFrom(preload: NonNullable<Definition['preload']>): string {
  const { 'from-index': index = '', 'from-target': target, 'from-snapshot': snapshot } = preload;
  if (snapshot !== undefined)
    return `${snapshot.index} of the snapshot ${snapshot.snapshot} in ${snapshot.repository}`;
  return target === undefined ? index : `${index} of the target ${target}`;
}

/** Returns the names of the targets in a definition: the cluster under test, and the cluster from which trials copy documents. */
export const targetsIn = ({ target, preload }: Pick<Definition, 'target' | 'preload'>): string[] => [
  ...new Set([target, preload?.['from-target'] ?? target]),
];

/** Returns all sources of documents in a definition. The source of `preload` comes first. */
export const documentSources = (definition: Parts): SourceDefinition[] => [
  ...(definition.preload?.source ? [definition.preload.source] : []),
  ...definition.tasks.flatMap(({ ingest }) => (ingest ? [ingest.source] : [])),
];

/** Returns a problem for each key that cannot be used if documents are copied from an index or restored from a snapshot. */
function checkCopied({ index, preload }: Parts & Pick<Definition, 'index'>): Problem[] {
  const isRestored = preload!['from-snapshot'] !== undefined;
  const key = isRestored ? 'from-snapshot' : 'from-index';
  const copied = isRestored
    ? 'documents are restored from a snapshot'
    : 'documents are copied from an existing index';
  const refused: readonly [path: string, isGiven: boolean, message: string, allowed: string][] = [
    ['preload.source', preload!.source !== undefined, copied, `documents, or ${key} without a source`],
    ['preload.routing', preload!.routing !== undefined, `${copied}, and keep their routing`, 'no routing'],
    ['index.count', index.count > 1, `${copied} into one index`, '1'],
    [
      'index.as',
      index.as === 'data-stream',
      `${copied} into an index`,
      'an index, or documents from a source',
    ],
    [
      'index.mapping',
      isRestored && index.mapping !== undefined,
      'a restored index keeps the mapping in the snapshot',
      'no mapping, or preload.from-index, which copies the documents',
    ],
    ...Object.keys(flattenSettings(index.settings)).map((name): [string, boolean, string, string] => [
      `index.settings.${name}`,
      isRestored && isFixed(name),
      'cannot change while an index is restored: it keeps this setting of the snapshot',
      'no such setting, or preload.from-index, which copies the documents',
    ]),
  ];
  return refused.flatMap(([path, isGiven, message, allowed]) =>
    isGiven ? [{ code: `definition.preload-${key}`, path, message, allowed }] : [],
  );
}

/**
 * Settings that affect how documents are stored, or in which shard. A name includes the settings below it. These settings cannot be changed
 * for an index that is restored from a snapshot: Elasticsearch refuses the change, or it would have no effect on the restored documents.
 */
const FIXED_SETTINGS: readonly string[] = [
  ...['number_of_shards', 'number_of_routing_shards', 'routing_partition_size', 'routing_path', 'mode'],
  ...['codec', 'sort', 'analysis', 'similarity', 'soft_deletes.enabled', 'mapping.source.mode'],
  ...['seq_no.index_options', 'disable_sequence_numbers', 'time_series', 'version', 'format', 'knn'],
  ...['replication.type', 'composite_index', 'append_only', 'derived_source'],
];

const isFixed = (setting: string): boolean =>
  FIXED_SETTINGS.some((fixed) => setting === fixed || setting.startsWith(`${fixed}.`));

export function checkPreload(definition: Parts & Pick<Definition, 'index'>): Problem[] {
  const { index, preload, tasks } = definition;
  if (preload === undefined) return [];
  const problems: Problem[] =
    preload.source === undefined ? [] : sourceProblems(preload.source, 'preload.source');
  const isCopied = preload['from-index'] !== undefined || preload['from-snapshot'] !== undefined;
  if (isCopied) problems.push(...checkCopied(definition));
  if (preload['from-target'] !== undefined && preload['from-index'] === undefined)
    problems.push({
      code: 'definition.preload-from-target',
      path: 'preload.from-target',
      message: 'names a cluster, but preload.from-index names no index of it',
      allowed: 'from-index with the name of an index, or no from-target',
    });
  if (!isCopied && preloadSource(definition) === undefined)
    problems.push({
      code: 'definition.preload-source',
      path: 'preload.source',
      message: 'no task defines the documents',
      allowed: 'generator: a name, or file: a path',
    });
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
