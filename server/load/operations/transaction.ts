/** Transactions: all requests of a list, one after the other. One transaction counts as one document. */
import type { TransactionJob } from '../../../common/tasks/transaction';
import { Gaps } from './gaps';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { compileRequests, type CompiledRequest } from './prepared-request';
import { Sequence } from './sequence';

export class TransactionOperation implements Operation {
  readonly exhausted = false;
  readonly parts: readonly CompiledRequest[];
  /** Null where the parts follow each other at once. */
  readonly gaps: Gaps | null;

  constructor(
    job: TransactionJob,
    readonly setting: OperationSetting,
  ) {
    this.parts = compileRequests(job.parts, job.parameters, setting);
    this.gaps = job.gapMs === 0 ? null : new Gaps(setting.clock, setting.pacer, job.gapMs);
  }

  createClient(events: ClientEvents): OperationClient {
    return new TransactionClient(this, events);
  }

  close(): void {
    // Holds nothing open.
  }
}

class TransactionClient implements OperationClient {
  private readonly sequence: Sequence;

  constructor({ parts, setting, gaps }: TransactionOperation, events: ClientEvents) {
    this.sequence = new Sequence(parts, setting, this, events, gaps, false);
  }

  begin(intended: number | null): void {
    this.sequence.begin(intended);
  }

  cut(reason: string): void {
    this.sequence.cut(reason);
  }
}
