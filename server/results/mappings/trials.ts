/** The mapping of `dyno-trials-*`: one document for each trial. */
import type { CachesSummary, PageCache } from '../../../common/measurement/caches';
import type { Censored, KeptTimes } from '../../../common/measurement/censored';
import type { Disturbance } from '../../../common/measurement/disturbance';
import type {
  CollectedHost,
  CollectedNode,
  CollectedTrial,
  CollectedValues,
} from '../../../common/measurement/collected';
import type { ExistingSummary } from '../../../common/measurement/existing';
import type {
  HighestRate,
  LimitReading,
  RateAnswer,
  RateStep,
} from '../../../common/measurement/highest-rate';
import {
  forShardCounters,
  type CountedValues,
  type DiskWork,
  type IndexModes,
  type IndexState,
  type NodeDelta,
  type NodeStore,
  type ShardSizes,
  type NodeRejections,
  type SampledNode,
  type ServerDelta,
  type ShardWork,
  type TransportWork,
} from '../../../common/measurement/server';
import type { InstrumentDelays, MachineSummary } from '../../../common/measurement/instrument';
import type {
  GeneratorSummary,
  PreloadSummary,
  SteadyState,
  TaskSummary,
  TrialDocument,
  SeatSummary,
} from '../../../common/measurement/trial';
import type { ClockReading, TargetClock } from '../../../common/measurement/target-clock';
import { clusterMetricName } from '../../../common/measurement/cluster-metrics';
import type { KeptValue } from '../../../common/measurement/node-metric';
import { COUNTERS, GAUGES, keptValues } from '../../../common/measurement/node-metrics';
import type { NodeProfile } from '../../../common/profile/phase-profile';
import { STORED_CLUSTER_METRICS, type StoredTrial } from '../stored';
import {
  boolean,
  byName,
  date,
  double,
  kept,
  keyword,
  long,
  object,
  opaque,
  text,
  type Fields,
} from './field';
import type {
  ParseAccount,
  ParserFigures,
  ParserTimes,
  PipelineTimes,
  SenderTimes,
} from '../../../common/measurement/parse';
import type { DrawnRequests } from '../../../common/measurement/distinct';
import type { RecallSummary } from '../../../common/measurement/recall';
import type { ReplayAccount } from '../../../common/measurement/replay';
import type { AnswerAccount } from '../../../common/measurement/same-answers';
import type { TrafficAccount } from '../../../common/measurement/traffic';
import type { UnaskedPart } from '../../../common/measurement/unasked';
import type { WriteAccount } from '../../../common/measurement/writes';
import { counts, experimentMark, generatorHealth, id, latencySummary } from './measured';

const replay: Fields<ReplayAccount> = {
  lines: long,
  sent: long,
  otherType: long,
  repeated: long,
  malformed: long,
  refused: long,
  unsent: long,
  rewritten: long,
  outOfOrder: long,
  late: long,
  rules: kept,
  refusals: kept,
  malformedExamples: kept,
  refusedExamples: kept,
};

const traffic: Fields<TrafficAccount> = {
  records: long,
  sent: long,
  leftOut: long,
  unsent: long,
  waited: long,
  untranslated: long,
  reasons: kept,
};

const highestRate: Fields<HighestRate> = {
  steps: object<RateStep>({
    number: long,
    phase: keyword,
    perSecond: double,
    repeats: boolean,
    from: date,
    judgedMs: double,
    due: long,
    answered: long,
    unsent: long,
    unsettled: long,
    grown: long,
    answeredPerSecond: double,
    acceptedPerSecond: double,
    limits: object<LimitReading>({ limit: keyword, value: double, held: boolean }),
    held: boolean,
    stop: keyword,
    why: text,
  }),
  answer: object<RateAnswer>({
    held: double,
    confirmed: boolean,
    broken: double,
    heldAccepted: double,
    brokenAccepted: double,
    end: keyword,
    stop: keyword,
    why: text,
    holdMs: double,
    figuresOf: long,
  }),
};

/**
 * Metrics of the conversion of raw lines to documents. `by` says what converts the lines: `workers` are Dyno's parser threads, with metrics
 * in `parsers`. `pipeline` is an ingest pipeline, with metrics in `pipeline`.
 */
const parsing: Fields<{ by: 'workers' | 'pipeline'; parsers: ParserFigures; pipeline: PipelineTimes }> = {
  by: keyword,
  parsers: object<ParserFigures>({
    workers: long,
    account: object<ParseAccount>({
      lines: long,
      parsed: long,
      unparsed: long,
      waiting: long,
      documents: long,
      unsent: long,
      reasons: kept,
      examples: kept,
    }),
    times: object<ParserTimes>({
      lines: long,
      elapsedMs: double,
      busyMs: double,
      cpuMs: double,
      blockedMs: double,
      hungryMs: double,
      slowestLineMs: double,
    }),
    senders: object<SenderTimes>({ occupiedMs: double, waitedMs: double }),
  }),
  pipeline: object<PipelineTimes>({ documents: long, timeMs: long, failed: long, unparsed: long }),
};

