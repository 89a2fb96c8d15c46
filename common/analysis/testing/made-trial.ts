/** Generated trials: samples per second and summaries. They are seeded. All values are derived from a few given values. */
import type { Definition } from '../../experiment/definition';
import { kindNamed } from '../../tasks/registry';
import { noCounts, type Counts } from '../../measurement/counts';
import {
  createHistogram,
  encodeHistogram,
  recordMs,
  summariseHistogram,
  type Histogram,
} from '../../measurement/histogram';
import type { ServerDelta } from '../../measurement/server';
import type { SampleDocument, TaskSummary, TrialDocument } from '../../measurement/trial';
import type { Random } from '../../random';

/** Returns a standard normal number (Box and Muller 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

/** The behaviour of a generated task. */
export interface MadeTask {
  /** Mean number of accepted documents or requests per second. */
  rate: number;
  /** Documents per request. */
  batch?: number;
  /** Coefficient of variation between trials. */
  cv?: number;
  /** Median service time, in ms. */
  medianMs?: number;
  rejected?: number;
  /**
   * Only for loads with a given rate: number of requests due per second. The generated trial sends `rate` of them, and the rest not at all.
   */
  offered?: number;
}

const MEASURE_S = 300;
/**
 * Maximum number of recorded response times in a generated trial. It is twice the number that a p99 needs, and small because recording
 * times is slow.
 */
const MOST_TIMES = 2000;
export const iso = (ms: number): string => new Date(ms).toISOString();

function latencies(random: Random, count: number, medianMs: number): Histogram {
  const histogram = createHistogram();
  for (let i = 0; i < count; i += 1) recordMs(histogram, medianMs * Math.exp(0.35 * normal(random)));
  return histogram;
}

export function makeTask(
  definition: Pick<Definition, 'tasks'>,
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
  const count = Math.min(requests, MOST_TIMES);
  const histogram = latencies(random, count, medianMs);
  const summary = summariseHistogram(histogram);
  const waited = offered === undefined ? histogram : latencies(random, count, medianMs * 3);
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

export const server = (tasks: readonly TaskSummary[], refreshes: number): ServerDelta => {
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

export function samplesOf(
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
