/** Every API of Elasticsearch that Dyno uses. */
export * from './clock';
export * from './cluster';
export * from './documents';
export * from './indices';
export * from './snapshots';
export * from './templates';
