import { BENCHMARKS } from '../benchmark';
import { madeFiles, NO_PYTHON } from '../testing/made-track';
import { readTrack } from '../track';
import { OPENSEARCH } from './opensearch';
import { convert, type Conversion } from './registry';

function made(
  type: string,
  params: Record<string, unknown> = {},
  { benchmark = BENCHMARKS.osb, indices = [{ name: 'shop' }] } = {},
): Conversion {
  const files = madeFiles({
    [benchmark.file]: JSON.stringify({ indices, schedule: [{ operation: 'refresh' }] }),
  });
  const track = readTrack('made', { files, params: {}, now: 0 }, benchmark);
  const operation = { name: type, type, params, place: 'operations[0]' };
  return convert({
    task: { name: type, operation, place: 'schedule[0]', clients: 1 },
    operation,
    params,
    track,
    python: NO_PYTHON,
  });
}

const leftOf = (conversion: Conversion): string => ('left' in conversion ? conversion.left : '');

test.each<[string, Record<string, unknown>, object]>([
  [
    'create-search-pipeline',
    { id: 'p', body: { a: 1 } },
    { method: 'PUT', path: '/_search/pipeline/p', body: { a: 1 } },
  ],
  [
    'delete-pipeline',
    { id: 'p', timeout: '5s' },
    { method: 'DELETE', path: '/_ingest/pipeline/p', params: { timeout: '5s' } },
  ],
  [
    'update-concurrent-segment-search-settings',
    { enable: 'true', max_slice_count: 4 },
    {
      method: 'PUT',
      path: '/_cluster/settings',
      body: {
        persistent: {
          'search.concurrent_segment_search.enabled': 'true',
          'search.concurrent.max_slice_count': 4,
        },
      },
    },
  ],
  [
    'update-concurrent-segment-search-settings',
    {},
    { body: { persistent: { 'search.concurrent_segment_search.enabled': 'false' } } },
  ],
  ['list-all-point-in-time', {}, { method: 'GET', path: '/_search/point_in_time/_all' }],
  ['delete-knn-model', { model_id: 'm' }, { method: 'DELETE', path: '/_plugins/_knn/models/m' }],
])('%s %j sends what OpenSearch Benchmark sends', (type, params, wire) => {
  expect(made(type, params)).toMatchObject({ sends: [wire] });
});

test('a deletion that OpenSearch Benchmark tolerates if there is nothing has a note', () => {
  expect(made('delete-pipeline', { id: 'p' })).toMatchObject({
    notes: [expect.stringContaining('fails if')],
  });
});

test.each([
  ['vector-search', 'from a data set'],
  ['bulk-vector-data-set', 'from a data set'],
  ['proto-search', 'over gRPC'],
  ['produce-stream-message', 'Apache Kafka'],
  ['deploy-ml-model', 'the id of a model'],
  ['create-point-in-time', 'a point in time of another operation'],
  ['delete-knn-model', 'has no model_id'],
])('%s is left out with the reason, not as Python of the workload', (type, reason) => {
  expect(leftOf(made(type))).toContain(reason);
});

test('in a track of Rally, an operation with the name of one of these is unknown', () => {
  for (const type of Object.keys(OPENSEARCH))
    expect(leftOf(made(type, {}, { benchmark: BENCHMARKS.rally }))).toContain('has the unknown type');
});

test('an index whose name a template leaves empty only affects the operations on it', () => {
  const nameless = { indices: [{ name: '' }] };
  for (const type of ['create-index', 'delete-index', 'search'])
    expect(leftOf(made(type, { body: {} }, nameless))).toBe('names no index');
  expect(made('search', { body: {}, index: 'other' }, nameless)).toMatchObject({
    sends: [{ path: '/other/_search' }],
  });
});
