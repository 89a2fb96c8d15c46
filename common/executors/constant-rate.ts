/** `constant-rate`: requests per second on a fixed schedule, independent of the responses (open loop). */
import * as z from 'zod';
import { duration, exactlyOne } from '../fields/schema';
import { durationMs, parseDuration } from '../units/duration';
import { defineExecutor, type Schedule } from './executor';
import { inFlightText, MOST_PER_SECOND, maxClients, maxClientsField, perSecondText } from './parts';

const GIVEN_AS = ['rate', 'every'] as const;

/**
 * Returns the schedule of a constant rate. Each due time is calculated from the number of the request, because a sum of intervals would
 * accumulate rounding errors.
 */
export const constantSchedule = (perSecond: number): Schedule => ({
  due: (number) => (number * 1000) / perSecond,
  about: (time) => (time * perSecond) / 1000,
});

export const constantRate = defineExecutor({
  name: 'constant-rate',
  schema: z
    .strictObject({
      /** Requests per second. */
      rate: z.number().positive().max(MOST_PER_SECOND).optional(),
      /** Interval between requests, instead of `rate`: `every: 5s` has the same effect as `rate: 0.2`. */
      every: duration()
        .refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'longer than 0' })
        .optional(),
      /** Maximum number of requests in flight. If it is reached, a due request waits, and its latency includes the wait. */
      'max-clients': maxClients(),
    })
    .superRefine(exactlyOne(...GIVEN_AS)),
  exclusive: [GIVEN_AS],
  label: { id: 'dyno.editor.executor.rate', text: 'Steady rate' },
  text: {
    id: 'dyno.editor.executor.rateText',
    text: 'A fixed number of requests per second, however slow the answers are. Measures response times under a given load.',
  },
  first: { rate: 10 },
  form: [
    [
      {
        kind: 'either',
        label: { id: 'dyno.editor.executor.rateBy', text: 'Rate given as' },
        options: [
          {
            text: { id: 'dyno.editor.executor.byRate', text: 'Requests per second' },
            first: 10,
            field: {
              kind: 'number',
              key: 'rate',
              min: 0,
              step: 'any',
              label: { id: 'dyno.editor.executor.perSecond', text: 'Requests per second' },
            },
          },
          {
            text: { id: 'dyno.editor.executor.byInterval', text: 'One request per interval' },
            first: '5s',
            field: {
              kind: 'text',
              key: 'every',
              placeholder: '5s',
              required: true,
              label: { id: 'dyno.editor.executor.every', text: 'One every' },
            },
          },
        ],
      },
    ],
    [maxClientsField()],
  ],
  vary: { key: 'rate', title: 'Requests per second', levels: [10, 20, 50] },
  sentence: ({ rate, every, 'max-clients': most }) =>
    `${rate === undefined ? `a request every ${every!}` : perSecondText(rate)}, ${inFlightText(most)}`,
  settles: true,
  loop: 'open',
  job: ({ rate, every, 'max-clients': most }) => ({
    perSecond: rate ?? 1000 / durationMs(every!),
    maxClients: most,
  }),
  mostClients: (job) => job.maxClients,
  drive: ({ perSecond }) => constantSchedule(perSecond),
});
