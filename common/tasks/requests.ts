/** `requests`: sends requests of any kind. For each request to send, Dyno draws one from a list at random, by weight. */
import * as z from 'zod';
import { LONGEST_LIST } from '../fields/schema';
import { PARAMETERS_FIELD, parametersSchema, withFiles } from '../parameters/registry';
import { plural } from '../units/format';
import { defineTaskKind } from './kind';
import {
  anyRequest,
  answerFiguresOf,
  figureNames,
  kindsOf,
  mayChange,
  mayWrite,
  oneIndexProblems,
  recallsOf,
  requestJobs,
  requestNameProblems,
  requestProblems,
} from './request-list';
import { DRAWN_REQUESTS } from './request-rows';
import type { DrawnRequestsJob } from './search';

/**
 * Returns the settings of the task with the key `list` renamed to `requests`, because the functions of request-list.ts expect this name.
 */
const asked = ({ list, ...rest }: z.output<typeof schema>) => ({ ...rest, requests: list });

const schema = z.strictObject({
  /**
   * List of requests. Each time, Dyno draws one of them at random, by weight.
   * @example [{ name: all, esql: { query: 'FROM {{index}} | STATS COUNT(*)' } }]
   */
  list: z.array(anyRequest).min(1).max(LONGEST_LIST),
  /**
   * Sources of the values for `{{name}}` in the requests. Each request gets new values.
   * @example { tag: { values: [java, python] } }
   */
  parameters: parametersSchema.optional(),
});

export const requests = defineTaskKind({
  name: 'requests',
  schema,
  text: 'Sends requests of any kind from a list. Each time, Dyno draws one at random, by weight. See [requests](requests.md).',
  label: { id: 'dyno.editor.task.requests', text: 'Requests' },
  add: { id: 'dyno.editor.tasks.addRequests', text: 'Add requests' },
  first: {
    work: { list: [{ name: 'count', count: { body: { query: { match_all: {} } } } }] },
    executor: { 'constant-clients': { clients: 1 } },
  },
  form: [DRAWN_REQUESTS, PARAMETERS_FIELD],
  sentence: ({ list, parameters = {} }) =>
    [
      `drawn from ${plural(list.length, 'request')} (${kindsOf(list).join(', ')})`,
      ...(Object.keys(parameters).length === 0
        ? []
        : [`values drawn for ${Object.keys(parameters).join(', ')}`]),
    ].join('; '),
  unit: 'requests/s',
  counted: 'Requests',
  answered: 'requests were answered',
  searches: true,
  changesIndex: (work) => mayChange(asked(work)),
  requestNames: (work) => figureNames(work.list),
  answerFigures: (work) => answerFiguresOf(work.list),
  writes: (work) => mayWrite(asked(work)),
  // Requests with the same name share their metrics.
  problems: (work, path) => [
    ...requestNameProblems(asked(work), path, { mayRepeat: true, key: 'list' }),
    ...requestProblems(asked(work), path, { key: 'list' }),
  ],
  indexProblems: (work, path, index) => oneIndexProblems(asked(work), path, index, 'list'),
  parameters: (work) => work.parameters,
  operation: 'requests',
  recalls: (work) => recallsOf(asked(work)),
  job: (work, { resolveFile, recalls, engine }): DrawnRequestsJob => ({
    requests: requestJobs(asked(work), { recalls, engine }),
    parameters: withFiles(work.parameters ?? {}, resolveFile),
  }),
});
