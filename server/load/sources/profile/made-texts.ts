/** How texts are written: those that come again by their numbers, and those that each document has for itself. */
import { exactText, isExactNumber, stringifyExact } from '../../../../common/json/exact';
import type { ProfiledDraw } from '../../../../common/generators/profile/profile';
import { TIME_FORMS } from '../../../../common/generators/profile/times';
import { BEYOND, copyWords, Rows, type Target } from './bytes';
import {
  type ChainText,
  longestOwn,
  MOST_REFERRED,
  piecesOf,
  fillHole,
  HOLE,
  walkOfLength,
  type Piece,
} from './chain-text';
import type { FieldValue, Maker, Part, Surroundings } from './field-value';
import { encodedOf, toldRows, TRIES } from './made-rows';
import { ClockTime } from './made-times';
import { LONGEST_TIME, writeTime } from './time-writer';

/** Numbers of one piece. */
const WIDTH = 8;
/** Behind a piece: the next one, or the end. */
const NOTHING = -1;

/** Texts by their numbers: a row of pieces each, of which rare ones come again with other letters. */
export class TextMaker implements Maker {
  readonly longest: number;
  readonly whole: Rows;
  private readonly heads: number;
  private readonly count: number;
  /** By row, its first piece. */
  private readonly first: Int32Array;
  /**
   * Of each piece, side by side: where its bytes begin and how many there are; what follows, a value of the document or, beyond those, a form
   * of its time, or NOTHING; and its first hole, and that of the next piece.
   */
  private readonly pieces: Int32Array;
  private readonly holes: Int32Array;
  private readonly references: readonly FieldValue[];
  private readonly firstRow: readonly Piece[];

  constructor(
    profiled: ProfiledDraw,
    text: ChainText,
    private readonly surroundings: Surroundings,
  ) {
    const rows = textRows(profiled, text, surroundings);
    const pieces = rows.flat();
    this.heads = profiled.head.length;
    this.count = rows.length;
    this.first = new Int32Array(rows.length + 1);
    for (const [at, row] of rows.entries()) this.first[at + 1] = this.first[at]! + row.length;
    const { store } = surroundings;
    const places = [...new Set(pieces.flatMap(({ reference }) => (reference < 0 ? [] : [reference])))];
    this.references = places.map((place) => surroundings.valueAt(place));
    const bytes = new Rows(
      store,
      pieces.map(({ bytes }) => bytes),
    );
    this.pieces = new Int32Array(WIDTH * pieces.length);
    let holes = 0;
    for (const [piece, { reference, time, holes: own }] of pieces.entries()) {
      const behind = reference >= 0 ? places.indexOf(reference) : time >= 0 ? places.length + time : NOTHING;
      this.pieces.set(
        [bytes.places[2 * piece]!, bytes.places[2 * piece + 1]!, behind, holes, holes + HOLE * own.length],
        WIDTH * piece,
      );
      holes += HOLE * own.length;
    }
    this.holes = new Int32Array(holes);
    let at = 0;
    for (const { holes: own } of pieces)
      for (const hole of own) {
        this.holes.set(hole.packed, at);
        at += HOLE;
      }
    this.longest = rows.reduce((most, row) => Math.max(most, this.lengthOf(row)), 0);
    this.firstRow = rows[0] ?? [];
    this.whole = new Rows(
      surroundings.store,
      rows.map((row) => (row.every(({ reference, time }) => reference < 0 && time < 0) ? joined(row) : null)),
    );
  }

  partsOfFirst(): Part[] {
    const { clock, valueAt } = this.surroundings;
    return this.firstRow.flatMap(({ bytes, reference, time }): Part[] =>
      reference >= 0
        ? [bytes, valueAt(reference)]
        : time >= 0
          ? [bytes, new ClockTime(time, clock)]
          : [bytes],
    );
  }

  write(id: number, out: Target, from: number): number {
    const { heads, count, first, pieces, holes, references } = this;
    const { store, clock } = this.surroundings;
    const inRows = id < count;
    const row = inRows ? id : heads + ((id - heads) % (count - heads));
    const end = WIDTH * first[row + 1]!;
    let at = from;
    for (let piece = WIDTH * first[row]!; piece < end; piece += WIDTH) {
      const length = pieces[piece + 1]!;
      copyWords(store.view, pieces[piece]!, out.view, at, length);
      if (!inRows) {
        const last = pieces[piece + 4]!;
        for (let hole = pieces[piece + 3]!; hole < last; hole += HOLE)
          fillHole(holes, hole, out.bytes, at, id);
      }
      at += length;
      const behind = pieces[piece + 2]!;
      if (behind === NOTHING) continue;
      at =
        behind < references.length
          ? references[behind]!.write(out, at)
          : writeTime(behind - references.length, clock.ms, out, at);
    }
    return at;
  }

