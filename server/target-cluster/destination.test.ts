import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { destinationOf } from './destination';

const asked = (names: string[], body: unknown, status = 200) =>
  destinationOf(
    { request: () => Promise.resolve({ status, body }) } as unknown as ElasticsearchClient,
    names,
  );
const index = (settings: object = {}): object => ({ settings: { index: { uuid: 'u', ...settings } } });

test('for indices without a pipeline only the heads of answers are read', async () => {
  expect(await asked(['a', 'b'], { a: index(), b: index({ default_pipeline: '_none' }) })).toEqual({
    names: ['a', 'b'],
    series: [],
    hasPipeline: false,
  });
});

test.each(['default_pipeline', 'final_pipeline'])('a %s of any index is detected', async (setting) => {
  const { hasPipeline } = await asked(['a', 'b'], { a: index(), b: index({ [setting]: 'p' }) });
  expect(hasPipeline).toBe(true);
});

test('for an alias or a data stream, the indices behind it and those of later rollovers are under test', async () => {
  expect(await asked(['logs'], { 'logs-2026.11.26-000007': index() })).toMatchObject({
    names: ['logs-2026.11.26-000007'],
    series: ['.ds-logs', 'logs'],
  });
  expect(await asked(['logs'], { '.ds-logs-2026.11.26-000001': index() })).toMatchObject({
    names: ['.ds-logs-2026.11.26-000001'],
    series: ['.ds-logs'],
  });
});

test('without the right to read settings each item is read, and indices are not confused', async () => {
  expect(await asked(['a'], { error: { type: 'security_exception', reason: 'no' } }, 403)).toEqual({
    names: [],
    series: [],
    hasPipeline: true,
  });
});
