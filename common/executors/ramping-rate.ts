/** `ramping-rate`: a rate that changes linearly from stage to stage, and stays constant after the last stage (open loop). */
import * as z from 'zod';
import { LONGEST_LIST } from '../fields/schema';
import { durationMs } from '../units/duration';
import { defineExecutor, type Schedule } from './executor';
import {
  inFlightText,
  MOST_PER_SECOND,
  maxClients,
  maxClientsField,
  perSecondText,
  rampMsOf,
  stage,
  stagesField,
  stagesText,
  START_FIELD,
} from './parts';

/** A part of the schedule in which the rate changes linearly. Rates are in requests per ms, times in ms since the start. */
interface Stretch {
  from: number;
  lasts: number;
  rate: number;
  endRate: number;
  /** Number of requests that are due before this part of the schedule begins. */
  before: number;
}

/**
 * Returns the number of requests that are due within the first `time` ms of a part of the schedule. This is the area under the line of the
 * rate over time.
 */
const area = ({ rate, endRate, lasts }: Stretch, time: number): number =>
  lasts === Infinity ? rate * time : rate * time + ((endRate - rate) * time * time) / (2 * lasts);

/**
 * Inverse of {@link area}: returns the time until `count` requests are due, in ms since the start of this part of the schedule. This form
 * of the quadratic formula avoids loss of precision.
 */
function timeOf({ rate, endRate, lasts }: Stretch, count: number): number {
  if (lasts === Infinity) return rate === 0 ? Infinity : count / rate;
  const bend = (endRate - rate) / lasts;
  return count === 0 ? 0 : (2 * count) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * bend * count)));
}

/**
 * Returns the schedule for these stages. Rates are in requests per second. Request n is due when the integral of the rate since the start
 * reaches n.
 */
export function rampingSchedule({
  start,
  stages,
}: {
  start: number;
  stages: readonly { perSecond: number; overMs: number }[];
}): Schedule {
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

export const rampingRate = defineExecutor({
  name: 'ramping-rate',
  schema: z.strictObject({
    /** Requests per second at the beginning. */
    start: z.number().min(0).max(MOST_PER_SECOND).default(0),
    /** Stages, one after the other. In each stage, the rate changes linearly to `rate`. After the last stage, it stays constant. */
    stages: z.array(stage('rate', MOST_PER_SECOND)).min(1).max(LONGEST_LIST),
    /** Maximum number of requests in flight. If it is reached, a due request waits, and its latency includes the wait. */
    'max-clients': maxClients(),
  }),
  label: { id: 'dyno.editor.executor.rampingRate', text: 'Changing rate' },
  text: {
    id: 'dyno.editor.executor.rampingRateText',
    text: 'The rate changes from stage to stage. Finds the rate at which response times rise sharply.',
  },
  first: { start: 1, stages: [{ rate: 50, over: '2m' }] },
  form: [
    [START_FIELD, maxClientsField()],
    stagesField('rate', { id: 'dyno.editor.stages.rate', text: 'Requests per second reached' }),
  ],
  vary: { key: 'max-clients', title: 'Most clients', levels: [100, 1000] },
  sentence: ({ start, stages, 'max-clients': most }) =>
    `from ${perSecondText(start)} ${stagesText(stages.map(({ rate: reached, over }) => ({ reached, over })))}, ${inFlightText(most)}`,
  settles: false,
  rampMs: ({ start, stages }) =>
    rampMsOf(
      start,
      stages.map(({ rate: reached, over }) => ({ reached, over })),
    ),
  loop: 'open',
  job: ({ start, stages, 'max-clients': most }) => ({
    start,
    stages: stages.map(({ rate: perSecond, over }) => ({ perSecond, overMs: durationMs(over) })),
    maxClients: most,
  }),
  mostClients: (job) => job.maxClients,
  drive: (job) => rampingSchedule(job),
});
