import { cellsOf, levelTexts, shortNames } from './cells';

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

test('different levels of a factor have different texts', () => {
  const body = (message: string): unknown => ({ query: { match: { message } } });
  const long = 'x'.repeat(100);
  const path = 'tasks.queries.search.requests';
  const alike = [[{ name: 'lines', body: body('a') }], [{ name: 'lines', body: body('b') }]];
  const factors = {
    [path]: [...alike, [{ name: 'other', body: body('a') }]],
    'index.mapping': [
      { properties: { [long]: { type: 'text' } } },
      { properties: { [long]: { type: 'keyword' } } },
    ],
    'index.settings.number_of_shards': [1, '1'],
  };
  const text = levelTexts({ factors });
  for (const [factor, levels] of Object.entries(factors)) {
    const texts = levels.map((level) => text(factor, level));
    expect(new Set(texts).size).toBe(levels.length);
  }
  expect(factors[path]!.map((level) => text(path, level))).toEqual(['lines#1', 'lines#2', 'other']);
  expect(text(path, [{ name: 'unknown' }])).toBe('unknown');

  const labels = cellsOf({ factors: factors[path]!.map((level) => ({ [path]: level })) }).map(
    ({ label }) => label,
  );
  expect(labels).toEqual(['requests=lines#1', 'requests=lines#2', 'requests=other']);
});

test('a level that is not set, and levels that are equal, have no number', () => {
  const factors = [{ 'index.mapping': { a: 1 } }, { 'index.mapping': { a: 1 }, 'index.shards': 2 }, {}];
  expect(cellsOf({ factors }).map(({ label }) => label)).toEqual([
    'mapping={"a":1}',
    'mapping={"a":1}, shards=2',
    'all',
  ]);
});
