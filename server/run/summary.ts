/** From what the generator counted to the summary of a trial; pure. */
import { errorRate, rejectionRate } from '../../common/measurement/counts';
import { decodeHistogram, summariseHistogram } from '../../common/measurement/histogram';
import type { RequestRecord, Sample } from '../../common/measurement/sample';
import type { GeneratorSummary, RequestSummary, TaskSummary } from '../../common/measurement/trial';
import { steadyState } from '../../common/analysis/steady';
import type { LoadOutcome, TaskOutcome } from '../load/contract';

/**
 * Above this share of the time the busiest thread has no room left to answer at once: queueing theory lets waiting times
 * grow without bound as the utilisation nears 1, and at 0.9 they are already ten service times (M/M/1).
 */
const BUSY_UTILISATION = 0.9;
/** Lag of an open schedule that a reader would notice in a latency, ms. */
const NOTABLE_LAG_MS = 20;
/** Share of the seconds that must show it: single seconds are the machine's, not the generator's. */
const SHARE_OF_SECONDS = 0.1;

const summaryOf = (encoded: string) => summariseHistogram(decodeHistogram(encoded));

/** Accepted per second and task, in order of time, over warm-up and measure: what steadiness is judged from. */
const throughputs = (samples: readonly Sample[], task: string): number[] =>
  samples
    .filter((sample) => sample.task === task && (sample.phase === 'warm-up' || sample.phase === 'measure'))
    .map(({ counts }) => counts.accepted);

const requestSummary = ({ count, failed, service, latency }: RequestRecord): RequestSummary => ({
  count,
  failed,
  service: summaryOf(service),
  latency: summaryOf(latency ?? service),
  serviceHistogram: service,
  latencyHistogram: latency,
});

export function taskSummary(outcome: TaskOutcome, samples: readonly Sample[]): TaskSummary {
  const { task, kind, measured, cohort, total, elapsedMs, offered, sent, unsent, failures, replay } = outcome;
  const perSecond = (count: number): number => (elapsedMs === 0 ? 0 : (count * 1000) / elapsedMs);
  return {
    task,
    kind,
    counts: cohort,
    total,
    elapsedMs,
    throughput: perSecond(measured.accepted),
    attemptedPerSecond: perSecond(cohort.attempted),
    bytesPerSecond: perSecond(measured.bytes),
    rejectionRate: rejectionRate(cohort),
    errorRate: errorRate(cohort),
    service: summaryOf(outcome.service),
    latency: summaryOf(outcome.latency),
    serviceHistogram: outcome.service,
    latencyHistogram: outcome.latency,
    requests: Object.fromEntries(
      Object.entries(outcome.requests).map(([name, request]) => [name, requestSummary(request)]),
    ),
    failures,
    offeredPerSecond: offered === null ? null : perSecond(offered),
    sentPerSecond: sent === null ? null : perSecond(sent),
    unsent,
    steady: steadyState(throughputs(samples, task)),
    replay,
  };
}

/** How the generator fared; all samples of a second carry the same figures of its process. */
export function generatorSummary(outcome: LoadOutcome, samples: readonly Sample[]): GeneratorSummary {
  const seconds = [
    ...new Map(
      samples.filter(({ phase }) => phase === 'measure').map(({ at, generator }) => [at, generator]),
    ).values(),
  ];
  const worst = (key: 'utilisation' | 'eventLoopDelayMs' | 'scheduleLagMs'): number =>
    seconds.reduce((most, health) => Math.max(most, health[key]), 0);
  const often = (bad: (health: (typeof seconds)[number]) => boolean): boolean =>
    seconds.length > 0 && seconds.filter(bad).length > seconds.length * SHARE_OF_SECONDS;
  const reasons = [
    often(({ utilisation }) => utilisation > BUSY_UTILISATION)
      ? `the busiest load thread had no idle time left (over ${BUSY_UTILISATION * 100}% busy in more than a tenth of the seconds): use more workers`
      : '',
    often(({ scheduleLagMs }) => scheduleLagMs > NOTABLE_LAG_MS)
      ? `requests left more than ${NOTABLE_LAG_MS} ms behind their schedule (p99) in more than a tenth of the seconds`
      : '',
  ].filter(Boolean);
  return {
    cpuMs: seconds.length === 0 ? 0 : seconds.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / seconds.length,
    utilisation: worst('utilisation'),
    eventLoopDelayMs: worst('eventLoopDelayMs'),
    scheduleLagMs: worst('scheduleLagMs'),
    workers: outcome.workers,
    limited: reasons.length > 0,
    reason: reasons.join('; '),
  };
}
