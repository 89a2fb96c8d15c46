/** Checks existing data before a run begins, and describes the data. */
import { namesIn, plainNames } from '../../../common/elasticsearch/existing-names';
import type { Plan } from '../../../common/experiment/plan';
import { EXISTING_NEEDS } from '../../../common/privileges';
import { changesExisting } from '../../../common/tasks/registry';
import { actionsOf } from '../../../common/tasks/writes';
import { listed } from '../../../common/analysis/wording';
import { formatBytes, plural } from '../../../common/units/format';
import type { ExistingPrivileges } from '../../target-cluster/cluster';
import type { TargetConnection } from '../../target-cluster/connection';
import {
  addressOf,
  checkMayChange,
  checkNotOurs,
  checkWritable,
  findExisting,
  readExisting,
} from '../../target-cluster/existing';

/** All operations that the cells of a run perform on one name of existing data. */
interface Use {
  existing: string;
  isWritten: boolean;
  /** Bulk actions that ingest tasks send to this data. Empty if no ingest task writes to it. */
  actions: readonly string[];
  isCold: boolean;
}

function usesOf({ cells }: Pick<Plan, 'cells'>): Use[] {
  const uses = new Map<string, Use>();
  for (const { definition: own } of cells) {
    const { existing } = own.index;
    if (existing === undefined) continue;
    const known = uses.get(existing) ?? {
      existing,
      isWritten: false,
      actions: [],
      isCold: false,
    };
    uses.set(existing, {
      existing,
      isWritten: known.isWritten || changesExisting(own),
      actions: [...known.actions, ...own.tasks.flatMap(({ ingest }) => (ingest ? actionsOf(ingest) : []))],
      isCold: known.isCold || own.measure.caches === 'cold',
    });
  }
  return [...uses.values()];
}

/**
 * Returns the privileges that the run needs for existing data, for names without wildcards. A wildcard matches only indices that the
 * credentials may see, so privileges cannot be checked for it. For names with wildcards, {@link checkExistingData} tries the operations
 * instead.
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
  ...copiedIn(plan).map((name) => ({ names: [name], privileges: [...EXISTING_NEEDS.search] })),
];

const FROM_INDEX = 'preload.from-index';

/** Returns the existing indices that trials copy (`preload.from-index`). */
const copiedIn = ({ cells }: Pick<Plan, 'cells'>): string[] => [
  ...new Set(cells.flatMap(({ definition }) => definition.preload?.['from-index'] ?? [])),
];

/** Copies of an index that the run makes. */
export interface CopiedData {
  /** Size of the primary shards of each index in bytes, by the name in the definition. 0 if the target does not report it. */
  bytes: ReadonlyMap<string, number>;
  sentences: string[];
}

/** Checks the indices that trials copy, without changing them. Rejects with a DynoError. */
export async function checkCopiedData(
  connection: TargetConnection,
  plan: Pick<Plan, 'cells'>,
): Promise<CopiedData> {
  const bytes = new Map<string, number>();
  const sentences: string[] = [];
  for (const name of copiedIn(plan)) {
    checkNotOurs(name, await findExisting(connection, name, FROM_INDEX), FROM_INDEX);
    const { documents, storeBytes } = await readExisting(connection, name, { refreshed: false });
    bytes.set(name, storeBytes ?? 0);
    sentences.push(
      `trials begin with copies of ${name}: ${plural(documents, 'document')}${storeBytes === null ? '' : `, ${formatBytes(storeBytes)}`}; it is only read`,
    );
  }
  return { bytes, sentences };
}

/** Reads the state of the existing data without changing the data. Returns sentences that describe it. Rejects with a DynoError. */
export async function checkExistingData(
  connection: TargetConnection,
  plan: Pick<Plan, 'cells'>,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { existing, isWritten, actions } of usesOf(plan)) {
    const address = await addressOf(connection, existing);
    const found = await findExisting(connection, address);
    checkNotOurs(existing, found);
    if (isWritten) checkMayChange(existing, found);
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
