/** Versions of the states that this process writes, and what it knows of their runs. */
import type { RunDocument } from '../../common/experiment/run';
import { isOfKind, runIdOf, RUNS, type StoredDocument } from './stored';

export class Versions {
  private last = 0;
  /** By run: the carrier in the state that was saved last. */
  private readonly carriers = new Map<string, RunDocument['run']['carrier']>();
  /** Runs that the results had when this process last wrote to them. */
  private readonly known = new Set<string>();

  /** Later states have higher versions: within this process always, across processes by their clocks. */
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

  /** The document with what {@link LateDocuments} needs to know, should it wait for long. */
  withOrigin(document: StoredDocument): StoredDocument {
    const run = runIdOf(document);
    const by = this.carriers.get(run);
    return { ...document, ...(by ? { by } : {}), ...(this.known.has(run) ? { known: true } : {}) };
  }
}
