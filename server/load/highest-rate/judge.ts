/** Judges whether a rate was held, and gives the reason if it was not. Pure functions. */
import { JUDGED_BEYOND } from '../../../common/executors/highest-rate';
import { holds, type Condition } from '../../../common/measurement/condition';
import { readLimit, type LimitFigures } from '../../../common/measurement/metric';
import { decodeHistogram, summariseHistogram } from '../../../common/measurement/histogram';
import type { RateStep } from '../../../common/measurement/highest-rate';
import type { GeneratorHealth } from '../../../common/measurement/sample';
import { formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { generatorLimits } from '../instrument/generator-limit';
import type { PlannedStep, StepVerdict } from './controller';
import { testLimit, type LimitTally } from './limit-test';
import type { StepReport } from './orders';

/** If more than this share of the due requests were not sent or not answered, the rate was missed. */
const MISSED_FROM = 0.01;
/**
 * If the number of waiting requests grows during a step by more than this share of the step's requests, the rate is not held. The limits
 * may still be kept at that time, but a growing queue would break them later.
 */
const GROWN_FROM = 0.02;
/**
 * Growth of the number of waiting requests counts only if it also exceeds this many times the square root of the step's number of requests.
 * Smaller growth may be chance if the target is near its capacity.
 */
const GROWN_DEVIATIONS = 3;

/** The result of a step: the values that are stored with the step, and the verdict for the controller of the search. */
export interface Judgement extends Pick<
  RateStep,
  'limits' | 'held' | 'stop' | 'why' | 'answeredPerSecond' | 'acceptedPerSecond'
> {
  verdict: StepVerdict;
}

const summaryOf = (encoded: string) => summariseHistogram(decodeHistogram(encoded), JUDGED_BEYOND);

export interface JudgedBy {
  limits: readonly Condition[];
  /** Significance level of the test of each limit; see {@link testLimit}. */
  alpha: number;
  /** Maximum number of requests in flight. */
  clients: number;
}

/**
 * Judges a step.
 * - `report`: the merged report of all load threads about the judged part of the step, which took `judgedMs`.
 * - `seconds`: health of the load generator in each second of the judged part.
 *
 * If the latencies broke a limit but the service times kept it, requests waited too long for a free client. The result then says that there
 * were too few clients.
 */
export function judgeStep(
  report: StepReport,
  judgedMs: number,
  seconds: readonly GeneratorHealth[],
  { limits, alpha, clients }: JudgedBy,
): Judgement {
  const { due, unsent, unsettled, counts } = report;
  const figures: LimitFigures = {
    counts,
    service: summaryOf(report.service),
    latency: summaryOf(report.latency),
  };
  const readings = limits.map((limit, at) => readingOf(limit, report.tallies[at]!, figures, alpha));
  const answered = Math.max(0, due - unsent - unsettled);
  const perSecond = (count: number): number => (count * 1000) / judgedMs;
  const read = {
    limits: readings.map(({ limit: { text }, value, held }) => ({ limit: text, value, held })),
    answeredPerSecond: perSecond(answered),
    acceptedPerSecond: perSecond(counts.accepted),
  };
  const not = { ...read, held: false };
  const broken = readings.filter(({ held }) => held === false);
  const missed = missedWords(report, clients);
  if (due === 0) return { ...not, verdict: 'undecided', stop: 'samples', why: 'no request was due' };
  if (broken.length === 0 && missed === '') {
    const unknown = readings.filter(({ held }) => held === null);
    if (unknown.length === 0) return { ...read, held: true, verdict: 'held', stop: null, why: '' };
    const [few, close] = [
      unknown.filter(({ value }) => value === null),
      unknown.filter(({ value }) => value !== null),
    ];
    const why =
      few.length > 0
        ? `too few answers for ${few.map(({ limit: { metric } }) => metric.figure).join(', ')}`
        : `${close.map(({ limit }) => brokenWords(limit, figures, false)).join(', ')}: too close to the limit, for as long as it was judged`;
    return { ...not, verdict: 'undecided', stop: few.length > 0 ? 'samples' : 'undecided', why };
  }
  // With a growing queue, latencies increase during the step. The values at its end are then more relevant than a test over the whole step.
  const over = readings.filter(({ limit, value }) => value !== null && !holds(limit, value));
  const blamed = (broken.length > 0 ? broken : over).map(({ limit }) => limit);
  const words = [...blamed.map((limit) => brokenWords(limit, figures, unsent + unsettled > 0)), missed];
  const isTargets = blamed.some((limit) => breaksBySending(limit, figures));
  const generator = generatorLimits(seconds);
  // If the service times are slow, requests that were sent late are not the cause.
  const own = generator.busy || (isTargets ? '' : generator.late);
  const waited = !isTargets && unsent > due * MISSED_FROM;
  const stop = own ? 'generator' : waited ? 'clients' : blamed.length > 0 ? 'limit' : 'behind';
  const isTested = stop === 'limit' && broken.some(({ isTest }) => isTest);
  return {
    ...not,
    verdict: isTested ? 'broken' : 'missed',
    stop,
    why: [own, ...words].filter(Boolean).join('; '),
  };
}

function readingOf(limit: Condition, tally: LimitTally, figures: LimitFigures, alpha: number) {
  const value = readLimit(limit.metric.figure, figures);
  const tested = testLimit(limit, tally, alpha);
  const isTest = tested !== null;
  const plain = value === null ? null : holds(limit, value);
  const held = tested === null ? plain : tested === 'undecided' || value === null ? null : tested === 'kept';
  return { limit, value, held, isTest };
}

/**
 * Returns whether the service times alone break the limit. Latencies are ignored here, because they also contain the time for which a
 * request waited for a client or for the load generator.
 */
function breaksBySending(limit: Condition, figures: LimitFigures): boolean {
  const value = readLimit(limit.metric.figure, { ...figures, latency: figures.service });
  return value !== null && !holds(limit, value);
}

function brokenWords({ metric, text }: Condition, figures: LimitFigures, isLeast: boolean): string {
  const value = readLimit(metric.figure, figures)!;
  const shown = metric.unit === 'share' ? formatPercent(value) : formatMs(value);
  const least = isLeast && metric.figure.startsWith('latency') ? 'at least ' : '';
  return `${metric.figure} was ${least}${shown} (${text})`;
}

/**
 * Returns a text that says how many requests were not sent or not answered, and whether more requests waited at the end. '' if the numbers
 * are negligible.
 */
function missedWords(
  { due, unsent, unsettled, waitingBefore, waitingAfter }: StepReport,
  clients: number,
): string {
  const grown = waitingAfter - waitingBefore;
  const isGrown = grown > due * GROWN_FROM && grown > GROWN_DEVIATIONS * Math.sqrt(due);
  return [
    unsent > due * MISSED_FROM
      ? `${formatPercent(unsent / due)} of the requests were not sent, all ${formatNumber(clients)} clients being busy`
      : '',
    unsettled > due * MISSED_FROM ? `${formatPercent(unsettled / due)} were not answered` : '',
    isGrown ? `${formatNumber(grown)} more requests waited at its end than at its beginning` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Combines a step and its result to the form in which Dyno stores steps. */
export const stepOf = (
  { number, phase, perSecond, repeats }: PlannedStep,
  time: Pick<RateStep, 'from' | 'judgedMs'>,
  { due, unsent, unsettled, waitingBefore, waitingAfter }: StepReport,
  { verdict: _, ...judgement }: Judgement,
): RateStep => ({
  number,
  phase,
  perSecond,
  repeats,
  ...time,
  due,
  answered: Math.max(0, due - unsent - unsettled),
  unsent,
  unsettled,
  grown: waitingAfter - waitingBefore,
  ...judgement,
});
