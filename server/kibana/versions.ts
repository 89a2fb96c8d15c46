/** Contains all code on the server side that depends on the version of Kibana. */
import type { Privilege } from '../../common/api/route';
import type {
  AlertingGrants,
  ApiKeys,
  CoreSetup,
  CoreStart,
  ElasticsearchConfig,
  PluginContext,
  RouteGuard,
  StartPlugins,
} from './sdk';

/** Returns the name under which Dyno's feature in Kibana grants a privilege. */
export const apiPrivilege = (privilege: Privilege): string => `dyno_${privilege}`;

/** Returns whether a version, such as `8.19.4` or `9.5.3-SNAPSHOT`, is `major.minor` or newer. */
function isFrom(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * Returns the options with which Kibana protects a route. From 8.17 on, this is `security`, which 9.1 and later require. For older
 * versions, it is a tag.
 */
export function routeGuard(version: string, privilege: Privilege): RouteGuard {
  return isFrom(version, 8, 17)
    ? { security: { authz: { requiredPrivileges: [apiPrivilege(privilege)] } } }
    : { tags: [`access:${apiPrivilege(privilege)}`] };
}

/**
 * Returns the form in which a feature grants rule types. Before 8.18, this is the id of each type. From 8.18 on, it also contains the
 * consumers of each type.
 */
export function alertingGrants(
  version: string,
  ruleTypeIds: readonly string[],
  consumers: readonly string[],
): AlertingGrants {
  return isFrom(version, 8, 18)
    ? ruleTypeIds.map((ruleTypeId) => ({ ruleTypeId, consumers: [...consumers] }))
    : [...ruleTypeIds];
}

/**
 * Returns the cost of a task for its definition. Empty before 8.16, because older versions do not execute tasks whose definition has a
 * cost. Source: `TaskCost` in the Task Manager's task.ts.
 */
export const taskCost = (version: string, cost: 'extra-large'): { cost?: number } =>
  isFrom(version, 8, 16) ? { cost: { 'extra-large': 10 }[cost] } : {};

/** Returns Kibana's interface for API keys; undefined if security is disabled. */
export const apiKeysOf = (core: CoreStart, plugins: Pick<StartPlugins, 'security'>): ApiKeys | undefined =>
  (core.security?.authc ?? plugins.security?.authc)?.apiKeys;

/** Returns Kibana's data path; undefined if Kibana does not expose it. */
export function dataFolderOf({ config }: PluginContext<unknown>): string | undefined {
  try {
    return config.legacy?.get?.().path?.data;
  } catch {
    return undefined;
  }
}

/** Returns a function that returns the connection settings of Kibana's Elasticsearch; undefined if Kibana does not expose them. */
export function elasticsearchConfig(core: CoreSetup): () => ElasticsearchConfig | undefined {
  let known: ElasticsearchConfig | undefined;
  core.elasticsearch.legacy?.config$?.subscribe((config) => (known = config));
  return () => known;
}
