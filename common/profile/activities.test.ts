import { ACTIVITIES, activityOf, OTHER } from './activities';
import { PhaseProfile } from './phase-profile';

const WRITE = [
  'org.elasticsearch.action.bulk.TransportShardBulkAction.performOnPrimary',
  'java.util.concurrent.ThreadPoolExecutor.runWorker',
];
const INDEX = [
  'org.apache.lucene.index.IndexingChain.processDocument',
  'org.apache.lucene.index.IndexWriter.updateDocuments',
  'org.elasticsearch.index.engine.InternalEngine.indexIntoLucene',
  ...WRITE,
];
const MERGE = [
  'org.apache.lucene.index.SegmentMerger.merge',
  'org.apache.lucene.index.IndexWriter.mergeMiddle',
  'org.elasticsearch.index.engine.ThreadPoolMergeScheduler.doMerge',
];
const SEARCH = [
  'org.apache.lucene.search.IndexSearcher.search',
  'org.elasticsearch.search.internal.ContextIndexSearcher.search',
  'org.elasticsearch.search.query.QueryPhase.execute',
  'org.elasticsearch.search.SearchService.executeQueryPhase',
];

/** Stacks of Elasticsearch 9.5.3 and OpenSearch 3.6.0 with the frames that matter, the innermost one first. */
test.each([
  [
    'analysis',
    [
      'java.lang.Character.codePointAt',
      'org.apache.lucene.analysis.standard.StandardTokenizerImpl.getNextToken',
      ...INDEX,
    ],
  ],
  ['indexing', ['org.apache.lucene.index.TermsHashPerField.writeVInt', ...INDEX]],
  [
    'parsing',
    [
      'java.util.Base64$Decoder.decodeBlock',
      'org.elasticsearch.index.mapper.DocumentParser.parseDocument',
      ...WRITE,
    ],
  ],
  [
    'translog',
    [
      'sun.nio.ch.UnixFileDispatcherImpl.force0',
      'org.elasticsearch.index.translog.TranslogWriter.syncUpTo',
      ...WRITE,
    ],
  ],
  [
    'refresh',
    [
      'sun.nio.ch.UnixFileDispatcherImpl.write0',
      'org.apache.lucene.index.IndexingChain.flush',
      'org.apache.lucene.index.DocumentsWriterPerThread.flush',
      'org.apache.lucene.index.StandardDirectoryReader.openIfChanged',
      'org.apache.lucene.search.ReferenceManager.maybeRefresh',
      'org.elasticsearch.index.engine.InternalEngine.refreshInternalSearcher',
      'org.elasticsearch.index.shard.IndexShard.scheduledRefresh',
    ],
  ],
  [
    'flush',
    [
      'org.apache.lucene.index.DocumentsWriterPerThread.flush',
      'org.apache.lucene.index.DocumentsWriter.doFlush',
      ...INDEX,
    ],
  ],
  ['merge', ['java.util.HashMap.containsKey', ...MERGE]],
  [
    'merge-doc-values',
    [
      'org.apache.lucene.codecs.lucene90.Lucene90DocValuesProducer$22.cost',
      'org.apache.lucene.codecs.DocValuesConsumer.mergeNumericField',
      'org.apache.lucene.index.SegmentMerger.mergeDocValues',
      ...MERGE,
    ],
  ],
  ['merge-postings', ['org.apache.lucene.codecs.FieldsConsumer.merge', ...MERGE]],
  [
    'merge-stored-fields',
    [
      'org.apache.lucene.util.compress.LZ4.compress',
      'org.apache.lucene.index.SegmentMerger.mergeFields',
      ...MERGE,
    ],
  ],
  ['query', ['org.apache.lucene.codecs.lucene103.Lucene103PostingsReader.nextDoc', ...SEARCH]],
  ['query-multi-term', ['org.apache.lucene.util.automaton.RunAutomaton.isAccept', ...SEARCH]],
  ['query-ranges', ['org.apache.lucene.util.bkd.BKDReader.intersect', ...SEARCH]],
  ['query-vectors', ['org.apache.lucene.util.hnsw.HnswGraphSearcher.searchLevel', ...SEARCH]],
  [
    'aggregation',
    [
      'org.elasticsearch.search.aggregations.bucket.terms.GlobalOrdinalsStringTermsAggregator$1.collect',
      ...SEARCH,
    ],
  ],
  [
    'fetch',
    ['org.apache.lucene.util.compress.LZ4.decompress', 'org.elasticsearch.search.fetch.FetchPhase.execute'],
  ],
  [
    'cluster-state',
    [
      'java.util.concurrent.locks.LockSupport.unpark',
      'org.opensearch.cluster.service.ClusterApplierService.runTask',
      'org.opensearch.common.util.concurrent.ThreadContext$ContextPreservingRunnable.run',
    ],
  ],
  [
    'bulk-requests',
    [
      'org.elasticsearch.common.collect.Iterators$EnumeratingIterator.hasNext',
      'org.elasticsearch.action.bulk.BulkOperation.groupRequestsByShards',
    ],
  ],
  ['network', ['sun.nio.ch.SocketDispatcher.write0', 'io.netty.channel.nio.NioEventLoop.run']],
])('%s', (key, frames) => {
  expect(activityOf({ frames, thread: 'elasticsearch[dyno-1][generic][T#1]' })).toBe(key);
});

test.each([
  ['indexing', 'elasticsearch[dyno-1][write][T#1]'],
  ['query', 'opensearch[dyno-1][search][T#4]'],
  ['merge', 'elasticsearch[dyno-1][products][[products][0]: Lucene Merge Thread #3]'],
  ['network', 'elasticsearch[dyno-1][transport_worker][T#2]'],
  ['gc', 'GC Thread#0'],
  ['gc', 'G1 Conc#0'],
  ['gc', 'VM Thread'],
  ['gc', 'ZWorkerYoung#1'],
  ['jit', 'C2 CompilerThre'],
  ['jit', 'C1 CompilerThread0'],
  [OTHER, 'Common-Cleaner'],
])('a stack of the JDK alone belongs to the activity of its thread: %s', (key, thread) => {
  expect(activityOf({ frames: ['java.util.HashMap.get', 'java.lang.Thread.run'], thread })).toBe(key);
});

test('each activity within another one follows an existing activity, and no key repeats', () => {
  const keys = ACTIVITIES.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { key, within } of ACTIVITIES) {
    if (within === undefined) continue;
    // The more specific activity must come first, because the first match counts.
    expect(keys.indexOf(key)).toBeLessThan(keys.indexOf(within));
  }
});

test('a profile adds up readings by node, and an activity includes its parts', () => {
  const profile = new PhaseProfile();
  const thread = (ms: number, frames: string[]) => ({ weight: ms * 1000, frames, thread: '' });
  const terms = ['org.apache.lucene.index.SegmentMerger.mergeTerms', ...MERGE];
  profile.add([
    { nodeId: 'a', nodeName: 'dyno-1', threads: [thread(10, terms), thread(5, MERGE), thread(1, ['x.Y.z'])] },
    { nodeId: 'b', nodeName: 'dyno-1', threads: [] },
  ]);
  profile.add([{ nodeId: 'a', nodeName: 'dyno-1', threads: [thread(20, INDEX)] }]);
  expect(Object.fromEntries(profile.byNode())).toEqual({
    a: {
      readings: 2,
      cpuMs: 36,
      activities: { 'merge-postings': 10, merge: 15, [OTHER]: 1, indexing: 20 },
    },
    b: { readings: 1, cpuMs: 0, activities: {} },
  });
});
