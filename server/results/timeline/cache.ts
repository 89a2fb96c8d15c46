/**
 * Caches values for the charts of ended runs, which no longer change. The least recently used values are removed when the sum of all
 * weights exceeds a limit.
 */
export class TimelineCache<Value> {
  private readonly kept = new Map<string, { value: Value; weight: number }>();
  private weight = 0;

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    const found = this.kept.get(key);
    if (found === undefined) return undefined;
    // A map keeps its keys in the order in which they were set, so the first key is the least recently used one.
    this.kept.delete(key);
    this.kept.set(key, found);
    return found.value;
  }

  /** Caches a value. `weight`: size of the value, in the unit of the limit. A value whose weight exceeds the limit is not cached. */
  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.kept.set(key, { value, weight });
    this.weight += weight;
    for (const [oldest] of this.kept) {
      if (this.weight <= this.most) return;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    this.weight -= this.kept.get(key)?.weight ?? 0;
    this.kept.delete(key);
  }
}
