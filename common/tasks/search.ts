/** `search`: sends searches. For each search to send, Dyno draws one from a list at random, by weight. */
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

/** Job of a task that draws one request of a list at random each time. */
export interface DrawnRequestsJob {
  requests: (RequestJob & { weight: number })[];
  parameters: Parameters;
}

/**
 * Returns the settings of a `search` task with these requests. They are for loads that Dyno runs for its own purposes, without a definition
 * of a user.
 */
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
       * A built-in list of searches.
       * @example azure-queries
       */
      set: z.enum(REQUEST_SETS).optional(),
      /**
       * Custom searches. For each request, Dyno draws one of them at random, by weight.
       * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
       */
      requests: z.array(searchRequest).min(1).max(LONGEST_LIST).optional(),
      /**
       * Limits every search to recent documents, with a filter on a date field. `15m`: documents of the last 15 minutes, by the clock of
       * the cluster. An object also sets the field. `none`: no filter. By default, `azure-queries` is limited to the last 15m, and custom
       * searches have no filter.
       * @example { last: 15m, field: '@timestamp' }
       */
      window: windowSchema,
      /**
       * Sources of the values for `{{name}}` in custom searches. Each search gets new values.
       * @example { tag: { values: [java, python] } }
       */
      parameters: parametersSchema.optional(),
    })
    .superRefine(exactlyOne('set', 'requests'))
    .superRefine(windowHasField),
  text: 'Sends searches from a list. Each time, Dyno draws one at random, by weight.',
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
