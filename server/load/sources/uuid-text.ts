/** Writes random UUIDs into documents, as bytes. It has a separate stream of random numbers, and looks up every two digits in a table. */
import type { Random } from '../../../common/random';

/** Length in bytes, without braces. */
export const UUID_LENGTH = 36;

/** Text that is in a row where a UUID is written. Its dashes stay; all other characters are overwritten. */
export const UUID_PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

/** The two hexadecimal digits of each byte, as a little-endian word. The table fits into the first-level cache. */
const HEX = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, '0');
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});

/**
 * Writes random UUIDs. For speed, it contains a copy of the random number generator sfc32 of `common/random`, whose method `next` would
 * allocate memory for each UUID.
 */
export class UuidWriter {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;
  private readonly words = new Int32Array(4);

  constructor(random: Random) {
    this.a = random.next() | 0;
    this.b = random.next() | 0;
    this.c = random.next() | 0;
    for (let i = 0; i < 3; i += 1) this.draw();
  }

  /** Writes a version 4 UUID at offset `at`. The dashes must already be there; see {@link UUID_PLACEHOLDER}. */
  write(view: DataView, at: number): void {
    this.draw();
    const { words } = this;
    const a = words[0]!;
    const b = words[1]!;
    const c = words[2]!;
    const d = words[3]!;
    view.setUint16(at, HEX[a >>> 24]!, true);
    view.setUint16(at + 2, HEX[(a >>> 16) & 0xff]!, true);
    view.setUint16(at + 4, HEX[(a >>> 8) & 0xff]!, true);
    view.setUint16(at + 6, HEX[a & 0xff]!, true);
    view.setUint16(at + 9, HEX[b >>> 24]!, true);
    view.setUint16(at + 11, HEX[(b >>> 16) & 0xff]!, true);
    view.setUint16(at + 14, HEX[((b >>> 8) & 0x0f) | 0x40]!, true);
    view.setUint16(at + 16, HEX[b & 0xff]!, true);
    view.setUint16(at + 19, HEX[((c >>> 24) & 0x3f) | 0x80]!, true);
    view.setUint16(at + 21, HEX[(c >>> 16) & 0xff]!, true);
    view.setUint16(at + 24, HEX[(c >>> 8) & 0xff]!, true);
    view.setUint16(at + 26, HEX[c & 0xff]!, true);
    view.setUint16(at + 28, HEX[d >>> 24]!, true);
    view.setUint16(at + 30, HEX[(d >>> 16) & 0xff]!, true);
    view.setUint16(at + 32, HEX[(d >>> 8) & 0xff]!, true);
    view.setUint16(at + 34, HEX[d & 0xff]!, true);
  }

  private draw(): void {
    let { a, b, c, counter } = this;
    for (let i = 0; i < 4; i += 1) {
      const sum = (a + b + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      this.words[i] = sum;
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.counter = counter;
  }
}
