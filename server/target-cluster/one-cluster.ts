/** Checks that all hosts of a connection belong to the same cluster. */
import { DynoError, inputError } from '../../common/problem';
import { listed } from '../../common/analysis/wording';
import { identifyCluster } from './cluster';
import type { TargetConnection } from './connection';

/** Time in ms within which a host must report its cluster. A slower host counts as unusable. */
const ASK_TIMEOUT_MS = 5000;

interface Asked {
  url: string;
  /** Name and UUID of the cluster of the host; undefined if the host did not report its cluster. */
  cluster?: { name: string; uuid: string };
  /** Reason why the host cannot be used; '' if it can be used. */
  why: string;
}

/** UUID that a node reports before it has joined a cluster. */
const NO_CLUSTER = '_na_';

type Hosts = Pick<TargetConnection, 'urls' | 'to'>;

async function askHost(connection: Hosts, url: string): Promise<Asked> {
  const direct = connection.to([url], ASK_TIMEOUT_MS);
  try {
    const { name, uuid } = await identifyCluster(direct);
    if (uuid === NO_CLUSTER) return { url, why: `${url} has not joined a cluster` };
    return { url, why: '', ...(uuid === '' ? {} : { cluster: { name, uuid } }) };
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return { url, why: error.message.includes(url) ? error.message : `${url}: ${error.message}` };
  } finally {
    await direct.close();
  }
}

/**
 * Asks each host of the connection for the UUID of its cluster, if there are several hosts. Rejects with a DynoError
 * `target.several-clusters` (input) if the UUIDs differ. Returns a warning that names the hosts that cannot be used. If no host can be
 * used, returns no warning, because the next request fails with the reason.
 */
export async function checkOneCluster(connection: Hosts): Promise<string[]> {
  const urls = [...new Set(connection.urls)];
  if (urls.length < 2) return [];
  const asked = await Promise.all(urls.map((url) => askHost(connection, url)));
  const clusters = new Map<string, { name: string; urls: string[] }>();
  for (const { url, cluster } of asked) {
    if (cluster === undefined) continue;
    const known = clusters.get(cluster.uuid) ?? { name: cluster.name, urls: [] };
    clusters.set(cluster.uuid, { ...known, urls: [...known.urls, url] });
  }
  if (clusters.size > 1) {
    const which = [...clusters].map(
      ([uuid, { name, urls: own }]) =>
        `${listed(own, 5)} ${own.length === 1 ? 'is' : 'are'} ${name} (${uuid})`,
    );
    throw inputError(
      'target.several-clusters',
      'hosts',
      `the hosts belong to ${clusters.size} different clusters: ${which.join('; ')}`,
      { allowed: 'hosts of one cluster; create a separate target for each cluster' },
    );
  }
  const dead = asked.filter(({ why }) => why !== '');
  if (dead.length === 0 || dead.length === asked.length) return [];
  return [
    `${dead.length} of the target’s ${urls.length} hosts cannot be used: ${dead.map(({ why }) => why).join('; ')}`,
  ];
}
