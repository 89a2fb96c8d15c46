/**
 * Caches values that were read from documents, until the documents change. Each document has a stamp, a text that differs after every
 * change of the document. A caller first reads the current stamps. Then it reads only the documents that are new or have changed.
 */

export interface Stamped {
  id: string;
  /**
   * Text that differs after every change of the document, even if the document was removed and created again. Its format is unspecified.
   */
  stamp: string;
}

interface Kept<T> {
  stamp: string;
  value: T;
  weight: number;
}

/**
 * Caches values that take long to compute from documents, by id. Each value has a stamp, a text that differs after every change of the
 * documents. A value with an outdated stamp is computed again. If a value is already being computed, further callers wait for the same
 * computation.
 */
export class MadeOnce<T> {
  private readonly made: ReadOnce<T>;
  /** Computations in progress, by id and stamp. */
  private readonly running = new Map<string, Promise<T>>();

  /** `weightOf`: returns the size of a value, in any unit. `most`: maximum total size of all cached values, in the same unit. */
  constructor(most: number, weightOf: (value: T) => number) {
    this.made = new ReadOnce(most, weightOf);
  }

  /**
   * Returns the cached value for this id and stamp. If it is not cached, computes it with `make`. Rejects with the errors of `make`; the
   * next call then computes the value again.
   */
  async of(asked: Stamped, make: () => Promise<T>): Promise<T> {
    const key = `${asked.stamp} ${asked.id}`;
    const read = async (): Promise<Map<string, T>> => {
      const begun = this.running.get(key) ?? make();
      this.running.set(key, begun);
      try {
        return new Map([[asked.id, await begun]]);
      } finally {
        this.running.delete(key);
      }
    };
    return (await this.made.of([asked], read)).get(asked.id)!;
  }
}

/**
 * Caches values by id. Each value has a stamp, a text that differs after every change of the document. A value is only returned to a caller
 * that passes the current stamp. Callers read stamps with their own privileges. Therefore, they never get a value that is outdated, or that
 * they may not see.
 */
export class ReadOnce<T> {
  /** Cached values. The value that was used last is at the end. */
  private readonly kept = new Map<string, Kept<T>>();
  private weight = 0;

  /** `weightOf`: returns the size of a value, in any unit. `most`: maximum total size of all cached values, in the same unit. */
  constructor(
    private readonly most: number,
    private readonly weightOf: (value: T) => number,
  ) {}

  /**
   * Returns values by id, in the order of `asked`. Rejects with the errors of `read`.
   * `read` gets the ids of the values that are not cached or have changed, and returns these values. Ids that no longer exist must be
   * missing in its result. If all values are cached, `read` is not called.
   */
  async of(
    asked: readonly Stamped[],
    read: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<Map<string, T>> {
    const known = new Map<string, T>();
    for (const { id, stamp } of asked) {
      const found = this.kept.get(id);
      if (found?.stamp !== stamp) continue;
      known.set(id, found.value);
      this.kept.delete(id);
      this.kept.set(id, found);
    }
    if (known.size === asked.length) return known;
    const missing = asked.filter(({ id }) => !known.has(id));
    const fresh = await read(missing.map(({ id }) => id));
    const ids = new Set(asked.map(({ id }) => id));
    for (const { id, stamp } of missing) if (fresh.has(id)) this.keep(id, stamp, fresh.get(id)!, ids);
    const all = new Map<string, T>();
    for (const { id } of asked) {
      const value = known.has(id) ? known.get(id) : fresh.get(id);
      if (value !== undefined) all.set(id, value);
    }
    return all;
  }

  /**
   * Caches a value. If the cache is full, the least recently used values are removed first, but none of `together` (the ids of the current
   * request). If there is still no space, the value is not cached. Otherwise, a large request would remove its own values from the cache.
   */
  private keep(id: string, stamp: string, value: T, together: ReadonlySet<string>): void {
    this.forget(id);
    const weight = this.weightOf(value);
    if (weight > this.most) return;
    for (const oldest of this.kept.keys()) {
      if (this.weight + weight <= this.most || together.has(oldest)) break;
      this.forget(oldest);
    }
    if (this.weight + weight > this.most) return;
    this.kept.set(id, { stamp, value, weight });
    this.weight += weight;
  }

  private forget(id: string): void {
    this.weight -= this.kept.get(id)?.weight ?? 0;
    this.kept.delete(id);
  }
}
