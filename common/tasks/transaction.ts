/**
 * `transaction`: requests that make one unit, all of them, one after the other, each time. The time of the whole runs from
 * the first request to the last answer, gaps included. A request that fails makes the transaction a failed one (a rejected
 * one, where nothing but 429s failed) and the others are sent all the same, so that no transaction is short for having failed.
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
  /** Sent in this order; `gapMs`: before it, in place of that of the transaction. */
  parts: (RequestJob & { gapMs?: number })[];
  /** Between an answer and the next part. */
  gapMs: number;
  parameters: Parameters;
}

type Paused = { requests?: readonly { gap?: string | undefined }[] | undefined };

/** Nothing was answered before the first request. */
const gapProblems = ({ requests }: Paused, path: string): Problem[] =>
  requests?.[0]?.gap === undefined
    ? []
    : [
        {
          code: 'definition.request',
          path: `${path}.requests[0].gap`,
          message: 'there is no answer before the first request to pause after',
          allowed: 'the gap of a later request, or the think time of the executor',
        },
      ];

/** Pauses of one whole transaction, ms. */
export function pausesMs(work: TransactionWork): number {
  const [, ...later] = requestsOf(work);
  return later.reduce((sum, { gap }) => sum + durationMs(gap ?? work.gap), 0);
}

export const transaction = defineTaskKind({
  name: 'transaction',
  schema: z
    .strictObject({
      /**
       * A list of requests that comes with Dyno.
       * @example azure-queries
       */
      set: z.enum(REQUEST_SETS).optional(),
      /**
       * Your own requests, sent in this order: searches by their body, or requests of any kind.
       * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
       */
      requests: z.array(partRequest).min(1).max(LONGEST_LIST).optional(),
      /**
       * The stretch of time before now, as in a search.
       * @example { last: 15m, field: '@timestamp' }
       */
      window: windowSchema,
      /**
       * Pause between an answer and the next request of the same transaction. A request may have a `gap` of its own before it.
       * @example 200ms
       */
      gap: duration().default('0ms'),
      /**
       * What `{{name}}` in your own requests stands for: drawn once for each transaction, the same in all of its requests; or
       * taken out of the answer to an earlier one.
       * @example { tag: { values: [java, python] } }
       */
      parameters: parametersSchema.optional(),
    })
    .superRefine(exactlyOne('set', 'requests'))
    .superRefine(windowHasField),
  text: 'Sends all requests of a list one after the other, each time, as one unit. Its time runs from the first request to the last answer, gaps included. One that fails makes the transaction failed (rejected, where only 429s failed), and the others are sent all the same, but for those that use a value of its answer.',
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
        text: 'Within a transaction. The pause counts towards the whole time.',
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
  // Each part has figures of its own.
  problems: (work, path) => [
    ...gapProblems(work, path),
    ...requestNameProblems(work, path, { mayRepeat: false }),
    ...requestProblems(work, path, { isInOrder: true }),
  ],
  indexProblems: (work, path, index) => oneIndexProblems(work, path, index),
  parameters: (work) => work.parameters,
  operation: 'transaction',
  recalls: (work) => recallsOf(work),
  job: (work, { resolveFile, recalls }): TransactionJob => ({
    parts: requestJobs(work, { recalls }).map((job, place) => {
      const { gap } = work.requests?.[place] ?? {};
      return { ...job, ...(gap === undefined ? {} : { gapMs: durationMs(gap) }) };
    }),
    gapMs: durationMs(work.gap),
    parameters: withFiles(work.parameters ?? {}, resolveFile),
  }),
});

type TransactionWork = z.output<typeof transaction.schema>;
