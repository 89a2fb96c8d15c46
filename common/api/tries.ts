/** Routes of what is tried before a run: a request that is sent once, and the fields that requests may name. */
import * as z from 'zod';
import { EXISTING_NAMES } from '../elasticsearch/existing-names';
import { parametersSchema } from '../parameters/registry';
import { partRequest, windowHasField } from '../tasks/request-list';
import { windowSchema } from '../tasks/window';
import { route } from './route';

/** Of a body that is sent or answered, what is told at most, characters. */
export const MOST_SHOWN = 64 * 1024;

const names = z.string().max(4000).regex(EXISTING_NAMES, {
  error: 'names of indices, aliases or data streams, joined by commas; wildcards are allowed',
});

const oneTarget = z.object({ id: z.string().min(1).max(100) });

const reason = z.object({
  /** Elasticsearch's type of the error, or a word of Dyno's. */
  type: z.string(),
  /** May be written by the target: text, and nothing else. */
  reason: z.string(),
});

const triedStep = z.object({
  /** Of a request of several steps: which one; '' for the only one. */
  part: z.string(),
  method: z.string(),
  /** With its query string. */
  path: z.string(),
  /** Of the request itself; those of the connection are secret. */
  headers: z.record(z.string(), z.string()),
  /** As it was sent, or its beginning; null where there was none. */
  body: z.string().nullable(),
  bodyBytes: z.number(),
  /** Of HTTP; 0 where no answer came. */
  status: z.number().int(),
  /** From sending it to the last byte of its answer. */
  tookMs: z.number(),
  /** The answer, or its beginning. */
  answer: z.string(),
  answerBytes: z.number(),
  /** Longer than what Try it reads: `answerBytes` is what came until then. */
  answerCut: z.boolean(),
  /** How often a run may send it each time; here it is sent once. */
  times: z.number().int(),
  /** Null where it succeeded. */
  failure: reason.nullable(),
});
export type TriedStep = z.output<typeof triedStep>;

export const triedRequestSchema = z.object({
  /** What `{{index}}` stood for; null where the request names no index. */
  index: z.string().nullable(),
  /** As a run would count it. */
  outcome: z.enum(['accepted', 'rejected', 'failed', 'unknown']),
  steps: z.array(triedStep),
});
export type TriedRequest = z.output<typeof triedRequestSchema>;

export const TRY_ROUTES = {
  tryRequest: route({
    method: 'POST',
    path: '/api/dyno/targets/{id}/_try',
    summary: 'Send a request of a definition once, with drawn parameters, and show its answer',
    // Who may write definitions, and let the target’s credentials ask what these say.
    privilege: 'manage',
    params: oneTarget,
    body: z
      .strictObject({
        /** As a definition has it in `requests.list` or in the requests of a transaction. */
        request: partRequest,
        parameters: parametersSchema.default({}),
        /** Of the task. */
        window: windowSchema,
        /** Of the definition. */
        seed: z.number().int().min(0).max(4_294_967_295).default(1),
        /** Another number draws other values. */
        draw: z.number().int().min(0).max(1_000_000).default(0),
        /** What is there and stands for the indices of a trial. */
        index: names.optional(),
      })
      .superRefine(({ window }, context) => {
        windowHasField({ requests: true, window }, context);
      }),
    answer: 'json',
    response: triedRequestSchema,
  }),
  listTargetFields: route({
    method: 'GET',
    path: '/api/dyno/targets/{id}/fields',
    summary: 'Fields of indices of a target, with their types',
    privilege: 'manage',
    params: oneTarget,
    query: z.object({ index: names }),
    answer: 'json',
    response: z.object({
      /** By their names; at most a few thousand. */
      fields: z.array(z.object({ name: z.string(), type: z.string() })),
    }),
  }),
  listTargetIndices: route({
    method: 'GET',
    path: '/api/dyno/targets/{id}/indices',
    summary: 'Names of the indices, aliases and data streams of a target, without hidden ones',
    privilege: 'manage',
    params: oneTarget,
    answer: 'json',
    response: z.object({ names: z.array(z.string()) }),
  }),
};
