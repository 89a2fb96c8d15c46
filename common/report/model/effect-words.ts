/** Effects as large numbers and on axes: `+23%`, `4.3×`. Numbers that belong together are all percentages or all factors. */
import { formatChange } from '../../analysis/wording';
import { formatNumber } from '../../units/format';

/** Beyond a factor of two, either way, percentages are hard to compare: +150% and −60% are the same distance from no change. */
const PERCENT_UP_TO = 2;

/** Beyond it, either way, a ratio only says that it is not known. */
const MOST = 1000;

export const isFactor = (ratio: number): boolean => ratio > PERCENT_UP_TO || ratio < 1 / PERCENT_UP_TO;

/** Three significant digits at most, and always one decimal below 10: `4.0×`, `12×`, `0.25×`, `over 1,000×`. */
export function formatFactor(ratio: number): string {
  if (ratio > MOST) return `over ${formatNumber(MOST)}×`;
  if (ratio > 0 && ratio < 1 / MOST) return `under ${formatNumber(1 / MOST)}×`;
  if (ratio >= 9.95) return `${formatNumber(Math.round(ratio))}×`;
  if (ratio >= 0.95) return `${ratio.toFixed(1)}×`;
  return `${ratio.toPrecision(ratio >= 0.1 ? 2 : 1)}×`;
}

/** How all of `ratios` are written: one that needs a factor makes factors of all. */
export const effectFormat = (ratios: readonly number[]): ((ratio: number) => string) =>
  ratios.some(isFactor) ? formatFactor : formatChange;

export interface EffectWords {
  /** `4.3×`, `+23%`. */
  value: string;
  /** Direction of a factor: `higher`, `lower`; '' where the number itself has a sign or may go either way. */
  direction: 'higher' | 'lower' | '';
  /** `2.1× to 8.7×`; '' without an interval. */
  interval: string;
}

/** An effect that lies on one side of no change is a factor above 1 and its direction: `2.5× lower`, not `0.4×`. */
export function effectWords(
  ratio: number,
  interval: { low: number; high: number } | null,
): EffectWords {
  const ratios = interval === null ? [ratio] : [ratio, interval.low, interval.high];
  if (!ratios.some(isFactor)) {
    return {
      value: formatChange(ratio),
      direction: '',
      interval:
        interval === null
          ? ''
          : `${formatChange(interval.low)} to ${formatChange(interval.high)}`,
    };
  }
  const isLower = ratios.every((one) => one > 0 && one < 1);
  const isHigher = ratios.every((one) => one > 1);
  if (isLower) {
    const turned = interval && { low: 1 / interval.high, high: 1 / interval.low };
    return { ...effectWords(1 / ratio, turned), direction: 'lower' };
  }
  return {
    value: formatFactor(ratio),
    direction: isHigher ? 'higher' : '',
    interval: interval === null ? '' : `${formatFactor(interval.low)} to ${formatFactor(interval.high)}`,
  };
}
