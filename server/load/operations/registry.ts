/** Which operation carries out which job. */
import type { OperationJob } from '../contract';
import { BulkOperation } from './bulk';
import type { Operation, OperationSetting } from './operation';
import { ReplayOperation } from './replay';
import { SearchOperation } from './search';
import { TransactionOperation } from './transaction';

export function createOperation(job: OperationJob, setting: OperationSetting): Operation {
  switch (job.kind) {
    case 'ingest':
      return new BulkOperation(job, setting);
    case 'search':
      return new SearchOperation(job, setting);
    case 'transaction':
      return new TransactionOperation(job, setting);
    case 'replay':
      return new ReplayOperation(job, setting);
  }
}
