/**
 * Creates documents from a template, and copies only few bytes for each.
 *
 * A template consists of *parts*, such as fixed texts and random choices between texts. A *draw* is the random number behind a choice.
 * Parts with the same draw always make the same choice.
 *
 * The parts are divided into groups (see `template-groups`). Each group has a table of prepared rows of bytes, one for each combination of
 * its choices. For each document, a random number selects a row, and the row is copied. A row may contain *holes*: places for short texts
 * of equal length, which are copied from further tables.
 *
 * One random number replaces several draws: a number from 0 to 11, for example, is equivalent to independent draws from 3 and from 4
 * choices. The distributions therefore stay the same.
 */
import type { Random } from '../../../common/random';
import type { Batch } from './batch';
import { HoleTable, type Hole } from './hole-table';
import type { Draw, Part, TimeFormat, Write } from '../../../common/generators/template';
import { groupParts, type Group } from './template-groups';
import { encodeTime, TIME_LENGTH } from './time-text';
import { UUID_PLACEHOLDER, UuidWriter } from './uuid-text';

/**
 * One group of template parts, prepared for rendering: rows of bytes to copy, and how the random numbers select a row and fill its holes.
 */
interface Step {
  rows: Uint8Array[];
  /** Whether one uniform random number in [0, own) selects the row. */
  plain: boolean;
  /**
   * Number of combinations of those random choices that only this group of the template makes: at least 1. One random number makes all
   * these choices.
   */
  own: number;
  /**
   * Alias table (Walker) for a random choice whose values are not equally likely. Such a choice never shares its group with another random
   * choice. Null if all values are equally likely.
   */
  wheel: Uint16Array | null;
  /**
   * The random choices that this group of the template has in common with other groups. `place`: position of the choice in {@link
   * CompiledTemplate.numbers}. `stride`: distance in `rows` between two successive values of the choice.
   */
  shared: { place: number; stride: number }[];
  holes: HoleTable[];
  /** Number of UUIDs in each row. */
  uuids: number;
  /** Offsets at which UUIDs are written into a row: `uuids` offsets for each row, one row after the other. */
  uuidStarts: Int32Array;
  write: Write | null;
}

export class CompiledTemplate {
  /** Maximum length of a document, in bytes. */
  readonly longest: number;
  private readonly steps: Step[];
  private readonly times: { row: Uint8Array; at: number; format: TimeFormat }[] = [];
  private readonly sharedDraws: Draw[];
  /**
   * Random numbers of the current document for the choices that several groups of the template have in common: one number for each choice.
   */
  private readonly numbers: Int32Array;
  private readonly uuids: UuidWriter;
  private time = Number.NaN;

  /** `random`: the same random numbers give the same documents, apart from their time. */
  constructor(
    parts: readonly Part[],
    private readonly random: Random,
  ) {
    const groups = groupParts(parts);
    this.sharedDraws = drawsOfSeveral(groups);
    this.numbers = new Int32Array(this.sharedDraws.length);
    this.uuids = new UuidWriter(random);
    this.steps = groups.map((group) => this.compile(group));
    this.longest = groups.reduce(
      (sum, { longest }, place) =>
        sum + longest + this.steps[place]!.rows.reduce((most, { length }) => Math.max(most, length), 0),
      0,
    );
  }

  /** Sets the time of the documents that follow, in ms since the epoch. */
  setTime(now: number): void {
    if (now === this.time) return;
    this.time = now;
    for (const { row, at, format } of this.times) encodeTime(format, now, row, at);
  }

