import { readDefinition } from './read';
import { makePlan } from './plan';
import { targetsIn } from './preload';
import { problemText } from './testing/problems';

const SEARCH = { name: 'search', search: { requests: [{ name: 'all', body: {} }] } };
const INGEST = { name: 'ingest', ingest: { source: { generator: 'systembase' }, bulk: { docs: 100 } } };

const definition = (more: object): object => ({
  version: 1,
  name: 'preloaded',
  tasks: [SEARCH],
  measure: { warmup: '0s', duration: '10s' },
  trials: 3,
  ...more,
});

const problemOf = (more: object): string => problemText(definition(more));

describe('preload in a definition', () => {
  it('needs a source of documents, and a mapping', () => {
    expect(problemOf({ preload: { documents: 10 } })).toContain('preload.source: no task defines');
    expect(problemOf({ preload: { documents: 10, source: { file: 'a.ndjson' } } })).toContain(
      'index.mapping: documents from a file or a profile need a mapping',
    );
    expect(problemOf({ preload: { documents: 10 }, tasks: [SEARCH, INGEST] })).toBe('');
  });

  it('cannot share indices to which a task writes', () => {
    const preload = { documents: 10, reuse: 'same' };
    expect(problemOf({ preload, tasks: [SEARCH, INGEST] })).toContain(
      'preload.reuse: trials cannot share indices because tasks[1] writes to them (found same; allowed: copy, never)',
    );
    expect(problemOf({ preload: { ...preload, source: { generator: 'systembase' } } })).toBe('');
  });

  it('cannot share indices to which recorded traffic writes', () => {
    const preload = { documents: 10, reuse: 'same', source: { generator: 'systembase' } };
    const replaying = (replay: object): string =>
      problemOf({ preload, index: { mapping: {} }, tasks: [{ name: 'shop', replay }] });
    expect(replaying({ file: 'shop.traffic.gz' })).toContain(
      'trials cannot share indices because tasks[0] writes to them (found same; allowed: copy, never, or `types` of the replay that only read, such as [search])',
    );
    expect(replaying({ file: 'shop.traffic.gz', types: ['search', 'bulk'] })).toContain('preload.reuse');
    expect(replaying({ file: 'shop.traffic.gz', types: ['search', 'count'] })).toBe('');
    expect(replaying({ file: 'searches.log' })).toBe('');
  });

  it('routes documents of one index, but not documents that a field sends to several', () => {
    const preload = { documents: 10, source: { generator: 'storefront' }, routing: { field: 'store_id' } };
    const route = { field: 'store_id', by: 'remainder' };
    expect(problemOf({ preload, index: { mapping: 'storefront', route } })).toBe('');
    expect(problemOf({ preload, index: { mapping: 'storefront', route, count: 2 } })).toContain(
      'preload.routing: documents with actions, ids or a routing go to several indices by their ids, not by a field',
    );
    expect(problemOf({ preload, index: { mapping: 'storefront', as: 'data-stream' } })).toContain(
      'preload.routing: data streams and time series do not accept a routing of documents',
    );
  });

  it('counts in the plan each time it is loaded', () => {
    const documents = (reuse: string): number => {
      const preload = { documents: 1000, source: { generator: 'systembase' }, reuse };
      const factors = { 'index.settings.number_of_shards': [1, 2], 'request-timeout': ['1s', '2s'] };
      return makePlan(readDefinition(definition({ preload, factors }))).estimate.documents;
    };
    expect(documents('never')).toBe(12_000);
    // The documents are loaded once for each number of shards.
    expect(documents('copy')).toBe(2000);
    expect(documents('same')).toBe(2000);
  });

  it('may copy an existing index of the target, without a mapping or a number of documents', () => {
    const copied = { 'from-index': 'shop' };
    expect(problemOf({ preload: copied })).toBe('');
    expect(problemOf({ preload: { ...copied, reuse: 'copy', 'force-merge': 1 } })).toBe('');
    expect(problemOf({ preload: { ...copied, documents: 10 } })).toContain(
      'only one of documents, from-index is allowed',
    );
    expect(problemOf({ preload: { 'from-index': 'shop-*' } })).toContain('without wildcards');
    expect(problemOf({ preload: { ...copied, source: { generator: 'systembase' } } })).toContain(
      'preload.source: documents are copied from an existing index',
    );
    expect(problemOf({ preload: copied, index: { count: 2 } })).toContain(
      'index.count: documents are copied from an existing index into one index',
    );
    expect(problemOf({ preload: {} })).toContain('one of documents, from-index, from-snapshot is missing');
  });

  it('may copy an index of another stored target, which it names without an address', () => {
    const copied = { 'from-index': 'shop', 'from-target': 'production' };
    expect(problemOf({ preload: copied })).toBe('');
    expect(targetsIn(readDefinition(definition({ preload: copied })))).toEqual(['local', 'production']);
    expect(targetsIn(readDefinition(definition({})))).toEqual(['local']);
    expect(problemOf({ preload: { 'from-target': 'production' } })).toContain(
      'one of documents, from-index, from-snapshot is missing',
    );
    expect(
      problemOf({
        preload: { documents: 10, source: { generator: 'systembase' }, 'from-target': 'production' },
      }),
    ).toContain('preload.from-target: names a cluster, but preload.from-index names no index of it');
    for (const address of ['https://elastic:secret@es:9200', 'es:9200', 'user@es'])
      expect(problemOf({ preload: { ...copied, 'from-target': address } })).toContain(
        'the name of a stored target, without an address',
      );
  });

  it('may restore an index of a snapshot, with settings that a restore can change', () => {
    const preload = { 'from-snapshot': { repository: 'backups', snapshot: 'nightly', index: 'shop' } };
    expect(problemOf({ preload })).toBe('');
    const refresh = { 'index.settings.refresh_interval': ['1s', '30s'] };
    expect(problemOf({ preload, factors: refresh })).toBe('');
    expect(problemOf({ preload: { ...preload, 'from-index': 'shop' } })).toContain(
      'only one of from-index, from-snapshot is allowed',
    );
    const shards = problemOf({ preload, factors: { 'index.settings.number_of_shards': [1, 3] } });
    expect(shards).toContain('index.settings.number_of_shards: cannot change while an index is restored');
    for (const settings of [{ index: { sort: { field: 'n' } } }, { 'index.codec': 'best_compression' }])
      expect(problemOf({ preload, index: { settings } })).toContain(
        'cannot change while an index is restored',
      );
    expect(problemOf({ preload, index: { mapping: {} } })).toContain(
      'index.mapping: a restored index keeps the mapping in the snapshot',
    );
    expect(problemOf({ preload, index: { count: 2 } })).toContain(
      'index.count: documents are restored from a snapshot into one index',
    );
    const several = { 'from-snapshot': { ...preload['from-snapshot'], index: 'shop-*' } };
    expect(problemOf({ preload: several })).toContain('the name of one index, without wildcards');
  });

  it('does not take the documents of an ingest task if it copies an index', () => {
    const { estimate } = makePlan(
      readDefinition(definition({ preload: { 'from-index': 'shop' }, tasks: [SEARCH, INGEST] })),
    );
    const { estimate: without } = makePlan(readDefinition(definition({ tasks: [SEARCH, INGEST] })));
    expect(estimate.documents).toBe(without.documents);
  });
});
