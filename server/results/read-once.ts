/** What was read of documents, for as long as they do not change: a list of many asks what stands there, and reads what is new. */

export interface Stamped {
  id: string;
  /** Opaque; another one once the document has changed, or was removed and made again. */
  stamp: string;
}

interface Kept<T> {
  stamp: string;
  value: T;
  weight: number;
}

/** What was made of documents, which takes long: whoever asks while it is being made waits for it. */
export class MadeOnce<T> {
  private readonly made: ReadOnce<T>;
  /** By id and stamp. */
  private readonly going = new Map<string, Promise<T>>();

  /** As {@link ReadOnce}. */
  constructor(most: number, weightOf: (value: T) => number) {
    this.made = new ReadOnce(most, weightOf);
  }

  /** What was made of documents that are as the stamp says, or else what `make` makes. Rejects as it does, and asks again the next time. */
  async of(asked: Stamped, make: () => Promise<T>): Promise<T> {
    const key = `${asked.stamp} ${asked.id}`;
    const read = async (): Promise<Map<string, T>> => {
      const begun = this.going.get(key) ?? make();
      this.going.set(key, begun);
      try {
        return new Map([[asked.id, await begun]]);
      } finally {
        this.going.delete(key);
      }
    };
    return (await this.made.of([asked], read)).get(asked.id)!;
  }
}

/**
 * Whoever asks brings the stamps, read a moment ago with their own rights: what others have changed, removed or may alone see
 * is never told from here.
 */
export class ReadOnce<T> {
  /** The one that was asked for last is the last. */
  private readonly kept = new Map<string, Kept<T>>();
  private weight = 0;

  /** `most`: of all that is kept together, in the unit of `weightOf`. */
  constructor(
    private readonly most: number,
    private readonly weightOf: (value: T) => number,
  ) {}

  /**
   * By id, in the order of `asked`. `read` gets the ids of those that changed or were never read, and leaves out those that
   * are gone meanwhile; it is not called where there are none. Rejects as it does.
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

  /** Others make room for it, but none of `together`: a list that does not fit would displace itself, and be read whole each time. */
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
