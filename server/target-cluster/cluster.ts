/** Identifies a cluster: its name, version, health and nodes, and the privileges of the credentials. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ENGINES, ENGINE_NAMES, engineWithVersion, type Engine } from '../../common/elasticsearch/engine';
import { runError, type DynoError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';
import { discoverNodes, type TargetNode } from './nodes';

export type Health = 'green' | 'yellow' | 'red' | 'unknown';

export interface Cluster {
  name: string;
  uuid: string;
  engine: Engine;
  /** Version of the engine, such as `9.5.3`. */
  version: string;
  /** Whether the cluster is serverless. A serverless cluster reports no nodes, settings or statistics. */
  serverless: boolean;
  health: Health;
  /** All nodes in the order of their names; empty if the cluster does not report them. */
  nodes: TargetNode[];
  /** Sentences about facts that could not be read, for the run's events. */
  notes: string[];
}

/** Oldest supported major versions. Elasticsearch 7 and OpenSearch 2 are the first versions whose requests need no mapping types. */
const OLDEST_MAJOR: Readonly<Record<Engine, number>> = { elasticsearch: 7, opensearch: 2 };

const SUPPORTED = ENGINES.map((engine) => `${ENGINE_NAMES[engine]} ${OLDEST_MAJOR[engine]}.0`).join(' and ');

/** Identifies the cluster and reads all facts that the cluster reports. Rejects with the errors of {@link identifyCluster}. */
export async function discoverCluster(client: ElasticsearchClient): Promise<Cluster> {
  const identity = await identifyCluster(client);
  const notes: string[] = [];
  const [nodes, health] = await Promise.all([discoverNodes(client), clusterHealth(client)]);
  if (nodes.length === 0)
    notes.push('the cluster reports nothing about its nodes: no facts, no node statistics');
  if (health === 'unknown') notes.push('the cluster does not report its health');
  return { ...identity, health, nodes, notes };
}

export type Identity = Pick<Cluster, 'name' | 'uuid' | 'engine' | 'version' | 'serverless'>;

/**
 * Identifies the cluster with one request. Rejects with a DynoError: `target.unauthorised` or `target.forbidden` (credentials),
 * `target.unsupported-version`, `target.not-elasticsearch` (another server responds), or with the errors of the client.
 */
export async function identifyCluster(client: ElasticsearchClient): Promise<Identity> {
  const body = await ask(client, api.root(), 'ask which cluster this is (cluster privilege `monitor`)', {
    garbled: () => null,
    notOffered: ({ status, error }) => {
      // The reduced distribution has no handler for `/`.
      if (status !== 404 && status !== 405) throw error;
      return 'no handler' as const;
    },
  });
  if (body === 'no handler') return identifyByState(client);
  const number = body?.version?.number;
  if (typeof number !== 'string') throw notElasticsearch('');
  const { distribution, build_flavor: flavour } = body?.version ?? {};
  const engine = distribution === undefined ? 'elasticsearch' : ENGINES.find((one) => one === distribution);
  if (engine === undefined) {
    const message = `this is ${distribution} ${number}; Dyno measures ${SUPPORTED} and later`;
    throw runError('target.unsupported-version', '', message);
  }
  const version = isDisguised(engine, number) ? await versionOfNode(client) : number;
  checkVersion({ engine, version });
  return {
    name: textOr(body?.cluster_name, ''),
    uuid: textOr(body?.cluster_uuid, ''),
    engine,
    version,
    serverless: flavour === 'serverless',
  };
}

/**
 * Returns whether the response of an OpenSearch to `GET /` contains a version of Elasticsearch. The setting
 * `compatibility.override_main_response_version` of OpenSearch 2 has this effect.
 */
const isDisguised = (engine: Engine, number: string): boolean =>
  engine === 'opensearch' && number.startsWith('7.10.');

async function versionOfNode(client: ElasticsearchClient): Promise<string> {
  const asked = api.nodes('_local', ['version'], z.looseObject({ version: z.string() }));
  const { nodes = {} } = await ask(client, asked, 'ask for the version');
  return Object.values(nodes)[0]?.version ?? '';
}

const notElasticsearch = (reason: string): DynoError =>
  runError(
    'target.not-elasticsearch',
    '',
    `something answers there, but it is neither Elasticsearch nor OpenSearch${reason === '' ? '' : `: ${reason}`}`,
  );

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

async function identifyByState(client: ElasticsearchClient): Promise<Identity> {
  const state = await ask(client, api.clusterState(), 'ask which cluster this is', {
    failed: ({ status, reason, error }) => {
      throw status === 401 || status === 403 ? error : notElasticsearch(reason);
    },
  });
  if (typeof state?.cluster_uuid !== 'string') throw notElasticsearch('');
  const identity = {
    name: textOr(state.cluster_name, ''),
    uuid: state.cluster_uuid,
    // Only Elasticsearch's reduced distribution lacks the handler for `/`.
    engine: 'elasticsearch',
    version: await versionOfNode(client),
    serverless: false,
  } as const;
  checkVersion(identity);
  return identity;
}

