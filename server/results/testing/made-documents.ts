/** Creates documents of every kind for tests, with all optional parts. */
import { gzipSync } from 'node:zlib';
import { aNode } from '../../../common/measurement/testing/made-collected';
import {
  createHistogram,
  encodeHistogram,
  recordMs,
  summariseHistogram,
} from '../../../common/measurement/histogram';
import type { RunDocument } from '../../../common/experiment/run';
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import type { SampleDocument, TaskSummary, TrialDocument } from '../../../common/measurement/trial';
import type { Counts } from '../../../common/measurement/counts';
import type { ParseSummary } from '../../../common/measurement/parse';
import { definitionSchema } from '../../../common/experiment/definition';

const latencies = createHistogram();
for (let ms = 1; ms <= 200; ms++) recordMs(latencies, ms);
const histogram = encodeHistogram(latencies);
const summary = summariseHistogram(latencies);

const counts = (accepted: number): Counts => ({
  requests: 3,
  failedRequests: 1,
  attempted: accepted + 6,
  accepted,
  rejected: 3,
  failed: 2,
  unknown: 1,
  conflicted: 0,
  missing: 0,
  dropped: 0,
  redirected: 0,
  disregarded: 0,
  retried: 7,
  bytes: 123_456,
});

const failures = { es_rejected_execution_exception: { count: 3, example: 'rejected execution of [1]' } };
const health = { cpuMs: 120.5, utilisation: 0.25, eventLoopDelayMs: 1.5, scheduleLagMs: 0 };
const parsedByThreads: ParseSummary = {
  by: 'workers',
  parsers: {
    workers: 2,
    account: {
      lines: 100,
      parsed: 90,
      unparsed: 4,
      waiting: 6,
      documents: 94,
      unsent: 10,
      reasons: { 'no-match': 4 },
      examples: [{ line: 3, reason: 'no-match', text: 'x' }],
    },
    times: {
      lines: 80,
      elapsedMs: 2000,
      busyMs: 1500.5,
      cpuMs: null,
      blockedMs: 400.5,
      hungryMs: 99,
      slowestLineMs: 0.25,
    },
    senders: { occupiedMs: 3000.5, waitedMs: 100 },
  },
};
const parsedByTarget: ParseSummary = {
  by: 'pipeline',
  pipeline: { documents: 94, timeMs: 12, failed: 0, unparsed: null },
};
const levels = {
  'index.settings.number_of_shards': 5,
  'tasks[0].ingest.bulk': { docs: 1000 },
  'a.b': '1s',
  'a.b.c': null,
};
const cell = { index: 1, id: 'shards=5', label: 'shards=5', levels };

export function aRun(
  id: string,
  { state = 'running', started = '2026-11-20T10:00:00.000Z' }: Partial<RunDocument['run']> = {},
): RunDocument {
  return {
    '@timestamp': started,
    run: {
      id,
      state,
      reason: '',
      started,
      ended: null,
      heartbeat: started,
      carrier: { host: 'bench', pid: 42, instance: 'i1' },
      indices: ['dyno-trial-1'],
    },
    experiment: { id: 'e1', name: 'Shards', hypothesis: 'More shards index faster', preset: null },
    definition: definitionSchema.parse({
      version: 1,
      name: 'Shards',
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' } } }],
      factors: { 'index.settings.number_of_shards': [1, 5] },
    }),
    plan: {
      cells: [cell],
      baseline: 0,
      trials: [{ order: 0, cell: 0, repetition: 0 }],
      estimate: { ms: 1000, documents: 10, bytes: 4000, assumption: '' },
    },
    progress: { trials: 6, completed: 1, current: `${id}-t1` },
    provenance: {
      dyno: '0.1.0',
      cluster: { name: 'c', uuid: 'u', version: '9.5.3', url: 'http://localhost:9200' },
      nodes: [
        {
          name: 'n1',
          version: '9.5.3',
          jvm: 'OpenJDK 25',
          heapBytes: 2 ** 30,
          cores: 2,
          memoryBytes: 2 ** 34,
          os: 'Debian 12',
          roles: ['data', 'master'],
          disk: 'unknown',
          diskTotalBytes: 2 ** 40,
          diskFreeBytes: 2 ** 39,
        },
      ],
      generator: { host: 'bench', cores: 2, memoryBytes: 2 ** 34, node: 'v20', os: 'Linux', workers: 1 },
      resultsInTarget: true,
      sharedMachine: true,
    },
    verdict: {
      answer: 'undecided',
      sentence: 'Too few trials.',
      claims: [{ claim: 'ingest.throughput rises with shards', answer: 'undecided', why: 'two trials' }],
      thresholds: [{ threshold: 'ingest.rejection_rate < 1%', passed: true, cell: 'shards=5', value: 0.001 }],
      warnings: ['the generator was the limit in 1 trial'],
    },
    events: [{ at: started, level: 'info', message: 'trial 1 began' }],
  };
}

