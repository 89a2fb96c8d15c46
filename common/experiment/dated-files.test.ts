import { datedName, withDatedFiles } from './dated-files';
import { readDefinition } from './read';
import { problemText } from './testing/problems';

const NOW = new Date('2026-03-01T13:45:10Z');

test.each([
  ['access-{now/d-1d{yyyy-MM-dd}}.log.gz', 'access-2026-02-28.log.gz'],
  ['access-{now/d-1d}.log', 'access-2026.02.28.log'],
  ['access-{now-1d/d{yyyyMMdd}}.log', 'access-20260228.log'],
  ['{now{yyyy}}/{now{MM}}/{now-1h{HH}}.log', '2026/03/12.log'],
  ['{now/w{yyyy-MM-dd}}', '2026-02-23'],
  ['{now/M-1M{yyyy-MM}}', '2026-02'],
  ['plain.log', 'plain.log'],
  ['{today}.log', '{today}.log'],
])('%s is %s', (name, dated) => {
  expect(datedName(name, NOW)).toBe(dated);
});

const withFile = (file: string, more: object = {}): object => ({
  version: 1,
  name: 'yesterday',
  index: { mapping: {} },
  tasks: [{ name: 'ingest', ingest: { source: { file } } }],
  ...more,
});

test('a run takes the names of its moment, those of factors too, and leaves everything else alone', () => {
  const factors = { 'tasks.ingest.ingest.source.file': ['a-{now/d}.json', 'b-{now/d-1d}.json'] };
  const definition = readDefinition(withFile('{now/d}.json', { factors, hypothesis: '{now/d}' }));
  const dated = withDatedFiles(definition, NOW);
  expect(dated.tasks[0]!.ingest!.source.file).toBe('2026.03.01.json');
  expect(dated.factors).toEqual({
    'tasks.ingest.ingest.source.file': ['a-2026.03.01.json', 'b-2026.02.28.json'],
  });
  expect(dated.hypothesis).toBe('{now/d}');
  const plain = readDefinition(withFile('plain.json'));
  expect(withDatedFiles(plain, NOW)).toBe(plain);
});

test('a date that cannot be told is an error of the definition', () => {
  expect(problemText(withFile('a-{now/q}.json'))).toContain('{now/q}');
  expect(problemText(withFile('a-{now{EEE}}.json'))).toContain('yyyy-MM-dd');
  expect(problemText(withFile('a-{now/d-1d}.json'))).toBe('');
});