  /** Appends one document to `batch`. */
  render(batch: Batch): void {
    batch.reserve(this.longest);
    batch.begin();
    const { steps, sharedDraws, numbers, random } = this;
    const out = batch.bytes;
    for (let i = 0; i < sharedDraws.length; i += 1) {
      const { wheel, size } = sharedDraws[i]!;
      numbers[i] = wheel === undefined ? random.below(size) : wheel[random.next() >>> 16]!;
    }
    let at = batch.length;
    for (let i = 0; i < steps.length; i += 1) {
      const step = steps[i]!;
      const index = step.plain ? random.below(step.own) : this.rowOf(step);
      const row = step.rows[index]!;
      const start = at;
      out.set(row, start);
      at += row.length;
      for (let k = 0; k < step.holes.length; k += 1) step.holes[k]!.fill(out, start, index, random, numbers);
      for (let k = 0; k < step.uuids; k += 1) {
        this.uuids.write(batch.view, start + step.uuidStarts[index * step.uuids + k]!);
      }
      if (step.write !== null) at = step.write(random, out, at);
    }
    batch.length = at;
  }

  private rowOf({ own, wheel, shared }: Step): number {
    let index = 0;
    if (wheel !== null) index = wheel[this.random.next() >>> 16]!;
    else if (own > 1) index = this.random.below(own);
    for (let k = 0; k < shared.length; k += 1) index += this.numbers[shared[k]!.place]! * shared[k]!.stride;
    return index;
  }

  private compile({ pieces, draws, time, write }: Group): Step {
    const shared = draws.filter((draw) => this.sharedDraws.includes(draw));
    const own = draws.filter((draw) => !shared.includes(draw));
    // The choices of this group alone vary fastest, so that one number in [0, own) selects a combination of all of them.
    const strides = new Map<Draw, number>();
    let count = 1;
    for (const draw of [...own, ...shared]) {
      strides.set(draw, count);
      count *= draw.size;
    }
    const encoded: Buffer[] = [];
    const uuidStarts: number[] = [];
    const holes = pieces
      .filter((piece) => piece.kind === 'hole')
      .map((piece): Hole => ({ ...piece, starts: [] }));
    for (let index = 0; index < count; index += 1) {
      let row = '';
      let hole = 0;
      for (const piece of pieces) {
        if (piece.kind === 'text') row += piece.text;
        else if (piece.kind === 'choice') {
          row += piece.texts[Math.floor(index / strides.get(piece.draw)!) % piece.draw.size]!;
        } else if (piece.kind === 'uuid') {
          uuidStarts.push(Buffer.byteLength(row));
          row += UUID_PLACEHOLDER;
        } else {
          holes[hole]!.starts.push(Buffer.byteLength(row));
          hole += 1;
          row += piece.texts[0]!;
        }
      }
      encoded.push(Buffer.from(row, 'utf8'));
    }
    const rows = sideBySide(encoded);
    if (time !== null)
      this.times.push({ row: rows[0]!, at: rows[0]!.length - TIME_LENGTH[time], format: time });
    const wheel = own[0]?.wheel ?? null;
    return {
      rows,
      plain: shared.length === 0 && own.length > 0 && wheel === null,
      own: own.reduce((product, { size }) => product * size, 1),
      wheel,
      shared: shared.map((draw) => ({ place: this.sharedDraws.indexOf(draw), stride: strides.get(draw)! })),
      holes: HoleTable.fuse(holes, this.sharedDraws),
      uuids: uuidStarts.length / count,
      uuidStarts: Int32Array.from(uuidStarts),
      write,
    };
  }
}

/**
 * Returns the random choices that several groups of the template have in common. They are made once per document, before the document is
 * rendered.
 */
function drawsOfSeveral(groups: readonly Group[]): Draw[] {
  const uses = new Map<Draw, number>();
  for (const { draws, pieces } of groups) {
    const holes = pieces.filter((piece) => piece.kind === 'hole').map(({ draw }) => draw);
    for (const draw of new Set([...draws, ...holes])) uses.set(draw, (uses.get(draw) ?? 0) + 1);
  }
  return [...uses].filter(([, count]) => count > 1).map(([draw]) => draw);
}

/** Copies the rows into one block of memory, so that adjacent rows share cache lines. */
function sideBySide(rows: readonly Buffer[]): Uint8Array[] {
  const memory = Buffer.allocUnsafeSlow(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  return rows.map((row) => {
    memory.set(row, at);
    at += row.length;
    return new Uint8Array(memory.buffer, at - row.length, row.length);
  });
}
