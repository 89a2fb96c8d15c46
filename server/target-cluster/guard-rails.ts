/**
 * Checks that prevent a run from doing harm: allowed hosts, allowed index names, free disk space, and conditions under which a run must
 * end.
 */
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError, inputError, runError, type Problem } from '../../common/problem';
import { shownAddress } from '../../common/secrets/address';
import { formatBytes } from '../../common/units/format';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfThere } from './answer';
import { clusterHealth, type Health } from './cluster';
import { readDisks, type Disk } from './disks';
import { isHostPattern } from './host-pattern';
import { LEASE_INDEX } from './lease';
import { readMark, type IndexMark } from './mark';
import { isNamed, isReserved } from './reserved-addresses';

/**
 * Returns whether a host is allowed. `allowed`: patterns of hosts; undefined allows all. Link-local and metadata addresses are allowed only
 * if a pattern names them.
 */
export function isHostAllowed(url: string, allowed: readonly string[] | undefined): boolean {
  if (isReserved(new URL(url).hostname)) return isNamed(url, allowed);
  return allowed === undefined || allowed.some((pattern) => isHostPattern(pattern, url));
}

/** Throws a DynoError `target.host-not-allowed` (input) that lists every URL whose host is not allowed. */
export function checkAllowedHosts(urls: readonly string[], allowed: readonly string[] | undefined): void {
  const forbidden = urls.filter((url) => !isHostAllowed(url, allowed));
  if (forbidden.length === 0) return;
  throw new DynoError(
    'input',
    forbidden.map((url): Problem => ({
      code: 'target.host-not-allowed',
      path: 'hosts',
      found: url,
      ...(isReserved(new URL(url).hostname)
        ? {
            message: 'a link-local or metadata address may not be a target',
            allowed: 'other addresses, or add it to the setting of allowed hosts',
          }
        : {
            message: 'this host may not be a target',
            allowed: allowed?.map((pattern) => shownAddress(pattern)).join(', ') || 'none',
          }),
    })),
  );
}

/** Throws a DynoError `target.red` if the health is red. Without some primary shards, measurements would be meaningless. */
export function checkHealth(health: Health): void {
  if (health !== 'red') return;
  throw runError('target.red', '', 'the cluster is red: some primary shards are not allocated');
}

interface Standing {
  mappings?: unknown;
  aliases?: Record<string, unknown>;
  data_stream?: string;
}

const goesBy = ({ aliases = {}, data_stream: stream }: Standing, name: string): boolean =>
  name in aliases || stream === name;

/** Maximum number of index names in one request. It keeps the URL short enough. */
const NAMES_AT_ONCE = 20;

/**
 * Returns those of `names` whose indices exist and have Dyno's mark (`_meta.dyno` in the mapping). Rejects with a DynoError
 * `target.index-not-ours` (input) if some of the names exist without this mark. The error lists all of these names, including aliases and
 * data streams.
 */
export async function checkIndexNames(
  client: ElasticsearchClient,
  names: readonly string[],
): Promise<{ index: string; mark: IndexMark }[]> {
  const ours: { index: string; mark: IndexMark }[] = [];
  const problems: Problem[] = [];
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const some = names.slice(from, from + NAMES_AT_ONCE);
    const asked = api.getIndices(some, having<Record<string, Standing> | null>(), {
      ignore_unavailable: true,
      filter_path: '*.mappings._meta,*.settings.index.uuid,*.aliases,*.data_stream,error,status',
    });
    const found = (await askIfThere(client, asked, 'look for indices of the same name')) ?? {};
    for (const name of some) {
      const mark = readMark(found[name]?.mappings);
      const exists = found[name] !== undefined || Object.values(found).some((index) => goesBy(index, name));
      if (mark) ours.push({ index: name, mark });
      else if (exists) {
        problems.push({
          code: 'target.index-not-ours',
          path: 'index.name',
          message: 'an index that Dyno did not create has this name; choose another name',
          found: name,
        });
      }
    }
  }
  if (problems.length > 0) throw new DynoError('input', problems);
  return ours;
}

/** Disk space that a group of indices with the same settings will need. */
export interface SpaceNeeded {
  /** Known size of the documents of these indices, in bytes. */
  bytes: number;
  primaries: number;
  replicas: number;
}

/**
 * Checks that the data nodes have enough free disk space. Rejects with a DynoError `target.no-space` if a disk exceeds its high watermark,
 * or would exceed it with the indices of the run.
 * - `alternatives`: each element lists indices of the run that may exist at the same time.
 * - Assumptions: an index is as large as its documents, and the documents are spread evenly over the shards.
 *
 * Returns sentences about checks that were not possible.
 */
