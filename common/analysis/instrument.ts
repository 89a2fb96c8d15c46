/**
 * Which percentiles the instrument itself may have made: a figure is doubted when what is left of it without the instrument's
 * delays may be less by more than a tenth of that, whatever the target did.
 *
 * With a time that is the target's plus a delay, P(target > x - d) is no less than P(time > x) - P(delay > d), for any x and d. So
 * the target's percentile `p` is at least Q(p - P(delay > d)) - d, where Q gives the percentiles of the times: the most of
 * that over all d is what is left. Long delays that are rare and short ones that are frequent both count, and more so where the times rise steeply.
 *
 * The delays of one request add up: it leaves late, the target notices it late, its answer is noticed late. How late messages
 * are noticed is known of a sample only, so the shares of these delays get the margin that the size of the sample asks for.
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

/** Of what is left of a figure without it: from here on it is the instrument's as well as the target's. */
const MOST_OWN_SHARE = 0.1;
/** With delays as frequent as this part of the values behind a percentile it is hardly another one, but where times rise steeply. */
const PART_BEHIND = 0.5;
/** Of a standard normal value, one-sided 95%. */
const Z = 1.645;
/** What is not in a sample has up to this share of all, times the size of the sample, with 95% (rule of three: Hanley and Lippman-Hand 1983). */
const UNSEEN = 3;
/** Delays are added up in groups of this share of all of them, */
const GROUP_SHARE = 0.04;
/** or of this share of those that are as long or longer. */
const GROUP_OF_REST = 0.25;
/** Work of others from here on, as a share of the machine's cores, is felt. */
const OTHERS_FROM = 0.1;

export type FigureKey = PercentileKey | 'max';

/** One figure of a latency, and what of it may be the instrument's. */
export interface OwnFigure {
  key: FigureKey;
  ms: number;
  /** So much may be the instrument's own, ms; Infinity where nobody can say. */
  ownMs: number;
  /** That is more than a tenth of what the figure is without it. */
  doubted: boolean;
  /** From where on a figure with such delays would be sound, were its distribution no steeper there, ms. */
  soundFromMs: number;
}

export interface OwnShare {
  of: 'latency' | 'service';
  /** Ascending; those that are null are not here. */
  figures: OwnFigure[];
}

/** A distribution of delays, ms. */
class Delays {
  /** `values`: ascending, each with the share of all delays that are longer; that of the last is 0. */
  private constructor(
    private readonly values: readonly { ms: number; beyond: number }[],
    /** How many were measured; 0 for what was calculated. */
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
   * What `requests` may have had if these delays are a sample: each share is the upper end of its 95% prediction interval
   * (normal approximation). Few values behind a share make it wide.
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

  /** No delay is more frequent than `share`. */
  atMost(share: number): Delays {
    return new Delays(this.steps().map(({ ms, beyond }) => ({ ms, beyond: Math.min(share, beyond) })));
  }

  /** The longer of the two delays at each share. */
  or(other: Delays): Delays {
    const all = [...new Set([...this.values, ...other.values].map(({ ms }) => ms))].sort((a, b) => a - b);
    return new Delays(
      all.map((ms) => ({ ms, beyond: Math.max(this.shareBeyond(ms), other.shareBeyond(ms)) })),
    );
  }

  /** One delay after the other: they happen at different times, so how long one is says nothing about the other. */
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

  /** Share of the delays that are longer than `ms`. */
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

  /** From no delay at all to the longest, ascending, with the share of delays that are longer. */
  steps(): { ms: number; beyond: number }[] {
    return [{ ms: 0, beyond: this.shareBeyond(0) }, ...this.values];
  }

  /** Some dozens of groups, each as long as its longest delay; finer where delays are rare. */
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

/** Whether so much of the machine was taken by others that a target on it was kept waiting too. */
export const isCrowded = ({ others, full, withTarget }: MachineSummary): boolean =>
  withTarget && (others ?? 0) > OTHERS_FROM && full > OTHERS_FROM;

/** In the order in which they are shown. */
export const FIGURE_KEYS: readonly FigureKey[] = [...PERCENTILES.map(({ key }) => key), 'max'];

/** What of the figures of one task the instrument may have made; empty where nothing is known of its delays. */
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
 * What of each figure of the latency may be the instrument's own, ms: the most of any of the trials; null where one of them
 * cannot tell, absent where no trial of a figure tells anything.
 */
export type OwnMs = Partial<Record<FigureKey, number | null>>;

/** Of one task over trials, in any order. */
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
 * What each of `requests` may have waited for its load thread, which tells of all answers how long at most (`held`), and
 * for the system, of which there is a sample (`noticed`). `withTarget`: on one machine, the target notices a request as
 * late as the generator notices its answer. Delays that are too rare for the sample may be as long as those of the `lag`,
 * which is known of every request: a thread that is sometimes late to send is sometimes late to notice.
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
    const soundFromMs = Math.max(ownMs, rare) * (1 + 1 / MOST_OWN_SHARE);
    return [{ key, ms, ownMs, doubted: ownMs > MOST_OWN_SHARE * (ms - ownMs), soundFromMs }];
  });
  return { of, figures };
}

/**
 * The least that the percentile of the target's own times can be, ms, in [0, 1] the share of values up to it; 0 where nothing can be
 * told. `values` and `delayed` ascending, the latter with the share of delays that are longer.
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
  // The longer the delay, the fewer are longer, and the higher the percentile: one way through both.
  for (const { ms: delay, beyond } of delayed) {
    const wanted = (share - beyond) * all;
    if (wanted <= 0) continue;
    // A count that is missed by the rounding of shares is no other value.
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

/** Names of the figures that the instrument may have made by more than a tenth. */
export const flaggedFigures = (shares: readonly OwnShare[]): string[] => [
  ...new Set(
    shares.flatMap(({ figures }) => figures.flatMap(({ key, doubted }) => (doubted ? [KEY_NAMES[key]] : []))),
  ),
];

/** `p99, max of latency (sound from 21 ms, 90 ms on)`; '' where nothing is doubted. */
export function sayOwnShare({ of, figures }: OwnShare): string {
  const doubted = figures.filter((figure) => figure.doubted);
  if (doubted.length === 0) return '';
  const word = of === 'latency' ? 'latency' : 'service time';
  if (doubted.some(({ ownMs }) => ownMs === Infinity)) return `every percentile of ${word}`;
  const names = doubted.map(({ key }) => KEY_NAMES[key]).join(', ');
  const from = doubted.map(({ soundFromMs }) => formatMs(soundFromMs)).join(', ');
  return `${names} of ${word} (sound from ${from} on)`;
}

/** What others had of the machine of the generator; '' where it was next to nothing, or is not known. */
export function sayOthers(machine: MachineSummary | undefined): string {
  const others = machine?.others ?? null;
  if (machine === undefined || others === null || others <= OTHERS_FROM) return '';
  const steal = machine.steal > OTHERS_FROM / 2 ? `, ${formatPercent(machine.steal)} of it stolen` : '';
  return `${formatPercent(others)} of its cores${steal}`;
}
