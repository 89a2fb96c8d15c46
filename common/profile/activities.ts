/**
 * The activities on which a node spends CPU time, in the words of operators. The class names are those of Elasticsearch 7.17 to 9.x,
 * OpenSearch 2.x and 3.x, Lucene 8 to 10, Netty and the JDK. The names of native threads are those of HotSpot.
 */
import type { ThreadSample } from './hot-threads';

export interface Activity {
  /** Name in the metric `cluster.cpu.<key>` and in stored trials. */
  key: string;
  title: string;
  /** What the CPU time was spent on, in half a sentence. */
  text: string;
  /**
   * Key of the activity to which this one belongs, such as `merge` for the merging of postings. The CPU time of that activity includes the
   * CPU time of this one.
   */
  within?: string;
  /** A stack belongs to the activity if any of its frames matches. */
  frames?: RegExp;
  /** Whether the activity has separate threads outside of Java. Hot threads do not contain them, but the profiler sees them. */
  isNative?: true;
  /** A stack without a frame of any activity belongs to the activity if the name of its thread matches. */
  threads?: RegExp;
}

/** Key of the CPU time that belongs to none of {@link ACTIVITIES}. */
export const OTHER = 'other';

/**
 * All activities. If the frames of a stack match several activities, the first one in this list counts. The purpose of a thread's work
 * therefore comes before the tools that it uses. For example, the compression within a merge counts as merge, and only the compression of
 * HTTP bodies counts as compression.
 */
