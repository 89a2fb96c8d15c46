/**
 * A table that counts the most frequent keys, with a maximum number of rows. If the table is full, it removes the half of its rows with the
 * lowest counts.
 */

export interface Counted {
  count: number;
}

export class TopTable<Row extends Counted> {
  private readonly rows = new Map<string, Row>();

  /**
   * `most`: maximum number of rows. `create`: creates a row with a count of 0. `giveUp`: called with each row that is removed. If the key
   * of a removed row occurs again, it gets a new row.
   */
  constructor(
    private readonly most: number,
    private readonly create: () => Row,
    private readonly giveUp: (row: Row) => void = () => undefined,
  ) {}

  get size(): number {
    return this.rows.size;
  }

  /** Counts a key once, and returns its row. */
  count(key: string): Row {
    let row = this.rows.get(key);
    if (row === undefined) {
      if (this.rows.size >= this.most) this.halve();
      row = this.create();
      this.rows.set(key, row);
    }
    row.count += 1;
    return row;
  }

  /** Returns the rows with their keys, the most frequent first. */
  sorted(): [key: string, row: Row][] {
    return [...this.rows].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1));
  }

  private halve(): void {
    for (const [key, row] of this.sorted().slice(Math.floor(this.most / 2))) {
      this.rows.delete(key);
      this.giveUp(row);
    }
  }
}
