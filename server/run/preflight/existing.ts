/** Checks existing data before a run begins, and describes the data. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { namesIn, plainNames } from '../../../common/elasticsearch/existing-names';
import type { Plan } from '../../../common/experiment/plan';
import { EXISTING_NEEDS } from '../../../common/privileges';
import { changesExisting, taskPath } from '../../../common/tasks/registry';
import { changesExistingIndices, existingIndices } from '../../../common/tasks/replay';
import { actionsOf } from '../../../common/tasks/writes';
import { listed } from '../../../common/analysis/wording';
import { formatBytes, plural } from '../../../common/units/format';
import { missingFeature } from '../../../common/elasticsearch/capabilities';
import { copiedFrom } from '../../../common/experiment/preload';
import { inputError } from '../../../common/problem';
import { checkSnapshot } from '../../target-cluster/restore';
import type { FromSnapshot } from '../../../common/experiment/definition';
import { identifyCluster, type ExistingPrivileges, type Identity } from '../../target-cluster/cluster';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import type { SourceClusters } from '../source-clusters';
import type { TargetConnection } from '../../target-cluster/connection';
import {
  addressOf,
  checkMayChange,
  checkNotOurs,
  checkWritable,
  findExisting,
  readExisting,
} from '../../target-cluster/existing';

const EXISTING = 'index.existing';
const FROM_INDEX = 'preload.from-index';

/** Operations of a run's trials on one existing index, alias, data stream or pattern. */
interface Use {
  /** The name in the definition. */
  existing: string;
  /** Path of the key in the definition that contains the name. */
  path: string;
  isWritten: boolean;
  /** Bulk actions that ingest tasks send to this data. Empty if no ingest task writes to it. */
  actions: readonly string[];
  isCold: boolean;
}

/**
 * Returns what the trials of one definition do with existing data: with the data under test, or with indices to which a replay sends
 * requests.
 */
const usesIn = (own: CellDefinition): Use[] => [
  ...(own.index.existing === undefined
    ? []
    : [
        {
          existing: own.index.existing,
          path: EXISTING,
          isWritten: changesExisting(own),
          actions: own.tasks.flatMap(({ ingest }) => (ingest ? actionsOf(ingest) : [])),
          isCold: own.measure.caches === 'cold',
        },
      ]),
  ...own.tasks.flatMap((task, at) =>
    task.replay === undefined
      ? []
      : existingIndices(task.replay).map((existing) => ({
          existing,
          path: taskPath(task, at),
          isWritten: changesExistingIndices(task.replay!),
          actions: [],
          isCold: false,
        })),
  ),
];

function usesOf({ cells }: Pick<Plan, 'cells'>): Use[] {
  const uses = new Map<string, Use>();
  for (const use of cells.flatMap(({ definition }) => usesIn(definition))) {
    const known = uses.get(use.existing) ?? use;
    uses.set(use.existing, {
      ...known,
      isWritten: known.isWritten || use.isWritten,
      actions: [...new Set([...known.actions, ...use.actions])],
      isCold: known.isCold || use.isCold,
    });
  }
  return [...uses.values()];
}

/**
 * Returns the privileges that the run needs for existing data, only for names without wildcards.
 *
 * A wildcard matches only indices that the credentials may see, so the target cannot check privileges for it. For names with wildcards,
 * {@link checkExistingData} tries the operations instead.
 */
export const privilegesOnExisting = (plan: Pick<Plan, 'cells'>): ExistingPrivileges[] => [
  ...usesOf(plan).map(({ existing, isWritten, isCold }) => ({
    names: plainNames(existing),
    privileges: [
      ...EXISTING_NEEDS.search,
      ...(isWritten ? EXISTING_NEEDS.write : []),
      ...(isCold ? EXISTING_NEEDS.cold : []),
    ],
  })),
  ...copiedIn(plan).flatMap(({ index, target }) =>
    index === undefined || target !== undefined
      ? []
      : [{ names: [index], privileges: [...EXISTING_NEEDS.search] }],
  ),
];

const FROM_TARGET = 'preload.from-target';

/** An existing index that trials copy. */
interface Original {
  /** Undefined if the trials restore a snapshot. */
  index: string | undefined;
  /** Name of the target that contains the index. Undefined if it is the target of the run. */
  target: string | undefined;
  snapshot: FromSnapshot | undefined;
  /** Index and target as text. */
  said: string;
}