export async function checkDiskSpace(
  client: ElasticsearchClient,
  alternatives: readonly (readonly SpaceNeeded[])[],
): Promise<string[]> {
  const disks = await readDisks(client);
  if (disks === undefined) return ['free disk space could not be checked: the cluster does not report it'];
  const most = mostOnOneNode(alternatives, disks.length);
  const problems = disks
    .filter(({ availableBytes, highFreeBytes }) => availableBytes - most < highFreeBytes)
    .map((disk): Problem => ({
      code: 'target.no-space',
      path: '',
      message:
        disk.availableBytes < disk.highFreeBytes
          ? `the disk of ${disk.node} is above the high watermark: no shard would be allocated there`
          : `the indices need about ${formatBytes(most)} on ${disk.node} at the same time, which exceeds its high watermark`,
      found: `${formatBytes(disk.availableBytes)} free`,
      allowed: `${formatBytes(disk.highFreeBytes)} must stay free`,
    }));
  if (problems.length > 0) throw new DynoError('run', problems);
  return [];
}

/** Returns the maximum disk space, in bytes, that one node needs for any of the lists in `alternatives`. */
export const mostOnOneNode = (alternatives: readonly (readonly SpaceNeeded[])[], nodes: number): number =>
  Math.max(
    0,
    ...alternatives.map((together) =>
      together.reduce((sum, needed) => sum + bytesOnOneNode(needed, nodes), 0),
    ),
  );

/**
 * Returns the disk space, in bytes, that a group of indices needs on the node with the most shards. The shards are spread evenly over
 * `nodes` nodes. A shard has at most one copy on each node. Additional replicas do not count, because Elasticsearch does not assign them.
 */
function bytesOnOneNode({ bytes, primaries, replicas }: SpaceNeeded, nodes: number): number {
  if (nodes === 0) return 0;
  const copies = primaries * (1 + Math.min(replicas, nodes - 1));
  return (bytes / primaries) * Math.ceil(copies / nodes);
}

/** Returns why one of the indices does not accept documents. Returns '' if all indices accept them, or if this is unknown. */
async function writeBlock(client: ElasticsearchClient, indices: readonly string[]): Promise<string> {
  if (indices.length === 0) return '';
  const asked = api.getSettings(indices, ['index.blocks.*']);
  const answer = await ask(client, asked, 'read the blocks of the indices', { failed: () => ({}) });
  for (const [index, { settings = {} }] of Object.entries(answer)) {
    const block = Object.keys(settings).find((name) => String(settings[name]) === 'true');
    if (block !== undefined)
      return `the index ${index} is blocked (${block}): the cluster ran out of disk, or somebody blocked it`;
  }
  return '';
}

const describeFlood = ({ node, availableBytes, floodFreeBytes }: Disk): string =>
  `the disk of ${node} has passed its flood-stage watermark (${formatBytes(availableBytes)} free, ` +
  `${formatBytes(floodFreeBytes)} must stay free)`;

/**
 * Time in ms after which a red cluster is checked again. A run only ends if the cluster is still red, because creating an index makes a
 * cluster red for a moment.
 */
const SECOND_LOOK_MS = 1000;

/**
 * Checks the health of the cluster while the load is running, and whether its indices can be written to. Returns the reason why the run
 * must end now, or null. Also returns null if the cluster does not respond in time: a slow cluster is no reason to end a run. Rejects only
 * if `signal` aborts.
 */
export async function reasonToStop(
  client: ElasticsearchClient,
  indices: readonly string[],
  signal?: AbortSignal,
): Promise<string | null> {
  const bounded = withDefaults(client, { signal, timeoutMs: 5000 });
  try {
    const block = await writeBlock(bounded, indices);
    if (block !== '') return block;
    const flooded = (await readDisks(bounded))?.find(
      ({ availableBytes, floodFreeBytes }) => availableBytes < floodFreeBytes,
    );
    if (flooded) return describeFlood(flooded);
    if ((await clusterHealth(bounded)) !== 'red') return null;
    await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
    return (await clusterHealth(bounded)) === 'red' ? 'the cluster has turned red' : null;
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
}

const RESERVED = ['dyno-runs-', 'dyno-trials-', 'dyno-samples-', 'dyno-profiles-', 'dyno-metrics-'];

/**
 * Throws a DynoError `target.reserved-name` (input) if Dyno uses the name itself: for its lease, or for indices to which the templates of
 * its results apply.
 */
export function checkReservedName(name: string, path = 'index.name'): void {
  if (name === LEASE_INDEX)
    throw inputError('target.reserved-name', path, 'Dyno stores its lease there', { found: name });
  const prefix = RESERVED.find((reserved) => `${name}-`.startsWith(reserved));
  if (prefix === undefined) return;
  const message = `names that begin with ${prefix} are reserved for results`;
  throw inputError('target.reserved-name', path, message, { found: name });
}
