/** Which operation carries out which job. */
import type { TaskJob } from '../contract';
import { BulkOperation } from './bulk';
import type { Operation, OperationSetting } from './operation';
import { ReplayOperation } from './replay';
import { SearchOperation } from './search';

export function createOperation(job: TaskJob['operation'], setting: OperationSetting): Operation {
  switch (job.kind) {
    case 'ingest':
      return new BulkOperation(job, setting);
    case 'search':
      return new SearchOperation(job, setting);
    case 'replay':
      return new ReplayOperation(job, setting);
  }
}
