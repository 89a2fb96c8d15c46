/**
 * Answers a question such as "How many of these nodes for 50,000 docs/s at p95 < 200 ms?" with a range and its assumptions. The range comes
 * from the fitted scalability law. Percentiles cannot be interpolated or extrapolated. Therefore a limit such as `p95 < 200 ms` is only
 * checked for numbers of nodes that the run measured.
 */
import { limitAt, needFor, type LimitAt, type Need } from '../../analysis/capacity';
import { isScaling, REACH, type Scaling } from '../../analysis/scaling';
import { formatMetric } from '../../analysis/wording';
import { parseCondition, type Condition, type LanguageError } from '../../measurement/condition';
import { SCALING_LIMITS } from '../../measurement/metric';
import { priceOf } from '../../experiment/price';
import { formatNumber, plural } from '../../units/format';
import { unitOf } from './cell-names';
import type { Report } from './report';
import type { ReportScaling } from './scaling';

export interface CapacityQuestion {
  /** Required rate per second, in the unit of the task's throughput. */
  rate: number;
  limits: readonly Condition[];
  /** Task and factor of the question. Default: all tasks and factors for which a law was fitted. */
  task?: string;
  factor?: string;
}

export interface LimitAnswer {
  limit: string;
  cells: LimitAt[];
  sentence: string;
}

export interface CapacityAnswer {
  task: string;
  factor: string;
  name: string;
  group: string;
  unit: string;
  /** Required number of nodes, clients or shards, with its 95% interval. Null if no law was fitted. */
  need: Need | null;
  /** The result as a sentence: a range, or the reason why no range can be given. */
  sentence: string;
  limits: LimitAnswer[];
  /** Cost per hour; '' if nodes have no price. */
  cost: string;
  assumptions: string[];
}

/** Matches the short form of a limit on a latency: `ingest.p95 < 200ms` means `ingest.latency.p95 < 200ms`. */
const SHORT = /^(\s*[^.\s<>]+)\.(p\d+(?:\.\d+)?\s*[<>])/;

/**
 * Parses an upper limit of a metric. The metric must exist for every combination of factor levels. Returns an error if `text` is not an
 * upper limit of such a metric.
 */
export function parseCapacityLimit(text: string, report: Pick<Report, 'tasks'>): Condition | LanguageError {
  const parsed = parseCondition(text.replace(SHORT, '$1.latency.$2'));
  if ('message' in parsed) return parsed;
  const { metric, operator } = parsed;
  if (!report.tasks.includes(metric.task))
    return { message: `no such task: ${metric.task}`, allowed: report.tasks.join(', ') };
  if (metric.request !== undefined || !SCALING_LIMITS.includes(metric.figure))
    return { message: `${metric.figure} cannot be a limit`, allowed: SCALING_LIMITS.join(', ') };
  if (!operator.startsWith('<')) return { message: 'not an upper limit', allowed: '< or <=' };
  return parsed;
}

/**
 * Returns a result for each task and each factor that the question covers. If other factors vary too, there is one for each combination of
 * their levels. Empty if no factor has whole numbers as levels.
 */
export const answerCapacity = (report: Report, question: CapacityQuestion): CapacityAnswer[] =>
  (report.scaling ?? [])
    .filter(
      ({ task, factor, name }) =>
        (question.task === undefined || task === question.task) &&
        (question.factor === undefined || factor === question.factor || name === question.factor),
    )
    .map((own) => answerOne(report, own, question));

/** Returns the unit of the rate that a law describes: `docs/s` and the like, or `requests/s` for searches for the highest rate. */
export const scalingUnit = (report: Report, { task, rate }: Pick<ReportScaling, 'task' | 'rate'>): string =>
  rate === 'sustainable_rate' ? 'requests/s' : unitOf(report, task);

function answerOne(report: Report, own: ReportScaling, { rate, limits }: CapacityQuestion): CapacityAnswer {
  const { law, task, factor, name, group } = own;
  const unit = scalingUnit(report, own);
  const place = { task, factor, name, group, unit };
  if (!isScaling(law)) {
    return {
      ...place,
      need: null,
      sentence: `No answer: ${law.refused}.`,
      limits: [],
      cost: '',
      assumptions: [],
    };
  }
  const need = needFor(law, rate);
  return {
    ...place,
    need,
    sentence: needSentence(own, law, need, rate, unit),
    limits: limits.map((limit) => limitAnswer(report, own, need, limit)),
    cost: costSentence(report, own, need),
    assumptions: assumptionsOf(report, own, law, limits.length > 0),
  };
}

