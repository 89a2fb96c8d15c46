/** Routes for trying things before a run: sending a request once, previewing documents, and listing fields and indices. */
import * as z from 'zod';
import { EXISTING_NAMES } from '../elasticsearch/existing-names';
import { parametersSchema } from '../parameters/registry';
import { partRequest, windowHasField } from '../tasks/request-list';
import { sourceSchema } from '../tasks/source';
import { windowSchema } from '../tasks/window';
import { route } from './route';

/** Maximum number of characters shown of a request or response body. */
export const MOST_SHOWN = 64 * 1024;

const names = z.string().max(4000).regex(EXISTING_NAMES, {
  error: 'names of indices, aliases or data streams, joined by commas; wildcards are allowed',
});

const oneTarget = z.object({ id: z.string().min(1).max(100) });

const reason = z.object({
  /** Type of the error as Elasticsearch returns it, or a short name that Dyno gives. */
  type: z.string(),
  /** Text of the error. It may come from the target, so pages must show it only as plain text. */
  reason: z.string(),
});

const triedStep = z.object({
  /** Name of the step of a request with several steps; '' for a single step. */
  part: z.string(),
  method: z.string(),
  /** Path with its query string. */
  path: z.string(),
  /** Headers of the request itself. The headers of the connection are left out, because they contain secrets. */
  headers: z.record(z.string(), z.string()),
  /** The request body or its beginning; null without a body. */
  body: z.string().nullable(),
  bodyBytes: z.number(),
  /** HTTP status; 0 without a response. */
  status: z.number().int(),
  /** Time from sending the request to the last byte of the response, in ms. */
  tookMs: z.number(),
  /** The response body or its beginning. */
  answer: z.string(),
  answerBytes: z.number(),
  /** Whether reading the response stopped at the size limit. In this case, `answerBytes` is the number of bytes that were read. */
  answerCut: z.boolean(),
  /** Maximum number of times that one request of a run sends this step. A try sends the step once. */
  times: z.number().int(),
  /** Reason of the failure; null if the request succeeded. */
  failure: reason.nullable(),
});
export type TriedStep = z.output<typeof triedStep>;

/** A definition that may be unfinished. The server parses it and reports its problems. */
const written = z.record(z.string(), z.unknown());

export const triedRequestSchema = z.object({
  /** Index that `{{index}}` was replaced by; null if the request does not use an index. */
  index: z.string().nullable(),
  /** The temporary index that was created for this request and removed afterwards; null if an existing index was used. */
  temporary: z
    .object({
      documents: z.number().int(),
      /** Sentences about differences between this try and a trial. */
      notes: z.array(z.string()),
    })
    .nullable(),
  /** Outcome as a run would count it. */
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
  /** Mapping of the generator, profile or vectors; for a file, the dynamic mapping that Elasticsearch would create for these documents. */
  mapping: z.record(z.string(), z.unknown()),
  isGuessed: z.boolean(),
});
export type DocumentPreview = z.output<typeof documentPreviewSchema>;

export const TRY_ROUTES = {
  tryRequest: route({
    method: 'POST',
    path: '/api/dyno/targets/{id}/_try',
    summary: 'Send a request of a definition once, with drawn parameters, and show its answer',
    // The path is limited, because the request is sent with the target's credentials, like the requests of definitions.
    privilege: 'manage',
    params: oneTarget,
    body: z
      .strictObject({
        /** A request as in `requests.list` or in the requests of a transaction. */
        request: partRequest,
        parameters: parametersSchema.default({}),
        /** Time window of the task. */
        window: windowSchema,
        /** Seed of the definition. */
        seed: z.number().int().min(0).max(4_294_967_295).default(1),
        /** Number of the draw. Each number gives different random values. */
        draw: z.number().int().min(0).max(1_000_000).default(0),
        /** Existing indices that are used instead of the indices of a trial. */
        index: names.optional(),
        /** Definition for a temporary index with a few hundred documents, used instead of `index` and removed afterwards. */
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
      /** The fields, sorted by name; at most a few thousand. */
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
