/** Transactions: all requests of a list are sent one after the other. In the counts of documents, a transaction counts as one document. */
import { DistinctCounter, type DrawnSketch } from '../../../common/measurement/distinct';
import type { TransactionJob } from '../../../common/tasks/transaction';
import { Gaps } from './gaps';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { compileRequests, hashOf, type CompiledRequest, type Value } from './prepared-request';
import { Sequence } from './sequence';

export class TransactionOperation implements Operation {
  readonly exhausted = false;
  readonly parts: readonly CompiledRequest[];
  /** Pause before each request of the transaction; null for no pause. */
  readonly gaps: readonly (Gaps | null)[];
  readonly distinct = new DistinctCounter();
  /** Values of parameters that are drawn for all requests of a transaction. */
  readonly drawn: readonly Value[];

  constructor(
    job: TransactionJob,
    readonly setting: OperationSetting,
  ) {
    this.parts = compileRequests(job.parts, job.parameters, setting);
    this.drawn = [...new Set(this.parts.flatMap(({ drawn }) => drawn))];
    // Pauses of the same length share one queue.
    const byLength = new Map<number, Gaps | null>([[0, null]]);
    this.gaps = job.parts.map(({ gapMs = job.gapMs }) => {
      if (!byLength.has(gapMs)) byLength.set(gapMs, new Gaps(setting.clock, setting.pacer, gapMs));
      return byLength.get(gapMs)!;
    });
  }

  createClient(events: ClientEvents): OperationClient {
    return new TransactionClient(this, events);
  }

  drew(): DrawnSketch {
    return this.distinct.sketch();
  }

  close(): void {
    // Transactions have no source that must be closed.
  }
}

class TransactionClient implements OperationClient {
  private readonly sequence: Sequence;

  constructor(
    private readonly operation: TransactionOperation,
    events: ClientEvents,
  ) {
    const { parts, setting, gaps } = operation;
    this.sequence = new Sequence(parts, setting, this, events, gaps, false);
  }

  begin(intended: number | null): void {
    this.sequence.begin(intended);
    // `this.operation.drawn` contains the values of this transaction, because no other client has drawn values since.
    this.operation.distinct.add(hashOf(0, this.operation.drawn));
  }

  cut(reason: string): void {
    this.sequence.cut(reason);
  }
}
