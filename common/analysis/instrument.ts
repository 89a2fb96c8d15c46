/**
 * Which percentiles the instrument itself may have made: a figure is doubted when what is left of it without the instrument's
 * delays may be less by more than a tenth of that, whatever the target did.
 *
 * With a time that is the target's plus a delay, P(target > x - d) is no less than P(time > x) - P(delay > d), for any x and d. So
 * the target's percentile `p` is at least Q(p - P(delay > d)) - d, where Q gives the percentiles of the times: the most of
 * that over all d is what is left. Long delays that are rare and short ones that are frequent both count, and more so where the times rise steeply.
 */
import {
  decodeHistogram,
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

/** Delays in ms, ascending, with the share of all that are longer than each. */
class Delays {
  private readonly values: { ms: number; beyond: number }[] = [];
  readonly count: number;

  /** `times`: so many of them follow each other. */
  constructor(encoded: EncodedHistogram, times = 1) {
    const histogram = decodeHistogram(encoded);
    this.count = histogram.totalCount;
    let left = this.count;
    for (const { ms, count } of recordedMs(histogram)) {
      left -= count;
      this.values.push({ ms: ms * times, beyond: left / this.count });
    }
  }

  /** Share of the delays that are longer than `ms`. */
  shareBeyond(ms: number): number {
    let [low, high] = [0, this.values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle]!.ms <= ms) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? (this.count === 0 ? 0 : 1) : this.values[low - 1]!.beyond;
  }

  /** To look for where a share is reached. */
  get each(): readonly number[] {
    return this.values.map(({ ms }) => ms);
  }
}

const shareOfKey = (key: FigureKey): number =>
  key === 'max' ? 1 : PERCENTILES.find((known) => known.key === key)!.percentile / 100;

/** Whether so much of the machine was taken by others that a target on it was kept waiting too. */
export const isCrowded = ({ others, full, withTarget }: MachineSummary): boolean =>
  withTarget && (others ?? 0) > OTHERS_FROM && full > OTHERS_FROM;

/** Of a figure with fewer values behind it than this it is not asked: null stands there. */
const KEYS: readonly FigureKey[] = [...PERCENTILES.map(({ key }) => key), 'max'];

/** What of the figures of one task the instrument may have made; empty where nothing is known of its delays. */
export function ownShares(task: TaskSummary, generator: GeneratorSummary | null): OwnShare[] {
  const delays = generator?.delays;
  if (delays === undefined) return [];
  const machine = generator?.machine;
  const crowded = machine !== undefined && isCrowded(machine);
  const lag = task.lagHistogram === undefined ? null : new Delays(task.lagHistogram);
  const inThread = threadDelays(delays, machine?.withTarget ?? false);
  const shares = [shareOf('latency', task.latency, task.latencyHistogram, inThread, lag, crowded)];
  if (task.offeredPerSecond !== null)
    shares.push(shareOf('service', task.service, task.serviceHistogram, inThread, null, crowded));
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

/** `0.2 ms of p50, 1.4 ms of p99`; '' where nothing is known. */
export const sayOwnLatencies = (own: OwnMs): string =>
  KEYS.flatMap((key) => {
    const ms = own[key];
    return ms === undefined || ms === null ? [] : [`${formatMs(ms)} of ${KEY_NAMES[key]}`];
  }).join(', ');

/** `withTarget`: on one machine a request is noticed by the target as late as its answer is by the generator. */
const threadDelays = ({ held, noticed }: InstrumentDelays, withTarget: boolean): Delays[] => [
  new Delays(held),
  ...(noticed === null ? [] : [new Delays(noticed, withTarget ? 2 : 1)]),
];

function shareOf(
  of: OwnShare['of'],
  summary: LatencySummary,
  times: EncodedHistogram,
  inThread: readonly Delays[],
  lag: Delays | null,
  crowded: boolean,
): OwnShare {
  /** What arrives waits for the thread whoever tells of it; what is late to leave waits beside it. */
  const beyond = (ms: number): number =>
    Math.max(0, ...inThread.map((delays) => delays.shareBeyond(ms))) + (lag?.shareBeyond(ms) ?? 0);
  const delays = [...inThread, ...(lag === null ? [] : [lag])].flatMap(({ each }) => each);
  const delayed = [0, ...new Set(delays)].sort((a, b) => a - b).map((ms) => ({ ms, share: beyond(ms) }));
  const values = recordedMs(decodeHistogram(times));
  const figures = KEYS.flatMap((key) => {
    const ms = summary[key];
    if (ms === null) return [];
    const share = shareOfKey(key);
    const ownMs = crowded ? Infinity : Math.max(0, ms - withoutDelays(values, share, delayed));
    const rare = delayed.find(({ share: longer }) => longer <= (1 - share) * PART_BEHIND)?.ms ?? ownMs;
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
  delayed: readonly { ms: number; share: number }[],
): number {
  const all = values.reduce((sum, { count }) => sum + count, 0);
  let least = 0;
  let place = -1;
  let upTo = 0;
  // The longer the delay, the fewer are longer, and the higher the percentile: one way through both.
  for (const { ms: delay, share: longer } of delayed) {
    const wanted = (share - longer) * all;
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