export const ACTIVITIES: readonly Activity[] = [
  {
    key: 'cluster-state',
    title: 'cluster state',
    text: 'changing, publishing, storing and applying the cluster state',
    frames:
      /\.gateway\.(?:PersistedClusterState|GatewayMetaState|Lucene)|\.cluster\.(?:coordination|service)\./,
    threads: /\[cluster_coordination\]|masterService|clusterManagerService|clusterApplierService/,
  },
  {
    key: 'merge-postings',
    title: 'merging postings',
    text: 'merging terms and postings of segments',
    within: 'merge',
    frames:
      /^org\.apache\.lucene\.(?:index\.SegmentMerger\.(?:mergeTerms|mergeNorms)|codecs\.(?:FieldsConsumer|NormsConsumer|perfield\.PerFieldPostingsFormat\$FieldsWriter)\.merge)|index\.codec\.bloomfilter\.\w+\$?\w*\.merge$/,
  },
  {
    key: 'merge-doc-values',
    title: 'merging doc values',
    text: 'merging doc values of segments',
    within: 'merge',
    frames:
      /^org\.apache\.lucene\.(?:index\.SegmentMerger\.mergeDocValues|codecs\.DocValuesConsumer\.merge)|DocValuesConsumer\.merge\w*$/,
  },
  {
    key: 'merge-vectors',
    title: 'merging vectors',
    text: 'merging vectors of segments, and building their graphs',
    within: 'merge',
    frames:
      /^org\.apache\.lucene\.(?:index\.SegmentMerger\.mergeVectorValues|codecs\.(?:KnnVectorsWriter|KnnFieldVectorsWriter)\.merge)|VectorsWriter\.merge\w*$|\.hnsw\.\w*Merger?\w*\./,
  },
  {
    key: 'merge-stored-fields',
    title: 'merging stored fields',
    text: 'merging stored fields of segments, above all `_source`',
    within: 'merge',
    frames: /^org\.apache\.lucene\.index\.SegmentMerger\.mergeFields$|StoredFieldsWriter\.merge$/,
  },
  {
    key: 'merge-points',
    title: 'merging points',
    text: 'merging numbers, dates and shapes of segments (BKD trees)',
    within: 'merge',
    frames:
      /^org\.apache\.lucene\.(?:index\.SegmentMerger\.mergePoints|codecs\.PointsWriter\.merge)|PointsWriter\.merge$/,
  },
  {
    key: 'merge',
    title: 'merges',
    text: 'all merges of segments',
    frames:
      /^org\.apache\.lucene\.index\.(?:SegmentMerger|ConcurrentMergeScheduler|IndexWriter\.(?:merge|mergeMiddle|forceMerge|addIndexes))|\.(?:Elasticsearch|OpenSearch)ConcurrentMergeScheduler\.|\.ThreadPoolMergeScheduler\./,
    threads: /\[merge\]|Lucene Merge Thread|\[force_merge\]/,
  },
  {
    key: 'refresh',
    title: 'refreshes',
    text: 'writing new segments in a refresh, and opening them for searches',
    frames:
      /\.(?:InternalEngine|ReadOnlyEngine)\.(?:refresh|maybeRefresh)\w*$|^org\.apache\.lucene\.search\.ReferenceManager\.(?:maybeRefresh|doMaybeRefresh)|\.IndexShard\.(?:refresh|scheduledRefresh|externalRefresh)$/,
    threads: /\[refresh\]/,
  },
  {
    key: 'flush',
    title: 'flushes',
    text: 'Lucene commits, and segments that a full indexing buffer forces out',
    frames:
      /\.InternalEngine\.(?:flush|commitIndexWriter|writeIndexingBuffer)|^org\.apache\.lucene\.index\.(?:IndexWriter\.(?:commit|prepareCommit|flush|doFlush|flushNextBuffer)|DocumentsWriterPerThread\.flush|DocumentsWriter\.(?:doFlush|flushOneDWPT|flushAllThreads))/,
    threads: /\[flush\]/,
  },
  {
    key: 'translog',
    title: 'translog',
    text: 'writing and syncing the translog',
    frames: /\.index\.translog\./,
  },
  {
    key: 'analysis',
    title: 'analysis',
    text: 'splitting text into terms',
    frames: /^org\.apache\.lucene\.analysis\.|\.index\.analysis\./,
  },
  {
    key: 'parsing',
    title: 'parsing documents',
    text: 'reading the JSON of documents and applying the mapping',
    frames:
      /\.index\.mapper\.(?:DocumentParser|DocumentMapper|XContentDataHelper|DynamicFieldsBuilder)\b|\.IndexShard\.prepareIndex$/,
  },
  {
    key: 'indexing',
    title: 'indexing',
    text: 'adding documents to the indexing buffers, and looking up their versions',
    frames:
      /^org\.apache\.lucene\.index\.(?:IndexWriter\.(?:update|add|softUpdate|delete)Document|IndexingChain|DefaultIndexingChain|DocumentsWriter)|\.InternalEngine\.(?:index|delete|planIndexingAsPrimary|indexIntoLucene|indexingStrategyForOperation)\w*$|\.TransportShardBulkAction\./,
    threads: /\[(?:write|bulk|system_write)\]/,
  },
  {
    key: 'pipeline',
    title: 'ingest pipelines',
    text: 'processors of ingest pipelines',
    frames: /\.ingest\.(?:IngestService|Pipeline|CompoundProcessor|IngestDocument)\b/,
  },
  {
    key: 'script',
    title: 'scripts',
    text: 'scripts of searches and updates (Painless, expressions)',
    frames: /\.painless\.(?:PainlessScript|api)\b|PainlessScript\$Script\.|\.script\.expression\./,
  },
  {
    key: 'fetch',
    title: 'fetching hits',
    text: 'the fetch phase: reading `_source` and fields of the hits, highlighting',
    frames: /\.search\.fetch\.(?!subphase\.FetchSourceContext)/,
  },
  {
    key: 'aggregation',
    title: 'aggregations',
    text: 'collecting and reducing aggregations',
    frames: /\.search\.aggregations\./,
  },
  {
    key: 'query-vectors',
    title: 'vector queries',
    text: 'searching vectors',
    within: 'query',
    frames:
      /^org\.apache\.lucene\.(?:search\.(?:AbstractKnnVectorQuery|Knn\w+Query)|util\.hnsw\.|codecs\.(?:lucene\w+\.)?\w*Vector\w*Reader)|\.search\.vectors\./,
  },
  {
    key: 'query-ranges',
    title: 'range queries',
    text: 'range queries on numbers and dates, and geographical queries',
    within: 'query',
    frames:
      /^org\.apache\.lucene\.(?:search\.(?:PointRangeQuery|\w*RangeQuery)|util\.bkd\.|document\.\w*(?:Range|Point|Shape)\w*Query)/,
  },
  {
    key: 'query-multi-term',
    title: 'wildcard and prefix queries',
    text: 'queries that match many terms: wildcard, prefix, fuzzy, regular expressions',
    within: 'query',
    frames:
      /^org\.apache\.lucene\.(?:search\.(?:MultiTermQuery|AbstractMultiTermQuery|WildcardQuery|PrefixQuery|FuzzyQuery|RegexpQuery|AutomatonQuery)|util\.automaton\.)/,
  },
  {
    key: 'query',
    title: 'queries',
    text: 'the query phase of searches: finding and sorting the hits',
    frames:
      /^org\.apache\.lucene\.search\.(?!ReferenceManager)|\.search\.(?:query|internal|dfs|rank|sort|collapse|SearchService)\b|\.index\.query\.|\.action\.search\.|\.xpack\.esql\.|\.compute\.operator\.|\.sql\.|\.xpack\.eql\./,
    threads: /\[(?:search|search_worker|index_searcher|search_coordination|search_throttled|esql_worker)\]/,
  },
  {
    key: 'get',
    title: 'gets',
    text: 'reading documents by their id',
    frames: /\.index\.get\.|\.action\.get\.|\.InternalEngine\.get$/,
    threads: /\[(?:get|system_read)\]/,
  },
  {
    key: 'bulk-requests',
    title: 'bulk requests',
    text: 'splitting bulk requests among the shards, and collecting the answers',
    frames: /\.action\.bulk\.|\.action\.support\.replication\./,
    threads: /\[write_coordination\]/,
  },
  {
    key: 'compression',
    title: 'compression',
    text: 'compressing and decompressing requests and answers',
    frames:
      /^java\.util\.zip\.|^net\.jpountz\.lz4\.|^io\.netty\.handler\.codec\.compression\.|^com\.github\.luben\.zstd\.|\.common\.compress\.|\.transport\.\w*(?:Compress|Decompress)/,
  },
  {
    key: 'serialisation',
    title: 'serialisation',
    text: 'writing answers as JSON, and messages between nodes',
    frames: /\.xcontent\.|\.common\.io\.stream\.|^com\.fasterxml\.jackson\./,
  },
  {
    key: 'background',
    title: 'background work',
    text: 'allocation, statistics, life cycle management and other background tasks',
    frames:
      /\.cluster\.(?!node\.)|\.gateway\.|\.monitor\.|\.action\.admin\.|\.health\.|\.persistent\.|\.xpack\.(?!esql|sql|eql)|\.ilm\.|\.threadpool\.Scheduler/,
    threads:
      /\[(?:generic|management|scheduler|fetch_shard_\w+|snapshot\w*|warmer|auto_complete|ml_\w+|transform_\w+)\]|#updateTask|\[(?:timer|keepAlive|file-watcher)/,
  },
  {
    key: 'network',
    title: 'network',
    text: 'reading and writing sockets, HTTP and TLS',
    frames: /^io\.netty\.|^sun\.nio\.ch\.|^sun\.security\.ssl\.|\.http\.|\.transport\.|\.rest\./,
    threads: /\[(?:transport_worker|transport_client_boss|http_server_worker|transport_boss)\]/,
  },
  {
    key: 'gc',
    title: 'garbage collection',
    text: 'collecting garbage, and other work for which the JVM stops all Java threads',
    isNative: true,
    // G1, Parallel, Serial (in the VM thread), ZGC and Shenandoah. Linux shortens the names of native threads to 15 characters.
    threads: /(?:^|\[)(?:GC Thread|G1 |VM Thread|Z[A-Z][a-z]|Shenandoah)/,
  },
  {
    key: 'jit',
    title: 'JIT compilation',
    text: 'compiling Java bytecode to machine code',
    isNative: true,
    threads: /(?:^|\[)(?:C[12] Compile|JVMCI|Sweeper thread)/,
  },
];

const BY_KEY = new Map(ACTIVITIES.map((each) => [each.key, each]));

/**
 * Cache for `activityIndex`. For each frame, it contains the index in {@link ACTIVITIES} of the first activity that matches the frame. If no
 * activity matches, it contains the length of ACTIVITIES.
 */
const ofFrame = new Map<string, number>();
/** Maximum number of frames in `ofFrame`. A node has some ten thousand frames. */
const MOST_FRAMES = 50_000;

/**
 * Returns the index in {@link ACTIVITIES} of the first activity that one frame matches, or the length of that list. A stack belongs to the
 * activity with the lowest index of its frames.
 */
export function activityIndex(frame: string): number {
  const known = ofFrame.get(frame);
  if (known !== undefined) return known;
  const found = ACTIVITIES.findIndex(({ frames }) => frames?.test(frame));
  const first = found < 0 ? ACTIVITIES.length : found;
  if (ofFrame.size >= MOST_FRAMES) ofFrame.clear();
  ofFrame.set(frame, first);
  return first;
}

/** Returns the key of the activity to which a stack belongs, or {@link OTHER}. */
export function activityOf({ frames, thread }: Pick<ThreadSample, 'frames' | 'thread'>): string {
  const first = frames.reduce((least, frame) => Math.min(least, activityIndex(frame)), ACTIVITIES.length);
  return (ACTIVITIES[first] ?? ACTIVITIES.find(({ threads }) => threads?.test(thread)))?.key ?? OTHER;
}

/** Returns whether a profile with these CPU times by activity contains threads outside of Java. */
export const hasNative = (times: Readonly<Record<string, number>>): boolean =>
  ACTIVITIES.some(({ key, isNative }) => isNative && (times[key] ?? 0) > 0);

/** Adds `weight` to the activity `key` and to the activity that includes it. */
export function addWeight(weights: Map<string, number>, key: string, weight: number): void {
  weights.set(key, (weights.get(key) ?? 0) + weight);
  const within = BY_KEY.get(key)?.within;
  if (within !== undefined) addWeight(weights, within, weight);
}
