/** A set of hashes with a limited size. It needs about 16 bytes for each member, and never has more members than its limit. */

export class NumberSet {
  private table = new Float64Array(1024);
  size = 0;

  /** `most`: maximum number of members. */
  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.size >= this.most;
  }

  /** Adds a number other than 0. If the set is full, adds nothing. Returns whether the set already contained the number. */
  add(value: number): boolean {
    const place = this.placeOf(value);
    if (this.table[place] === value) return true;
    if (this.isFull) return false;
    this.table[place] = value;
    this.size += 1;
    if (2 * this.size > this.table.length) this.grow();
    return false;
  }

  /** Returns the slot of the table that contains the value, or the free slot into which it must be inserted. */
  private placeOf(value: number): number {
    const last = this.table.length - 1;
    let place = (value ^ Math.imul(Math.floor(value / 4294967296), 0x9e3779b1)) & last;
    while (this.table[place] !== 0 && this.table[place] !== value) place = (place + 1) & last;
    return place;
  }

  private grow(): void {
    const members = this.table.filter((value) => value !== 0);
    this.table = new Float64Array(2 * this.table.length);
    for (const value of members) this.table[this.placeOf(value)] = value;
  }
}
