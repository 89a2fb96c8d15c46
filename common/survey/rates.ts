/** Counts events over time in buckets. When the maximum number of buckets is reached, the buckets become wider. */

/** Widths of the buckets in ms. Each is a multiple of the one before it. */
const WIDTHS = [
  1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000,
  43_200_000, 86_400_000,
];

export class Rates {
  private widthMs = WIDTHS[0]!;
  private buckets = new Map<number, number[]>();
  private first = Infinity;
  private last = -Infinity;

  /** `series`: number of counts in each bucket. `most`: maximum number of buckets, including the empty buckets in between. */
  constructor(
    private readonly series: number,
    private readonly most: number,
  ) {}

  /** Counts one request of a series. `ms`: its time. */
  add(series: number, ms: number): void {
    this.first = Math.min(this.first, Math.floor(ms / this.widthMs));
    this.last = Math.max(this.last, Math.floor(ms / this.widthMs));
    while (this.last - this.first >= this.most) this.widen();
    const place = Math.floor(ms / this.widthMs);
    let bucket = this.buckets.get(place);
    if (bucket === undefined) this.buckets.set(place, (bucket = new Array<number>(this.series).fill(0)));
    bucket[series]! += 1;
  }

  /** Returns all buckets from the first to the last one, with their start times in ms. */
  result(): { widthMs: number; buckets: { at: number; counts: number[] }[] } {
    const { widthMs } = this;
    if (this.buckets.size === 0) return { widthMs, buckets: [] };
    const buckets = Array.from({ length: this.last - this.first + 1 }, (_, at) => ({
      at: (this.first + at) * widthMs,
      counts: this.buckets.get(this.first + at) ?? new Array<number>(this.series).fill(0),
    }));
    return { widthMs, buckets };
  }

  private widen(): void {
    const next = WIDTHS.find((width) => width > this.widthMs) ?? 2 * this.widthMs;
    const ratio = next / this.widthMs;
    const wider = new Map<number, number[]>();
    for (const [place, counts] of this.buckets) {
      const own = wider.get(Math.floor(place / ratio));
      if (own === undefined) wider.set(Math.floor(place / ratio), counts);
      else for (const [series, count] of counts.entries()) own[series]! += count;
    }
    this.buckets = wider;
    this.widthMs = next;
    this.first = Math.floor(this.first / ratio);
    this.last = Math.floor(this.last / ratio);
  }
}
