import { documentsKey } from './preload';
import { readDefinition } from './read';
import { makePlan } from './plan';

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

const problemOf = (more: object): string => {
  try {
    readDefinition(definition(more));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('preload in a definition', () => {
  it('needs to know what the documents are, and what their mapping is', () => {
    expect(problemOf({ preload: { documents: 10 } })).toContain('preload.source: no task says');
    expect(problemOf({ preload: { documents: 10, source: { file: 'a.ndjson' } } })).toContain(
      'index.mapping: documents from a file need a mapping',
    );
    expect(problemOf({ preload: { documents: 10 }, tasks: [SEARCH, INGEST] })).toBe('');
  });

  it('shares no indices that a task writes to', () => {
    const preload = { documents: 10, reuse: 'same' };
    expect(problemOf({ preload, tasks: [SEARCH, INGEST] })).toContain(
      'preload.reuse: trials cannot share indices that tasks[1] writes to (found same; allowed: copy, never)',
    );
    expect(problemOf({ preload: { ...preload, source: { generator: 'systembase' } } })).toBe('');
  });

  it('counts in the plan as often as it is loaded', () => {
    const documents = (reuse: string): number => {
      const preload = { documents: 1000, source: { generator: 'systembase' }, reuse };
      const factors = { 'index.settings.number_of_shards': [1, 2], 'request-timeout': ['1s', '2s'] };
      return makePlan(readDefinition(definition({ preload, factors }))).estimate.documents;
    };
    expect(documents('never')).toBe(12_000);
    // Once for each number of shards.
    expect(documents('copy')).toBe(2000);
    expect(documents('same')).toBe(2000);
  });
});

describe('whether the cluster can put the documents of one cell into the indices of another', () => {
  const key = (more: object): string | null =>
    documentsKey(
      readDefinition(
        definition({ preload: { documents: 10, source: { generator: 'systembase' } }, ...more }),
      ),
    );

  it.each([
    ['other shards', { index: { settings: { number_of_shards: 7 } } }],
    ['another mapping', { index: { mapping: { properties: { host: { type: 'keyword' } } } } }],
    [
      'another merge beforehand',
      { preload: { documents: 10, source: { generator: 'systembase' }, 'force-merge': 1 } },
    ],
  ])('is so with %s', (_, more) => {
    expect(key(more)).toBe(key({}));
  });

  it('is not with other documents', () => {
    expect(key({ preload: { documents: 11, source: { generator: 'systembase' } } })).not.toBe(key({}));
    expect(key({ preload: { documents: 10, source: { generator: 'apache-logs' } } })).not.toBe(key({}));
  });

  it.each([
    ['nothing is preloaded', { preload: undefined }],
    ['there are several indices', { index: { count: 2 } }],
    ['the source is not kept', { index: { mapping: { _source: { enabled: false } } } }],
    ['the source is made anew', { index: { settings: { 'index.mapping.source.mode': 'synthetic' } } }],
  ])('cannot be where %s', (_, more) => {
    expect(key(more)).toBeNull();
  });
});
