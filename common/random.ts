/**
 * Random numbers from a seed. With the same seed, generated documents, the order of trials and the results of bootstrapping are the same on
 * every machine.
 *
 * Dyno uses no package for this, because a new version of a package could change the documents of an existing experiment.
 */

/** A stream of pseudo-random numbers. It must not be used for secrets. */
export interface Random {
  /** Returns the next unsigned 32-bit integer. */
  next(): number;
  /** Returns an integer in [0, bound), with a bias below 2^-32 * bound. */
  below(bound: number): number;
  /** Returns a float in [0, 1). */
  unit(): number;
}

/** Returns a stream from sfc32 (Chris Doty-Humphrey, PractRand), seeded by splitmix32. `seed`: any 32-bit integer. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const split = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return (z ^ (z >>> 15)) | 0;
  };
  let a = split();
  let b = split();
  let c = split();
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i += 1) next();
  return {
    next,
    below: (bound) => Math.floor((next() * bound) / 4294967296),
    unit: () => next() / 4294967296,
  };
}

/** Returns a 32-bit seed that is derived from another seed and names (FNV-1a). Different names give independent streams. */
export function deriveSeed(seed: number, ...parts: (string | number)[]): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  }
  return hash >>> 0;
}

/** Scatters 32-bit numbers without collisions: the finalizer of MurmurHash3 (Appleby). */
export function mix(word: number): number {
  let bits = word ^ (word >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Returns a new array in random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
