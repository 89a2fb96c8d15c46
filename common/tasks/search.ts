/** `search`: draws searches by weight from a list. */
import * as z from 'zod';
import { exactlyOne, LONGEST_LIST } from '../fields/schema';
import type { QueryParams } from '../requests/kind';
import { plural } from '../units/format';
import { defineTaskKind } from './kind';
import { OWN_PARAMETERS, parametersSchema, withFiles, type Parameters } from '../parameters/registry';
import {
  answerFiguresOf,
  requestJob,
  requestJobs,
  requestNameProblems,
  requestProblems,
  requestsOf,
  searchRequest,
  windowHasField,
  type RequestJob,
} from './request-list';
import { DRAWN_SEARCHES } from './request-rows';
import { REQUEST_SETS } from './request-sets';
import { WINDOW_ROWS, windowSchema, windowText } from './window';

/** Requests of which one is drawn each time. */
export interface DrawnRequestsJob {
  requests: (RequestJob & { weight: number })[];
  parameters: Parameters;
}

/** Returns the work of a `search` task with these requests, for loads without a definition. */
export const searchJob = (
  ...requests: { name: string; body: Record<string, unknown>; weight?: number; params?: QueryParams }[]
): { kind: 'search' } & DrawnRequestsJob => ({
  kind: 'search',
  requests: requests.map(({ weight = 1, ...request }) => ({ ...requestJob(request), weight })),
  parameters: {},
});

export const search = defineTaskKind({
  name: 'search',
  schema: z
    .strictObject({
      /**
       * A list of searches that comes with Dyno.
       * @example azure-queries
       */
      set: z.enum(REQUEST_SETS).optional(),
      /**
       * Custom searches. Each is drawn by its weight.
       * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
       */
      requests: z.array(searchRequest).min(1).max(LONGEST_LIST).optional(),
      /**
       * Time range before now (by the cluster's clock) to which a filter limits every search: `15m`, or with a field. `none`: all data. By
       * default, `azure-queries` searches the last 15m, and custom searches are sent as written.
       * @example { last: 15m, field: '@timestamp' }
       */
      window: windowSchema,
      /**
       * Values of `{{name}}` in custom searches, drawn again for each search.
       * @example { tag: { values: [java, python] } }
       */
      parameters: parametersSchema.optional(),
    })
    .superRefine(exactlyOne('set', 'requests'))
    .superRefine(windowHasField),
  text: 'Sends searches, drawn by weight from a list.',
  label: { id: 'dyno.editor.task.search', text: 'Searches' },
  add: { id: 'dyno.editor.tasks.addSearch', text: 'Add searches' },
  first: { work: { set: 'azure-queries' }, executor: { 'constant-clients': { clients: 1 } } },
  form: [DRAWN_SEARCHES, OWN_PARAMETERS, ...WINDOW_ROWS],
  sentence: ({ set, requests, window }) =>
    `${set === undefined ? `searches drawn from ${plural(requests!.length, 'request')}` : `searches drawn from ${set}`}${windowText(window)}`,
  unit: 'searches/s',
  counted: 'Searches',
  answered: 'searches were answered',
  searches: true,
  requestNames: (work) => requestsOf(work).map(({ name }) => name),
  answerFigures: (work) => answerFiguresOf(requestsOf(work)),
  // Requests with the same name share their metrics.
  problems: (work, path) => [
    ...requestNameProblems(work, path, { mayRepeat: true }),
    ...requestProblems(work, path),
  ],
  parameters: (work) => work.parameters,
  operation: 'requests',
  job: (work, { resolveFile, recalls, engine }): DrawnRequestsJob => ({
    requests: requestJobs(work, { recalls, engine }),
    parameters: withFiles(work.parameters ?? {}, resolveFile),
  }),
});
