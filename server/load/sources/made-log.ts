/** A log that is made while it is read: it has no end. */
import { Readable } from 'node:stream';
import type { Part } from '../../../common/generators/template';
import type { Random } from '../../../common/random';
import { Batch } from './batch';
import { CompiledTemplate } from './compiled-template';

/** Appends one line to the batch, its line feed included. */
export type WriteLine = (batch: Batch) => void;

/** Writes one line after the other, for ever, of each kind in turn; the same for the same stream of `random`. */
export function lineWriter(lines: readonly (readonly Part[])[], random: Random): WriteLine {
  const kinds = lines.map((parts) => new CompiledTemplate(parts, random));
  let turn = 0;
  return (batch) => {
    kinds[turn]!.render(batch);
    turn = (turn + 1) % kinds.length;
  };
}

/** Lines for about this many bytes are made in one turn of the event loop: some 20 of them, in less than 0.1 ms. */
const CHUNK_BYTES = 16 * 1024;

export class MadeLog extends Readable {
  private readonly batch = new Batch();

  constructor(private readonly writeLine: WriteLine) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _read(): void {
    // A turn of its own for each: what is read ahead must not keep requests waiting.
    setImmediate(() => {
      if (this.destroyed) return;
      const { batch } = this;
      batch.clear();
      while (batch.length < CHUNK_BYTES) this.writeLine(batch);
      this.push(Buffer.from(batch.body()));
    });
  }
}
