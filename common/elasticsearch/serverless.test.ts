import { isServerlessPath, isServerlessSetting } from './serverless';

test.each([
  ['index.refresh_interval', true],
  ['refresh_interval', true],
  ['analysis.analyzer.own.type', true],
  ['sort.field', true],
  ['mapping.total_fields.limit', true],
  ['number_of_shards', false],
  ['index.number_of_replicas', false],
  ['mode', true],
  ['modes', false],
  ['mapping.nested_fields.limit', false],
])('%s may be set: %p', (name, expected) => {
  expect(isServerlessSetting(name)).toBe(expected);
});

test.each([
  ['/{{index}}/_search', true],
  ['/_async_search', true],
  ['/_cat/indices/logs-*', true],
  ['/_cat/nodes', false],
  ['/_nodes/stats', false],
  ['/_nodes', false],
  ['/_cluster/health', false],
  ['/{{index}}/_forcemerge', false],
  ['/{{index}}/_stats/store', false],
  ['/{{index}}/_doc/_nodes', true],
  ['/{{index}}/_refresh', true],
])('%s is answered: %p', (path, expected) => {
  expect(isServerlessPath(path)).toBe(expected);
});
