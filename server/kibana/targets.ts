/** Stores targets as saved objects in the user's space. Adds the target `local`, which is Kibana's own cluster. */
import { LOCAL_TARGET } from '../../common/api/targets';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { targetStore, type KeptCredentials, type KeptTarget } from '../host/stores/target-store';
import { converted } from '../host/stores/versioned';
import type { TargetStore } from '../routes/services';
import type { Connection } from '../target-cluster/connection';
import { connectLocal, describeLocal, type LocalAccess } from './local-target';
import { savedObjectStore } from './saved-object-store';
import { TARGET_TYPE } from './saved-objects';
import type { SavedObjectsClient } from './sdk-saved-objects';
import type { Secrets } from './secrets';

/**
 * Attributes of a stored target. They are not nested, because Kibana would merge nested objects with their old contents when a target is
 * changed.
 */
type StoredTarget = Omit<KeptTarget<string>, 'credentials'> & KeptCredentials<string>;

export interface TargetStoreOptions {
  objects: SavedObjectsClient;
  secrets: Secrets;
  /** Client of Kibana's own cluster with the rights of the user. */
  client: ElasticsearchClient;
  local: LocalAccess['config'];
  /** Patterns of hosts that targets may use. If undefined, targets may use all hosts. */
  allowedHosts: readonly string[] | undefined;
}

export interface KibanaTargetStore extends TargetStore {
  /**
   * Opens a connection to a target. The caller must close it. `authorization`: header that is only sent to the target `local`. Rejects with
   * a DynoError, such as `target.not-found`.
   */
  connect(id: string, authorization: string | undefined): Promise<Connection>;
}

export function createTargetStore(options: TargetStoreOptions): KibanaTargetStore {
  const { objects, secrets, client, local: config, allowedHosts } = options;
  const store = targetStore({
    kept: converted(
      savedObjectStore<StoredTarget>(objects, TARGET_TYPE),
      ({ kind, username, secret, ...more }) => ({ ...more, credentials: { kind, username, secret } }),
      ({ credentials, ...more }) => ({ ...more, ...credentials }),
    ),
    secrets,
    local: {
      describe: () => describeLocal(config),
      owner: 'Kibana',
      // The target is inspected with the rights of the user, who needs no API key for this.
      look: () => ({ ...withDefaults(client, {}), close: () => Promise.resolve() }),
    },
    allowedHosts,
  });
  return {
    ...store,
    connect: async (id, authorization) =>
      id === LOCAL_TARGET ? connectLocal({ config, authorization }) : store.connectTo(id),
  };
}