const keptTimes = object<KeptTimes>({ ...latencySummary, histogram: opaque });

const tasks: Fields<TaskSummary> = {
  task: keyword,
  kind: keyword,
  counts: object<TaskSummary['counts']>(counts),
  total: object<TaskSummary['total']>(counts),
  writes: object<WriteAccount>({
    created: long,
    updated: long,
    deleted: long,
    unchanged: long,
    versions: long,
    perhapsAdded: long,
    perhapsRemoved: long,
    existed: long,
    absent: long,
  }),
  drawn: object<DrawnRequests>({ requests: long, distinct: long }),
  elapsedMs: double,
  sourceEndedMs: double,
  throughput: double,
  attemptedPerSecond: double,
  bytesPerSecond: double,
  rejectionRate: double,
  errorRate: double,
  service: object<TaskSummary['service']>(latencySummary),
  latency: object<TaskSummary['latency']>(latencySummary),
  serviceHistogram: opaque,
  latencyHistogram: opaque,
  censored: object<Censored>({ unanswered: keptTimes, neverSent: keptTimes }),
  requests: kept,
  recall: object<RecallSummary>({ k: long, queries: long, judged: long, mean: double, deviation: double }),
  failures: kept,
  retries: kept,
  offeredPerSecond: double,
  sentPerSecond: double,
  unsent: long,
  lagHistogram: opaque,
  steady: object<Required<SteadyState>>({
    settled: boolean,
    afterSeconds: double,
    change: double,
    findsFrom: double,
  }),
  replay: object<ReplayAccount>(replay),
  answers: object<AnswerAccount>({
    alike: long,
    byRefresh: long,
    different: long,
    differences: kept,
    notCompared: kept,
    shapes: kept,
  }),
  traffic: object<TrafficAccount>(traffic),
  highestRate: object<HighestRate>(highestRate),
  parsing: { properties: parsing },
};

const shardWork = Object.fromEntries(
  Object.entries(forShardCounters(() => long)).map(([group, counters]) => [
    group,
    object<Record<string, number>>(counters),
  ]),
) as Fields<ShardWork>;

const server: Fields<ServerDelta> = {
  nodes: long,
  partial: boolean,
  ...shardWork,
  gc: byName,
  threadPools: byName,
  indexingPressure: object<ServerDelta['indexingPressure']>({
    coordinating: long,
    primary: long,
    replica: long,
  }),
  cpuMs: long,
  diskBusyMs: long,
  perNode: object<NodeDelta>({
    name: keyword,
    roles: keyword,
    machine: keyword,
    cores: long,
    elapsedMs: long,
    cpuMs: long,
    gcPauseMs: long,
    diskBusyMs: long,
    disk: object<DiskWork>({ readBytes: long, writtenBytes: long, reads: long, writes: long }),
    transport: object<TransportWork>({ receivedBytes: long, sentBytes: long }),
    refused: object<NodeRejections>({ write: long, search: long, otherPools: long, pressure: long }),
    shards: object<ShardWork>(shardWork),
    counted: object<CountedValues>(Object.fromEntries(COUNTERS.map(({ kept: name }) => [name, long]))),
    sampled: object<SampledNode>({
      samples: long,
      ...Object.fromEntries(GAUGES.map(({ kept, over }) => [kept, over === 'mean' ? double : long])),
    }),
    profile: object<NodeProfile>({ readings: long, cpuMs: double, activities: kept }),
  }),
  longestThrottledMs: long,
};

const index: Fields<IndexState> = {
  docs: long,
  storeBytes: long,
  segments: long,
  backing: long,
  modes: object<IndexModes>({ mode: keyword, source: keyword }),
  merged: long,
  fields: kept,
  recipe: kept,
  primaries: keyword,
  shards: keyword,
  shardSizes: object<ShardSizes>({
    shards: long,
    docs: long,
    largestDocs: long,
    bytes: long,
    largestBytes: long,
  }),
  perNode: object<NodeStore>({ name: keyword, roles: keyword, docs: long, bytes: long, segments: long }),
};

const generator: Fields<GeneratorSummary> = {
  ...generatorHealth,
  machine: object<MachineSummary>({
    busy: double,
    steal: double,
    own: double,
    others: double,
    full: double,
    withTarget: boolean,
  }),
  delays: object<InstrumentDelays>({ held: opaque, noticed: opaque }),
  workers: long,
  limited: boolean,
  reason: text,
  seats: object<SeatSummary>({
    seat: long,
    host: keyword,
    pid: long,
    labels: keyword,
    workers: long,
    attempted: long,
    cpuMs: double,
    utilisation: double,
    lateMs: double,
    clockOffsetMs: double,
    clockErrorMs: double,
  }),
};

