/** Made runs for tests of analysis and report: seeded, shaped like real ones, every figure derived from a few stated ones. */
import { definitionSchema, type Definition, type DefinitionInput } from '../experiment/definition';
import { makePlan } from '../experiment/plan';
import { kindNamed } from '../experiment/task-kind';
import { noCounts, type Counts } from '../measurement/counts';
import {
  createHistogram,
  encodeHistogram,
  recordMs,
  summariseHistogram,
  type Histogram,
} from '../measurement/histogram';
import type { Provenance, RunDocument } from '../measurement/run';
import type { ServerDelta } from '../measurement/server';
import type { Cell, SampleDocument, TaskSummary, TrialDocument } from '../measurement/trial';
import { createRandom, deriveSeed, type Random } from '../random';

/** Standard normal (Box and Muller 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

export const REFRESH: DefinitionInput = {
  version: 1,
  name: 'Refresh interval against indexing throughput',
  hypothesis: 'A longer refresh interval raises indexing throughput',
  expect: ['ingest.throughput rises with index.settings.refresh_interval'],
  index: { settings: { number_of_shards: 3, number_of_replicas: 1 }, mapping: 'apache-logs' },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 3000 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  factors: { 'index.settings.refresh_interval': ['1s', '5s', '30s'] },
  measure: { warmup: '30s', duration: '5m' },
  trials: 3,
  thresholds: ['ingest.rejection_rate < 1%', 'ingest.latency.p99 < 2s'],
};

export const define = (input: DefinitionInput): Definition => definitionSchema.parse(input);

/** What a made task does. */
export interface MadeTask {
  /** Mean accepted per second. */
  rate: number;
  /** Documents per request. */
  batch?: number;
  /** Coefficient of variation between trials. */
  cv?: number;
  /** Median service time, ms. */
  medianMs?: number;
  rejected?: number;
  /** Open executors: requests per second offered; the shortfall is unsent. */
  offered?: number;
}

export interface MadeTrial {
  tasks: Record<string, MadeTask>;
  limited?: boolean;
  unsettled?: boolean;
  state?: TrialDocument['trial']['state'];
}

const STARTED = Date.parse('2026-11-03T02:00:00.000Z');
const TRIAL_MS = 345_000;
const MEASURE_S = 300;
const iso = (ms: number): string => new Date(ms).toISOString();

function latencies(random: Random, count: number, medianMs: number): Histogram {
  const histogram = createHistogram();
  for (let i = 0; i < count; i += 1) recordMs(histogram, medianMs * Math.exp(0.35 * normal(random)));
  return histogram;
}

function makeTask(
  definition: Definition,
  name: string,
  made: MadeTask,
  unsettled: boolean,
  random: Random,
): TaskSummary {
  const { rate, batch = 1, cv = 0.01, medianMs = 200, rejected = 0, offered } = made;
  const throughput = rate * (1 + cv * normal(random));
  const accepted = Math.round(throughput * MEASURE_S);
  const refused = Math.round(accepted * rejected);
  const requests = Math.ceil((accepted + refused) / batch);
  const counts: Counts = {
    ...noCounts(),
    requests,
    attempted: accepted + refused,
    accepted,
    rejected: refused,
    retried: refused * 5,
    bytes: (accepted + refused) * 620,
  };
  const histogram = latencies(random, Math.min(requests, 5000), medianMs);
  const summary = summariseHistogram(histogram);
  const waited =
    offered === undefined ? histogram : latencies(random, Math.min(requests, 5000), medianMs * 3);
  return {
    task: name,
    kind: kindNamed(definition, name),
    counts,
    total: {
      ...counts,
      accepted: Math.round(accepted * 1.1),
      attempted: Math.round(accepted * 1.1) + refused,
    },
    elapsedMs: MEASURE_S * 1000,
    throughput: accepted / MEASURE_S,
    attemptedPerSecond: counts.attempted / MEASURE_S,
    bytesPerSecond: counts.bytes / MEASURE_S,
    rejectionRate: refused / Math.max(1, counts.attempted),
    errorRate: refused / Math.max(1, counts.attempted),
    service: summary,
    latency: summariseHistogram(waited),
    serviceHistogram: encodeHistogram(histogram),
    latencyHistogram: encodeHistogram(waited),
    requests: {},
    failures:
      refused === 0
        ? {}
        : {
            es_rejected_execution_exception: {
              count: refused,
              example: 'rejected execution of <coordinating>',
            },
          },
    offeredPerSecond: offered ?? null,
    sentPerSecond: offered === undefined ? null : requests / MEASURE_S,
    unsent: offered === undefined ? 0 : Math.max(0, Math.round(offered * MEASURE_S - requests)),
    steady: { settled: !unsettled, afterSeconds: unsettled ? 240 : 15 },
  };
}

