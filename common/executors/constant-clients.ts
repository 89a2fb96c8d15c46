/**
 * `constant-clients`: a constant number of clients. Each client sends its next request after the response to its previous request (closed
 * loop).
 */
import * as z from 'zod';
import { durationMs } from '../units/duration';
import { defineExecutor } from './executor';
import { amount, clients, THINK_TIME_FIELD, thinkTime } from './parts';

export const constantClients = defineExecutor({
  name: 'constant-clients',
  schema: z.strictObject({
    /** Number of clients. */
    clients: clients(),
    /** Pause between an answer and the client's next request. */
    'think-time': thinkTime(),
  }),
  label: { id: 'dyno.editor.executor.clients', text: 'Steady number of clients' },
  text: {
    id: 'dyno.editor.executor.clientsText',
    text: 'Each client sends its next request after the answer to the previous one. Finds the maximum throughput of the cluster.',
  },
  first: { clients: 2 },
  form: [
    [
      {
        kind: 'number',
        key: 'clients',
        min: 1,
        label: { id: 'dyno.editor.executor.count', text: 'Clients' },
      },
      THINK_TIME_FIELD,
    ],
  ],
  vary: { key: 'clients', title: 'Clients', levels: [1, 2, 4, 8] },
  sentence: ({ clients: number, 'think-time': pause }) =>
    `${amount(number, 'client', 'clients')}, each with its next request when the last one is answered` +
    (durationMs(pause) === 0 ? '' : ` and ${pause} have passed`),
  settles: true,
  loop: 'closed',
  job: ({ clients: number, 'think-time': pause }) => ({ clients: number, thinkTimeMs: durationMs(pause) }),
  mostClients: ({ clients: number }) => number,
  drive: ({ clients: number, thinkTimeMs }) => ({ clientsAt: () => number, changes: false, thinkTimeMs }),
});