/** Returns the existing indices and snapshots with which trials begin (`preload.from-index`, `preload.from-snapshot`). */
function copiedIn({ cells }: Pick<Plan, 'cells'>): Original[] {
  const found = cells.flatMap(({ definition: { preload } }): Original[] => {
    const { 'from-index': index, 'from-target': target, 'from-snapshot': snapshot } = preload ?? {};
    if (index === undefined && snapshot === undefined) return [];
    return [{ index, target, snapshot, said: copiedFrom(preload!) }];
  });
  return [...new Map(found.map((original) => [original.said, original])).values()];
}

/** The indices and snapshots from which trials copy their data. */
export interface CopiedData {
  /**
   * Size of the primary shards in bytes. Key: the text that {@link copiedFrom} returns for the index or snapshot. 0 if the cluster does not
   * report the size.
   */
  bytes: ReadonlyMap<string, number>;
  /** Sentences for the user about what the trials copy. */
  sentences: string[];
}

export interface CopiedDataInput {
  connection: TargetConnection;
  sources: Pick<SourceClusters, 'to'>;
  plan: Pick<Plan, 'cells'>;
  allowedHosts?: readonly string[];
}

/** Checks the indices and snapshots with which trials begin, without changing them. Rejects with a DynoError. */
export async function checkCopiedData(
  { connection, sources, plan, allowedHosts }: CopiedDataInput,
  cluster: Identity,
): Promise<CopiedData> {
  const bytes = new Map<string, number>();
  const sentences: string[] = [];
  for (const { index, target, snapshot, said } of copiedIn(plan)) {
    if (snapshot !== undefined) {
      const size = await checkSnapshot(connection, snapshot, cluster);
      bytes.set(said, size);
      sentences.push(`trials begin with ${said}${size === 0 ? '' : `: ${formatBytes(size)}`}`);
    }
    if (index === undefined) continue;
    const source = target === undefined ? connection : await sources.to(target);
    if (target !== undefined) await checkSource(source, target, allowedHosts);
    checkNotOurs(index, await findExisting(source, index, FROM_INDEX), FROM_INDEX);
    const { documents, storeBytes } = await readExisting(source, index, { refreshed: false });
    bytes.set(said, storeBytes ?? 0);
    sentences.push(
      `trials begin with copies of ${said}: ${plural(documents, 'document')}${storeBytes === null ? '' : `, ${formatBytes(storeBytes)}`}; it is only read`,
    );
  }
  return { bytes, sentences };
}

/** Checks that Dyno may connect to the cluster and can read all documents of an index there. Rejects with a DynoError. */
async function checkSource(
  source: TargetConnection,
  target: string,
  allowedHosts: readonly string[] | undefined,
): Promise<void> {
  checkAllowedHosts(source.urls, allowedHosts);
  const cluster = await identifyCluster(source);
  const missing = missingFeature({ aspect: 'search', name: 'pit' }, { ...cluster, plugins: null });
  if (missing === undefined) return;
  throw inputError('target.missing-feature', FROM_TARGET, missing.message, {
    found: target,
    allowed: missing.allowed,
  });
}

/** Reads the state of the existing data without changing the data. Returns sentences that describe it. Rejects with a DynoError. */
export async function checkExistingData(
  connection: ElasticsearchClient,
  plan: Pick<Plan, 'cells'>,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { existing, path, isWritten, actions } of usesOf(plan)) {
    const address = await addressOf(connection, existing, path);
    const found = await findExisting(connection, address, path);
    checkNotOurs(existing, found, path);
    if (isWritten) checkMayChange(existing, found, path);
    if (actions.length > 0) checkWritable(existing, found, actions);
    const { documents, storeBytes, indices } = await readExisting(connection, address, { refreshed: false });
    const isIndex = indices.length === 1 && namesIn(existing)[0] === indices[0];
    sentences.push(
      `existing data: ${existing}${isIndex ? '' : ` is ${plural(indices.length, 'index', 'indices')} (${listed(indices, 5)})`}, ` +
        `${plural(documents, 'document')}${storeBytes === null ? '' : `, ${formatBytes(storeBytes)}`}; ` +
        (isWritten ? 'changes to it remain' : 'it is only searched'),
    );
  }
  return sentences;
}
