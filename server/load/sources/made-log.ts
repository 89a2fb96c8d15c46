/** An endless log that is generated while it is read. */
import { Readable } from 'node:stream';
import type { Part } from '../../../common/generators/template';
import type { Random } from '../../../common/random';
import { Batch } from './batch';
import { CompiledTemplate } from './compiled-template';

/** Appends one line, with its line feed, to the batch. */
export type WriteLine = (batch: Batch) => void;

/**
 * Returns a function that writes lines. If there are several kinds of lines, it writes one of each kind in turn. The same random numbers
 * give the same lines.
 */
export function lineWriter(lines: readonly (readonly Part[])[], random: Random): WriteLine {
  const kinds = lines.map((parts) => new CompiledTemplate(parts, random));
  let turn = 0;
  return (batch) => {
    kinds[turn]!.render(batch);
    turn = (turn + 1) % kinds.length;
  };
}

/** Number of bytes that are generated in one turn of the event loop: about 20 lines, which takes less than 0.1 ms. */
const CHUNK_BYTES = 16 * 1024;

export class MadeLog extends Readable {
  private readonly batch = new Batch();

  constructor(private readonly writeLine: WriteLine) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _read(): void {
    // Each chunk has a separate turn of the event loop, so that reading ahead does not delay requests.
    setImmediate(() => {
      if (this.destroyed) return;
      const { batch } = this;
      batch.clear();
      while (batch.length < CHUNK_BYTES) this.writeLine(batch);
      this.push(Buffer.from(batch.body()));
    });
  }
}
