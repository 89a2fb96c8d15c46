/** `ramping-rate`: a rate that changes linearly from stage to stage; the last rate stays. */
import type { ExecutorJob } from '../contract';
import type { Executor, ExecutorSetting } from './executor';
import { scheduledLoop } from './open-loop';
import type { Schedule } from './schedule';

type Job = Extract<ExecutorJob, { kind: 'ramping-rate' }>;

/** A stretch of the schedule: rates in requests per ms, times in ms. */
interface Stretch {
  from: number;
  lasts: number;
  rate: number;
  endRate: number;
  /** Requests due before it. */
  before: number;
}

/** Requests due within the first `time` ms of a stretch: the area under a straight line. */
const area = ({ rate, endRate, lasts }: Stretch, time: number): number =>
  lasts === Infinity ? rate * time : rate * time + ((endRate - rate) * time * time) / (2 * lasts);

/** Its inverse: after how many ms `count` requests were due; the smaller root, in its form that loses no digits. */
function timeOf({ rate, endRate, lasts }: Stretch, count: number): number {
  if (lasts === Infinity) return rate === 0 ? Infinity : count / rate;
  const bend = (endRate - rate) / lasts;
  return count === 0 ? 0 : (2 * count) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * bend * count)));
}

/** Request n is due when the area under the rate reaches n. */
export function rampingSchedule({ start, stages }: Pick<Job, 'start' | 'stages'>): Schedule {
  const stretches: Stretch[] = [];
  let from = 0;
  let rate = start / 1000;
  let before = 0;
  for (const { perSecond, overMs } of stages) {
    const stretch = { from, lasts: overMs, rate, endRate: perSecond / 1000, before };
    rate = stretch.endRate;
    if (overMs === 0) continue;
    stretches.push(stretch);
    from += overMs;
    before += area(stretch, overMs);
  }
  stretches.push({ from, lasts: Infinity, rate, endRate: rate, before });
  return {
    due: (number) => {
      const stretch = stretches.findLast((candidate) => candidate.before <= number)!;
      return stretch.from + timeOf(stretch, number - stretch.before);
    },
    about: (time) => {
      const stretch = stretches.findLast((candidate) => candidate.from <= time) ?? stretches[0]!;
      return stretch.before + area(stretch, Math.max(0, time - stretch.from));
    },
  };
}

export function createRampingRate(job: Job, setting: ExecutorSetting): Executor {
  return scheduledLoop(setting, rampingSchedule(job), job.maxClients);
}
