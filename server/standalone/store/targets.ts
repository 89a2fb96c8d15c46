/** Stores targets in the results cluster, in `dyno-targets`, with encrypted secrets. The host's own target `local` is not stored. */
import { LOCAL_TARGET } from '../../../common/api/targets';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import {
  targetStore,
  type KeptCredentials,
  type KeptTarget,
  type KnownTarget,
} from '../../host/stores/target-store';
import { converted } from '../../host/stores/versioned';
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
import type { TargetStore } from '../../routes/services';
import type { Connection } from '../../target-cluster/connection';
import { DocumentIndex } from '../../host/stores/document-index';
import { decrypt, encrypt, type Encrypted } from './encrypted';
import type { SecretKey } from './secret-key';

export const TARGETS = 'dyno-targets';

interface StoredTarget extends KeptTarget<Encrypted> {
  id: string;
}

/** Mapping of a text field that is not indexed. Such a field accepts texts of any length. */
const unindexed: FieldMapping = { type: 'text', index: false };

const fields: Fields<StoredTarget> = {
  id: keyword,
  title: text,
  hosts: unindexed,
  credentials: object<KeptCredentials<Encrypted>>({
    kind: keyword,
    username: opaque,
    secret: object<Encrypted>({ key: keyword, iv: opaque, tag: opaque, data: unindexed }),
  }),
  ca: unindexed,
  verifyCertificates: boolean,
  created: date,
  updated: date,
};

export interface TargetStoreOptions {
  /** Connection to the results cluster. */
  client: ElasticsearchClient;
  /** Connection to the target `local`: the embedded cluster, or the cluster with which the host was started. */
  local: Connection;
  /** Patterns of allowed hosts; undefined allows all. */
  allowedHosts: readonly string[] | undefined;
  key: SecretKey;
}

export interface StandaloneTargetStore extends TargetStore {
  /** Opens a new connection, which the caller closes. Rejects with a DynoError, such as `target.not-found`. */
  connect(id: string): Promise<Connection>;
}

const ownerOf = (id: string): string => `target ${id}`;

export function createTargetStore({
  client,
  local,
  allowedHosts,
  key,
}: TargetStoreOptions): StandaloneTargetStore {
  const localTarget: KnownTarget = {
    id: LOCAL_TARGET,
    version: null,
    title: 'The cluster of this server',
    hosts: [...local.urls],
    credentials: {
      // The user name is not shown, because the person who started the server knows it.
      kind: authorizationKind(local.headers['authorization']),
      username: null,
    },
    ca: local.ca ?? null,
    verifyCertificates: local.verifyCertificates,
    builtIn: true,
  };
  const store = targetStore<Encrypted>({
    kept: converted(
      new DocumentIndex<StoredTarget>(client, TARGETS, fields, 'targets'),
      (stored) => stored,
      (source, id) => ({ ...source, id }),
    ),
    secrets: {
      refused: null,
      keep: (id, plain) => Promise.resolve(encrypt(plain, ownerOf(id), key)),
      // An async function, so that an error in `decrypt` rejects the promise.
      open: async (id, secret) => Promise.resolve(decrypt(secret, ownerOf(id), key)),
      // Nothing has to be removed: the secret is part of its target and is deleted with it.
      forget: () => Promise.resolve(),
    },
    local: {
      describe: () => localTarget,
      owner: 'the server',
      look: (timeoutMs) => local.to(local.urls, timeoutMs),
    },
    allowedHosts,
  });
  return {
    ...store,
    connect: async (id) => (id === LOCAL_TARGET ? local.to(local.urls) : store.connectTo(id)),
  };
}

function authorizationKind(header: string | undefined): 'none' | 'basic' | 'api-key' {
  if (header === undefined) return 'none';
  return header.startsWith('Basic ') ? 'basic' : 'api-key';
}
