/** Keeps targets as saved objects, in the user's space; beside them Kibana's own cluster, `local`. */
import { LOCAL_TARGET, type Target } from '../../common/api/targets';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { inputError } from '../../common/problem';
import { Conflict, type TargetStore, type TriedTarget } from '../routes/services';
import { authorizationOf, type GivenCredentials, type PlainCredentials } from '../host/credentials';
import { inspect } from '../host/target-facts';
import { checkHosts } from '../host/target-hosts';
import { Connection } from '../target-cluster/connection';
import { connectLocal, describeLocal, untouchable, type LocalAccess } from './local-target';
import { isVersion, unless } from './saved-object-errors';
import { SCHEMA, TARGET_TYPE } from './saved-objects';
import type { SavedObject, SavedObjectsClient } from './sdk-saved-objects';
import type { Secrets } from './secrets';

type KnownTarget = Omit<Target, 'experiments'>;

interface StoredTarget {
  schema: number;
  title: string;
  hosts: string[];
  kind: 'none' | 'basic' | 'api-key';
  username: string | null;
  /** Of the secret; null for `none`. */
  secret: string | null;
  ca: string | null;
  verifyCertificates: boolean;
  created: string;
  updated: string;
}

type Stored = SavedObject<StoredTarget>;

export interface TargetStoreOptions {
  objects: SavedObjectsClient;
  secrets: Secrets;
  /** Kibana's own cluster as the user reaches it. */
  client: ElasticsearchClient;
  local: LocalAccess['config'];
  /** Patterns; undefined allows all. */
  allowedHosts: readonly string[] | undefined;
}

export interface KibanaTargetStore extends TargetStore {
  /**
   * A connection of the caller's own; `authorization` is for `local`. Rejects with a DynoError, such as
   * `target.not-found`.
   */
  connect(id: string, authorization: string | undefined): Promise<Connection>;
}

/** For each question to a cluster that somebody waits for, ms. */
const LOOK_TIMEOUT_MS = 10_000;
const MOST_TARGETS = 1000;

const notFound = (id: string): Error =>
  inputError('target.not-found', 'id', 'there is no such target', { found: id });

const toTarget = ({ id, version = '', attributes }: Stored): KnownTarget => ({
  id,
  version,
  title: attributes.title,
  hosts: attributes.hosts,
  credentials: { kind: attributes.kind, username: attributes.username },
  ca: attributes.ca,
  verifyCertificates: attributes.verifyCertificates,
  builtIn: false,
});

/**
 * `keep` means the stored ones for hosts that they were given for and no others, lest somebody who may change a target
 * has them sent to a host of their own. Throws a DynoError `target.credentials`.
 */
function checkKept({ attributes }: Stored, hosts: readonly string[]): void {
  const others = hosts.filter((host) => !attributes.hosts.includes(host));
  if (attributes.secret === null || others.length === 0) return;
  throw inputError(
    'target.credentials',
    'credentials',
    'the stored credentials were given for other hosts: enter them again',
    { found: others.join(', '), allowed: attributes.hosts.join(', ') },
  );
}

