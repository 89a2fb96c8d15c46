import { datedName, withDatedFiles } from './dated-files';
import { readDefinition } from './read';
import { problemText } from './testing/problems';
import { parseTime } from '../units/time';

const NOW = new Date(parseTime('2026-03-01T13:45:10Z'));

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

test.each([
  // Half past midnight in Berlin, in summer and in winter. In UTC it is still the day before.
  ['2026-07-14T22:30:00Z', 'Europe/Berlin', '{now/d-1d{yyyy-MM-dd}}', '2026-07-14'],
  ['2026-12-14T23:30:00Z', 'Europe/Berlin', '{now/d-1d{yyyy-MM-dd}}', '2026-12-14'],
  ['2026-07-14T22:30:00Z', 'UTC', '{now/d-1d{yyyy-MM-dd}}', '2026-07-13'],
  // Days on which the clocks change.
  ['2026-03-28T23:30:00Z', 'Europe/Berlin', '{now/d{yyyy-MM-dd}}', '2026-03-29'],
  ['2026-03-29T22:30:00Z', 'Europe/Berlin', '{now/d-1d{yyyy-MM-dd}}', '2026-03-29'],
  ['2026-10-25T23:30:00Z', 'Europe/Berlin', '{now/d-1d{yyyy-MM-dd}}', '2026-10-25'],
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', '{now-1h{HH}}', '01'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '{now/h-1h{HH}}', '02'],
  // A zone behind UTC, and one with an offset of half an hour.
  ['2026-11-20T04:00:00Z', 'America/New_York', '{now/d{yyyy-MM-dd}}', '2026-11-19'],
  ['2026-11-20T18:40:00Z', 'Asia/Kolkata', '{now/h{yyyyMMddHH}}', '2026112100'],
  // The month has no such day, so the result is its last one.
  ['2026-03-31T12:00:00Z', 'UTC', '{now-1M{yyyy-MM-dd}}', '2026-02-28'],
  ['2028-02-29T12:00:00Z', 'UTC', '{now-1y{yyyy-MM-dd}}', '2027-02-28'],
])('at %s in %s, %s is %s', (now, zone, name, dated) => {
  expect(datedName(name, new Date(parseTime(now)), zone)).toBe(dated);
});

const withFile = (file: string, more: object = {}): object => ({
  version: 1,
  name: 'yesterday',
  index: { mapping: {} },
  tasks: [{ name: 'ingest', ingest: { source: { file } } }],
  ...more,
});

test('a run uses the names of its moment, also in factors, and leaves everything else unchanged', () => {
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

test('the zone of the schedule decides the day of a name, in every way of writing a schedule', () => {
  const now = new Date(parseTime('2026-07-14T22:30:00Z'));
  const named = (schedule?: unknown): unknown =>
    withDatedFiles(readDefinition(withFile('{now/d-1d{yyyy-MM-dd}}.log', { schedule })), now).tasks[0]!
      .ingest!.source.file;
  expect(named({ cron: '30 0 * * *', zone: 'Europe/Berlin' })).toBe('2026-07-14.log');
  expect(named('30 0 * * * Europe/Berlin')).toBe('2026-07-14.log');
  expect(named({ cron: 'every 6h', zone: 'Europe/Berlin' })).toBe('2026-07-14.log');
  expect(named('30 0 * * *')).toBe('2026-07-13.log');
  expect(named()).toBe('2026-07-13.log');
});

test('an invalid date is an error of the definition', () => {
  expect(problemText(withFile('a-{now/q}.json'))).toContain('{now/q}');
  expect(problemText(withFile('a-{now{EEE}}.json'))).toContain('yyyy-MM-dd');
  expect(problemText(withFile('a-{now/d-1d}.json'))).toBe('');
});
