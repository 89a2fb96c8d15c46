/** Maps jobs to operations. Each kind of task names its operation. */
import { taskKind, type JobOf, type OperationJob, type OperationName } from '../../../common/tasks/registry';
import { BulkOperation } from './bulk';
import { DrawnRequestsOperation } from './drawn-requests';
import type { Operation, OperationSetting } from './operation';
import { ReplayOperation } from './replay';
import { TransactionOperation } from './transaction';

const OPERATIONS: {
  [Name in OperationName]: new (job: JobOf<Name>, setting: OperationSetting) => Operation;
} = {
  bulk: BulkOperation,
  requests: DrawnRequestsOperation,
  transaction: TransactionOperation,
  replay: ReplayOperation,
};

export function createOperation(job: OperationJob, setting: OperationSetting): Operation {
  const Operation = OPERATIONS[taskKind(job.kind).operation as OperationName] as new (
    job: OperationJob,
    setting: OperationSetting,
  ) => Operation;
  return new Operation(job, setting);
}