  private lengthOf(row: readonly Piece[]): number {
    return row.reduce(
      (sum, { bytes, reference, time }) =>
        sum +
        bytes.length +
        (reference >= 0 ? this.surroundings.valueAt(reference).longest : time >= 0 ? LONGEST_TIME : 0),
      0,
    );
  }
}

const joined = (row: readonly Piece[]): Uint8Array => Buffer.concat(row.map(({ bytes }) => bytes));

/** Different ones: the frequent texts, those that several documents have, and rare ones. */
function textRows(profiled: ProfiledDraw, text: ChainText, { dice }: Surroundings): Piece[][] {
  const rows: Piece[][] = [];
  const taken = new Set<string>();
  const add = (walk: () => ReturnType<ChainText['walk']>, isWalked: boolean): void => {
    let row: Piece[] = [];
    for (let tried = 0; tried < TRIES; tried += 1) {
      // A chain that has no more texts gets other letters.
      row = piecesOf(text, walk(), dice, tried > TRIES / 2);
      if (tried > TRIES / 2)
        for (const { holes, bytes } of row) {
          const number = dice.next();
          for (const hole of holes) hole.fill(bytes, 0, number);
        }
      const key = row
        .map(({ bytes, reference, time }) => `${Buffer.from(bytes).toString('latin1')}${reference} ${time}`)
        .join();
      if (!taken.has(key)) {
        taken.add(key);
        break;
      }
      if (tried < TRIES - 1) text.takeBack();
    }
    text.keep(row.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n'), isWalked);
    rows.push(row);
  };
  for (const [at, [length, , words]] of profiled.head.entries()) {
    const kept = profiled.kept?.[at];
    if (kept === undefined)
      add(() => words?.map((word) => text.symbols[word - 1]!) ?? walkOfLength(text, length, dice), false);
    else rows.push([plainPiece(innerOf(kept))]);
  }
  let place = 0;
  for (const isTold of toldRows(profiled)) {
    const words = isTold === 1 ? profiled.told![place] : undefined;
    if (words === undefined) {
      text.begin();
      add(() => text.walk(dice), true);
    } else {
      place += 1;
      add(() => words.map((word) => text.symbols[word - 1]!), false);
    }
  }
  return rows;
}

/** What is between the quotes of a value that is kept. */
const innerOf = (kept: string | number): string =>
  isExactNumber(kept) || typeof kept === 'number' ? exactText(kept) : stringifyExact(kept).slice(1, -1);

const plainPiece = (text: string): Piece => ({
  bytes: encodedOf(text),
  holes: [],
  reference: -1,
  time: -1,
});

/** A text of its own in each document. */
export class OwnText implements FieldValue {
  drawnFor = -1;
  readonly longest: number;
  private readonly own: Target;
  private length = 0;

  constructor(
    private readonly text: ChainText,
    private readonly surroundings: Surroundings,
  ) {
    const referred = text.symbols.reduce(
      (most, { kind, size }) =>
        kind === 'r'
          ? Math.max(most, surroundings.valueAt(size).longest)
          : kind === 't'
            ? Math.max(most, LONGEST_TIME)
            : most,
      0,
    );
    this.longest = Math.min(4_000_000, longestOwn(text) + MOST_REFERRED * referred) + referred + 64;
    const bytes = new Uint8Array(this.longest + text.longestWord + BEYOND);
    this.own = { bytes, view: new DataView(bytes.buffer) };
    this.limit = this.longest - referred;
  }

  private readonly limit: number;
  private readonly refer = ({ kind, size }: ChainText['symbols'][number], at: number): number => {
    if (at > this.limit) return at;
    const { valueAt, clock } = this.surroundings;
    return kind === 'r'
      ? valueAt(size).write(this.own, at)
      : writeTime(size % TIME_FORMS.length, clock.ms, this.own, at);
  };

  draw(document: number): void {
    this.drawnFor = document;
    const end = this.text.write(this.surroundings.dice, this.own, 0, this.refer);
    this.length = Math.min(end, this.longest);
  }

  keep(document: number): void {
    this.draw(document);
  }

  write(out: Target, at: number): number {
    copyWords(this.own.view, 0, out.view, at, this.length);
    return at + this.length;
  }
}
