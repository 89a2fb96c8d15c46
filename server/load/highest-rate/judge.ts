/** Whether a rate was held, and if not, why; pure. */
import { JUDGED_BEYOND } from '../../../common/executors/highest-rate';
import { holds, type Condition } from '../../../common/measurement/condition';
import { readLimit, type LimitFigures } from '../../../common/measurement/metric';
import { rejectionRate } from '../../../common/measurement/counts';
import { decodeHistogram, summariseHistogram } from '../../../common/measurement/histogram';
import type { LimitReading, RateStep, RateStop } from '../../../common/measurement/highest-rate';
import type { GeneratorHealth } from '../../../common/measurement/sample';
import { formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { generatorLimits } from '../generator-limit';
import type { StepReport } from './orders';

/** More than this share of the requests that were due not sent, or not answered: the rate was missed. */
const MISSED_FROM = 0.01;
/**
 * A queue that grows is not sustained, even where the limits allow it for a while. It counts from this share of the
 * requests on, and from three standard deviations of their number: a queue near its capacity moves by chance.
 */
const GROWN_FROM = 0.02;
const GROWN_DEVIATIONS = 3;

export interface Judgement {
  limits: LimitReading[];
  held: boolean;
  stop: RateStop | null;
  why: string;
  /** Answered, and accepted of what a request counts, per second. */
  answeredPerSecond: number;
  acceptedPerSecond: number;
}

const summaryOf = (encoded: string) => summariseHistogram(decodeHistogram(encoded), JUDGED_BEYOND);

/**
 * `report` of all shares together, over `judgedMs`; `seconds` of the generator within it; `clients` are the most requests
 * in flight. Where what was sent kept the limits and what waited for a client broke them, the clients were the limit.
 */
export function judgeStep(
  report: StepReport,
  judgedMs: number,
  limits: readonly Condition[],
  seconds: readonly GeneratorHealth[],
  clients: number,
): Judgement {
  const { due, unsent, unsettled, counts } = report;
  const figures: LimitFigures = {
    counts,
    rejectionRate: rejectionRate(counts),
    service: summaryOf(report.service),
    latency: summaryOf(report.latency),
  };
  const readings = limits.map((limit): LimitReading => {
    const value = readLimit(limit.metric.figure, figures);
    return { limit: limit.text, value, held: value === null ? null : holds(limit, value) };
  });
  const answered = Math.max(0, due - unsent - unsettled);
  const perSecond = (count: number): number => (count * 1000) / judgedMs;
  const figuresPerSecond = {
    limits: readings,
    answeredPerSecond: perSecond(answered),
    acceptedPerSecond: perSecond(counts.accepted),
  };
  const broken = limits.filter((_, at) => readings[at]!.held === false);
  const missed = missedWords(report, clients);
  const unknown = limits.filter((_, at) => readings[at]!.held === null);
  if (broken.length === 0 && missed === '' && unknown.length === 0 && due > 0)
    return { ...figuresPerSecond, held: true, stop: null, why: '' };
  const words = [...broken.map((limit) => brokenWords(limit, figures, unsent + unsettled > 0)), missed];
  if (broken.length === 0 && missed === '') {
    const few = `too few answers for ${unknown.map(({ metric }) => metric.figure).join(', ')}`;
    return { ...figuresPerSecond, held: false, stop: 'samples', why: due === 0 ? 'no request was due' : few };
  }
  const isTargets = broken.some((limit) => breaksBySending(limit, figures));
  const generator = generatorLimits(seconds);
  // Late sending is not to blame for what was slow once it had been sent.
  const own = generator.busy || (isTargets ? '' : generator.late);
  const waited = !isTargets && unsent > due * MISSED_FROM;
  const stop = own ? 'generator' : waited ? 'clients' : broken.length > 0 ? 'limit' : 'behind';
  return { ...figuresPerSecond, held: false, stop, why: [own, ...words].filter(Boolean).join('; ') };
}

/** Whether the limit is broken by what was sent alone: waiting for a client, or for the generator, is in the latency only. */
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

/** What of the offered rate did not get through; '' where it did. */
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

/** A step as it is kept. */
export const stepOf = (
  planned: Pick<RateStep, 'number' | 'phase' | 'perSecond' | 'repeats'>,
  time: Pick<RateStep, 'from' | 'judgedMs'>,
  { due, unsent, unsettled, waitingBefore, waitingAfter }: StepReport,
  judgement: Judgement,
): RateStep => ({
  ...planned,
  ...time,
  due,
  answered: Math.max(0, due - unsent - unsettled),
  unsent,
  unsettled,
  grown: waitingAfter - waitingBefore,
  ...judgement,
});
