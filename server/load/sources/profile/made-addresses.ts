/** How addresses are written. */
import { BEYOND, Rows, type Store, type Target } from './bytes';
import { mix } from './dice';
import type { Maker } from './field-value';
import { encodedOf } from './made-rows';

/** Addresses of made networks, each number another one. */
export class AddressMaker implements Maker {
  readonly longest = 39;
  readonly whole: Rows;
  private readonly octets: Rows;

  /** `kept`: the first ones as they are; `prepared`: how many are written once. */
  constructor(
    kept: readonly Uint8Array[],
    prepared: number,
    private readonly six: number,
    private readonly networks: number,
    store: Store,
  ) {
    this.octets = new Rows(
      store,
      Array.from({ length: 256 }, (_, octet) => encodedOf(`${octet}.`)),
    );
    const bytes = new Uint8Array(this.longest + BEYOND);
    const target = { bytes, view: new DataView(bytes.buffer) };
    this.whole = new Rows(
      store,
      Array.from(
        { length: Math.max(kept.length, prepared) },
        (_, id) => kept[id] ?? bytes.slice(0, this.make(id, target, 0)),
      ),
    );
  }

  write(id: number, out: Target, at: number): number {
    return id < this.whole.count ? this.whole.write(id, out, at) : this.make(id, out, at);
  }

  private make(id: number, out: Target, from: number): number {
    const network = mix(Math.floor(id * this.networks) + 1);
    if (this.six > 0 && mix(id ^ 0x5bd1e995) % 100 < this.six) return writeSix(id, network, out.bytes, from);
    const { octets } = this;
    const host = Math.imul(id, 40_503) & 0xffff;
    let at = octets.write(1 + ((network >>> 24) % 223), out, from);
    at = octets.write((network >>> 16) & 255, out, at);
    at = octets.write(host >>> 8, out, at);
    // Without the point.
    return octets.write(host & 255, out, at) - 1;
  }
}

function writeSix(id: number, network: number, out: Uint8Array, from: number): number {
  let at = from;
  for (let group = 0; group < 8; group += 1) {
    const bits = group === 0 ? 0xfd00 : group < 3 ? network >>> (16 * (group - 1)) : mix(id * 8 + group);
    at = writeHex(out, at, bits & 0xffff);
    if (group < 7) {
      out[at] = 58;
      at += 1;
    }
  }
  return at;
}

function writeHex(out: Uint8Array, from: number, value: number): number {
  let at = from;
  for (let shift = 12; shift >= 0; shift -= 4) {
    const digit = (value >>> shift) & 15;
    out[at] = digit < 10 ? 48 + digit : 87 + digit;
    at += 1;
  }
  return at;
}
