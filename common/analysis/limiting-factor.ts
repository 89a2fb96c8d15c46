/** Determines which resource was the limit of a trial, or of the trials of a cell, with the evidence. */
import { formatNumber, formatPercent } from '../units/format';
import type { TrialFigures } from './limiting-factor-figures';
import { OTHER_WORK_FROM, RULES, type Resource, type Rule } from './limiting-factor-rules';

export type LimitName = Resource | 'none found';

/** A value that supports or excludes a bottleneck. */
export interface Evidence {
  resource: Resource;
  figure: string;
  /** Measured use of the resource, as a share in [0, 1]. */
  value: number;
  /** Share from which the resource counts as the bottleneck. */
  from: number;
  /** The value with its unit, as text for display. */
  text: string;
}

export interface Limit {
  name: LimitName;
  /**
   * Reason for the result, as a sentence without a full stop. For `none found`: what it means for this trial that no resource was at its
   * limit.
   */
  why: string;
  /** Values that show the bottleneck. For `none found`: the values that came closest to a limit. */
  evidence: Evidence[];
  /** Other resources that reached their limits. They are symptoms of the first one, or would be the next bottlenecks. */
  also: Evidence[];
  /** Values of resources that did not reach their limits. */
  ruledOut: Evidence[];
  /** Resources that could not be judged, with the reasons. */
  unknown: { resource: Resource; why: string }[];
}

export interface CellLimit extends Limit {
  /** Number of trials with this bottleneck. */
  trials: number;
  /** Number of all judged trials. */
  of: number;
  /** Bottlenecks of the other trials, with the number of trials for each. */
  otherwise: { name: LimitName; trials: number }[];
}

/** Resources in the order of their precedence. */
const RESOURCES: readonly Resource[] = [...new Set(RULES.map(({ resource }) => resource))];

/**
 * Resources whose shortage makes requests late or rejected. If one of them is at its limit, it is the bottleneck even of a trial that sent
 * all requests at the offered rate.
 */
const REFUSING: readonly Resource[] = ['generator', 'indexing pressure', 'write queue', 'search queue'];

/** Maximum number of values that are shown if no bottleneck was found: those that came closest to their limits. */
const NEAREST = 2;
/** Minimum value, as a share of its limit, for a second value to be shown if no bottleneck was found. */
const NEAR = 0.5;

/**
 * Text that is added to means over a whole search for the highest rate. The search includes low rates, so at the highest rate, resources
 * were busier than these means.
 */
const VARIED = ' over the whole search, which varied the rate on purpose';

/** Determines the bottleneck of a trial. The result lists resources that cannot be judged in `unknown`. */
export function findLimit(figures: TrialFigures): Limit {
  const judged = RESOURCES.map((resource) => judge(resource, figures));
  const held = judged.flatMap(({ held: own }) => own);
  const ruledOut = judged.flatMap(({ ruledOut: own }) => own);
  const unknown = judged.flatMap(({ unknown: own }) => own);
  // If the target kept up with the offered rate, nothing was a bottleneck, however busy a machine was.
  const kept = figures.load.pace === 'rate met' && held.every(({ resource }) => !REFUSING.includes(resource));
  const name = held[0]?.resource;
  // The metrics of the load generator cover only the step whose results are reported, not the whole search.
  const varied = figures.load.pace === 'rate varied' && name !== 'generator' ? VARIED : '';
  if (name !== undefined && !kept) {
    const evidence = held.filter(({ resource }) => resource === name);
    const also = held.filter(({ resource }) => resource !== name);
    const why = evidence.map(({ text }) => text).join('; ') + varied;
    return { name, why, evidence, also, ruledOut, unknown };
  }
  const nearest = ruledOut
    .filter(({ resource }) => resource !== 'generator')
    .sort((a, b) => nearness(b) - nearness(a))
    .filter((evidence, at) => at === 0 || nearness(evidence) >= NEAR)
    .slice(0, NEAREST);
  const evidence = nearest.length > 0 ? nearest : ruledOut;
  const why = noneFound(figures, held, evidence);
  return { name: 'none found', why, evidence, also: held, ruledOut, unknown };
}

