/** Creates the operation that sends the requests of a task. The kind of the task determines which operation this is. */
import { taskKind, type JobOf, type OperationJob, type OperationName } from '../../../common/tasks/registry';
import { BulkOperation } from './bulk';
import { DrawnRequestsOperation } from './drawn-requests';
import type { Operation, OperationSetting } from './operation';
import { ReplayOperation } from './replay';
import { TrafficOperation } from './traffic';
import { TransactionOperation } from './transaction';

const OPERATIONS: {
  [Name in OperationName]: (job: JobOf<Name>, setting: OperationSetting) => Operation;
} = {
  bulk: (job, setting) => new BulkOperation(job, setting),
  requests: (job, setting) => new DrawnRequestsOperation(job, setting),
  transaction: (job, setting) => new TransactionOperation(job, setting),
  replay: (job, setting) =>
    'traffic' in job ? new TrafficOperation(job, setting) : new ReplayOperation(job, setting),
};

export function createOperation(job: OperationJob, setting: OperationSetting): Operation {
  const create = OPERATIONS[taskKind(job.kind).operation as OperationName] as (
    job: OperationJob,
    setting: OperationSetting,
  ) => Operation;
  return create(job, setting);
}
