/** Joins the parts of long bodies in a traffic file. A part is a separate line, before the record to which it belongs. */
import type { Losses } from '../../common/traffic/loss';
import type { TrafficRecord } from '../../common/traffic/record';
import type { BodyPart } from './form/lines';

/** Maximum memory, in bytes, for parts of long bodies. A part waits in memory until its record has been read. */
const MOST_BYTES = 512 * 1024 ** 2;

interface Waiting {
  parts: Uint8Array[];
  bytes: number;
  isBroken: boolean;
}

export class BodyParts {
  private readonly waiting = new Map<string, Waiting>();
  private bytes = 0;

  constructor(
    private readonly losses: Losses,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  add({ connection, order, part, body }: BodyPart): void {
    const key = `${connection}/${order}`;
    if (part === 0) this.forget(key);
    const found = this.waiting.get(key) ?? { parts: [], bytes: 0, isBroken: false };
    this.waiting.set(key, found);
    if (part !== found.parts.length) found.isBroken = true;
    if (found.isBroken) return;
    found.parts.push(body);
    found.bytes += body.length;
    this.bytes += body.length;
    if (this.bytes > this.mostBytes) this.forgetOldest();
  }

  /**
   * Returns the record with its complete body: the parts that were read before the record, followed by the body in the record. `count`:
   * number of these parts. Returns null and counts a loss if a part is missing.
   */
  complete(record: TrafficRecord, count: number): TrafficRecord | null {
    const key = `${record.connection}/${record.order}`;
    const found = this.forget(key);
    if (count === 0) return record;
    if (found === undefined || found.isBroken || found.parts.length !== count) {
      this.losses.add('incomplete-body', 1, `${record.method} ${record.path}`);
      return null;
    }
    return { ...record, body: Buffer.concat([...found.parts, record.body ?? new Uint8Array()]) };
  }

  private forget(key: string): Waiting | undefined {
    const found = this.waiting.get(key);
    this.waiting.delete(key);
    this.bytes -= found?.bytes ?? 0;
    return found;
  }

  /** Frees memory: removes all parts of the record that has waited longest. This record will be incomplete. */
  private forgetOldest(): void {
    for (const found of this.waiting.values()) {
      if (found.bytes === 0) continue;
      this.bytes -= found.bytes;
      Object.assign(found, { parts: [], bytes: 0, isBroken: true });
      return;
    }
  }
}
