import { readDefinition } from '../experiment/read';
import { experimentMark } from './experiment-mark';

const mark = (executor: object, more: object = {}): ReturnType<typeof experimentMark> =>
  experimentMark(
    'e-1',
    readDefinition({
      version: 1,
      name: 'marked',
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } }, executor }],
      ...more,
    }),
  );

test.each([
  ['a definition that says so', { 'constant-clients': { clients: 1 } }, { 'provokes-rejections': true }],
  ['a search for the highest rate', { 'highest-rate': { start: 10, limits: ['rejection_rate < 1%'] } }, {}],
])('%s provokes rejections on purpose', (_, executor, more) => {
  expect(mark(executor, more)).toMatchObject({ provokesRejections: true });
});

test('nothing else does, and the field is then absent', () => {
  expect(mark({ 'constant-clients': { clients: 1 } })).toEqual({
    id: 'e-1',
    name: 'marked',
    target: 'local',
  });
});
