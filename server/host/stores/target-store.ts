/**
 * Rules for stored targets: which changes are allowed, how conflicts are detected, and to which hosts stored credentials may be sent.
 * Kibana and the standalone server use the same rules.
 */
import { LOCAL_TARGET, type Target } from '../../../common/api/targets';
import { inputError } from '../../../common/problem';
import { Conflict, type TargetStore, type TriedTarget } from '../../routes/services';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { Connection } from '../../target-cluster/connection';
import { fieldsOf, indicesOf } from '../../target-cluster/named';
import {
  authorizationOf,
  checkCredentials,
  wrongCredentials,
  type GivenCredentials,
  type PlainCredentials,
} from '../targets/credentials';
import { inspect } from '../targets/facts';
import { checkHosts } from '../targets/hosts';
import type { Versioned, VersionedStore } from './versioned';

export type KnownTarget = Omit<Target, 'experiments'>;

/**
 * Stored credentials. `Secret`: the form in which a password or key is stored, such as encrypted text. Kibana and the standalone server use
 * different forms.
 */
export interface KeptCredentials<Secret> {
  kind: 'none' | 'basic' | 'api-key';
  username: string | null;
  /** The stored password or key. Null for credentials of type `none`. */
  secret: Secret | null;
}

export interface KeptTarget<Secret> {
  title: string;
  hosts: string[];
  credentials: KeptCredentials<Secret>;
  ca: string | null;
  verifyCertificates: boolean;
  /** Time of the creation, ISO 8601, UTC. */
  created: string;
  updated: string;
}

/** Stores the secrets of targets by the id of the target. All methods reject with a DynoError `secrets.*`. */
export interface TargetSecrets<Secret> {
  /** Reason why this store cannot store secrets; null if it can. */
  readonly refused: string | null;
  keep(id: string, plain: string): Promise<Secret>;
  open(id: string, secret: Secret): Promise<string>;
  forget(secret: Secret): Promise<void>;
}

/** The target `local`, which Kibana or the standalone server provides. */
export interface LocalTarget {
  describe(): KnownTarget;
  /** Provider of the target, such as `the server`. If a user tries to change the target, the error names this provider. */
  owner: string;
  /** Returns a connection for reading facts about the target. Its requests time out after `timeoutMs`. */
  look(timeoutMs: number): Parameters<typeof inspect>[0];
}

export interface TargetStoreParts<Secret> {
  kept: VersionedStore<KeptTarget<Secret>>;
  secrets: TargetSecrets<Secret>;
  local: LocalTarget;
  /** Patterns of hosts that targets may use. If undefined, targets may use all hosts. */
  allowedHosts: readonly string[] | undefined;
}

export interface ConnectingTargetStore extends TargetStore {
  /** Opens a connection to a target other than `local`. The caller must close it. Rejects with a DynoError, such as `target.not-found`. */
  connectTo(id: string): Promise<Connection>;
}

/** Timeout in ms of each request to a target while a user waits for the result. */
const LOOK_TIMEOUT_MS = 10_000;

const notFound = (id: string): Error =>
  inputError('target.not-found', 'id', 'there is no such target', { found: id });

const toTarget = <Secret>({ id, version, source }: Versioned<KeptTarget<Secret>>): KnownTarget => ({
  id,
  version,
  title: source.title,
  hosts: source.hosts,
  credentials: { kind: source.credentials.kind, username: source.credentials.username },
  ca: source.ca,
  verifyCertificates: source.verifyCertificates,
  builtIn: false,
});

/**
 * Returns the stored credentials of a target whose hosts a user changes without entering the credentials again. Throws a DynoError
 * `target.credentials` if a host is new. Otherwise, a user could have stored credentials sent to any host.
 */
function credentialsFor<Secret>(
  { hosts: givenFor, credentials }: KeptTarget<Secret>,
  hosts: readonly string[],
): KeptCredentials<Secret> {
  const others = hosts.filter((host) => !givenFor.includes(host));
  if (credentials.secret === null || others.length === 0) return credentials;
  throw inputError(
    'target.credentials',
    'credentials',
    'the stored credentials were given for other hosts: enter them again',
    { found: others.join(', '), allowed: givenFor.join(', ') },
  );
}

