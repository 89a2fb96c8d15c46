/** `constant-clients`: N clients, each sends its next request when the last one is answered. */
import type { ExecutorJob } from '../contract';
import { partOf } from '../shares';
import { ClosedLoop } from './closed-loop';
import type { Executor, ExecutorSetting } from './executor';

type Job = Extract<ExecutorJob, { kind: 'constant-clients' }>;

export function createConstantClients({ clients, thinkTimeMs }: Job, setting: ExecutorSetting): Executor {
  const own = partOf(clients, setting.share);
  return new ClosedLoop(setting, thinkTimeMs, () => own, false);
}
