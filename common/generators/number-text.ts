/** Writes numbers into documents as bytes, without creating strings. */

const ZERO = 48;
const MINUS = 45;
const POINT = 46;

/** Writes a whole number from 0 to 2^31 in decimal to `out`. Returns the offset after the number. */
export function writeWhole(out: Uint8Array, at: number, value: number): number {
  let digits = 1;
  for (let rest = Math.floor(value / 10); rest > 0; rest = Math.floor(rest / 10)) digits += 1;
  writeDigits(out, at, value, digits);
  return at + digits;
}

/** Writes `tenThousandths` / 10000 with four decimals to `out`. Returns the offset after the number. */
export function writeDecimal(out: Uint8Array, at: number, tenThousandths: number): number {
  let end = at;
  if (tenThousandths < 0) {
    out[end] = MINUS;
    end += 1;
  }
  const size = Math.abs(tenThousandths);
  end = writeWhole(out, end, Math.floor(size / 10_000));
  out[end] = POINT;
  writeDigits(out, end + 1, size % 10_000, 4);
  return end + 5;
}

/** Writes an IPv4 address to `out`. `address`: the address as an unsigned 32-bit number. Returns the offset after the address. */
export function writeAddress(out: Uint8Array, at: number, address: number): number {
  let end = at;
  for (let shift = 24; shift >= 0; shift -= 8) {
    end = writeWhole(out, end, (address >>> shift) & 255);
    if (shift > 0) {
      out[end] = POINT;
      end += 1;
    }
  }
  return end;
}

function writeDigits(out: Uint8Array, at: number, value: number, digits: number): void {
  let rest = value;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const less = Math.floor(rest / 10);
    out[place] = ZERO + rest - less * 10;
    rest = less;
  }
}

const DECIMAL_E = 69;
const LONGEST_FIXED = 2 ** 31;

/** Maximum length of a float, in bytes. */
export const LONGEST_FLOAT = 20;

/**
 * Writes a float32 to `out` in decimal. A reader that parses the text as a float32 gets the same bits. Uses six decimals if they are
 * sufficient. Otherwise uses nine digits, which are always sufficient (Goldberg 1991, theorem 15). Returns the offset after the number.
 */
export function writeFloat(out: Uint8Array, at: number, value: number): number {
  let end = at;
  if (value < 0) {
    out[end] = MINUS;
    end += 1;
  }
  const size = Math.abs(value);
  const millionths = Math.round(size * 1e6);
  if (millionths < LONGEST_FIXED && Math.fround(millionths / 1e6) === size) {
    const whole = Math.floor(millionths / 1e6);
    end = writeWhole(out, end, whole);
    out[end] = POINT;
    end += 7;
    writeDigits(out, end - 6, millionths - whole * 1e6, 6);
    while (out[end - 1] === ZERO && out[end - 2] !== POINT) end -= 1;
    return end;
  }
  let exponent = Math.floor(Math.log10(size)) - 8;
  let digits = scaled(size, exponent);
  if (digits >= 1e9) {
    exponent += 1;
    digits = scaled(size, exponent);
  }
  end = writeWhole(out, end, digits);
  out[end] = DECIMAL_E;
  end += 1;
  if (exponent < 0) {
    out[end] = MINUS;
    end += 1;
  }
  return writeWhole(out, end, Math.abs(exponent));
}

const scaled = (size: number, exponent: number): number =>
  Math.round(exponent < 0 ? size * 10 ** -exponent : size / 10 ** exponent);
