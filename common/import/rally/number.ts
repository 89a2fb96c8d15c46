/** Numbers of tracks, which may be written as texts: templates make texts. */

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Undefined for everything that is not a finite number: JavaScript would make numbers of `true`, `""` and `[7]`, too. */
export function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && DECIMAL.test(value.trim())
        ? Number(value)
        : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
