/**
 * `recorded`: replays a log of recorded requests. Sends requests at the times in the log, or faster by a constant factor, independent of
 * the responses (open loop).
 */
import * as z from 'zod';
import { formatNumber } from '../units/format';
import { defineExecutor } from './executor';
import { inFlightText, maxClients, maxClientsField } from './parts';

export const recorded = defineExecutor({
  name: 'recorded',
  schema: z.strictObject({
    /**
     * Speed relative to the log: 2 replays it in half of its time.
     * @example 2
     */
    speed: z.number().positive().max(10_000).default(1),
    /** Maximum number of requests in flight. If it is reached, a due request waits, and its latency includes the wait. */
    'max-clients': maxClients(),
  }),
  label: { id: 'dyno.editor.executor.recorded', text: 'As recorded' },
  text: {
    id: 'dyno.editor.executor.recordedText',
    text: 'Sends each search at its time in the log, or faster by a constant factor, however slow the answers are.',
  },
  first: { speed: 1 },
  form: [
    [
      {
        kind: 'number',
        key: 'speed',
        min: 0,
        step: 'any',
        placeholder: '1',
        label: { id: 'dyno.editor.executor.speed', text: 'Speed' },
        help: { id: 'dyno.editor.executor.speedHelp', text: '2 replays the log in half of its time.' },
      },
      maxClientsField(),
    ],
  ],
  vary: { key: 'speed', title: 'Speed of the replay', levels: [1, 2, 4] },
  onlyFor: { kinds: ['replay'], why: 'only a `replay` has a log with a recorded pace' },
  sentence: ({ speed, 'max-clients': most }) =>
    `as recorded${speed === 1 ? '' : `, ${formatNumber(speed)} times as fast`}, ${inFlightText(most)}`,
  // The load follows the log.
  settles: false,
  loop: 'recorded',
  job: ({ speed, 'max-clients': most }) => ({ speed, maxClients: most }),
  mostClients: (job) => job.maxClients,
  drive: ({ speed }) => ({ speed }),
});
