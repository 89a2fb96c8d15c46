import { levelTexts } from './cells';
import { levelAlone, levelsWords, levelWords } from './level-words';

const text = levelTexts({ factors: {} });

test.each([
  ['tasks.ingest.ingest.bulk.docs', 1000, 'bulks of 1,000 documents', '1,000'],
  ['tasks[0].ingest.bulk.docs', 1, 'bulks of 1 document', '1'],
  ['tasks.ingest.ingest.bulk.bytes', '5mb', 'bulks of 5mb', '5mb'],
  ['tasks.search.executor.constant-clients.clients', 8, '8 clients', '8'],
  ['tasks.search.executor.constant-rate.rate', 50, '50 requests/s', '50'],
  ['index.settings.refresh_interval', '30s', 'a refresh interval of 30s', '30s'],
  ['index.settings.number_of_shards', 1, '1 primary shard', '1'],
  ['index.settings.number_of_shards', '5', '5 primary shards', '5'],
  ['index.settings.number_of_replicas', 0, '0 replicas', '0'],
  ['index.settings.codec', 'best_compression', 'codec best_compression', 'best_compression'],
  ['measure.caches', 'cold', 'cold caches', 'cold'],
  ['environment.nodes', 3, '3 nodes', '3'],
  ['environment.version', '9.5.3', 'Elasticsearch 9.5.3', '9.5.3'],
  ['environment.disk', 'premium', 'disk = premium', 'premium'],
  ['index.settings.search.idle.after', '30s', 'search.idle.after = 30s', '30s'],
  ['index.settings.requests.cache.enable', false, 'requests.cache.enable = false', 'false'],
  ['tasks.search.search.requests.0.body.size', 10, 'search.requests.0.body.size = 10', '10'],
  ['index.settings.refresh_interval', null, 'refresh_interval = null', 'null'],
] as const)('%s: %s is written as "%s"', (path, level, words, alone) => {
  expect(levelWords(path, level, text)).toBe(words);
  expect(levelAlone(path, level, text)).toBe(alone);
});

test('several levels are joined, and a secret value is never shown', () => {
  expect(
    levelsWords(
      [
        ['index.settings.number_of_shards', 5],
        ['index.settings.number_of_replicas', 1],
      ],
      text,
    ),
  ).toBe('5 primary shards and 1 replica');
  expect(levelWords('tasks.search.requests.0.headers.authorization', 'ApiKey abc', text)).not.toContain(
    'abc',
  );
});
