/**
 * How many distinct requests were sent, in a few kilobytes however many there were: HyperLogLog (Flajolet, Fusy, Gandouet and
 * Meunier 2007) with 4,096 registers, a standard error of 1.6%; few are counted nearly exactly.
 */

/** Of a hash, so many bits choose the register. */
const BITS = 12;
const REGISTERS = 2 ** BITS;
/** Their constant for so many registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);
/** A register is written as one character, from this one on. */
const ZERO = 48;

/** What is added to the hash of a request, FNV-1a (Fowler, Noll and Vo). */
export function hashed(text: string, hash: number): number {
  let own = hash;
  for (let at = 0; at < text.length; at += 1) own = Math.imul(own ^ text.charCodeAt(at), 0x01000193);
  // What ends here differs from what goes on.
  return Math.imul(own ^ 0xffff, 0x01000193);
}

/** The bits of a hash spread over all of it, so that any of them may choose (MurmurHash3's finaliser, Appleby). */
function spread(hash: number): number {
  let own = hash;
  own = Math.imul(own ^ (own >>> 16), 0x85ebca6b);
  own = Math.imul(own ^ (own >>> 13), 0xc2b2ae35);
  return (own ^ (own >>> 16)) >>> 0;
}

/** What drew requests, and a sketch of which. Plain data: load threads and machines send it. */
export interface DrawnSketch {
  /** Drawn, each as often as it was. */
  requests: number;
  /** A character for each register. */
  registers: string;
}

export class DistinctCounter {
  private requests = 0;
  private readonly registers = new Uint8Array(REGISTERS);

  /** One request. Equal ones have the same hash. */
  add(hash: number): void {
    this.requests += 1;
    const own = spread(hash);
    const place = own >>> (32 - BITS);
    // The place of the first 1 behind the bits that chose; one further where there is none.
    const rank = Math.min(Math.clz32(own << BITS), 32 - BITS) + 1;
    if (rank > this.registers[place]!) this.registers[place] = rank;
  }

  sketch(): DrawnSketch {
    const characters = Array.from(this.registers, (rank) => String.fromCharCode(ZERO + rank));
    return { requests: this.requests, registers: characters.join('') };
  }
}

/** Of several threads or machines; at least one. */
export const mergeSketches = (parts: readonly DrawnSketch[]): DrawnSketch => ({
  requests: parts.reduce((sum, { requests }) => sum + requests, 0),
  registers: Array.from(parts[0]!.registers, (_, place) =>
    String.fromCharCode(Math.max(...parts.map(({ registers }) => registers.charCodeAt(place)))),
  ).join(''),
});

/** How many of the requests were distinct, about. */
export function distinctOf({ requests, registers }: DrawnSketch): number {
  let sum = 0;
  let empty = 0;
  for (let place = 0; place < REGISTERS; place += 1) {
    const rank = registers.charCodeAt(place) - ZERO;
    sum += 2 ** -rank;
    if (rank === 0) empty += 1;
  }
  const raw = (ALPHA * REGISTERS ** 2) / sum;
  const estimate = raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw;
  return Math.min(requests, Math.round(estimate));
}

/** What a task drew in a trial, over all phases. */
export interface DrawnRequests {
  requests: number;
  /** About; see {@link distinctOf}. */
  distinct: number;
}
