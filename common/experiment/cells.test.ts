import { shortNames } from './cells';

const shortOf = (...paths: string[]): (string | undefined)[] =>
  paths.map((path) => shortNames(paths).get(path));

test('the name of a factor is the shortest end of its path that is unique and has a meaning', () => {
  expect(shortOf('index.settings.number_of_shards', 'environment.machine')).toEqual([
    'number_of_shards',
    'machine',
  ]);
  expect(shortOf('tasks.a.ingest.bulk.docs', 'tasks.b.ingest.bulk.docs')).toEqual([
    'a.ingest.bulk.docs',
    'b.ingest.bulk.docs',
  ]);
  expect(shortOf('index.settings.requests.cache.enable')).toEqual(['cache.enable']);
});
