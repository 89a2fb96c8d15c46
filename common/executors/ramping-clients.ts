/**
 * `ramping-clients`: a number of clients that changes linearly from stage to stage, and stays constant after the last stage (closed loop).
 */
import * as z from 'zod';
import { LONGEST_LIST } from '../fields/schema';
import { durationMs } from '../units/duration';
import { defineExecutor } from './executor';
import {
  amount,
  clients,
  MOST_CLIENTS,
  rampMsOf,
  stage,
  stagesField,
  stagesText,
  START_FIELD,
  THINK_TIME_FIELD,
  thinkTime,
} from './parts';

/** Returns the number of clients of all load threads together at `time`, in ms since the start. */
export function clientsAt(
  { start, stages }: { start: number; stages: readonly { clients: number; overMs: number }[] },
  time: number,
): number {
  let from = start;
  let begun = 0;
  for (const { clients: reached, overMs } of stages) {
    if (time < begun + overMs) return Math.round(from + ((reached - from) * (time - begun)) / overMs);
    from = reached;
    begun += overMs;
  }
  return from;
}

export const rampingClients = defineExecutor({
  name: 'ramping-clients',
  schema: z.strictObject({
    /** Number of clients at the beginning. */
    start: clients(0).default(0),
    /**
     * Stages, one after the other. In each stage, the number of clients changes linearly to `clients`. After the last stage, it stays
     * constant.
     */
    stages: z.array(stage('clients', MOST_CLIENTS)).min(1).max(LONGEST_LIST),
    /** Pause between an answer and the client's next request. */
    'think-time': thinkTime(),
  }),
  label: { id: 'dyno.editor.executor.rampingClients', text: 'Changing number of clients' },
  text: {
    id: 'dyno.editor.executor.rampingClientsText',
    text: 'The number of clients changes from stage to stage. Finds the number from which more clients do not increase throughput.',
  },
  first: { start: 1, stages: [{ clients: 8, over: '2m' }] },
  form: [
    [START_FIELD, THINK_TIME_FIELD],
    stagesField('clients', { id: 'dyno.editor.stages.clients', text: 'Clients reached' }),
  ],
  problem: ({ start, stages }) =>
    start === 0 && stages.every(({ clients: reached }) => reached === 0)
      ? { code: 'definition.no-load', message: 'no clients at any time' }
      : undefined,
  sentence: ({ start, stages }) =>
    `from ${amount(start, 'client', 'clients')} ` +
    stagesText(stages.map(({ clients: reached, over }) => ({ reached, over }))),
  settles: false,
  rampMs: ({ start, stages }) =>
    rampMsOf(
      start,
      stages.map(({ clients: reached, over }) => ({ reached, over })),
    ),
  loop: 'closed',
  job: ({ start, stages, 'think-time': pause }) => ({
    start,
    stages: stages.map(({ clients: reached, over }) => ({ clients: reached, overMs: durationMs(over) })),
    thinkTimeMs: durationMs(pause),
  }),
  mostClients: ({ start, stages }) => Math.max(start, ...stages.map(({ clients: reached }) => reached)),
  drive: (job) => ({
    clientsAt: (time) => clientsAt(job, time),
    changes: true,
    thinkTimeMs: job.thinkTimeMs,
  }),
});
