/** Provides the target `local` of Kibana: the cluster that Kibana itself uses. */
import { LOCAL_TARGET, type Target } from '../../common/api/targets';
import { runError } from '../../common/problem';
import type { NamedCluster } from '../host/targets/dynobeat-example';
import { Connection } from '../target-cluster/connection';
import type { ElasticsearchConfig } from './sdk';

/** Connection settings and authorization for the target `local`. The authorization is undefined if security is disabled. */
export interface LocalAccess {
  config: ElasticsearchConfig | undefined;
  authorization: string | undefined;
}

const caOf = ({ ssl }: ElasticsearchConfig): string | undefined =>
  ssl.certificateAuthorities?.length ? ssl.certificateAuthorities.join('\n') : undefined;

export const describeLocal = (config: ElasticsearchConfig | undefined): Omit<Target, 'experiments'> => ({
  id: LOCAL_TARGET,
  version: null,
  title: 'The cluster of this Kibana',
  // Credentials are removed, because the URLs in Kibana's settings may contain them.
  hosts: (config?.hosts ?? []).map((host) => host.replace(/^(https?:\/\/)[^/]*@/, '$1')),
  credentials: { kind: 'none', username: null },
  ca: config ? (caOf(config) ?? null) : null,
  verifyCertificates: config?.ssl.verificationMode !== 'none',
  builtIn: true,
});

/**
 * Returns the connection settings for the configuration of Dyno's collector. If Kibana has credentials, the result requires an API key,
 * which the user must create for the collector.
 */
export function localForCollector(config: ElasticsearchConfig | undefined): NamedCluster {
  const secured = config?.username !== undefined || config?.serviceAccountToken !== undefined;
  return { ...describeLocal(config), credentials: { kind: secured ? 'api-key' : 'none', username: null } };
}

/** Connects to the target. Throws a DynoError `target.local` if Kibana does not expose the settings of its connection. */
export function connectLocal({ config, authorization }: LocalAccess): Connection {
  if (!config || config.hosts.length === 0) {
    throw runError(
      'target.local',
      '',
      'this Kibana does not expose the address of its Elasticsearch: add the cluster as a target',
    );
  }
  return new Connection({
    hosts: describeLocal(config).hosts,
    authorization,
    ca: caOf(config),
    verifyCertificates: config.ssl.verificationMode !== 'none',
  });
}