function checkVersion(cluster: Pick<Cluster, 'engine' | 'version'>): void {
  if (Number.parseInt(cluster.version, 10) >= OLDEST_MAJOR[cluster.engine]) return;
  const message = `${engineWithVersion(cluster)} is too old; Dyno measures ${SUPPORTED} and later`;
  throw runError('target.unsupported-version', '', message);
}

/** Returns the health of the cluster; `unknown` if the cluster does not report it. */
export async function clusterHealth(client: ElasticsearchClient): Promise<Health> {
  const answer = await askIfOffered(client, api.clusterHealth(), 'ask for the health of the cluster');
  return answer?.status ?? 'unknown';
}

/** Privileges that every run needs. */
const CLUSTER_PRIVILEGES = ['monitor'];
const INDEX_PRIVILEGES = [
  'create_index',
  'delete_index',
  'index',
  'read',
  'monitor',
  'maintenance',
  'view_index_metadata',
];

export interface Privileges {
  cluster: readonly string[];
  index: readonly string[];
}

/** Privileges on existing data: indices that the run neither creates nor deletes. */
export interface ExistingPrivileges {
  names: readonly string[];
  privileges: readonly string[];
}

/** Names of privileges to check: on the cluster, and on the indices that match the index patterns `names`. */
export interface WantedPrivileges {
  cluster: readonly string[];
  index: readonly { names: readonly string[]; privileges: readonly string[] }[];
}

/**
 * Returns the wanted privileges that these credentials lack, such as `cluster: monitor`, and the `user` to whom the credentials belong. If
 * no privilege is missing, `user` is ''. In a cluster without security, no privilege is missing. Rejects with a DynoError
 * `target.unauthorised`.
 */
export async function lackedPrivileges(
  client: ElasticsearchClient,
  { cluster, index }: WantedPrivileges,
): Promise<{ user: string; lacked: string[] }> {
  const answer = await ask(client, api.hasPrivileges({ cluster, index }), 'ask for privileges', {
    failed: ({ status, error }) => {
      if (status === 401) throw error;
      // If the cluster has no security, the API does not exist: the status is 400, 405 or 500, depending on the version.
      return undefined;
    },
  });
  if (answer?.has_all_requested !== false) return { user: '', lacked: [] };
  const missing = (granted: Record<string, boolean>): string[] =>
    Object.keys(granted).filter((privilege) => granted[privilege] === false);
  return {
    user: answer.username,
    lacked: [
      ...missing(answer.cluster).map((privilege) => `cluster: ${privilege}`),
      ...Object.entries(answer.index).flatMap(([name, granted]) =>
        missing(granted).map((privilege) => `index ${name}: ${privilege}`),
      ),
    ],
  };
}

/**
 * Returns the privileges of a run. `patterns`: patterns of the indices that it creates. `more` and `existing`: see {@link checkPrivileges}.
 */
export const wantedBy = (
  patterns: readonly string[],
  more: Privileges = { cluster: [], index: [] },
  existing: readonly ExistingPrivileges[] = [],
): WantedPrivileges => ({
  cluster: [...CLUSTER_PRIVILEGES, ...more.cluster],
  index: [{ names: patterns, privileges: [...INDEX_PRIVILEGES, ...more.index] }, ...existing].filter(
    ({ names }) => names.length > 0,
  ),
});

/**
 * Checks that these credentials may run trials on indices that match the `patterns`. `more`: additional privileges that this run needs.
 * `existing`: privileges on existing data. In a cluster without security, nothing is missing. Rejects with a DynoError
 * `target.missing-privileges` that names all missing privileges.
 */
export async function checkPrivileges(
  client: ElasticsearchClient,
  patterns: readonly string[],
  more?: Privileges,
  existing?: readonly ExistingPrivileges[],
): Promise<void> {
  const { user, lacked } = await lackedPrivileges(client, wantedBy(patterns, more, existing));
  if (lacked.length === 0) return;
  const who = await whoAsks(client, user);
  throw runError('target.missing-privileges', '', `${who} privileges: ${lacked.join(', ')}`);
}

/**
 * Returns the beginning of the error about missing privileges, such as `the user alice lacks`. For an API key, the error names the key,
 * because a key can have fewer privileges than its user.
 */
async function whoAsks(client: ElasticsearchClient, user: string): Promise<string> {
  const doing = 'ask whose credentials these are';
  const answer = await askIfOffered(client, api.authenticate(), doing).catch(() => undefined);
  if (answer === undefined) return `these credentials (of ${user}) lack`;
  // Before 7.14, only the realm shows that the credentials are an API key.
  const isKey =
    answer.authentication_type === 'api_key' || answer.authentication_realm?.name === '_es_api_key';
  if (!isKey) return `the user ${user} lacks`;
  const name = answer.api_key?.name ?? answer.api_key?.id;
  return `the API key${name === undefined ? '' : ` ${name}`} (made by ${user}) lacks`;
}