/** Returns the required number as a sentence, such as `4 (3 to 5)` or `at least 6`, with the required rate. */
function needSentence(own: ReportScaling, law: Scaling, need: Need, rate: number, unit: string): string {
  const asked = `${formatNumber(rate)} ${unit}`;
  const { least } = law.measured;
  const { name } = own;
  const last = law.curve.at(-1)!;
  const top = law.curve.reduce((one, other) => (other.rate > one.rate ? other : one));
  const ends = (low: number, high: number | null): string =>
    `${formatNumber(low)} to ${high === null ? 'no upper end' : formatNumber(high)}`;
  const how =
    law.follows === true
      ? `up to ${name} = ${formatNumber(last.n)}, which is ${REACH} times what was measured`
      : `up to ${name} = ${formatNumber(last.n)}, the largest that was measured`;
  if (need.low === null) {
    return `No value of ${name} reaches ${asked}, ${how}: the law is highest at ${formatNumber(top.n)} with ${formatNumber(top.rate)} ${unit} (95% interval ${ends(top.low, top.high)}). Larger values cannot be judged.`;
  }
  if (need.best === null) {
    return `It is undecided whether ${asked} can be reached ${how}: the best fit reaches at most ${formatNumber(top.rate)} ${unit}, but within its 95% interval ${name} = ${formatNumber(need.low)} may be enough.`;
  }
  const smallest = need.best === least && need.low === least ? ', the smallest that was measured' : '';
  if (need.high === null) {
    return `${asked} needs ${name} = ${formatNumber(need.best)}${smallest} by the best fit, and at least ${formatNumber(need.low)}; ${how}, no value reaches it for certain.`;
  }
  return `${asked} needs ${name} = ${formatNumber(need.best)}${smallest} (95% interval ${need.low === need.high ? `only ${formatNumber(need.low)}` : `${formatNumber(need.low)} to ${formatNumber(need.high)}`}).`;
}

function limitAnswer(report: Report, own: ReportScaling, need: Need, limit: Condition): LimitAnswer {
  const { metric } = limit;
  const key = `${metric.task}.${metric.figure}`;
  const cells = own.points.map(({ n, limits }) => limitAt(n, limits[key] ?? [], limit));
  const unit = unitOf(report, metric.task);
  const at = ({ n, value, low, high, kept }: LimitAt): string => {
    const words = { kept: 'kept', broken: 'broken', open: 'undecided', unknown: 'not known' }[kept];
    const between =
      low === null || high === null
        ? ''
        : `, ${formatMetric(metric, low, unit)} to ${formatMetric(metric, high, unit)}`;
    return `${formatNumber(n)}: ${words}${value === null ? '' : ` (${formatMetric(metric, value, unit)}${between})`}`;
  };
  const from = need.low;
  const inRange = cells.filter(({ n }) => from !== null && n >= from && n <= (need.high ?? Infinity));
  const inAnswer =
    from === null
      ? ''
      : inRange.length === 0
        ? ` ${notMeasured(own.name, from, need.high)}, so it is not known whether the limit is kept there. A run with such a value would show it.`
        : inRange.every(({ kept }) => kept === 'kept')
          ? ' All measured cells in the range of the answer keep it.'
          : inRange.every(({ kept }) => kept === 'broken')
            ? ' No measured cell in the range of the answer keeps it, so the answer does not hold under this limit.'
            : ' Some cells in the range of the answer break it or are undecided.';
  return {
    limit: limit.text,
    cells,
    sentence: `${limit.text} at ${own.name} = ${cells.map(at).join('; ')}.${inAnswer}`,
  };
}

const notMeasured = (name: string, low: number, high: number | null): string =>
  low === high
    ? `${name} = ${formatNumber(low)} was not measured`
    : `No ${name} from ${formatNumber(low)} ${high === null ? 'on' : `to ${formatNumber(high)}`} was measured`;

/** Returns the cost as a sentence. Returns '' unless the run varied the number of nodes and each node has a price. */
function costSentence(report: Report, { factor, points }: ReportScaling, { best, low, high }: Need): string {
  if (factor !== 'environment.nodes' || best === null || low === null) return '';
  const price = priceOf({
    ...report.definition.environment,
    ...labelsIn(report.cells[points[0]!.cell]!.levels),
  });
  if (price?.per !== 'node') return '';
  const { amount, currency, date } = price;
  const money = (n: number): string => formatNumber(n * amount);
  const range =
    high === null ? ` (at least ${money(low)})` : low === high ? '' : ` (${money(low)} to ${money(high)})`;
  return `${plural(best, 'node')} cost ${money(best)} ${currency} per hour${range}, at ${formatNumber(amount)} ${currency} each on ${date}.`;
}

const labelsIn = (levels: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(levels).flatMap(([path, level]) =>
      path.startsWith('environment.') ? [[path.slice('environment.'.length), String(level)]] : [],
    ),
  );

function assumptionsOf(report: Report, own: ReportScaling, law: Scaling, hasLimits: boolean): string[] {
  const { name, group } = own;
  const { least, most } = law.measured;
  const follows =
    law.follows === true
      ? 'The trials follow the universal scalability law: they are no further from it than from each other.'
      : law.follows === false
        ? 'The trials do not follow the law: they are further from it than chance explains. The range may be wrong, and values beyond the measured ones cannot be judged.'
        : 'With one trial of each cell it cannot be tested whether the law holds, so values beyond the measured ones cannot be judged.';
  return [
    `Everything except ${name} is the same as in this run${group === '' ? '' : ` with ${group}`}: data, load, versions, machines, network.`,
    `${name} was measured from ${formatNumber(least)} to ${formatNumber(most)}, with ${plural(law.trials, 'trial')}.`,
    follows,
    'Each client sent as fast as it was answered, or the rate was the highest sustained one: the answer is the maximum, without any reserve.',
    ...(report.provenance?.sharedMachine === true
      ? [
          'Load generator and cluster shared one machine: this run cannot show how they scale on separate machines.',
        ]
      : []),
    ...(hasLimits
      ? [
          'A limit is judged by the measured cells only, each under its own full load; percentiles are not computed between or beyond them.',
        ]
      : []),
  ];
}
