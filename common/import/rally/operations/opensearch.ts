/**
 * Converts the operations that only OpenSearch Benchmark has. If Dyno cannot express an operation, the conversion contains the reason
 * instead.
 */
import { headers, inPath, mandatory, object, query, sends, type Convert } from './operation';

type Fields = Readonly<Record<string, unknown>>;

const some = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

const FAILS_IF_MISSING = 'fails if there is nothing to delete, which OpenSearch Benchmark may ignore';

const cannot =
  (left: string, nearest?: string): Convert =>
  () => ({ left, ...(nearest === undefined ? {} : { nearest }) });

const overGrpc = (nearest: string): Convert => cannot('is sent over gRPC, and Dyno sends HTTP', nearest);
const ofModels = cannot(
  'uses the id of a model or connector from the response of another request, and polls',
  'http requests with that id, which you send manually',
);
const ofPointInTime = cannot(
  'uses a point in time of another operation',
  'the request kind point-in-time, which opens one, reads its pages and closes it',
);
const ofAsyncSearch = cannot(
  'uses an asynchronous search of another operation',
  'http requests to /_plugins/_asynchronous_search',
);

export const OPENSEARCH: Readonly<Record<string, Convert>> = {
  'create-search-pipeline': ({ params }) =>
    sends(params, {
      method: 'PUT',
      path: `/_search/pipeline/${inPath(mandatory(params, 'id'))}`,
      body: object(params['body'], 'body'),
      params: {},
    }),
  'delete-pipeline': ({ params }) => ({
    ...sends(params, {
      method: 'DELETE',
      path: `/_ingest/pipeline/${inPath(mandatory(params, 'id'))}`,
      params: query({}, some({ master_timeout: params['master-timeout'], timeout: params['timeout'] })),
    }),
    notes: [FAILS_IF_MISSING],
  }),
  'update-concurrent-segment-search-settings': ({ params }) =>
    sends(params, {
      method: 'PUT',
      path: '/_cluster/settings',
      params: {},
      body: {
        persistent: some({
          'search.concurrent_segment_search.enabled': params['enable'] ?? 'false',
          'search.concurrent.max_slice_count': params['max_slice_count'],
        }),
      },
    }),
  'list-all-point-in-time': ({ params }) =>
    sends(params, {
      method: 'GET',
      path: '/_search/point_in_time/_all',
      params: query(params['request-params']),
      headers: headers(params),
    }),
  'create-point-in-time': ofPointInTime,
  'delete-point-in-time': ofPointInTime,
  'submit-async-search': ofAsyncSearch,
  'get-async-search': ofAsyncSearch,
  'delete-async-search': ofAsyncSearch,
  'vector-search': cannot(
    'takes its vectors from a data set in HDF5 or BIGANN format',
    'a search with the query knn, whose vectors are parameters from a file',
  ),
  'bulk-vector-data-set': cannot(
    'reads vectors from a data set in HDF5 or BIGANN format',
    'ingest a file with one JSON document per line',
  ),
  'train-knn-model': cannot('polls until a model is trained', 'an http request that you repeat manually'),
  'delete-knn-model': ({ params }) => ({
    ...sends(params, {
      method: 'DELETE',
      path: `/_plugins/_knn/models/${inPath(mandatory(params, 'model_id'))}`,
      params: {},
    }),
    notes: [FAILS_IF_MISSING],
  }),
  'register-ml-model': ofModels,
  'register-remote-ml-model': ofModels,
  'deploy-ml-model': ofModels,
  'delete-ml-model': ofModels,
  'create-ml-connector': ofModels,
  'delete-ml-connector': ofModels,
  'produce-stream-message': cannot('sends documents to Apache Kafka', 'ingest, which sends bulks'),
  'proto-bulk': overGrpc('ingest'),
  'proto-search': overGrpc('a request of the kind search'),
  'proto-vector-search': overGrpc('a search with the query knn'),
  'proto-bulk-vector-data-set': overGrpc('ingest a file with one JSON document per line'),
};
