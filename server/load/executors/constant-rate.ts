/** `constant-rate`: requests per second on a fixed schedule, however slow the answers are. */
import type { ExecutorJob } from '../contract';
import type { Executor, ExecutorSetting } from './executor';
import { scheduledLoop } from './open-loop';
import type { Schedule } from './schedule';

type Job = Extract<ExecutorJob, { kind: 'constant-rate' }>;

/** Computed from the number, not by adding periods up, so that it never drifts. */
export const constantSchedule = (perSecond: number): Schedule => ({
  due: (number) => (number * 1000) / perSecond,
  about: (time) => (time * perSecond) / 1000,
});

export function createConstantRate({ perSecond, maxClients }: Job, setting: ExecutorSetting): Executor {
  return scheduledLoop(setting, constantSchedule(perSecond), maxClients);
}
