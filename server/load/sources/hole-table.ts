/**
 * Fills the holes in a copied row of a template. A hole is a position at which a short text of fixed length is inserted, such as a digit.
 * The table contains the bytes of all combinations of the texts.
 */
import type { Random } from '../../../common/random';
import type { Draw } from '../../../common/generators/template';

/** A position in the rows of a template at which one of several short texts is written. */
export interface Hole {
  /** The random choice that decides which text is written. */
  draw: Draw;
  /** The texts that can be written into the hole. All have the same length. */
  texts: readonly string[];
  /** Offset of the hole in each row. */
  starts: number[];
}

/** Maximum number of combinations in a table. The table then fits into the first-level cache. */
const MOST_COMBINATIONS = 512;

export class HoleTable {
  private readonly combinations: number;
  /**
   * Index in the `numbers` of {@link fill} of the number that selects a combination, if other parts of the document depend on the same
   * random choice. Otherwise -1; `fill` then draws a number.
   */
  private readonly place: number;
  /** Number of bytes of one combination. */
  private readonly width: number;
  /** The bytes of all combinations, one after the other. */
  private readonly bytes: Uint8Array;
  /** Offsets at which the bytes of a combination are written into a row. The list contains `width` offsets for each row. */
  private readonly targets: Int32Array;

  private constructor(holes: readonly Hole[], draws: readonly Draw[], place: number) {
    this.place = place;
    this.combinations = draws.reduce((product, { size }) => product * size, 1);
    const widths = holes.map(({ texts }) => Buffer.byteLength(texts[0]!));
    this.width = widths.reduce((sum, width) => sum + width, 0);
    const rows = holes[0]!.starts.length;
    this.targets = Int32Array.from(
      Array.from({ length: rows }, (_, row) =>
        holes.flatMap(({ starts }, hole) =>
          Array.from({ length: widths[hole]! }, (__, byte) => starts[row]! + byte),
        ),
      ).flat(),
    );
    this.bytes = Buffer.from(
      Array.from({ length: this.combinations }, (_, combination) => {
        let rest = combination;
        const numbers = new Map<Draw, number>();
        for (const draw of draws) {
          numbers.set(draw, rest % draw.size);
          rest = Math.floor(rest / draw.size);
        }
        return holes.map(({ draw, texts }) => texts[numbers.get(draw)!]!).join('');
      }).join(''),
    );
  }

  /**
   * Distributes the holes over as few tables as possible. `shared`: random choices that other parts of the template use too. Each of them
   * has its own table.
   */
  static fuse(holes: readonly Hole[], shared: readonly Draw[]): HoleTable[] {
    const tables: HoleTable[] = [];
    const draws = [...new Set(holes.map(({ draw }) => draw))];
    const make = (of: readonly Draw[], place: number): void => {
      if (of.length === 0) return;
      tables.push(
        new HoleTable(
          holes.filter(({ draw }) => of.includes(draw)),
          of,
          place,
        ),
      );
    };
    let open: Draw[] = [];
    let combinations = 1;
    for (const draw of draws) {
      const place = shared.indexOf(draw);
      if (place >= 0) {
        make([draw], place);
        continue;
      }
      if (combinations * draw.size > MOST_COMBINATIONS) {
        make(open, -1);
        open = [];
        combinations = 1;
      }
      open.push(draw);
      combinations *= draw.size;
    }
    make(open, -1);
    return tables;
  }

  /** Fills this table's holes in a copy of row `row`, which begins at `start` in `out`. */
  fill(out: Uint8Array, start: number, row: number, random: Random, numbers: Int32Array): void {
    const { width, bytes, targets, place } = this;
    const from = (place < 0 ? random.below(this.combinations) : numbers[place]!) * width;
    const at = row * width;
    for (let i = 0; i < width; i += 1) out[start + targets[at + i]!] = bytes[from + i]!;
  }
}
