/** Routes of what is tried before a run: a request that is sent once, and the fields that requests may name. */
import * as z from 'zod';
import { EXISTING_NAMES } from '../elasticsearch/existing-names';
import { parametersSchema } from '../parameters/registry';
import { partRequest, windowHasField } from '../tasks/request-list';
import { sourceSchema } from '../tasks/source';
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

/** A definition that is still being written: the server reads it, and says what is wrong. */
const written = z.record(z.string(), z.unknown());

export const triedRequestSchema = z.object({
  /** What `{{index}}` stood for; null where the request names no index. */
  index: z.string().nullable(),
  /** The index that was made for it and is removed again; null where an existing one was used. */
  temporary: z
    .object({
      documents: z.number().int(),
      /** What is not as in a trial, in sentences. */
      notes: z.array(z.string()),
    })
    .nullable(),
  /** As a run would count it. */
  outcome: z.enum(['accepted', 'rejected', 'failed', 'unknown']),
  steps: z.array(triedStep),
});
export type TriedRequest = z.output<typeof triedRequestSchema>;

/** Documents of one preview. */
export const MOST_PREVIEWED = 20;

export const documentPreviewSchema = z.object({
  documents: z.array(
    z.object({
      /** The document, or its beginning. */
      text: z.string(),
      bytes: z.number().int(),
    }),
  ),
  /** Of the generator, profile or vectors; of a file, as Elasticsearch would guess it from these documents. */
  mapping: z.record(z.string(), z.unknown()),
  isGuessed: z.boolean(),
});
export type DocumentPreview = z.output<typeof documentPreviewSchema>;

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
        /** Of which a temporary index is made instead, with some hundred documents; it is removed afterwards. */
        definition: written.optional(),
      })
      .superRefine(({ window, index, definition }, context) => {
        windowHasField({ requests: true, window }, context);
        if (index === undefined || definition === undefined) return;
        context.addIssue({
          code: 'custom',
          path: ['index'],
          message: 'a temporary index of the definition takes its place',
          params: { allowed: 'index or definition' },
        });
      }),
    answer: 'json',
    response: triedRequestSchema,
  }),
  previewDocuments: route({
    method: 'POST',
    path: '/api/dyno/documents/_preview',
    summary: 'A few documents of a source, as a run would make them, and a mapping for them',
    privilege: 'manage',
    body: z.strictObject({
      source: sourceSchema,
      /** Of the definition. */
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
