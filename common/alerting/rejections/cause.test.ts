import { causeInWords, causeKind, causeOfReason } from './cause';
import { noCauses, type Causes } from './figures';

// Messages of Elasticsearch 8.19, some of them truncated as in samples.
test.each([
  [
    'rejected execution of TimedRunnable{original=ActionRunnable#wrap[org.elasticsearch.action.bulk.TransportShardBulkAction]} on TaskExecutionTimeTrackingEsThreadPoolExecutor[name = n1/write, queue capacity = 5, active threads = 2]',
    'queue',
  ],
  [
    'rejected execution of TimedRunnable{original=org.elasticsearch.action.bulk.TransportAbstractBulkAction$2/org.elasticsearch.action.ActionListenerImpl',
    'queue',
  ],
  [
    'rejected execution of coordinating operation [coordinating_and_primary_bytes=1, replica_bytes=0, all_bytes=1, coordinating_operation_bytes=9, max_coordinating_bytes=5]',
    'coordinating',
  ],
  [
    'rejected execution of primary operation [coordinating_and_primary_bytes=1, replica_bytes=0, all_bytes=1, primary_operation_bytes=9, max_primary_bytes=5]',
    'primary',
  ],
  [
    'rejected execution of replica operation [replica_bytes=1, replica_operation_bytes=9, max_replica_bytes=5]',
    'replica',
  ],
  ['[parent] Data too large, data for [<http_request>] would be larger than the limit', undefined],
  ['Too Many Requests', undefined],
])('%.60s is %s', (reason, cause) => expect(causeOfReason(reason)).toBe(cause));

test.each<[Partial<Causes>, string, string]>([
  [{ queue: 3 }, 'write-queue', 'full write queue'],
  [{ primary: 3 }, 'indexing-pressure', 'indexing pressure (primary)'],
  [{ coordinating: 1, replica: 3 }, 'indexing-pressure', 'indexing pressure (coordinating, replica)'],
  [{ queue: 1, coordinating: 1 }, 'mixed', 'full write queue and indexing pressure (coordinating)'],
  [{}, 'unknown', 'unknown'],
])('%j is described as %s', (given, kind, words) => {
  const causes = { ...noCauses(), ...given };
  expect(causeKind(causes)).toBe(kind);
  expect(causeInWords(causes)).toBe(words);
});
