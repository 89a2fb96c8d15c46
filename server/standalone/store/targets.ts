/** Keeps targets in the results cluster, `dyno-targets`, their secrets encrypted; beside them the host's own, `local`. */
import { LOCAL_TARGET, type Target } from '../../../common/api/targets';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { inputError } from '../../../common/problem';
import {
  boolean,
  date,
  keyword,
  object,
  opaque,
  text,
  type FieldMapping,
  type Fields,
} from '../../results/mappings/field';
import { Conflict, type TargetStore, type TriedTarget } from '../../routes/services';
import { Connection, type ConnectionOptions } from '../../target-cluster/connection';
import { DocumentIndex, type Versioned } from './document-index';
import type { Sealed } from './sealed';
import type { SecretKey } from './secret-key';
import {
  keptCredentials,
  openCredentials,
  sealCredentials,
  type StoredCredentials,
} from './target-credentials';
import { authorizationOf } from '../../host/credentials';
import { inspect } from '../../host/target-facts';
import { checkHosts } from '../../host/target-hosts';

export const TARGETS = 'dyno-targets';

type KnownTarget = Omit<Target, 'experiments'>;

interface StoredTarget {
  id: string;
  title: string;
  hosts: string[];
  credentials: StoredCredentials;
  ca: string | null;
  verifyCertificates: boolean;
  created: string;
  updated: string;
}

/** Neither analysed nor limited in length. */
const unindexed: FieldMapping = { type: 'text', index: false };

const fields: Fields<StoredTarget> = {
  id: keyword,
  title: text,
  hosts: unindexed,
  credentials: object<StoredCredentials>({
    kind: keyword,
    username: opaque,
    secret: object<Sealed>({ key: keyword, iv: opaque, tag: opaque, data: unindexed }),
  }),
  ca: unindexed,
  verifyCertificates: boolean,
  created: date,
  updated: date,
};

export interface TargetStoreOptions {
  /** Of the cluster that keeps the results. */
  client: ElasticsearchClient;
  /** The cluster that the host itself brings, or was started with. */
  local: Connection;
  /** Patterns; undefined allows all. */
  allowedHosts: readonly string[] | undefined;
  key: SecretKey;
}

export interface StandaloneTargetStore extends TargetStore {
  /** A connection of the caller's own. Rejects with a DynoError, such as `target.not-found`. */
  connect(id: string): Promise<Connection>;
}

/** For each question to a cluster that somebody waits for, ms. */
const LOOK_TIMEOUT_MS = 10_000;

const notFound = (id: string): Error =>
  inputError('target.not-found', 'id', 'there is no such target', { found: id });

const toTarget = ({ id, version, source }: Versioned<StoredTarget>): KnownTarget => ({
  id,
  version,
  title: source.title,
  hosts: source.hosts,
  credentials: { kind: source.credentials.kind, username: source.credentials.username },
  ca: source.ca,
  verifyCertificates: source.verifyCertificates,
  builtIn: false,
});

const untouchable = (): Error =>
  inputError('target.built-in', 'id', 'this target belongs to the server and cannot be changed here', {
    found: LOCAL_TARGET,
  });

