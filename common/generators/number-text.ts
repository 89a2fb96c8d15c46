/** Numbers as the bytes of documents, without strings in between. */

const ZERO = 48;
const MINUS = 45;
const POINT = 46;

/** Writes a whole number from 0 to 2^31 in decimal; returns where it ended. */
export function writeWhole(out: Uint8Array, at: number, value: number): number {
  let digits = 1;
  for (let rest = Math.floor(value / 10); rest > 0; rest = Math.floor(rest / 10)) digits += 1;
  writeDigits(out, at, value, digits);
  return at + digits;
}

/** Writes `tenThousandths` / 10000 with four decimals; returns where it ended. */
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

/** Writes an IPv4 address; returns where it ended. `address`: unsigned 32 bits. */
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
