/** Restores an index from a snapshot in a repository that is registered in the cluster. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { isSince } from '../../common/elasticsearch/engine';
import { flattenSettings } from '../../common/elasticsearch/settings';
import type { FromSnapshot } from '../../common/experiment/definition';
import { inputError } from '../../common/problem';
import { formatPercent } from '../../common/units/format';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';
import type { Identity } from './cluster';
import { namesLike } from './existing';
import { markBody, type IndexMark } from './mark';
import { waitUntilReady } from './readiness';

const PATH = 'preload.from-snapshot';
const TIMEOUT_MS = api.HOURS_MS;
const LOOK_MS = 1000;

/**
 * Settings of the original index that are not restored. Blocks would prevent writes. Allocation rules may name nodes that the cluster does
 * not have. A lifecycle policy could change the index during a trial.
 */
const NOT_KEPT = ['index.blocks.*', 'index.routing.allocation.*', 'index.lifecycle.*'];

/**
 * Checks that the index can be restored. Returns the size of the index in the snapshot, in bytes; 0 if the cluster does not report it.
 * Rejects with a DynoError (input) if the repository, the snapshot or the index does not exist, or if the snapshot lacks shards of the
 * index.
 */
export async function checkSnapshot(
  client: ElasticsearchClient,
  { repository, snapshot, index }: FromSnapshot,
  { engine, version, serverless }: Pick<Identity, 'engine' | 'version' | 'serverless'>,
): Promise<number> {
  const repositories = await ask(client, api.snapshotRepositories(), 'list the snapshot repositories', {
    path: PATH,
  });
  if (!repositories.includes(repository))
    throw inputError(
      'target.no-repository',
      `${PATH}.repository`,
      'the target has no repository of this name',
      {
        found: repository,
        allowed:
          repositories.length === 0
            ? 'a repository that is registered in the target'
            : repositories.join(', '),
      },
    );
  // OpenSearch does not know this parameter, and refuses requests with it.
  const details = engine === 'elasticsearch' && (serverless || isSince(version, '7.13'));
  const answer = await ask(
    client,
    api.getSnapshots(repository, snapshot, details ? { index_details: true } : {}),
    `read the snapshot ${snapshot} (cluster privilege \`monitor_snapshot\`)`,
    { path: PATH, missing: () => undefined },
  );
  const found = answer?.snapshots.find((one) => one.snapshot === snapshot);
  if (found === undefined)
    throw inputError('target.no-snapshot', `${PATH}.snapshot`, `${repository} has no snapshot of this name`, {
      found: snapshot,
      allowed: 'the name of one snapshot, without wildcards',
    });
  const { state, indices, failures, index_details: sizes } = found;
  if (!indices.includes(index)) {
    const alike = namesLike(index, indices);
    throw inputError(
      'target.no-snapshot-index',
      `${PATH}.index`,
      `the snapshot ${snapshot} does not contain this index`,
      {
        found: index,
        allowed: alike.length === 0 ? 'the name of one index in the snapshot' : `such as ${alike.join(', ')}`,
      },
    );
  }
  if (state === 'IN_PROGRESS' || failures.some((failure) => failure.index === index))
    throw inputError(
      'target.partial-snapshot',
      `${PATH}.index`,
      `the snapshot ${snapshot} of this index is not complete`,
      {
        found: index,
        allowed: 'a snapshot that contains all shards of the index',
      },
    );
  return sizes[index]?.size_in_bytes ?? 0;
}

/**
 * Begins to restore the index under the name `to`, and adds Dyno's mark (`_meta.dyno`) to the mapping of the new index. `settings`: index
 * settings that replace those in the snapshot. Rejects with a DynoError if the cluster refuses.
 */
export async function beginRestore(
  client: ElasticsearchClient,
  { repository, snapshot, index }: FromSnapshot,
  {
    to,
    settings,
    mark,
  }: { to: string; settings: Readonly<Record<string, unknown>>; mark: Omit<IndexMark, 'created'> },
): Promise<void> {
  const body = {
    indices: index,
    rename_pattern: '.+',
    rename_replacement: to,
    include_aliases: false,
    include_global_state: false,
    index_settings: flattenSettings(settings),
    ignore_index_settings: NOT_KEPT,
  };
  const doing = `restore ${index} from the snapshot ${snapshot}`;
  await ask(client, api.restoreSnapshot(repository, snapshot, body), doing, { path: PATH });
  // The index exists as soon as the cluster has accepted the request. It has the mark before its documents.
  await ask(client, api.putMapping(to, markBody(mark)), `mark the index ${to}`);
}

/**
 * Waits until all shards of the restored index are allocated. `onRestored`: called with the progress as text, such as `40%`. Resolves to
 * notes for the user about missing replicas. Rejects with the errors of {@link waitUntilReady}.
 */
export async function waitUntilRestored(
  client: ElasticsearchClient,
  index: string,
  { signal, onRestored }: { signal: AbortSignal; onRestored: (share: string) => void },
): Promise<string[]> {
  let isOver = false;
  const ready = waitUntilReady(client, [index], TIMEOUT_MS, signal).finally(() => (isOver = true));
  const settled = ready.catch(() => undefined);
  while (!isOver) {
    const share = await restoredShare(client, index);
    if (share !== undefined) onRestored(formatPercent(share));
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
  }
  return await ready;
}

/** Returns how much of the primary shards is restored, as a fraction from 0 to 1 of their bytes. Undefined if it is unknown. */
async function restoredShare(client: ElasticsearchClient, index: string): Promise<number | undefined> {
  const answer = await askIfOffered(client, api.recoveryOf(index), 'ask how much is restored').catch(
    () => undefined,
  );
  const sizes = Object.values(answer ?? {})
    .flatMap(({ shards }) => shards)
    .filter(({ primary }) => primary)
    .map(({ index: { size } }) => size);
  const total = sizes.reduce((sum, size) => sum + size.total_in_bytes, 0);
  return total === 0 ? undefined : sizes.reduce((sum, size) => sum + size.recovered_in_bytes, 0) / total;
}
