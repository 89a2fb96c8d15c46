/** The search engines that Dyno measures. */

export const ENGINES = ['elasticsearch', 'opensearch'] as const;
export type Engine = (typeof ENGINES)[number];

/** Names as their makers write them. */
export const ENGINE_NAMES: Readonly<Record<Engine, string>> = {
  elasticsearch: 'Elasticsearch',
  opensearch: 'OpenSearch',
};

/** Returns the engine of a stored cluster. Documents of earlier versions of Dyno have no engine: they are Elasticsearch's. */
export const engineOf = ({ engine }: { engine?: Engine | undefined }): Engine => engine ?? 'elasticsearch';

/** Names an engine with its version, such as `OpenSearch 3.6.0`. */
export const engineWithVersion = (cluster: { engine?: Engine | undefined; version: string }): string =>
  `${ENGINE_NAMES[engineOf(cluster)]} ${cluster.version}`;
