/**
 * Flags percentiles to which Dyno's load generator or its machine may have added more than 10%. For each percentile, a lower bound of the
 * target's own time is calculated. The percentile is flagged if it exceeds this bound by more than 10%.
 *
 * A measured time is the target's time plus a delay. For any x and d, P(target > x - d) is at least P(time > x) - P(delay > d). The
 * target's percentile `p` is therefore at least Q(p - P(delay > d)) - d, where Q returns the percentiles of the measured times. The lower
 * bound is the maximum of this expression over all d.
 *
 * The delays of one request add up: the generator sends it late, the target notices it late, and the generator notices the response late.
 * How late messages are noticed is measured only for a sample of messages. The shares of these delays are therefore increased according to
 * the size of the sample.
 */
import {
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  PERCENTILES,
  recordedMs,
  type EncodedHistogram,
  type LatencySummary,
  type PercentileKey,
} from '../measurement/histogram';
import type { InstrumentDelays, MachineSummary } from '../measurement/instrument';
import type { GeneratorSummary, TaskSummary, TrialDocument } from '../measurement/trial';
import { formatMs, formatPercent } from '../units/format';

/** Share of a percentile that the load generator may have added without causing a warning: 10% of the rest of the percentile. */
const MOST_OWN_SHARE = 0.1;
/**
 * Share of the requests above a percentile that may have a delay without much effect on the percentile. With 0.5 and p99, 0.5% of all
 * requests may have a delay. With a steep distribution, even rarer delays may change the percentile.
 */
const PART_BEHIND = 0.5;
/** One-sided 95% quantile of the standard normal distribution. */
const Z = 1.645;
/**
 * Numerator of the rule of three: an event that did not occur in a sample of n has a probability of at most 3 / n, with 95% confidence
 * (Hanley and Lippman-Hand 1983).
 */
const UNSEEN = 3;
/**
 * Minimum size of a group of similar delays, as a share of all delays. The calculation uses groups instead of single delays. {@link
 * GROUP_OF_REST} allows smaller groups for rare delays.
 */
const GROUP_SHARE = 0.04;
/** Minimum size of a group of rare delays, as a share of these delays and all longer ones. */
const GROUP_OF_REST = 0.25;
/** Share of the machine's cores above which the CPU use of other processes affects the measurement. */
const OTHERS_FROM = 0.1;

export type FigureKey = PercentileKey | 'max';

/** A percentile, and the part of it that the load generator may have added. */
export interface OwnFigure {
  key: FigureKey;
  ms: number;
  /** Time that the load generator may have added, in ms; Infinity if unknown. */
  ownMs: number;
  /** Whether `ownMs` is more than a tenth of the rest of the percentile (the percentile minus `ownMs`). */
  flagged: boolean;
  /**
   * Smallest value of the percentile, in ms, that the same delays would not flag. This assumes that the distribution around the percentile
   * is at most as steep as here.
   */
  reliableFromMs: number;
}

export interface OwnShare {
  of: 'latency' | 'service';
  /** Percentiles in the order of `FIGURE_KEYS`. Those without a value are left out. */
  figures: OwnFigure[];
}

/** A distribution of delays. All delays are in ms. */
class Delays {
  /** `values`: delays in ascending order. `beyond`: share of all delays that are longer; 0 for the last one. */
  private constructor(
    private readonly values: readonly { ms: number; beyond: number }[],
    /**
     * Number of measured delays. 0 if the distribution was calculated from other distributions. The function `predicted` returns such a
     * distribution unchanged.
     */
    readonly count = 0,
  ) {}

  static of(encoded: EncodedHistogram): Delays {
    const histogram = decodeHistogram(encoded);
    const { totalCount } = histogram;
    let left = totalCount;
    const values = recordedMs(histogram).map(({ ms, count }) => {
      left -= count;
      return { ms, beyond: left / totalCount };
    });
    return new Delays(values, totalCount);
  }

  /**
   * Returns the delays that `requests` requests may have had. This distribution counts as a sample of their delays. The share of longer
   * delays is increased to the upper end of its 95% prediction interval (normal approximation).
   */
  predicted(requests: number): Delays {
    if (requests === 0 || this.count === 0) return this;
    const each = 1 / this.count + 1 / requests;
    return new Delays(
      this.values.map(({ ms, beyond }) => ({
        ms,
        beyond: Math.min(1, beyond + Z * Math.sqrt(beyond * (1 - beyond) * each)),
      })),
    );
  }

  /** Returns this distribution with fewer long delays: for every delay, the share of longer delays is at most `share`. */
  atMost(share: number): Delays {
    return new Delays(this.steps().map(({ ms, beyond }) => ({ ms, beyond: Math.min(share, beyond) })));
  }