/** Returns the mappings of the values that NODE_METRICS derives from events of Dyno's collector. All values are numbers. */
const keptFields = (of: KeptValue['of']): Fields<CollectedValues> =>
  Object.fromEntries(keptValues(of).map(({ kept }) => [kept, double]));

const host: Fields<CollectedHost> = {
  name: keyword,
  coveredMs: long,
  cores: long,
  ...keptFields('host'),
  busiestDisk: object<NonNullable<CollectedHost['busiestDisk']>>({ name: keyword, busyShare: double }),
  disk: object<NonNullable<CollectedHost['disk']>>({
    readBytesPerSecond: double,
    writtenBytesPerSecond: double,
    readsPerSecond: double,
    writesPerSecond: double,
  }),
  network: object<NonNullable<CollectedHost['network']>>({
    rxBytesPerSecond: double,
    txBytesPerSecond: double,
    capacityBytesPerSecond: long,
  }),
};

const collected: Fields<CollectedTrial> = {
  events: long,
  nodes: object<CollectedNode>({
    name: keyword,
    id: keyword,
    coveredMs: long,
    restarted: boolean,
    threadPools: byName,
    indexingThrottledMs: long,
    indexingPressure: object<CollectedNode['indexingPressure']>({
      coordinating: long,
      primary: long,
      replica: long,
      highestShare: double,
    }),
    merges: object<CollectedNode['merges']>({
      count: long,
      timeMs: long,
      throttledMs: long,
      stoppedMs: long,
      bytes: long,
    }),
    refresh: object<NonNullable<CollectedNode['refresh']>>({ count: long, timeMs: long }),
    flush: object<NonNullable<CollectedNode['flush']>>({ count: long, timeMs: long }),
    ...keptFields('node'),
    transport: object<TransportWork>({ receivedBytes: long, sentBytes: long }),
    roles: keyword,
    gc: byName,
    gcPauseMs: long,
    cpuMs: long,
    host: object<CollectedHost>(host),
  }),
};

const clockReading: Fields<ClockReading> = { offsetMs: long, errorMs: long, apartMs: long };

const clusterMetrics = Object.fromEntries(
  STORED_CLUSTER_METRICS.map((metric) => [clusterMetricName(metric), double]),
);

export const trials: Fields<StoredTrial> = {
  '@timestamp': date,
  run: object<TrialDocument['run']>(id),
  experiment: object<TrialDocument['experiment']>(experimentMark),
  trial: object<TrialDocument['trial']>({
    ...id,
    order: long,
    repetition: long,
    state: keyword,
    reason: text,
    unverified: text,
    outage: text,
    repeats: text,
    index: keyword,
  }),
  cell: object<TrialDocument['cell']>({ index: long, id: keyword, label: keyword, levels: kept }),
  cluster: object<NonNullable<TrialDocument['cluster']>>({
    name: keyword,
    uuid: keyword,
    version: keyword,
    unlike: text,
  }),
  // A level is always stored as text, so that the type of its field never changes. `subobjects: false` is needed because both
  // `number_of_shards` and `number_of_shards.x` may be factors.
  factors: { type: 'object', subobjects: false, dynamic: true },
  // `subobjects: false` is needed because both `disk.read` and `disk.read.operations` are names of metrics.
  figures: { type: 'object', subobjects: false, dynamic: false, properties: clusterMetrics },
  times: object<TrialDocument['times']>({
    started: date,
    warmup: date,
    measure: date,
    drain: date,
    ended: date,
  }),
  tasks: object<TaskSummary>(tasks),
  server: object<ServerDelta>(server),
  index: object<IndexState>(index),
  generator: object<GeneratorSummary>(generator),
  preload: object<PreloadSummary>({
    documents: long,
    by: keyword,
    built: keyword,
    loadedBy: keyword,
    ms: long,
  }),
  existing: object<ExistingSummary>({
    name: keyword,
    indices: keyword,
    uuids: keyword,
    documents: long,
    deleted: long,
    segments: long,
    storeBytes: long,
    written: boolean,
    changed: text,
  }),
  caches: object<CachesSummary>({
    start: keyword,
    pageCache: object<PageCache>({ files: long, before: long, after: long, reopened: boolean }),
    kept: text,
  }),
  collected: object<CollectedTrial>(collected),
  disturbances: object<Disturbance>({ kind: keyword, detail: text, node: keyword }),
  unasked: object<UnaskedPart>({ what: keyword, value: text, from: keyword }),
  clock: object<TargetClock>({
    before: object<ClockReading>(clockReading),
    after: object<ClockReading>(clockReading),
  }),
};

/**
 * Dynamic mappings of fields whose names depend on the experiment or the target, such as factors and thread pools. Without these, a field
 * for shares would become an integer field if its first value is 0.
 */
export const trialsDynamicTemplates = [
  { factors: { path_match: 'factors.*', mapping: keyword } },
  { queueShares: { path_match: 'collected.nodes.threadPools.*QueueShare', mapping: double } },
  { queues: { path_match: 'collected.nodes.threadPools.*Queue', mapping: double } },
];