export function targetStore<Secret>({
  kept,
  secrets,
  local,
  allowedHosts,
}: TargetStoreParts<Secret>): ConnectingTargetStore {
  async function stored(id: string): Promise<Versioned<KeptTarget<Secret>>> {
    const found = await kept.get(id);
    if (!found) throw notFound(id);
    return found;
  }

  function checkOthers(id: string): void {
    if (id !== LOCAL_TARGET) return;
    throw inputError(
      'target.built-in',
      'id',
      `this target belongs to ${local.owner} and cannot be changed here`,
      {
        found: LOCAL_TARGET,
      },
    );
  }

  /** Checks the settings of a target. Returns the normalized URLs of its hosts. Throws a DynoError if a setting is invalid. */
  function checkSettings(hosts: readonly string[], ca: string | null): string[] {
    if (ca !== null && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      throw inputError('target.ca', 'ca', 'not a certificate in PEM');
    }
    return checkHosts(hosts, allowedHosts);
  }

  async function keep(id: string, given: GivenCredentials): Promise<KeptCredentials<Secret>> {
    if (given.kind === 'keep')
      throw wrongCredentials(
        'credentials',
        'there are no stored credentials to keep',
        'none, basic, api-key',
      );
    checkCredentials(given);
    if (given.kind === 'none') return { kind: 'none', username: null, secret: null };
    const secret = await secrets.keep(id, given.kind === 'basic' ? given.password : given.key);
    return { kind: given.kind, username: given.kind === 'basic' ? given.username : null, secret };
  }

  async function open(
    id: string,
    { kind, username, secret }: KeptCredentials<Secret>,
  ): Promise<PlainCredentials> {
    if (kind === 'none' || secret === null) return { kind: 'none' };
    const plain = await secrets.open(id, secret);
    return kind === 'basic' ? { kind, username: username ?? '', password: plain } : { kind, key: plain };
  }

  const connection = (
    settings: Pick<KeptTarget<Secret>, 'hosts' | 'ca' | 'verifyCertificates'>,
    credentials: PlainCredentials,
    timeoutMs?: number,
  ): Connection =>
    new Connection({
      hosts: settings.hosts,
      authorization: authorizationOf(credentials),
      ca: settings.ca ?? undefined,
      verifyCertificates: settings.verifyCertificates,
      timeoutMs,
      allowedHosts,
    });

  async function connectTo(id: string, timeoutMs?: number): Promise<Connection> {
    const { source } = await stored(id);
    // After the target was saved, the setting of allowed hosts may have become stricter.
    checkHosts(source.hosts, allowedHosts);
    return connection(source, await open(id, source.credentials), timeoutMs);
  }

  async function triedCredentials(
    { id, credentials }: TriedTarget,
    hosts: readonly string[],
  ): Promise<PlainCredentials> {
    if (credentials.kind !== 'keep') return credentials;
    if (id === undefined)
      throw inputError('target.credentials', 'id', 'is missing: it says whose credentials to use');
    return open(id, credentialsFor((await stored(id)).source, hosts));
  }

  const look = async (id: string): Promise<ReturnType<LocalTarget['look']>> =>
    id === LOCAL_TARGET ? local.look(LOOK_TIMEOUT_MS) : await connectTo(id, LOOK_TIMEOUT_MS);

  async function looking<T>(id: string, ask: (connection: ElasticsearchClient) => Promise<T>): Promise<T> {
    const connection = await look(id);
    try {
      return await ask(connection);
    } finally {
      await connection.close();
    }
  }

  return {
    secretsRefused: secrets.refused,

    async list() {
      return [local.describe(), ...(await kept.list()).map(toTarget)];
    },

    async get(id) {
      return id === LOCAL_TARGET ? local.describe() : toTarget(await stored(id));
    },

    async create({ id, title, hosts: given, credentials: entered, ca, verifyCertificates }) {
      checkOthers(id);
      const hosts = checkSettings(given, ca);
      const now = new Date().toISOString();
      const credentials = await keep(id, entered);
      const source = { title, hosts, credentials, ca, verifyCertificates, created: now, updated: now };
      const created = await kept.create(id, source);
      if (created) return toTarget(created);
      if (credentials.secret !== null) await secrets.forget(credentials.secret);
      throw new Conflict(
        { code: 'target.conflict', path: 'id', message: 'a target with this name exists', found: id },
        toTarget(await stored(id)),
      );
    },

    async save(id, { title, hosts: given, credentials: entered, ca, verifyCertificates, version }) {
      checkOthers(id);
      const { source: before } = await stored(id);
      const hosts = checkSettings(given, ca);
      const isSame = entered.kind === 'keep';
      const credentials = isSame ? credentialsFor(before, hosts) : await keep(id, entered);
      const { created } = before;
      const updated = new Date().toISOString();
      const source = { title, hosts, credentials, ca, verifyCertificates, created, updated };
      const saved = await kept.replace(id, source, version);
      const unused = (saved ? before.credentials : credentials).secret;
      if (!isSame && unused !== null) await secrets.forget(unused);
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
      checkOthers(id);
      const { secret } = (await stored(id)).source.credentials;
      if (!(await kept.delete(id))) throw notFound(id);
      if (secret !== null) await secrets.forget(secret);
    },

    async inspect(id) {
      return inspect(await look(id));
    },

    async try(settings) {
      const hosts = checkSettings(settings.hosts, settings.ca);
      const credentials = await triedCredentials(settings, hosts);
      return inspect(connection({ ...settings, hosts }, credentials, LOOK_TIMEOUT_MS));
    },

    fields: (id, index) => looking(id, (connection) => fieldsOf(connection, index)),

    indices: (id) => looking(id, indicesOf),

    connectTo,
  };
}
