/** Chooses the nodes that receive the load, and checks that this machine can reach them. */
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Definition } from '../../common/experiment/definition';
import { listed } from '../../common/analysis/wording';
import { messageOf } from '../../common/problem';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import type { TargetConnection } from './connection';
import { isHostAllowed } from './guard-rails';
import type { TargetNode } from './nodes';

/** The nodes that receive the load. */
export interface LoadNodes {
  /** Base URLs of the nodes, without credentials. */
  urls: string[];
  /** Reasons why these are not the requested nodes; empty if they are. */
  notes: string[];
  /** Warning that some of the hosts in the target's settings get no load. Undefined if all of them get load. */
  past?: string;
}

const LOOK_TIMEOUT_MS = 2000;

/**
 * Returns the nodes that receive the load, for a value of the key `spread` in the definition. The *given hosts* are those in the settings
 * of the target.
 * - `data-nodes`: every data node, at the address that it publishes. If this machine cannot reach one of the data nodes, or may not contact
 *   it, the given hosts are used instead, with a note.
 * - `given-hosts`: all given hosts.
 * - `one-host`: the first given host.
 */
export async function chooseLoadNodes(
  connection: TargetConnection,
  nodes: readonly TargetNode[],
  spread: Definition['spread'],
  allowedHosts?: readonly string[],
): Promise<LoadNodes> {
  const given = [...connection.urls];
  if (spread === 'one-host') return { urls: given.slice(0, 1), notes: [] };
  if (spread === 'given-hosts') return { urls: given, notes: [] };
  const dataNodes = nodes.filter(({ data, publishAddress }) => data && publishAddress !== '');
  if (dataNodes.length === 0) {
    return { urls: given, notes: ['the data nodes are unknown: the load goes to the given hosts'] };
  }
  const scheme = new URL(given[0]!).protocol;
  const found = await Promise.all(
    dataNodes.map(async (node) => {
      const url = publishedUrl(scheme, node.publishAddress);
      const hindrance = isHostAllowed(url, allowedHosts)
        ? await look(connection, url, node)
        : 'it is not an allowed host';
      return {
        url,
        hindrance: hindrance === '' ? '' : `${node.name} at ${url} is not contacted directly: ${hindrance}`,
      };
    }),
  );
  const hindrances = found.map(({ hindrance }) => hindrance).filter(Boolean);
  if (hindrances.length === 0) {
    const urls = found.map(({ url }) => url);
    const past = await bypassNote(given, urls);
    return { urls, notes: [], ...(past === '' ? {} : { past }) };
  }
  return {
    urls: given,
    notes: [`the load goes to the given hosts, not to each data node: ${hindrances.join('; ')}`],
  };
}

/**
 * Returns a sentence for the user if some of the hosts in `given` get no load, otherwise ''. For example, a proxy in front of the nodes
 * gets no load. Hosts are compared by their IP addresses.
 */
async function bypassNote(given: readonly string[], nodes: readonly string[]): Promise<string> {
  const known = new Set((await Promise.all(nodes.map(addressesOf))).flat());
  const passed: string[] = [];
  for (const url of given) if (!(await addressesOf(url)).some((one) => known.has(one))) passed.push(url);
  if (passed.length === 0) return '';
  return (
    `the load goes to the data nodes’ own addresses (${listed(nodes, 5)}), and bypasses ${listed(passed, 5)}: ` +
    'spread: given-hosts sends it through the given hosts'
  );
}

/** Returns texts to compare URLs: `address:port/path` for the host in the URL, and for every IP address to which it resolves. */
async function addressesOf(url: string): Promise<string[]> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const rest = `:${port || (protocol === 'https:' ? '443' : '80')}${pathname.replace(/\/+$/, '')}`;
  return [host, ...found.map(({ address }) => address)].map((address) => `${address}${rest}`);
}

/** Returns the URL for the address that a node publishes: `ip:port`, or `host/ip:port` if its configuration contains a host name. */
function publishedUrl(scheme: string, address: string): string {
  const named = /^([^/]+)\/.*:(\d+)$/.exec(address);
  return `${scheme}//${named ? `${named[1]}:${named[2]}` : address}`;
}

/**
 * Checks that the address that a node publishes leads to this node. In another network, a different server may have the same address.
 * Returns '' if this node responds, and otherwise a sentence with the problem.
 */
async function look(connection: TargetConnection, url: string, node: TargetNode): Promise<string> {
  const direct = connection.to([url], LOOK_TIMEOUT_MS);
  try {
    const status = await ask(direct, api.nodes('_local', ['name'], having()), 'ask which node answers', {
      failed: (refused) => refused.status,
    });
    if (typeof status !== 'number' && status.nodes?.[node.id] !== undefined) return '';
    return `another node answers there (${typeof status === 'number' ? status : 200})`;
  } catch (error) {
    return messageOf(error);
  } finally {
    await direct.close();
  }
}

/** Returns whether one of `urls` belongs to this machine. In this case the load generator and the target share its cores. */
export async function onThisMachine(urls: readonly string[]): Promise<boolean> {
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  );
  const here = await Promise.all(
    urls.map(async (url) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      const addresses = await lookup(host, { all: true }).catch(() => []);
      return addresses.some(({ address }) => own.has(address) || address.startsWith('127.'));
    }),
  );
  return here.includes(true);
}
