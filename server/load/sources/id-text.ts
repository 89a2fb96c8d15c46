/**
 * Generates ids of documents from the number of the document in its load thread, without a list of ids. Two load threads of a trial never
 * generate the same id.
 */
import { deriveSeed, mix } from '../../../common/random';

/**
 * Values from which ids are generated: the number of the task in the load, the number of the load thread, and a seed. The seed is the same
 * in all threads of a trial.
 */
export interface IdPlace {
  task: number;
  share: number;
  seed: number;
}

export interface IdText {
  /** Maximum length of an id, in bytes. */
  readonly longest: number;
  /** Writes the id of document `number` at the offset `at`. Returns the offset after the id. */
  write(number: number, out: Uint8Array, at: number): number;
}

const ZERO = 48;
const DIGITS = 12;
const HEX = Buffer.from('0123456789abcdef');
const WORD = 2 ** 32;

/**
 * Ids such as `0-3-000000000042`: number of the task, of the load thread, and of the document. The last number has a fixed number of
 * digits, as in Rally.
 */
export class SequentialIds implements IdText {
  readonly longest: number;
  private readonly prefix: Buffer;

  constructor({ task, share }: IdPlace) {
    this.prefix = Buffer.from(`${task}-${share}-`);
    this.longest = this.prefix.length + DIGITS;
  }

  write(number: number, out: Uint8Array, at: number): number {
    const { prefix } = this;
    out.set(prefix, at);
    const end = at + prefix.length + DIGITS;
    let rest = number;
    for (let place = end - 1; place >= at + prefix.length; place -= 1) {
      const next = Math.floor(rest / 10);
      out[place] = ZERO + rest - next * 10;
      rest = next;
    }
    return end;
  }
}

/** Number of rounds of the Feistel network below. With four rounds, each bit of the number affects each bit of the id. */
const ROUNDS = 4;

/**
 * Ids of 16 hexadecimal digits in random order. They are made from the numbers of the task, the load thread and the document, which are
 * packed into 64 bits. A Feistel network (Luby and Rackoff 1988) then permutes the bits. Such a network never maps two numbers to the same
 * id, whatever the round function is.
 */
export class RandomIds implements IdText {
  readonly longest = 16;
  private readonly owner: number;
  private readonly keys: Uint32Array;

  constructor({ task, share, seed }: IdPlace) {
    // The upper half has 8 bits of the task, 16 bits of the load thread, and the upper 8 of the number's 40 bits.
    this.owner = ((task << 24) | (share << 8)) >>> 0;
    this.keys = Uint32Array.from({ length: ROUNDS }, (_, round) => deriveSeed(seed, round));
  }

  write(number: number, out: Uint8Array, at: number): number {
    let left = (this.owner | Math.floor(number / WORD)) >>> 0;
    let right = number >>> 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const mixed = (left ^ mix(right ^ this.keys[round]!)) >>> 0;
      left = right;
      right = mixed;
    }
    writeHex(left, out, at);
    writeHex(right, out, at + 8);
    return at + 16;
  }
}

function writeHex(word: number, out: Uint8Array, at: number): void {
  for (let digit = 0; digit < 8; digit += 1) out[at + digit] = HEX[(word >>> (28 - digit * 4)) & 15]!;
}
