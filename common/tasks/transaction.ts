/**
 * `transaction`: sends all requests of a list one after the other, as one unit. The latency of a transaction is the time from the first
 * request to the last response, including pauses.
 *
 * If a request fails, the transaction counts as failed. If all failures were 429s, it counts as rejected. The remaining requests are still
 * sent, because failed transactions would otherwise look fast.
 */
import * as z from 'zod';
import { duration, exactlyOne, LONGEST_LIST } from '../fields/schema';
import { durationMs } from '../units/duration';
import type { Problem } from '../problem';
import { plural } from '../units/format';
import { defineTaskKind } from './kind';
import { OWN_PARAMETERS, parametersSchema, withFiles, type Parameters } from '../parameters/registry';
import {
  answerFiguresOf,
  kindsOf,
  mayChange,
  mayWrite,
  oneIndexProblems,
  partRequest,
  recallsOf,
  requestJobs,
  requestNameProblems,
  requestProblems,
  requestsOf,
  windowHasField,
  type RequestJob,
} from './request-list';
import { SEARCHES_IN_ORDER } from './request-rows';
import { REQUEST_SETS } from './request-sets';
import { WINDOW_ROWS, windowSchema, windowText } from './window';

export interface TransactionJob {
  /** Requests in the order in which they are sent. `gapMs`: pause before the request, in ms, instead of the transaction's pause. */
  parts: (RequestJob & { gapMs?: number })[];
  /** Pause between a response and the next request, in ms. */
  gapMs: number;
  parameters: Parameters;
}

type Paused = { requests?: readonly { gap?: string | undefined }[] | undefined };

/** Returns a problem for a pause before the first request. */
const gapProblems = ({ requests }: Paused, path: string): Problem[] =>
  requests?.[0]?.gap === undefined
    ? []
    : [
        {
          code: 'definition.request',
          path: `${path}.requests[0].gap`,
          message: 'the first request follows no answer, so it cannot have a pause',
          allowed: 'the gap of a later request, or the think time of the executor',
        },
      ];

/** Returns the sum of the pauses of one transaction, in ms. */
export function pausesMs(work: TransactionWork): number {
  const [, ...later] = requestsOf(work);
  return later.reduce((sum, { gap }) => sum + durationMs(gap ?? work.gap), 0);
}

export const transaction = defineTaskKind({
  name: 'transaction',
  schema: z
    .strictObject({
      /**
       * A built-in list of searches.
       * @example azure-queries
       */
      set: z.enum(REQUEST_SETS).optional(),
      /**
       * Custom requests, in the order in which Dyno sends them. A request is a search (`body`), or a request of any other kind.
       * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
       */
      requests: z.array(partRequest).min(1).max(LONGEST_LIST).optional(),
      /**
       * Limits every search to recent documents, like the `window` of the task `search`.
       * @example { last: 15m, field: '@timestamp' }
       */
      window: windowSchema,
      /**
       * Pause between an answer and the next request of the same transaction. A request can override it with its own `gap`.
       * @example 200ms
       */
      gap: duration().default('0ms'),
      /**
       * Sources of the values for `{{name}}` in custom requests. Each transaction gets new values, and all its requests use the same
       * values. A value can come from the answer to an earlier request of the transaction.
       * @example { tag: { values: [java, python] } }
       */
      parameters: parametersSchema.optional(),
    })
    .superRefine(exactlyOne('set', 'requests'))
    .superRefine(windowHasField),
  text: 'Sends all requests of a list one after the other, as one unit. The latency of a transaction is the time from the first request to the last answer, including pauses. If a request fails, the transaction counts as failed (or as rejected, if all failures were 429s). The remaining requests are still sent, except those that need a value from the failed answer.',
  label: { id: 'dyno.editor.task.transaction', text: 'Transaction' },
  add: { id: 'dyno.editor.tasks.addTransaction', text: 'Add transaction' },
  first: { work: { set: 'azure-queries' }, executor: { 'constant-rate': { every: '5s' } } },
  form: [
    SEARCHES_IN_ORDER,
    OWN_PARAMETERS,
    ...WINDOW_ROWS,
    {
      kind: 'text',
      key: 'gap',
      placeholder: '0ms',
      label: { id: 'dyno.editor.transaction.gap', text: 'Pause before the next search' },
      help: {
        id: 'dyno.editor.transaction.gapHelp',
        text: 'Within a transaction. Pauses count towards its time.',
      },
    },
  ],
  sentence: ({ set, requests, window, gap }) =>
    [
      set === undefined
        ? `transactions of ${kindsOf(requests!).every((kind) => kind === 'search') ? plural(requests!.length, 'search', 'searches') : plural(requests!.length, 'request')}`
        : `transactions of all searches of ${set}`,
      windowText(window),
      durationMs(gap) === 0 ? '' : `, ${gap} between two of them`,
    ].join(''),
  unit: 'transactions/s',
  counted: 'Transactions',
  answered: 'transactions were answered',
  searches: true,
  changesIndex: (work) => mayChange(work),
  writes: mayWrite,
  requestNames: (work) => requestsOf(work).map(({ name }) => name),
  answerFigures: (work) => answerFiguresOf(requestsOf(work)),
  // Each request of a transaction has its own metrics.
  problems: (work, path) => [
    ...gapProblems(work, path),
    ...requestNameProblems(work, path, { mayRepeat: false }),
    ...requestProblems(work, path, { isInOrder: true }),
  ],
  indexProblems: (work, path, index) => oneIndexProblems(work, path, index),
  parameters: (work) => work.parameters,
  operation: 'transaction',
  recalls: (work) => recallsOf(work),
  job: (work, { resolveFile, recalls, engine }): TransactionJob => ({
    parts: requestJobs(work, { recalls, engine }).map((job, place) => {
      const { gap } = work.requests?.[place] ?? {};
      return { ...job, ...(gap === undefined ? {} : { gapMs: durationMs(gap) }) };
    }),
    gapMs: durationMs(work.gap),
    parameters: withFiles(work.parameters ?? {}, resolveFile),
  }),
});

type TransactionWork = z.output<typeof transaction.schema>;
