import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';
import { documentsKey } from './shared-dataset';

describe('copying the documents of one cell into the indices of another', () => {
  const key = (more: object): string | null =>
    documentsKey(
      resolveCells(
        readDefinition({
          version: 1,
          name: 'preloaded',
          preload: { documents: 10, source: { generator: 'systembase' } },
          tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }],
          ...more,
        }),
      )[0]!.definition,
    );

  it.each([
    ['other shards', { index: { settings: { number_of_shards: 7 } } }],
    ['another mapping', { index: { mapping: { properties: { host: { type: 'keyword' } } } } }],
    [
      'an additional merge',
      { preload: { documents: 10, source: { generator: 'systembase' }, 'force-merge': 1 } },
    ],
  ])('is possible with %s', (_, more) => {
    expect(key(more)).toBe(key({}));
  });

  it('is impossible with other documents', () => {
    expect(key({ preload: { documents: 11, source: { generator: 'systembase' } } })).not.toBe(key({}));
    expect(key({ preload: { documents: 10, source: { generator: 'apache-logs' } } })).not.toBe(key({}));
  });

  it('is impossible with another routing, which a copy keeps', () => {
    const preload = { documents: 10, source: { generator: 'systembase' }, routing: { field: 'metricset' } };
    expect(key({ preload })).not.toBe(key({}));
    expect(key({ preload, index: { settings: { number_of_shards: 7 } } })).toBe(key({ preload }));
  });

  it.each([
    ['nothing is preloaded', { preload: undefined }],
    ['there are several indices', { index: { count: 2 } }],
    ['the source is not kept', { index: { mapping: { _source: { enabled: false } } } }],
    ['the source is synthetic', { index: { settings: { 'index.mapping.source.mode': 'synthetic' } } }],
  ])('is impossible if %s', (_, more) => {
    expect(key(more)).toBeNull();
  });
});
