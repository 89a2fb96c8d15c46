/**
 * Formats an effect for display in large type: number, direction and interval. The sentence next to the large number contains the same
 * values.
 */
import { notationOf, shortEffect, shortInterval, type Notation } from '../../analysis/effect';
import type { Interval } from '../../analysis/confidence';

export interface EffectWords {
  /** The ratio as a number: a factor such as `4.3×`, or a change in percent such as `+23%`. */
  value: string;
  /** Direction of the change if `value` is a factor; '' if `value` has a sign. */
  direction: 'higher' | 'lower' | '';
  /** Interval, such as `2.1× to 8.7×` or `−10% to +18%`; '' without an interval. */
  interval: string;
}

const upwards = (ratio: number): number => (ratio < 1 ? 1 / ratio : ratio);
const direction = (ratio: number): 'higher' | 'lower' => (ratio < 1 ? 'lower' : 'higher');

/**
 * Returns the words for an effect. Factors are always above 1, and a word gives the direction, as in sentences: `2.5× lower` instead of
 * `0.4×`.
 */
export function effectWords(ratio: number, interval: Interval | null): EffectWords {
  const notation = notationOf([{ ratio, interval }]);
  if (notation === 'percent') {
    return {
      value: shortEffect(ratio, notation),
      direction: '',
      interval: shortInterval(interval, notation),
    };
  }
  return {
    value: shortEffect(upwards(ratio), notation),
    direction: direction(ratio),
    interval: interval === null ? '' : factors(interval, notation),
  };
}

function factors({ low, high, level }: Interval, notation: Notation): string {
  if (low >= 1) return shortInterval({ low, high, level }, notation);
  if (high <= 1) return shortInterval({ low: 1 / high, high: 1 / low, level }, notation);
  return `${shortEffect(1 / low, notation)} lower to ${shortEffect(high, notation)} higher`;
}
