/** `ramping-clients`: a number of clients that changes linearly from stage to stage; the last number stays. */
import type { ExecutorJob } from '../contract';
import { partOf } from '../shares';
import { ClosedLoop } from './closed-loop';
import type { Executor, ExecutorSetting } from './executor';

type Job = Extract<ExecutorJob, { kind: 'ramping-clients' }>;

/** Clients of all shares at `time`, ms since the start. */
export function clientsAt({ start, stages }: Pick<Job, 'start' | 'stages'>, time: number): number {
  let from = start;
  let begun = 0;
  for (const { clients, overMs } of stages) {
    if (time < begun + overMs) return Math.round(from + ((clients - from) * (time - begun)) / overMs);
    from = clients;
    begun += overMs;
  }
  return from;
}

export function createRampingClients(job: Job, setting: ExecutorSetting): Executor {
  const planned = (time: number): number => partOf(clientsAt(job, time), setting.share);
  return new ClosedLoop(setting, job.thinkTimeMs, planned, true);
}
