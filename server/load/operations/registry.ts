/** Which operation carries out which job. */
import type { IngestJob, SearchJob } from '../contract';
import { BulkOperation } from './bulk';
import type { Operation, OperationSetting } from './operation';
import { SearchOperation } from './search';

export function createOperation(job: IngestJob | SearchJob, setting: OperationSetting): Operation {
  return job.kind === 'ingest' ? new BulkOperation(job, setting) : new SearchOperation(job, setting);
}