  /** Returns a distribution that is at least as bad as both: for every delay, the larger of the two shares of longer delays. */
  or(other: Delays): Delays {
    const all = [...new Set([...this.values, ...other.values].map(({ ms }) => ms))].sort((a, b) => a - b);
    return new Delays(
      all.map((ms) => ({ ms, beyond: Math.max(this.shareBeyond(ms), other.shareBeyond(ms)) })),
    );
  }

  /** Returns the distribution of the sum of two delays. They count as independent, because they occur at different times. */
  plus(other: Delays): Delays {
    const others = other.groups();
    const sums = this.groups().flatMap((one) =>
      others.map((two) => ({ ms: one.ms + two.ms, share: one.share * two.share })),
    );
    sums.sort((a, b) => a.ms - b.ms);
    let upTo = 0;
    return new Delays(
      sums.map(({ ms, share }, place) => {
        upTo += share;
        return { ms, beyond: place === sums.length - 1 ? 0 : Math.max(0, 1 - upTo) };
      }),
    );
  }

  /** Returns the share of delays that are longer than `ms`. */
  shareBeyond(ms: number): number {
    let [low, high] = [0, this.values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle]!.ms <= ms) low = middle + 1;
      else high = middle;
    }
    if (low > 0) return this.values[low - 1]!.beyond;
    return this.values.length === 0 ? 0 : 1;
  }

  /** Returns all delays from 0 to the longest, each with the share of delays that are longer. */
  steps(): { ms: number; beyond: number }[] {
    return [{ ms: 0, beyond: this.shareBeyond(0) }, ...this.values];
  }

  /**
   * Returns a few dozen groups of delays of similar length. Groups of rare delays contain fewer delays. In the calculation, all delays of a
   * group are as long as the longest of them.
   */
  private groups(): { ms: number; share: number }[] {
    if (this.values.length === 0) return [{ ms: 0, share: 1 }];
    const groups: { ms: number; share: number }[] = [];
    let before = 1;
    for (const { ms, beyond } of this.values) {
      if (beyond > 0 && before - beyond < Math.min(GROUP_SHARE, GROUP_OF_REST * before)) continue;
      if (before > beyond) groups.push({ ms, share: before - beyond });
      before = beyond;
    }
    return groups;
  }
}

const NO_DELAYS = Delays.of(encodeHistogram(createHistogram()));

const shareOfKey = (key: FigureKey): number =>
  key === 'max' ? 1 : PERCENTILES.find((known) => known.key === key)!.percentile / 100;

/**
 * Returns whether other processes used so much of the machine that a target on this machine had to wait too. Both must exceed 10%: the
 * share of the cores that others used (`others`), and the share of seconds in which the machine was almost fully busy (`full`).
 * `withTarget`: whether the target runs on this machine.
 */
export const isCrowded = ({ others, full, withTarget }: MachineSummary): boolean =>
  withTarget && (others ?? 0) > OTHERS_FROM && full > OTHERS_FROM;

/** The percentiles and the maximum, in the order in which they are displayed. */
export const FIGURE_KEYS: readonly FigureKey[] = [...PERCENTILES.map(({ key }) => key), 'max'];

/**
 * Returns how much time the load generator may have added to the percentiles of a task. Empty if the delays of the load generator are
 * unknown.
 */
export function ownShares(task: TaskSummary, generator: GeneratorSummary | null): OwnShare[] {
  const delays = generator?.delays;
  if (delays === undefined) return [];
  const machine = generator?.machine;
  const crowded = machine !== undefined && isCrowded(machine);
  const lag = task.lagHistogram === undefined ? NO_DELAYS : Delays.of(task.lagHistogram);
  const inThread = threadDelays(delays, lag, task.latency.count, machine?.withTarget ?? false);
  const ofLatency = inThread.plus(lag);
  const shares = [shareOf('latency', task.latency, task.latencyHistogram, ofLatency, crowded)];
  if (task.offeredPerSecond !== null)
    shares.push(shareOf('service', task.service, task.serviceHistogram, inThread, crowded));
  return shares;
}

/**
 * Time in ms that the load generator may have added to each percentile of the latency: the maximum over the trials. A percentile is null if
 * the time is unknown in one of the trials, and absent if no trial has a value for it.
 */
export type OwnMs = Partial<Record<FigureKey, number | null>>;

/** Returns for each percentile of a task's latency the maximum time, in ms, that the load generator may have added in one of the trials. */
export function ownLatencies(trials: readonly TrialDocument[], name: string): OwnMs {
  const own: OwnMs = {};
  for (const { tasks, generator } of trials) {
    const task = tasks.find((known) => known.task === name);
    const latency = task && ownShares(task, generator).find(({ of }) => of === 'latency');
    for (const { key, ownMs } of latency?.figures ?? []) {
      const before = own[key];
      own[key] = before === null || ownMs === Infinity ? null : Math.max(before ?? 0, ownMs);
    }
  }
  return own;
}

