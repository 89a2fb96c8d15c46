/**
 * Describes a ratio of two means in a sentence, as a factor (`4.3 times faster`) or as a percentage (`35% lower`). Each sentence uses only
 * one of the two notations. The largest change in the sentence, including the ends of intervals, determines the notation.
 */
import { formatNumber } from '../units/format';
import type { Interval } from './confidence';

export type Notation = 'factor' | 'percent';

/** The words for an increase and for a decrease of a metric, such as *faster* and *slower*. */
export interface Direction {
  more: string;
  less: string;
}

export const SPEED: Direction = { more: 'faster', less: 'slower' };
export const SIZE: Direction = { more: 'higher', less: 'lower' };

/** Ratio above which a change is written as a multiple (`2.5 times`) instead of a percentage. For decreases, the inverse ratio counts. */
const FACTOR_FROM = 2;

/**
 * Ratio above which a change is written as `over 1,000 times`. For decreases, the inverse ratio counts. Measurements are too noisy for a
 * more exact number.
 */
const MOST_FACTOR = 1000;

/**
 * Returns whether a ratio is written as a multiple (`2.5 times`) instead of a percentage. A ratio of 0 is written as a percentage (100%
 * lower).
 */
const isFactor = (ratio: number): boolean => ratio > FACTOR_FROM || (ratio > 0 && ratio * FACTOR_FROM < 1);

/** A ratio and its interval; each is null if unknown. */
export interface Effect {
  ratio: number | null;
  interval: Interval | null;
}

/**
 * Returns the notation for a sentence that contains these ratios: factors if a ratio or an end of an interval is above 2 or below 1/2,
 * otherwise percentages.
 */
export const notationOf = (effects: readonly Effect[]): Notation =>
  effects.some(({ ratio, interval }) =>
    interval === null
      ? ratio !== null && isFactor(ratio)
      : isFactor(interval.low) || isFactor(interval.high) || interval.low === 0,
  )
    ? 'factor'
    : 'percent';

/** Formats a factor: with one decimal below 10, and with two decimals near 1, so that `1.05` does not become `1`. */
function factorText(factor: number): string {
  if (factor > MOST_FACTOR) return `over ${formatNumber(MOST_FACTOR)}`;
  if (factor >= 9.95) return formatNumber(Math.round(factor));
  return String(Number(factor.toFixed(factor < 1.095 ? 2 : 1)));
}

/** Formats a percentage, with one decimal below 10%. */
function percentText(share: number): string {
  const percent = Math.abs(share) * 100;
  return `${Number(percent.toFixed(percent < 9.95 ? 1 : 0))}%`;
}

/** Returns the size of a change without its direction: `4.3 times`, `35%`. */
const amount = (ratio: number, notation: Notation): string =>
  notation === 'percent' ? percentText(ratio - 1) : `${factorText(ratio < 1 ? 1 / ratio : ratio)} times`;

const side = (ratio: number, { more, less }: Direction): string => (ratio < 1 ? less : more);

/** Returns `4.3 times faster` or `35% lower`; `unchanged` if the change is rounded to 0. */
export function sayRatio(ratio: number, notation: Notation, direction: Direction): string {
  const text = amount(ratio, notation);
  return text === '0%' || text === '1 times' ? 'unchanged' : `${text} ${side(ratio, direction)}`;
}

/**
 * Returns whether a reader would notice that two displayed ratios are different: their texts differ, and rounding alone does not explain
 * the difference.
 */
export const readsAsAnother = (ratio: number, other: number, text: (ratio: number) => string): boolean =>
  text(ratio) !== text(other) &&
  Math.abs(ratio - other) >= (Math.abs(ratio - 1) < 0.0995 ? 0.0005 : 0.005) * Math.max(1, ratio);

/** Returns `28% to 41%` or `2.1 to 8.7 times`: the smaller size first, and the word `times` only once. */
function sizes(from: number, to: number, notation: Notation): string {
  let texts = [from, to].map((ratio) => amount(ratio, notation));
  // If an interval of factors is narrow, more digits are needed so that its ends differ.
  if (notation === 'factor' && texts[0] === texts[1])
    texts = [from, to].map((ratio) => `${formatNumber(ratio < 1 ? 1 / ratio : ratio)} times`);
  return `${notation === 'factor' ? texts[0]!.replace(/ times$/, '') : texts[0]!} to ${texts[1]!}`;
}

const isOneSided = ({ low, high }: Interval): boolean => low >= 1 || high <= 1;

/** Returns the two ends of an interval. The end with the smaller change comes first. */
const bySize = ({ low, high }: Interval): [from: number, to: number] =>
  high <= 1 && low < 1 ? [high, low] : [low, high];

/**
 * Returns an interval as text: `28% to 41%`, `2.1 to 8.7 times`. The text follows that of the ratio, which already contains the direction.
 * If the interval contains *no change*, it contains both directions: `2% slower to 3% faster`.
 */
export const sayInterval = (interval: Interval, notation: Notation, direction: Direction): string =>
  isOneSided(interval) ? sizes(...bySize(interval), notation) : sayRange(interval, notation, direction);

/**
 * Returns an interval as text that can be displayed without its ratio, because it contains the direction: `4% slower to 11% faster`, `4% to
 * 11% faster`.
 */
export const sayRange = (interval: Interval, notation: Notation, direction: Direction): string =>
  isOneSided(interval)
    ? `${sizes(...bySize(interval), notation)} ${side(interval.high <= 1 ? interval.low : interval.high, direction)}`
    : `${sayRatio(interval.low, notation, direction)} to ${sayRatio(interval.high, notation, direction)}`;

/** Returns a short form for display in large type: `4.3×`, `+35%`, `−35%`; `–` without a ratio. */
export function shortEffect(ratio: number | null, notation: Notation): string {
  if (ratio === null || !Number.isFinite(ratio)) return '–';
  if (notation === 'percent') {
    const text = percentText(ratio - 1);
    return text === '0%' ? '±0%' : `${ratio < 1 ? '−' : '+'}${text}`;
  }
  if (ratio > MOST_FACTOR) return `over ${formatNumber(MOST_FACTOR)}×`;
  if (ratio * MOST_FACTOR < 1) return `under ${formatNumber(1 / MOST_FACTOR)}×`;
  return `${ratio < 1 ? formatNumber(Number(ratio.toPrecision(2))) : factorText(ratio)}×`;
}

/** Returns an interval in the short form: `2.1× to 8.7×` or `−41% to −28%`; '' without an interval. */
export const shortInterval = (interval: Interval | null, notation: Notation): string =>
  interval === null
    ? ''
    : `${shortEffect(interval.low, notation)} to ${shortEffect(interval.high, notation)}`;