export function createTargetStore(options: TargetStoreOptions): KibanaTargetStore {
  const { objects, secrets, client, local, allowedHosts } = options;

  async function stored(id: string): Promise<Stored> {
    const found = await unless([400, 404], objects.get<StoredTarget>(TARGET_TYPE, id));
    if (!found) throw notFound(id);
    return found;
  }

  function checkSettings(hosts: readonly string[], ca: string | null): string[] {
    if (ca !== null && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      throw inputError('target.ca', 'ca', 'not a certificate in PEM');
    }
    return checkHosts(hosts, allowedHosts);
  }

  type Credentials = Pick<StoredTarget, 'kind' | 'username' | 'secret'>;

  async function keepCredentials(id: string, given: GivenCredentials): Promise<Credentials> {
    if (given.kind === 'keep') {
      throw inputError('target.credentials', 'credentials', 'there are no stored credentials to keep', {
        allowed: 'none, basic, api-key',
      });
    }
    // For what no header can carry.
    authorizationOf(given);
    if (given.kind === 'none') return { kind: 'none', username: null, secret: null };
    const secret = await secrets.keep(id, given.kind === 'basic' ? given.password : given.key);
    return { kind: given.kind, username: given.kind === 'basic' ? given.username : null, secret };
  }

  async function openCredentials({ id, attributes }: Stored): Promise<PlainCredentials> {
    const { kind, username, secret } = attributes;
    if (kind === 'none' || secret === null) return { kind: 'none' };
    const plain = await secrets.open(id, secret);
    return kind === 'basic' ? { kind, username: username ?? '', password: plain } : { kind, key: plain };
  }

  const connectionTo = (
    settings: Pick<StoredTarget, 'hosts' | 'ca' | 'verifyCertificates'>,
    credentials: PlainCredentials,
    timeoutMs?: number,
  ): Connection =>
    new Connection({
      hosts: settings.hosts,
      authorization: authorizationOf(credentials),
      ca: settings.ca ?? undefined,
      verifyCertificates: settings.verifyCertificates,
      timeoutMs,
    });

  async function connect(id: string, authorization?: string, timeoutMs?: number): Promise<Connection> {
    if (id === LOCAL_TARGET) return connectLocal({ config: local, authorization });
    const found = await stored(id);
    // The setting may have become stricter since it was saved.
    checkHosts(found.attributes.hosts, allowedHosts);
    return connectionTo(found.attributes, await openCredentials(found), timeoutMs);
  }

  async function triedCredentials(
    { id, credentials }: TriedTarget,
    hosts: readonly string[],
  ): Promise<PlainCredentials> {
    if (credentials.kind !== 'keep') return credentials;
    if (id === undefined) {
      throw inputError('target.credentials', 'id', 'is missing: it says whose credentials to use');
    }
    const found = await stored(id);
    checkKept(found, hosts);
    return openCredentials(found);
  }

  return {
    secretsRefused: secrets.refused,

    async list() {
      const { saved_objects: found } = await objects.find<StoredTarget>({
        type: TARGET_TYPE,
        page: 1,
        perPage: MOST_TARGETS,
      });
      const others = found.map(toTarget).sort((a, b) => (a.id < b.id ? -1 : 1));
      return [describeLocal(local), ...others];
    },

    async get(id) {
      return id === LOCAL_TARGET ? describeLocal(local) : toTarget(await stored(id));
    },

    async create({ id, title, hosts: given, credentials, ca, verifyCertificates }) {
      if (id === LOCAL_TARGET) throw untouchable();
      const hosts = checkSettings(given, ca);
      const now = new Date().toISOString();
      const kept = await keepCredentials(id, credentials);
      const attributes: StoredTarget = {
        schema: SCHEMA,
        title,
        hosts,
        ...kept,
        ca,
        verifyCertificates,
        created: now,
        updated: now,
      };
      const created = await unless([409], objects.create(TARGET_TYPE, attributes, { id }));
      if (created) return toTarget(created);
      if (kept.secret !== null) await secrets.forget(kept.secret);
      throw new Conflict(
        { code: 'target.conflict', path: 'id', message: 'a target with this name exists', found: id },
        toTarget(await stored(id)),
      );
    },

    async save(id, { title, hosts: given, credentials, ca, verifyCertificates, version }) {
      if (id === LOCAL_TARGET) throw untouchable();
      const before = await stored(id);
      const hosts = checkSettings(given, ca);
      const { kind, username, secret } = before.attributes;
      if (credentials.kind === 'keep') checkKept(before, hosts);
      const kept =
        credentials.kind === 'keep' ? { kind, username, secret } : await keepCredentials(id, credentials);
      const attributes: StoredTarget = {
        schema: SCHEMA,
        title,
        hosts,
        ...kept,
        ca,
        verifyCertificates,
        created: before.attributes.created,
        updated: new Date().toISOString(),
      };
      const saved =
        isVersion(version) && (await unless([409], objects.update(TARGET_TYPE, id, attributes, { version })));
      const unused = saved ? secret : kept.secret;
      if (unused !== null && (!saved || unused !== kept.secret) && credentials.kind !== 'keep') {
        await secrets.forget(unused);
      }
      if (saved) return toTarget(await stored(id));
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
      const { secret } = (await stored(id)).attributes;
      if (
        !(await unless(
          [404],
          objects.delete(TARGET_TYPE, id).then(() => true),
        ))
      )
        throw notFound(id);
      if (secret !== null) await secrets.forget(secret);
    },

    async inspect(id) {
      // As the user, who needs no key of their own for it.
      if (id === LOCAL_TARGET)
        return inspect({ request: (asked) => client.request(asked), close: () => Promise.resolve() });
      const connection = await connect(id, undefined, LOOK_TIMEOUT_MS);
      return inspect(connection);
    },

    async try(settings) {
      const hosts = checkSettings(settings.hosts, settings.ca);
      const connection = connectionTo(
        { ...settings, hosts },
        await triedCredentials(settings, hosts),
        LOOK_TIMEOUT_MS,
      );
      return inspect(connection);
    },

    connect,
  };
}
