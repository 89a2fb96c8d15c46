import { filesInMemory } from './files-in-memory';
import { benchmarkOfText, tracksIn } from './recognise';

const FILES = new Map([
  ['tracks/geo/track.json', '{}'],
  ['tracks/geo/parts/b.json', 'b'],
  ['tracks/geo/parts/a.json', 'a'],
  ['tracks/geo/parts/.hidden.json', 'h'],
  ['tracks/geo/parts/c.txt', 'c'],
  ['tracks/common_operations/x.json', 'x'],
  ['tracks/other/secret.json', 's'],
]);

test('reads files, and finds them by patterns in the order of their names', () => {
  const files = filesInMemory(FILES, 'tracks/geo');
  expect(files.read('parts/../track.json')).toBe('{}');
  expect(files.glob('parts/*.json')).toEqual(['parts/a.json', 'parts/b.json']);
  expect(files.glob('parts/.*.json')).toEqual(['parts/.hidden.json']);
  expect(files.glob('*/?.txt')).toEqual(['parts/c.txt']);
  expect(files.glob('none/*.json')).toEqual([]);
  expect(filesInMemory(new Map([['track.json', 't']]), '').glob('*.json')).toEqual(['track.json']);
});

test('refuses paths outside the folder, except the shared folder next to it', () => {
  const files = filesInMemory(FILES, 'tracks/geo', ['common_operations']);
  expect(files.read('../common_operations/x.json')).toBe('x');
  expect(files.glob('../common_operations/*.json')).toEqual(['../common_operations/x.json']);
  for (const path of ['../other/secret.json', '/etc/passwd', '../../../x', '../geo2/a'])
    expect(() => files.read(path)).toThrow('is outside the folder of the track');
  expect(() => files.glob('../other/*.json')).toThrow('is outside');
  expect(() => files.read('none.json')).toThrow('none.json: is not among the files');
});

test('recognises tracks and workloads by their files', () => {
  const found = tracksIn(new Map([...FILES, ['osb/workload.json', '{}']]));
  expect(found.map(({ folder, benchmark }) => `${folder} ${benchmark.name}`)).toEqual([
    'osb OpenSearch Benchmark',
    'tracks/geo Rally',
  ]);
  expect(tracksIn(new Map([['other.yml', 'version: 1']]))).toEqual([]);
});

test.each([
  ['{ "version": 2, "challenges": [] }', 'Rally'],
  ['{% import "rally.helpers" as rally with context %}\n{ "indices": [] }', 'Rally'],
  ['{ "schedule": [ { "operation": "a" } ] }', 'Rally'],
  ['{ {{ benchmark.collect(parts="test_procedures/*.json") }} }', 'OpenSearch Benchmark'],
  ['{ "test_procedures": [] }', 'OpenSearch Benchmark'],
  ['{ "version": 1, "name": "a", "schedule": "0 3 * * *", "tasks": [] }', undefined],
  ['version: 1\nname: "schedule": [', undefined],
])('a text alone is recognised by what it says: %s', (text, name) => {
  expect(benchmarkOfText(text)?.name).toBe(name);
});