export function createTargetStore({
  client,
  local,
  allowedHosts,
  key,
}: TargetStoreOptions): StandaloneTargetStore {
  const index = new DocumentIndex<StoredTarget>(client, TARGETS, fields, 'targets');

  const localTarget: KnownTarget = {
    id: LOCAL_TARGET,
    version: null,
    title: 'The cluster of this server',
    hosts: [...local.urls],
    credentials: {
      // Whoever started the server knows them.
      kind: authorizationKind(local.headers['authorization']),
      username: null,
    },
    ca: local.ca ?? null,
    verifyCertificates: local.verifyCertificates,
    builtIn: true,
  };

  async function stored(id: string): Promise<Versioned<StoredTarget>> {
    const found = await index.get(id);
    if (!found) throw notFound(id);
    return found;
  }

  const optionsOf = (
    settings: Pick<StoredTarget, 'hosts' | 'ca' | 'verifyCertificates'>,
    authorization: string | undefined,
    timeoutMs?: number,
  ): ConnectionOptions => ({
    hosts: settings.hosts,
    authorization,
    ca: settings.ca ?? undefined,
    verifyCertificates: settings.verifyCertificates,
    timeoutMs,
  });

  async function connect(id: string): Promise<Connection> {
    if (id === LOCAL_TARGET) return local.to(local.urls);
    const { source } = await stored(id);
    // The setting may have become stricter since it was saved.
    checkHosts(source.hosts, allowedHosts);
    return new Connection(optionsOf(source, authorizationOf(openCredentials(id, source.credentials, key))));
  }

  /** Of settings that are tried; `hosts` are theirs as they were checked. */
  async function triedAuthorization(
    { id, credentials }: TriedTarget,
    hosts: readonly string[],
  ): Promise<string | undefined> {
    if (credentials.kind !== 'keep') return authorizationOf(credentials);
    if (id === undefined) {
      throw inputError('target.credentials', 'id', 'is missing: it says whose credentials to use');
    }
    const { source } = await stored(id);
    return authorizationOf(openCredentials(id, keptCredentials(source, hosts), key));
  }

  return {
    secretsRefused: null,

    async list() {
      return [localTarget, ...(await index.list()).map(toTarget)];
    },

    async get(id) {
      return id === LOCAL_TARGET ? localTarget : toTarget(await stored(id));
    },

    async create({ id, title, hosts: given, credentials, ca, verifyCertificates }) {
      if (id === LOCAL_TARGET) throw untouchable();
      const hosts = checkSettings(given, ca);
      const now = new Date().toISOString();
      const source: StoredTarget = {
        id,
        title,
        hosts,
        credentials: sealCredentials(id, credentials, key),
        ca,
        verifyCertificates,
        created: now,
        updated: now,
      };
      const created = await index.create(id, source);
      if (created) return toTarget(created);
      throw new Conflict(
        { code: 'target.conflict', path: 'id', message: 'a target with this name exists', found: id },
        toTarget(await stored(id)),
      );
    },

    async save(id, { title, hosts: given, credentials, ca, verifyCertificates, version }) {
      if (id === LOCAL_TARGET) throw untouchable();
      const { source: before } = await stored(id);
      const hosts = checkSettings(given, ca);
      const source: StoredTarget = {
        id,
        title,
        hosts,
        credentials:
          credentials.kind === 'keep'
            ? keptCredentials(before, hosts)
            : sealCredentials(id, credentials, key),
        ca,
        verifyCertificates,
        created: before.created,
        updated: new Date().toISOString(),
      };
      const saved = await index.replace(id, source, version);
      if (saved) return toTarget(saved);
      throw new Conflict(
        {
          code: 'target.conflict',
          path: 'version',
          message: 'someone changed this target after it was loaded; nothing was saved',
        },
        toTarget(await stored(id)),
      );
    },

    async delete(id) {
      if (id === LOCAL_TARGET) throw untouchable();
      if (!(await index.delete(id))) throw notFound(id);
    },

    async inspect(id) {
      const connection = await connect(id);
      return inspect(connection.to(connection.urls, LOOK_TIMEOUT_MS)).finally(() => connection.close());
    },

    async try(settings) {
      const hosts = checkSettings(settings.hosts, settings.ca);
      const authorization = await triedAuthorization(settings, hosts);
      return inspect(new Connection(optionsOf({ ...settings, hosts }, authorization, LOOK_TIMEOUT_MS)));
    },

    connect,
  };

  function checkSettings(hosts: readonly string[], ca: string | null): string[] {
    if (ca !== null && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      throw inputError('target.ca', 'ca', 'not a certificate in PEM');
    }
    return checkHosts(hosts, allowedHosts);
  }
}

function authorizationKind(header: string | undefined): 'none' | 'basic' | 'api-key' {
  if (header === undefined) return 'none';
  return header.startsWith('Basic ') ? 'basic' : 'api-key';
}
