/** Converts the outcome of a load to the summary of a trial. Pure functions. */
import { distinctOf } from '../../../common/measurement/distinct';
import { errorRate, rejectionRate } from '../../../common/measurement/counts';
import {
  decodeHistogram,
  summariseHistogram,
  type EncodedHistogram,
} from '../../../common/measurement/histogram';
import type { KeptTimes } from '../../../common/measurement/censored';
import type { HighestRate, RateStep } from '../../../common/measurement/highest-rate';
import { summariseMachine } from '../../../common/measurement/instrument';
import type { GeneratorHealth, RequestRecord, Sample } from '../../../common/measurement/sample';
import type {
  GeneratorSummary,
  RequestSummary,
  TaskSummary,
  SampleDocument,
  TrialDocument,
} from '../../../common/measurement/trial';
import { figureSummaries } from '../../../common/measurement/answer-figure';
import { joinRecall, recallSummary } from '../../../common/measurement/recall';
import { steadyState } from '../../../common/analysis/steady';
import type { LoadOutcome, TaskOutcome } from '../../load/contract';
import { generatorLimits } from '../../load/instrument/generator-limit';
import type { TaskKind } from '../../../common/tasks/registry';
import { parseTime } from '../../../common/units/time';

const summaryOf = (encoded: string) => summariseHistogram(decodeHistogram(encoded));

/**
 * Judges whether the throughput became steady, from the documents or requests that were accepted in each second of the warm-up and the
 * measured phase.
 */
function steadyOf(samples: readonly Sample[], task: string): TaskSummary['steady'] {
  const own = samples.filter((sample) => sample.task === task);
  const accepted = (phase: Sample['phase']): number[] =>
    own.filter((sample) => sample.phase === phase).map(({ counts }) => counts.accepted);
  const warmup = accepted('warm-up');
  return steadyState([...warmup, ...accepted('measure')], warmup.length);
}

const withSummary = (histogram: EncodedHistogram): KeptTimes => ({ ...summaryOf(histogram), histogram });

function censoredIn({ unanswered, neverSent }: TaskOutcome): Pick<TaskSummary, 'censored'> {
  const censored = { unanswered: withSummary(unanswered), neverSent: withSummary(neverSent) };
  return censored.unanswered.count + censored.neverSent.count === 0 ? {} : { censored };
}

const drawnIn = ({ drawn }: TaskOutcome): Pick<TaskSummary, 'drawn'> =>
  drawn === undefined ? {} : { drawn: { requests: drawn.requests, distinct: distinctOf(drawn) } };

/** Returns the recall over all requests of a task together. The requests may have different queries. */
function recallIn({ requests }: Pick<TaskOutcome, 'requests'>): Pick<TaskSummary, 'recall'> {
  const all = joinRecall(
    Object.values(requests).flatMap(({ recall }) => recall ?? []),
    { sameQueries: false },
  );
  return all === undefined ? {} : { recall: recallSummary(all) };
}

const requestSummary = ({
  count,
  failed,
  service,
  latency,
  recall,
  figures,
}: RequestRecord): RequestSummary => ({
  ...(figures === undefined ? {} : { figures: figureSummaries(figures) }),
  ...(recall === undefined ? {} : { recall: recallSummary(recall) }),
  count,
  failed,
  service: summaryOf(service),
  latency: summaryOf(latency ?? service),
  serviceHistogram: service,
  latencyHistogram: latency,
});

export function taskSummary(outcome: TaskOutcome, samples: readonly Sample[]): TaskSummary {
  const { task, kind, measured, cohort, total, elapsedMs, offered, sent, unsent, failures, replay, parsers } =
    outcome;
  const { highestRate = null, sourceEndedMs = null } = outcome;
  const perSecond = (count: number): number => (elapsedMs === 0 ? 0 : (count * 1000) / elapsedMs);
  return {
    task,
    kind,
    counts: cohort,
    total,
    ...(outcome.writes === undefined ? {} : { writes: outcome.writes }),
    ...drawnIn(outcome),
    ...(outcome.answers === undefined ? {} : { answers: outcome.answers }),
    elapsedMs,
    ...(sourceEndedMs === null ? {} : { sourceEndedMs }),
    throughput: perSecond(measured.accepted),
    attemptedPerSecond: perSecond(cohort.attempted),
    bytesPerSecond: perSecond(measured.bytes),
    rejectionRate: rejectionRate(cohort) ?? 0,
    errorRate: errorRate(cohort) ?? 0,
    service: summaryOf(outcome.service),
    latency: summaryOf(outcome.latency),
    serviceHistogram: outcome.service,
    latencyHistogram: outcome.latency,
    ...censoredIn(outcome),
    requests: Object.fromEntries(
      Object.entries(outcome.requests).map(([name, request]) => [name, requestSummary(request)]),
    ),
    ...recallIn(outcome),
    failures,
    ...(outcome.retries === undefined ? {} : { retries: outcome.retries }),
    offeredPerSecond: offered === null ? null : perSecond(offered),
    sentPerSecond: sent === null ? null : perSecond(sent),
    unsent,
    ...(outcome.lag === undefined ? {} : { lagHistogram: outcome.lag }),
    steady: highestRate ? null : steadyOf(samples, task),
    replay,
    ...(outcome.traffic === undefined ? {} : { traffic: outcome.traffic }),
    highestRate,
    parsing: parsers && { by: 'workers', parsers },
  };
}