/**
 * Returns the distribution of the delays that `requests` requests may have had in their load thread and in the operating system.
 * - `held`: upper bound of the delay in the thread, for every response.
 * - `noticed`: how late messages were noticed, only for a sample of messages. Null if it was not measured.
 * - `lag`: how late each request was sent. It replaces `noticed` for long delays that are too rare to be in the sample. A thread that
 *   notices messages late also sends requests late.
 * - `withTarget`: whether the target runs on the same machine. If it does, `noticed` counts twice: the target notices requests as late as
 *   the generator notices responses.
 */
function threadDelays(
  { held, noticed }: InstrumentDelays,
  lag: Delays,
  requests: number,
  withTarget: boolean,
): Delays {
  const inThread = Delays.of(held);
  if (noticed === null) return inThread;
  const sample = Delays.of(noticed);
  const once = sample.predicted(requests);
  return inThread.or(withTarget ? once.plus(once) : once).or(lag.atMost(UNSEEN / sample.count));
}

function shareOf(
  of: OwnShare['of'],
  summary: LatencySummary,
  times: EncodedHistogram,
  delays: Delays,
  crowded: boolean,
): OwnShare {
  const delayed = delays.steps();
  const values = recordedMs(decodeHistogram(times));
  const figures = FIGURE_KEYS.flatMap((key) => {
    const ms = summary[key];
    if (ms === null) return [];
    const share = shareOfKey(key);
    const ownMs = crowded ? Infinity : Math.max(0, ms - withoutDelays(values, share, delayed));
    const rare = delayed.find(({ beyond }) => beyond <= (1 - share) * PART_BEHIND)?.ms ?? ownMs;
    const reliableFromMs = Math.max(ownMs, rare) * (1 + 1 / MOST_OWN_SHARE);
    return [{ key, ms, ownMs, flagged: ownMs > MOST_OWN_SHARE * (ms - ownMs), reliableFromMs }];
  });
  return { of, figures };
}

/**
 * Returns a lower bound of a percentile of the target's own response times, in ms. The bound is 0 if the delays are too long for a better
 * one.
 * - `values`: measured times, ascending.
 * - `share`: share of values up to the percentile, in [0, 1].
 * - `delayed`: delays, ascending, each with the share of delays that are longer (`beyond`).
 */
function withoutDelays(
  values: readonly { ms: number; count: number }[],
  share: number,
  delayed: readonly { ms: number; beyond: number }[],
): number {
  const all = values.reduce((sum, { count }) => sum + count, 0);
  let least = 0;
  let place = -1;
  let upTo = 0;
  // While the delays increase, their shares decrease, so the percentile to look up increases too. One pass through both lists is therefore
  // enough.
  for (const { ms: delay, beyond } of delayed) {
    const wanted = (share - beyond) * all;
    if (wanted <= 0) continue;
    // The tolerance prevents rounding of shares from selecting the next value.
    while (place < values.length - 1 && upTo < wanted - 1e-6) upTo += values[(place += 1)]!.count;
    least = Math.max(least, (values[place]?.ms ?? 0) - delay);
  }
  return least;
}

const KEY_NAMES: Readonly<Record<FigureKey, string>> = {
  p50: 'p50',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  p99_9: 'p99.9',
  p99_99: 'p99.99',
  max: 'max',
};

export const figureName = (key: FigureKey): string => KEY_NAMES[key];

/** Returns the names of the flagged percentiles. */
export const flaggedFigures = (shares: readonly OwnShare[]): string[] => [
  ...new Set(
    shares.flatMap(({ figures }) => figures.flatMap(({ key, flagged }) => (flagged ? [KEY_NAMES[key]] : []))),
  ),
];

/**
 * Returns the flagged percentiles of a task, such as `p99, max of latency (reliable from 21 ms, 90 ms on)`; '' if no percentile is flagged.
 * The times are in the order of the percentiles: here, p99 is reliable from 21 ms on.
 */
export function sayOwnShare({ of, figures }: OwnShare): string {
  const flagged = figures.filter((figure) => figure.flagged);
  if (flagged.length === 0) return '';
  const word = of === 'latency' ? 'latency' : 'service time';
  if (flagged.some(({ ownMs }) => ownMs === Infinity)) return `every percentile of ${word}`;
  const names = flagged.map(({ key }) => KEY_NAMES[key]).join(', ');
  const from = flagged.map(({ reliableFromMs }) => formatMs(reliableFromMs)).join(', ');
  return `${names} of ${word} (reliable from ${from} on)`;
}

/** Returns a sentence about how much of the generator's machine other processes used; '' if it was little or is unknown. */
export function sayOthers(machine: MachineSummary | undefined): string {
  const others = machine?.others ?? null;
  if (machine === undefined || others === null || others <= OTHERS_FROM) return '';
  const steal = machine.steal > OTHERS_FROM / 2 ? `, ${formatPercent(machine.steal)} of it stolen` : '';
  return `${formatPercent(others)} of its cores${steal}`;
}