const server = (tasks: readonly TaskSummary[], refreshes: number): ServerDelta => {
  const docs = tasks.reduce((sum, { counts, kind }) => sum + (kind === 'ingest' ? counts.accepted : 0), 0);
  const rejected = tasks.reduce((sum, { counts }) => sum + counts.rejected, 0);
  return {
    nodes: 3,
    partial: false,
    indexing: { docs: docs * 2, failed: 0, timeMs: docs * 0.04, throttledMs: 0 },
    search: { queries: 0, queryMs: 0, fetchMs: 0 },
    requestCache: { hits: 3 * docs, misses: docs },
    merges: {
      count: Math.round(refreshes / 4),
      docs,
      bytes: docs * 300,
      timeMs: 90_000 + refreshes * 100,
      throttledMs: 1200,
      stoppedMs: 0,
    },
    refresh: { count: refreshes, timeMs: refreshes * 40 },
    flush: { count: 6, timeMs: 2400 },
    gc: { young: { count: 120, timeMs: 1800 }, old: { count: 0, timeMs: 0 } },
    threadPools: {
      write: { completed: Math.round(docs / 1000), rejected: Math.round(rejected / 1000) },
      search: { completed: 12, rejected: 0 },
    },
    indexingPressure: { coordinating: Math.round(rejected / 3000), primary: 0, replica: 0 },
    cpuMs: 1_450_000,
    diskBusyMs: null,
    // The second node is the busiest.
    perNode: [0.3, 0.4, 0.3].map((part, at) => ({
      name: `es-${at + 1}`,
      elapsedMs: MEASURE_S * 1000,
      cpuMs: 1_450_000 * part,
      gcPauseMs: 1800 * part,
      diskBusyMs: null,
    })),
    longestThrottledMs: 0,
  };
};

export const PROVENANCE: Provenance = {
  dyno: '0.1.0',
  cluster: { name: 'bench', uuid: 'u-1', version: '9.5.3', url: 'https://bench:9200' },
  nodes: ['es-1', 'es-2', 'es-3'].map((name) => ({
    name,
    version: '9.5.3',
    jvm: '25.0.1',
    heapBytes: 8 * 1024 ** 3,
    cores: 8,
    memoryBytes: 16 * 1024 ** 3,
    os: 'Linux 6.8',
    roles: ['data', 'master'],
    disk: 'ssd',
    diskTotalBytes: 500 * 1024 ** 3,
    diskFreeBytes: 420 * 1024 ** 3,
  })),
  generator: {
    host: 'driver-1',
    cores: 8,
    memoryBytes: 32 * 1024 ** 3,
    node: '20.19.0',
    os: 'Linux 6.8',
    workers: 4,
  },
  resultsInTarget: false,
  sharedMachine: false,
};

export interface MadeRun {
  run: RunDocument;
  trials: TrialDocument[];
  samples: SampleDocument[];
}

