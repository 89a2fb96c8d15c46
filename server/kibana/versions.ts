/** What differs between the versions of Kibana on the server side, all of it. */
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

/** As the feature grants it to roles. */
export const apiPrivilege = (privilege: Privilege): string => `dyno_${privilege}`;

/** Of `8.19.4` or `9.5.3-SNAPSHOT`. */
function isFrom(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** How a route demands a privilege: by `security` where the version knows it (and, from 9.1, insists), else by a tag. */
export function routeGuard(version: string, privilege: Privilege): RouteGuard {
  return isFrom(version, 8, 17)
    ? { security: { authz: { requiredPrivileges: [apiPrivilege(privilege)] } } }
    : { tags: [`access:${apiPrivilege(privilege)}`] };
}

/** Rules of some types as a feature declares and grants them: until 8.18 by the type alone, from then on by who makes them. */
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
 * What a task takes of a node's capacity, where the version counts it (from 8.16): `TaskCost` of the Task Manager's task.ts.
 * Older ones leave out definitions that name it.
 */
export const taskCost = (version: string, cost: 'extra-large'): { cost?: number } =>
  isFrom(version, 8, 16) ? { cost: { 'extra-large': 10 }[cost] } : {};

/** Undefined where there is no security at all. */
export const apiKeysOf = (core: CoreStart, plugins: Pick<StartPlugins, 'security'>): ApiKeys | undefined =>
  (core.security?.authc ?? plugins.security?.authc)?.apiKeys;

/** Where Kibana keeps its own data; undefined where it does not tell. */
export function dataFolderOf({ config }: PluginContext<unknown>): string | undefined {
  try {
    return config.legacy?.get?.().path?.data;
  } catch {
    return undefined;
  }
}

/** How Kibana reaches its Elasticsearch; undefined where it does not tell. */
export function elasticsearchConfig(core: CoreSetup): () => ElasticsearchConfig | undefined {
  let known: ElasticsearchConfig | undefined;
  core.elasticsearch.legacy?.config$?.subscribe((config) => (known = config));
  return () => known;
}
