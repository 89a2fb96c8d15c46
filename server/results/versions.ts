/**
 * Assigns versions to the documents that this process writes. Also adds to each document which process executes its run and whether the run
 * was already stored. These two facts are needed if the document waits on disk for long.
 */
import type { RunDocument } from '../../common/experiment/run';
import { isOfKind, runIdOf, RUNS, type StoredDocument } from './stored';

export class Versions {
  private last = 0;
  /** Process that executes each run, by id of the run. It is taken from the run's document that this process saved last. */
  private readonly carriers = new Map<string, RunDocument['run']['carrier']>();
  /** Ids of runs that existed in the results cluster when this process last wrote to them. */
  private readonly known = new Set<string>();

  /**
   * Returns the next version. A later document of this process always has a higher version. Versions of different processes depend on their
   * clocks.
   */
  next(): number {
    this.last = Math.max(Date.now(), this.last + 1);
    return this.last;
  }

  /** Ensures that the next version is higher than `version`, which may come from a host whose clock is ahead. */
  raise(version: number): void {
    this.last = Math.max(this.last, version);
  }

  noteCarrier({ run }: RunDocument): void {
    this.carriers.set(run.id, run.carrier);
  }

  noteStored(document: StoredDocument): void {
    if (isOfKind(document, RUNS)) this.known.add(runIdOf(document));
  }

  /**
   * Adds to the document which process executes the run and whether the run was already stored. {@link LateDocuments} needs both facts if
   * the document waits for a long time.
   */
  withOrigin(document: StoredDocument): StoredDocument {
    const run = runIdOf(document);
    const by = this.carriers.get(run);
    return { ...document, ...(by ? { by } : {}), ...(this.known.has(run) ? { known: true } : {}) };
  }
}
