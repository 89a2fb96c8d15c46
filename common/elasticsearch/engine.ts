/** The search engines that Dyno measures. */

export const ENGINES = ['elasticsearch', 'opensearch'] as const;
export type Engine = (typeof ENGINES)[number];

/** Names of the engines, as their makers write them. */
export const ENGINE_NAMES: Readonly<Record<Engine, string>> = {
  elasticsearch: 'Elasticsearch',
  opensearch: 'OpenSearch',
};

/**
 * Returns the engine of a stored cluster. A document of an earlier version of Dyno contains no engine, because these versions only measured
 * Elasticsearch.
 */
export const engineOf = ({ engine }: { engine?: Engine | undefined }): Engine => engine ?? 'elasticsearch';

/** Returns the name of an engine with its version, such as `OpenSearch 3.6.0`. */
export const engineWithVersion = (cluster: { engine?: Engine | undefined; version: string }): string =>
  `${ENGINE_NAMES[engineOf(cluster)]} ${cluster.version}`;

/** Returns whether a version such as `8.17.1` is `since`, such as `8.17`, or later. */
export function isSince(version: string, since: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [sinceMajor = 0, sinceMinor = 0] = since.split('.').map(Number);
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
