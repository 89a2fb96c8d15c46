/** Assigns versions to the states that this process writes, and remembers facts about their runs. */
import type { RunDocument } from '../../common/experiment/run';
import { isOfKind, runIdOf, RUNS, type StoredDocument } from './stored';

export class Versions {
  private last = 0;
  /** Carrier of each run in its last saved state. */
  private readonly carriers = new Map<string, RunDocument['run']['carrier']>();
  /** Runs that the results contained when this process last wrote to them. */
  private readonly known = new Set<string>();

  /**
   * Returns the next version. Later states have higher versions: within this process always, between processes as far as their clocks
   * agree.
   */
  next(): number {
    this.last = Math.max(Date.now(), this.last + 1);
    return this.last;
  }

  /** Makes the next version higher than that of a host whose clock is ahead. */
  raise(version: number): void {
    this.last = Math.max(this.last, version);
  }

  noteCarrier({ run }: RunDocument): void {
    this.carriers.set(run.id, run.carrier);
  }

  noteStored(document: StoredDocument): void {
    if (isOfKind(document, RUNS)) this.known.add(runIdOf(document));
  }

  /** Adds to the document what {@link LateDocuments} needs if the document waits for long. */
  withOrigin(document: StoredDocument): StoredDocument {
    const run = runIdOf(document);
    const by = this.carriers.get(run);
    return { ...document, ...(by ? { by } : {}), ...(this.known.has(run) ? { known: true } : {}) };
  }
}
