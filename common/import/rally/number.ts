/** Parses numbers of tracks, which may be texts because templates produce texts. */

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Returns the number. Undefined for everything that is not a finite number, including `true`, `""` and `[7]`, which JavaScript would
 * convert to a number.
 */
export function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && DECIMAL.test(value.trim())
        ? Number(value)
        : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
