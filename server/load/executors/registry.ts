/** Which executor paces which job. */
import type { ExecutorJob } from '../contract';
import { createConstantClients } from './constant-clients';
import { createConstantRate } from './constant-rate';
import type { Executor, ExecutorSetting } from './executor';
import { createHighestRate } from './highest-rate';
import { createRampingClients } from './ramping-clients';
import { createRampingRate } from './ramping-rate';
import { createRecorded } from './recorded';

export function createExecutor(job: ExecutorJob, setting: ExecutorSetting): Executor {
  switch (job.kind) {
    case 'constant-clients':
      return createConstantClients(job, setting);
    case 'ramping-clients':
      return createRampingClients(job, setting);
    case 'constant-rate':
      return createConstantRate(job, setting);
    case 'ramping-rate':
      return createRampingRate(job, setting);
    case 'recorded':
      return createRecorded(job, setting);
    case 'highest-rate':
      return createHighestRate(job, setting);
  }
}