const judgedStep = ({ steps, answer }: HighestRate): RateStep[] =>
  steps.filter(({ number }) => number === answer.figuresOf);

/**
 * Returns whether the second that begins at `at` (ms since the epoch) counts for a step of the search for the highest rate. The first
 * seconds of a step do not count, because the load must settle.
 */
const isWithin = ({ from, judgedMs }: RateStep, at: number): boolean =>
  at >= parseTime(from) && at + 1000 <= parseTime(from) + judgedMs;

/**
 * Returns the health of the load generator in each second. Each second has one sample per task. These samples differ only in
 * `scheduleLagMs`, the lag of the task; the largest lag counts.
 */
function healthOf(samples: readonly Sample[]): GeneratorHealth[] {
  const seconds = new Map<number, GeneratorHealth>();
  for (const { at, generator } of samples) {
    const scheduleLagMs = Math.max(generator.scheduleLagMs, seconds.get(at)?.scheduleLagMs ?? 0);
    seconds.set(at, { ...generator, scheduleLagMs });
  }
  return [...seconds.values()];
}

/**
 * Summarises how well the load generator performed. For a search for the highest rate, only the step whose results are reported counts. In
 * steps with higher rates, the load generator may reach its limit. This matters only if it is the reason why the search ended.
 */
export function generatorSummary(
  outcome: LoadOutcome,
  samples: readonly Sample[],
  /**
   * Facts about the target. `here`: whether it runs on this machine. `share`: share of the machine's cores that it used, in [0, 1]; null if
   * unknown.
   */
  target: { here: boolean; share: number | null } = { here: false, share: null },
): GeneratorSummary {
  const searches = outcome.tasks.flatMap(({ highestRate }) => highestRate ?? []);
  const inStep = searches.flatMap(judgedStep)[0];
  const seconds = healthOf(
    samples.filter(({ phase, at }) => phase === 'measure' && (inStep === undefined || isWithin(inStep, at))),
  );
  const worst = (key: 'utilisation' | 'eventLoopDelayMs' | 'scheduleLagMs'): number =>
    seconds.reduce((most, health) => Math.max(most, health[key]), 0);
  const { busy, late } = generatorLimits(seconds);
  const reasons = [busy, late].filter(Boolean);
  const stopped = searches.flatMap(({ answer: { stop, why } }) => (stop === 'generator' ? [why] : []));
  reasons.push(...stopped.filter((why) => !reasons.includes(why)));
  const machine = summariseMachine(
    seconds.flatMap((second) => second.machine ?? []),
    target,
  );
  return {
    cpuMs: seconds.length === 0 ? 0 : seconds.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / seconds.length,
    utilisation: worst('utilisation'),
    eventLoopDelayMs: worst('eventLoopDelayMs'),
    scheduleLagMs: worst('scheduleLagMs'),
    workers: outcome.workers,
    limited: reasons.length > 0,
    reason: reasons.join('; '),
    ...(machine === null ? {} : { machine }),
    ...(outcome.delays === undefined ? {} : { delays: outcome.delays }),
  };
}

/**
 * Returns the metrics of requests for a sample, without histograms. A sample with the histograms of many requests would be too large. The
 * document of the trial contains the histograms.
 */
function requestFigures({
  count,
  failed,
  service,
}: RequestRecord): NonNullable<SampleDocument['requests']>[string] {
  const { mean, max } = summariseHistogram(decodeHistogram(service));
  return { count, failed, mean, max };
}

export function sampleDocument(
  sample: Sample,
  { run, experiment, trial, cell }: TrialDocument,
  taskKind: TaskKind,
): SampleDocument {
  const { task, at, phase, counts, service, latency, clients, offered, backlog, failures } = sample;
  return {
    '@timestamp': new Date(at).toISOString(),
    run: { id: run.id },
    experiment,
    trial: { id: trial.id },
    cell: { id: cell.id, label: cell.label },
    task,
    taskKind,
    phase,
    counts,
    throughput: counts.accepted,
    rejectionRate: rejectionRate(counts) ?? 0,
    service: withSummary(service),
    latency: withSummary(latency),
    clients,
    offered,
    backlog,
    failures,
    requests: Object.fromEntries(
      Object.entries(sample.requests).map(([name, request]) => [name, requestFigures(request)]),
    ),
    generator: sample.generator,
  };
}
