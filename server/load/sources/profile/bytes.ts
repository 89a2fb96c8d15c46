/** Bytes that are prepared once, and copied into documents eight at a time: a call costs more than most values are long. */

/** Where documents are written: a batch. */
export interface Target {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Copies go so far beyond what they are asked for: there must be room, and what stands there is written after them. */
export const BEYOND = 8;

/**
 * Copies UTF-8. As floating-point numbers, which V8 moves without allocating: a NaN, whose bits need not stay, ends with 7f or ff
 * behind f0 or more, and no UTF-8 does.
 */
export function copyWords(from: DataView, start: number, to: DataView, at: number, length: number): void {
  for (let i = 0; i < length; i += BEYOND) to.setFloat64(at + i, from.getFloat64(start + i, true), true);
}

/** All prepared bytes of a profile, side by side. */
export class Store {
  view: DataView;
  private bytes: Uint8Array;
  private length = 0;

  constructor() {
    this.bytes = new Uint8Array(64 * 1024);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Returns where they begin. */
  add(bytes: Uint8Array): number {
    const at = this.length;
    this.length += bytes.length;
    if (this.length + BEYOND > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length + BEYOND, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    this.bytes.set(bytes, at);
    return at;
  }
}

/** Texts of a store by their numbers. */
export class Rows {
  readonly count: number;
  /** Of each where it begins in the store, below 0 where there is none, and how long it is. */
  readonly places: Int32Array;

  constructor(
    private readonly store: Store,
    texts: readonly (Uint8Array | null)[],
  ) {
    this.count = texts.length;
    this.places = new Int32Array(2 * texts.length);
    for (const [row, text] of texts.entries()) {
      this.places[2 * row] = text === null ? -1 : store.add(text);
      this.places[2 * row + 1] = text?.length ?? 0;
    }
  }

  /** Of one that there is. Returns where it ended. */
  write(row: number, out: Target, at: number): number {
    const length = this.places[2 * row + 1]!;
    copyWords(this.store.view, this.places[2 * row]!, out.view, at, length);
    return at + length;
  }
}

const ZERO = 48;
const INT = 2_147_483_648;

/** A whole number below 2^53; returns where it ended. */
export function writeNumber({ bytes: out }: Target, from: number, value: number): number {
  let rest = value < 0 ? -value : value;
  let at = from;
  if (value < 0) {
    out[at] = 45;
    at += 1;
  }
  let digits = 1;
  for (let bound = 10; rest >= bound && digits < 17; bound *= 10) digits += 1;
  let place = at + digits - 1;
  for (; rest >= INT; place -= 1) {
    const next = Math.floor(rest / 10);
    out[place] = ZERO + rest - next * 10;
    rest = next;
  }
  let small = rest | 0;
  for (; place >= at; place -= 1) {
    const next = (small / 10) | 0;
    out[place] = ZERO + small - next * 10;
    small = next;
  }
  return at + digits;
}
