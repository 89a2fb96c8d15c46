/** Determines whether a document is in an index under test, by the index names in the items of bulk responses. */
import type { Destination } from '../../../common/elasticsearch/destination';

/**
 * End of the name of an index of a data stream or a rollover alias. It follows the name of the data stream or alias, and is a date, a
 * number or both: `-2026.11.26`, `-000001` or `-2026.11.26-000001`.
 */
const NUMBERED = /^(?:-\d{4}\.\d{2}\.\d{2})?(?:-\d+)?$/;

export class OwnIndices {
  private readonly names: readonly Buffer[];
  /** Position in `names` of the name that was found last. It is compared first, because most items of a response have the same index. */
  private last = 0;

  constructor(private readonly destination: Pick<Destination, 'names' | 'series'>) {
    this.names = destination.names.map((name) => Buffer.from(name));
  }

  /** Returns whether the name at `[from, until)` is one of the indices under test. */
  has(bytes: Buffer, from: number, until: number): boolean {
    const { names } = this;
    for (let tried = 0; tried < names.length; tried += 1) {
      const at = (this.last + tried) % names.length;
      if (!isAt(bytes, from, until, names[at]!)) continue;
      this.last = at;
      return true;
    }
    const { series } = this.destination;
    if (series.length === 0) return false;
    const name = bytes.toString('utf8', from, until);
    return series.some((start) => name.startsWith(start) && NUMBERED.test(name.slice(start.length)));
  }
}

function isAt(bytes: Buffer, from: number, until: number, name: Buffer): boolean {
  if (until - from !== name.length) return false;
  for (let i = 0; i < name.length; i += 1) if (bytes[from + i] !== name[i]) return false;
  return true;
}
