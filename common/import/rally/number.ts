/** Reads the numbers of a track. They may be texts, because templates often produce texts. */

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Returns the number that a value represents, as a number or a text. Returns undefined for everything else, including `true`, `""` and
 * `[7]`, which JavaScript would convert to numbers.
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
