/** `search`: each request is drawn from a weighted list and sent once. */
import { z } from 'zod';
import { exactlyOne, LONGEST_LIST } from '../fields/schema';
import { plural } from '../units/format';
import { defineTaskKind } from './kind';
import {
  REQUEST_SETS,
  requestNameProblems,
  requestsOf,
  searchRequest,
  sentRequest,
  type SentRequest,
  windowHasField,
} from './requests';
import { windowSchema, windowText } from './window';

export interface SearchJob {
  requests: (SentRequest & { weight: number })[];
}

export const search = defineTaskKind({
  name: 'search',
  schema: z
    .strictObject({
      /**
       * A list of requests that comes with Dyno.
       * @example azure-queries
       */
      set: z.enum(REQUEST_SETS).optional(),
      /**
       * Your own requests; each is drawn by its weight.
       * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
       */
      requests: z.array(searchRequest).min(1).max(LONGEST_LIST).optional(),
      /**
       * The stretch of time before now, by the cluster's clock, to which a filter limits every request: `15m`, or with a field
       * of its own. `none`: all of the data. Without it, `azure-queries` looks back 15m, and your own requests are sent as they
       * are written.
       * @example { last: 15m, field: '@timestamp' }
       */
      window: windowSchema,
    })
    .superRefine(exactlyOne('set', 'requests'))
    .superRefine(windowHasField),
  text: 'Sends searches, each drawn by weight from a list.',
  label: { id: 'dyno.editor.task.search', text: 'Searches' },
  add: { id: 'dyno.editor.tasks.addSearch', text: 'Add searches' },
  first: { work: { set: 'azure-queries' }, executor: { 'constant-clients': { clients: 1 } } },
  form: [
    { kind: 'part', part: 'drawn-searches' },
    { kind: 'part', part: 'window' },
  ],
  sentence: ({ set, requests, window }) =>
    `${set === undefined ? `searches drawn from ${plural(requests!.length, 'request')}` : `searches drawn from ${set}`}${windowText(window)}`,
  unit: 'searches/s',
  counted: 'Searches',
  answered: 'searches were answered',
  searches: true,
  requestNames: (work) => requestsOf(work).map(({ name }) => name),
  // Requests of the same name share their figures.
  problems: (work, path) => requestNameProblems(work, path, { mayRepeat: true }),
  operation: 'search',
  job: (work): SearchJob => ({
    requests: requestsOf(work).map((request) => ({ ...sentRequest(request), weight: request.weight })),
  }),
});
