/** Routes that help users before a run: send a request once (a *try*), preview documents, and list fields and indices. */
import * as z from 'zod';
import { EXISTING_NAMES } from '../elasticsearch/existing-names';
import { parametersSchema } from '../parameters/registry';
import { partRequest, windowHasField } from '../tasks/request-list';
import { sourceSchema } from '../tasks/source';
import { windowSchema } from '../tasks/window';
import { route } from './route';

/** Maximum number of characters of a body that the response contains. */
export const MOST_SHOWN = 64 * 1024;

const names = z.string().max(4000).regex(EXISTING_NAMES, {
  error: 'names of indices, aliases or data streams, joined by commas; wildcards are allowed',
});

const oneTarget = z.object({ id: z.string().min(1).max(100) });

const reason = z.object({
  /** Type of the error that Elasticsearch returned, or a short name from Dyno. */
  type: z.string(),
  /** Text of the error. It may come from the target, so pages must show it as plain text. */
  reason: z.string(),
});

const triedStep = z.object({
  /** Name of the step, for a request with several steps; '' if there is only one step. */
  part: z.string(),
  method: z.string(),
  /** Path with its query string. */
  path: z.string(),
  /** Headers of the request. Headers of the connection are omitted, because they contain secrets. */
  headers: z.record(z.string(), z.string()),
  /** The body of the request, or the beginning of a long body. Null if there is no body. */
  body: z.string().nullable(),
  bodyBytes: z.number(),
  /** HTTP status of the response; 0 if no response came. */
  status: z.number().int(),
  /** Time from sending the request to the last byte of the response, in ms. */
  tookMs: z.number(),
  /** The body of the response, or the beginning of a long body. */
  answer: z.string(),
  answerBytes: z.number(),
  /** Whether the response exceeded the size limit. `answerBytes` is then the number of bytes until reading stopped. */
  answerCut: z.boolean(),
  /** How many times a run may send this step for one request. A try sends it only once. */
  times: z.number().int(),
  /** Reason why the request failed; null if it succeeded. */
  failure: reason.nullable(),
});
export type TriedStep = z.output<typeof triedStep>;

/** A definition that may be unfinished. The server parses it and reports its problems. */
const written = z.record(z.string(), z.unknown());

export const triedRequestSchema = z.object({
  /** Index with which `{{index}}` was replaced; null if the request does not contain `{{index}}`. */
  index: z.string().nullable(),
  /** The temporary index that was created for this request and then removed. Null if an existing index was used. */
  temporary: z
    .object({
      documents: z.number().int(),
      /** Sentences about how this single request differs from a request in a trial. */
      notes: z.array(z.string()),
    })
    .nullable(),
  /** Outcome that a run would count for this request. */
  outcome: z.enum(['accepted', 'rejected', 'failed', 'unknown']),
  steps: z.array(triedStep),
});
export type TriedRequest = z.output<typeof triedRequestSchema>;

/** Maximum number of documents in a preview. */
export const MOST_PREVIEWED = 20;

export const documentPreviewSchema = z.object({
  documents: z.array(
    z.object({
      /** The document, or its beginning. */
      text: z.string(),
      bytes: z.number().int(),
    }),
  ),
  /**
   * Mapping of the documents. For generated documents and vectors, it is exact. For documents from a file (`isGuessed`), it is the mapping
   * that Elasticsearch would create with dynamic mapping.
   */
  mapping: z.record(z.string(), z.unknown()),
  isGuessed: z.boolean(),
});
export type DocumentPreview = z.output<typeof documentPreviewSchema>;

export const TRY_ROUTES = {
  tryRequest: route({
    method: 'POST',
    path: '/api/dyno/targets/{id}/_try',
    summary: 'Send a request of a definition once, with drawn parameters, and show its answer',
    // As in definitions, only certain paths are allowed, because Dyno sends the request with the credentials of the target.
    privilege: 'manage',
    params: oneTarget,
    body: z
      .strictObject({
        /** The request, with the same keys as in `requests.list` of a definition. */
        request: partRequest,
        parameters: parametersSchema.default({}),
        /** Time range of the documents. Parameters with dates take their values from it. */
        window: windowSchema,
        /** Seed of the definition. */
        seed: z.number().int().min(0).max(4_294_967_295).default(1),
        /** Seed for the random values of the request's parameters. The same seed gives the same values. */
        draw: z.number().int().min(0).max(1_000_000).default(0),
        /** Existing indices to which the request is sent. */
        index: names.optional(),
        /**
         * Definition of a trial, as an alternative to `index`. The request is sent to a temporary index with the settings in this
         * definition and a few hundred of its documents. The index is then removed.
         */
        definition: written.optional(),
      })
      .superRefine(({ window, index, definition }, context) => {
        windowHasField({ requests: true, window }, context);
        if (index === undefined || definition === undefined) return;
        context.addIssue({
          code: 'custom',
          path: ['index'],
          message: 'cannot be combined with definition, which creates a temporary index',
          params: { allowed: 'index or definition' },
        });
      }),
    answer: 'json',
    response: triedRequestSchema,
  }),
  previewDocuments: route({
    method: 'POST',
    path: '/api/dyno/documents/_preview',
    summary: 'A few documents of a source, as a run would generate them, with a mapping for them',
    privilege: 'manage',
    body: z.strictObject({
      source: sourceSchema,
      /** Seed of the definition. */
      seed: z.number().int().min(0).max(4_294_967_295).default(1),
      count: z.number().int().min(1).max(MOST_PREVIEWED).default(3),
    }),
    answer: 'json',
    response: documentPreviewSchema,
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
      /** The fields, sorted by name. The list is limited to a few thousand fields. */
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