const task: TaskSummary = {
  task: 'ingest',
  kind: 'ingest',
  counts: counts(1000),
  total: counts(1200),
  elapsedMs: 10_000.5,
  throughput: 99.995,
  attemptedPerSecond: 100.5,
  bytesPerSecond: 12_345.6,
  rejectionRate: 0.003,
  errorRate: 0.005,
  service: summary,
  latency: summary,
  serviceHistogram: histogram,
  latencyHistogram: histogram,
  requests: { 'top-urls': { count: 3, failed: 0, service: summary, latency: summary } },
  failures,
  offeredPerSecond: 12.5,
  sentPerSecond: 12.4,
  unsent: 1,
  steady: { settled: true, afterSeconds: 4 },
};

const idlePool = { completed: 1, rejected: 0, capacity: 10, meanQueueShare: 0, maxQueueShare: 0 };

export function aTrial(run: string, id: string, order = 0): TrialDocument {
  const at = '2026-11-20T10:00:00.000Z';
  return {
    run: { id: run },
    experiment: { id: 'e1', name: 'Shards' },
    trial: { id, order, repetition: 0, state: 'completed', reason: '', index: `dyno-trial-${id}` },
    cell,
    times: { started: at, warmup: at, measure: at, drain: null, ended: null },
    tasks: [
      { ...task, parsing: parsedByThreads },
      { ...task, task: 'by-target', parsing: parsedByTarget },
      { ...task, task: 'search', kind: 'search', steady: null, offeredPerSecond: null, sentPerSecond: null },
    ],
    server: {
      nodes: 1,
      partial: false,
      indexing: { docs: 1000, failed: 0, timeMs: 500, throttledMs: 0 },
      search: { queries: 1, queryMs: 2, fetchMs: 3 },
      requestCache: { hits: 1, misses: 2 },
      merges: { count: 1, docs: 2, bytes: 3, timeMs: 4, throttledMs: 5, stoppedMs: 6 },
      refresh: { count: 1, timeMs: 2 },
      flush: { count: 1, timeMs: 2 },
      gc: { young: { count: 1, timeMs: 2 }, 'G1 Concurrent GC': { count: 0, timeMs: 0 } },
      threadPools: {
        write: { completed: 10, rejected: 2 },
        'security-token-key': { completed: 1, rejected: 0 },
      },
      indexingPressure: { coordinating: 1, primary: 0, replica: 0 },
      cpuMs: 1000,
      diskBusyMs: null,
      perNode: [{ name: 'n1', elapsedMs: 60_000, cpuMs: 1000, gcPauseMs: 2, diskBusyMs: null }],
      longestThrottledMs: 0,
    },
    index: { docs: 1200, storeBytes: 54_321, segments: 7, primaries: '2-2-1', shards: '4-3-3' },
    generator: { ...health, workers: 2, limited: false, reason: '' },
    preload: { documents: 100, by: 'copy', loadedBy: id, ms: 12 },
    // The first value of a share is 0. This must not create an integer field.
    collected: { events: 12, nodes: [aNode('n1', { threadPools: { write: idlePool } }), aNode('n2')] },
  };
}

/** Returns the sample for second number `second` of a trial that began on November 20th at midnight. */
export function aSample(run: string, trial: string, second: number): SampleDocument {
  return {
    '@timestamp': new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString(),
    run: { id: run },
    experiment: { id: 'e1', name: 'Shards' },
    trial: { id: trial },
    cell: { id: cell.id, label: cell.label },
    task: 'ingest',
    taskKind: 'ingest',
    phase: 'measure',
    counts: counts(100 + second),
    throughput: 100 + second,
    rejectionRate: 0.01,
    service: { ...summary, histogram },
    latency: { ...summary, histogram },
    clients: 2,
    offered: null,
    backlog: 0,
    failures,
    generator: health,
  };
}

/** Returns the CPU profile of a trial, with one stack of thread pool `write`. */
export function aProfile(run: string, trial: string, order = 0): ProfileDocument {
  return {
    '@timestamp': new Date(Date.UTC(2026, 10, 20)).toISOString(),
    run: { id: run },
    experiment: { id: 'e1', name: 'Shards' },
    trial: { id: trial, repetition: order, order },
    cell: { id: cell.id, label: cell.label, index: cell.index },
    source: 'hot-threads',
    event: 'cpu',
    unit: 'us',
    total: 5750,
    samples: 1,
    folded: 0,
    stacks: gzipSync('n1;write;java.lang.Thread.run;a.B.c 5750\n').toString('base64'),
  };
}
