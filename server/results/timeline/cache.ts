/** Caches values read from runs that have ended and do not change any more: the most recently used ones, up to a limit. */
export class TimelineCache<Value> {
  private readonly kept = new Map<string, { value: Value; weight: number }>();
  private weight = 0;

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    const found = this.kept.get(key);
    if (found === undefined) return undefined;
    // A map keeps the order in which its keys were set, so the least recently used key is the first.
    this.kept.delete(key);
    this.kept.set(key, found);
    return found.value;
  }

  /** Caches a value. `weight` counts against the limit; a value that exceeds it alone is not cached. */
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