function judge(
  resource: Resource,
  figures: TrialFigures,
): { held: Evidence[]; ruledOut: Evidence[]; unknown: Limit['unknown'] } {
  const held: Evidence[] = [];
  const ruledOut: Evidence[] = [];
  let why = '';
  for (const rule of RULES.filter((own) => own.resource === resource)) {
    const reading = rule.read(figures);
    const evidence = reading && evidenceOf(rule, reading);
    if (evidence === null) why ||= rule.missing(figures);
    else if (evidence.value >= rule.from) held.push(evidence);
    else if (!reading!.complete) why ||= `not all nodes report it; for the others: ${evidence.text}`;
    else if (evidence.value < (rule.clearBelow ?? rule.from)) ruledOut.push(evidence);
  }
  if (held.length > 0) return { held, ruledOut: [], unknown: [] };
  if (ruledOut.length > 0) return { held, ruledOut, unknown: [] };
  // A resource without a value and without a reason does not apply to this trial.
  return { held, ruledOut, unknown: why === '' ? [] : [{ resource, why }] };
}

const evidenceOf = (
  { resource, figure, from }: Rule,
  { value, text }: { value: number; text: string },
): Evidence => ({ resource, figure, value, from, text });

function noneFound(
  { nodes, load: { pace, clients, thinks } }: TrialFigures,
  held: readonly Evidence[],
  nearest: readonly Evidence[],
): string {
  const figures = nearest.filter(({ resource }) => resource !== 'generator').map(({ text }) => text);
  const detail = figures.length === 0 ? '' : `: ${figures.join('; ')}`;
  if (pace === 'rate met') {
    const busy = held.map(({ text }) => text).join('; ');
    return busy === ''
      ? `the offered rate was met${detail}`
      : `the offered rate was met, with little capacity left: ${busy}`;
  }
  if (detail === '') return 'no resource of the target could be judged';
  if (pace === 'rate varied') return `no resource was at its limit on average${VARIED}${detail}`;
  if (pace === 'rate missed') {
    return `the offered rate was missed, but no resource that could be judged was at its limit${detail}`;
  }
  const others = Math.max(0, ...nodes.map(({ othersCpuShare }) => othersCpuShare ?? 0));
  if (others > OTHER_WORK_FROM)
    return `throughput may be higher without other processes, which used ${formatPercent(others)} of the CPU${detail}`;
  const who =
    clients === null ? '' : ` than ${formatNumber(clients)}${thinks ? ', or less time to think,' : ''}`;
  return `more clients${who} may bring more${detail}`;
}

/**
 * Returns the most frequent bottleneck among the trials of a cell. The evidence comes from the trial in which the value was furthest above
 * its limit. If several bottlenecks are equally frequent, the one with the highest precedence is returned. Null without trials.
 */
export function limitOfCell(limits: readonly Limit[]): CellLimit | null {
  const order: readonly LimitName[] = [...RESOURCES, 'none found'];
  const counts = order
    .map((name) => ({ name, trials: limits.filter((limit) => limit.name === name).length }))
    .filter(({ trials }) => trials > 0)
    // The sort is stable, so equally frequent limits remain in the order of their precedence.
    .sort((a, b) => b.trials - a.trials);
  const [most, ...otherwise] = counts;
  if (most === undefined) return null;
  const clearest = limits
    .filter(({ name }) => name === most.name)
    .reduce((best, one) => (strength(one) > strength(best) ? one : best));
  return { ...clearest, trials: most.trials, of: limits.length, otherwise };
}

/** Returns the ratio of a value to its limit. It is 1 at the limit. */
const nearness = ({ value, from }: Evidence): number => value / from;

const strength = ({ evidence: [first] }: Limit): number => (first ? nearness(first) : 0);