/** A whole run of `input`; `make` says what each trial does. Samples are made on demand, for they are many. */
export function makeRun(
  input: DefinitionInput,
  make: (cell: Cell, repetition: number, order: number) => MadeTrial,
  {
    id = 'run-1',
    withSamples = false,
    provenance = PROVENANCE,
    seed = 1,
  }: { id?: string; withSamples?: boolean; provenance?: Provenance | null; seed?: number } = {},
): MadeRun {
  const definition = define(input);
  const plan = makePlan(definition);
  const experiment = { id: 'experiment-1', name: definition.name };
  const samples: SampleDocument[] = [];
  const trials = plan.trials.map(({ order, cell: index, repetition }): TrialDocument => {
    const cell = plan.cells[index]!;
    const made = make(cell, repetition, order);
    const random = createRandom(deriveSeed(seed, 'trial', order));
    const state = made.state ?? 'completed';
    const done = state === 'completed';
    const tasks = done
      ? Object.entries(made.tasks).map(([name, task]) =>
          makeTask(definition, name, task, made.unsettled ?? false, random),
        )
      : [];
    const start = STARTED + order * TRIAL_MS;
    const document: TrialDocument = {
      run: { id },
      experiment,
      trial: {
        id: `${id}-${order}`,
        order,
        repetition,
        state,
        reason: done ? '' : 'the host went away',
        index: `dyno-trial-${order}`,
      },
      cell,
      times: {
        started: iso(start),
        warmup: iso(start + 5000),
        measure: done ? iso(start + 35_000) : null,
        drain: done ? iso(start + 335_000) : null,
        ended: iso(start + 340_000),
      },
      tasks,
      server: done
        ? server(tasks, cell.levels['index.settings.refresh_interval'] === '30s' ? 36 : 600)
        : null,
      index: done
        ? {
            docs: tasks.reduce((sum, { kind, total }) => sum + (kind === 'ingest' ? total.accepted : 0), 0),
            storeBytes: 1.4 * 1024 ** 3,
            segments: 48,
            primaries: '1-1-1',
            shards: '2-2-2',
          }
        : null,
      generator: done
        ? {
            cpuMs: 240,
            utilisation: made.limited ? 0.99 : 0.31,
            eventLoopDelayMs: 12,
            scheduleLagMs: 0,
            workers: 4,
            limited: made.limited ?? false,
            reason: made.limited ? 'a load thread was busy for 99% of the time' : '',
          }
        : null,
    };
    if (withSamples) samples.push(...samplesOf(document, start + 5000, random));
    return document;
  });
  const ended = STARTED + plan.trials.length * TRIAL_MS;
  const run: RunDocument = {
    '@timestamp': iso(STARTED),
    run: {
      id,
      state: 'completed',
      reason: '',
      started: iso(STARTED),
      ended: iso(ended),
      heartbeat: iso(ended),
      carrier: { host: 'driver-1', pid: 1, instance: 'i-1' },
      indices: [],
    },
    experiment: { ...experiment, hypothesis: definition.hypothesis, preset: definition.preset ?? null },
    definition,
    plan,
    progress: { trials: plan.trials.length, completed: trials.length, current: null },
    provenance,
    verdict: null,
    events: [],
  };
  return { run, trials, samples };
}

function samplesOf(
  { run, experiment, trial, cell, tasks }: TrialDocument,
  from: number,
  random: Random,
): SampleDocument[] {
  return tasks.flatMap(({ task, throughput, service, latency, serviceHistogram, latencyHistogram }) =>
    Array.from({ length: 335 }, (_, second): SampleDocument => {
      const phase = second < 30 ? 'warm-up' : second < 330 ? 'measure' : 'drain';
      const level = phase === 'drain' ? 0.2 : 1 - 0.5 * Math.exp(-second / 6);
      const rate = Math.max(0, throughput * level * (1 + 0.08 * normal(random)));
      return {
        '@timestamp': iso(from + second * 1000),
        run,
        experiment: { id: experiment.id, name: experiment.name },
        trial: { id: trial.id },
        cell: { id: cell.id, label: cell.label },
        task,
        phase,
        counts: { ...noCounts(), accepted: Math.round(rate), attempted: Math.round(rate) },
        throughput: rate,
        rejectionRate: 0,
        service: { ...service, histogram: serviceHistogram },
        latency: { ...latency, histogram: latencyHistogram },
        clients: 2,
        offered: null,
        backlog: 0,
        failures: {},
        generator: { cpuMs: 240, utilisation: 0.3, eventLoopDelayMs: 12, scheduleLagMs: 0 },
      };
    }),
  );
}

/** Refresh interval, three cells of three trials: clearly higher with each level, as the hypothesis says. */
export const refreshRun = (
  options: { withSamples?: boolean; id?: string; provenance?: Provenance | null; seed?: number } = {},
): MadeRun =>
  makeRun(
    REFRESH,
    ({ levels }) => {
      const rate = { '1s': 12_300, '5s': 13_900, '30s': 15_100 }[
        String(levels['index.settings.refresh_interval'])
      ]!;
      return { tasks: { ingest: { rate, batch: 3000, medianMs: 6e6 / rate } } };
    },
    options,
  );
