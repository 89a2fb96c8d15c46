/** The tasks of a definition: what a stream of work does, and how it is paced. */
import { z } from 'zod';
import { executorSchema, USUAL_EXECUTOR } from '../executors/registry';
import { GENERATOR_NAMES } from '../generators/registry';
import { parseDuration } from '../units/duration';
import { bytes, count, duration, exactlyOne, wholeSeconds } from '../fields/schema';
import { parseSchema } from './parse';
import { replaySchema } from './replay';

export const source = z
  .strictObject({
    /** Made documents, seeded. */
    generator: z.enum(GENERATOR_NAMES).optional(),
    /** A corpus; `.gz` and `.zst` are unpacked while it is read. Relative to the definition's file. */
    file: z.string().min(1).optional(),
    /** `ndjson`: a JSON document a line. `lines`: plain lines, each becomes `{"@timestamp": now, "message": line}`. */
    format: z.enum(['ndjson', 'lines']).default('ndjson'),
    /** Begin again when the file ends; otherwise the task ends with it. */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('generator', 'file'));

const bulk = z
  .strictObject({
    /** Documents in each bulk. */
    docs: count().max(1_000_000).optional(),
    /** Size of each bulk's body, filled up to it and never beyond unless one document alone is larger. */
    bytes: bytes().optional(),
  })
  .superRefine(exactlyOne('docs', 'bytes'));

const retries = z
  .strictObject({
    /** How often a refused document is sent again before it counts as rejected; 0 for never. */
    attempts: count(0).max(100).default(5),
    /** Mean of the first pause doubles with each attempt: full jitter, uniform in [0, min(max, base x 2^n)]. */
    base: duration().default('100ms'),
    max: duration().default('10s'),
  })
  .prefault({});

const ingest = z.strictObject({
  source,
  bulk: bulk.prefault({ docs: 1000 }),
  /** Raw lines become documents before they are indexed. */
  parse: parseSchema.optional(),
  /** Name of an ingest pipeline of the target. */
  pipeline: z.string().min(1).optional(),
  retries,
});

export const REQUEST_SETS = ['azure-queries'] as const;
export type RequestSetName = (typeof REQUEST_SETS)[number];

export const searchRequest = z.strictObject({
  name: z.string().min(1),
  /** How often this request is drawn against the others. */
  weight: z.number().positive().default(1),
  /** The search body, in query DSL. */
  body: z.record(z.string(), z.unknown()),
  /** Query-string parameters, such as `request_cache: false`. */
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

const WINDOW_FORM =
  'none, a duration such as 15m, or { last: 15m, field: <date field>, round: second | minute | hour | day }';

const last = wholeSeconds().refine((text) => (parseDuration(text) ?? 0) > 0);

/**
 * The stretch of time before now, by the cluster's clock, that requests are about: `last: 15m` adds a filter on the
 * field to each of them. `none` adds nothing: for data that stands still.
 */
const window = z
  .union(
    [
      z.literal('none'),
      last,
      z.strictObject({
        last,
        /** A date field; that of the set unless it is named. */
        field: z.string().min(1).optional(),
        /** Both ends are rounded by date math, the upper one up. */
        round: z.enum(['second', 'minute', 'hour', 'day']).optional(),
      }),
    ],
    { error: WINDOW_FORM },
  )
  .optional();

/** Requests of one's own come without a date field to fall back on. */
const windowHasField = (
  { requests: own, window: given }: { requests?: unknown; window?: z.output<typeof window> },
  context: z.RefinementCtx,
): void => {
  if (own === undefined || given === undefined || given === 'none') return;
  if (typeof given === 'object' && given.field !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['window'],
    message: 'has no date field',
    params: { allowed: '{ last: 15m, field: <date field> } for your own requests' },
  });
};

const search = z
  .strictObject({
    /** A list of requests that comes with Dyno. */
    set: z.enum(REQUEST_SETS).optional(),
    requests: z.array(searchRequest).min(1).optional(),
    /** By default that of the set, and none for requests of one's own: they are sent as they are written. */
    window,
  })
  .superRefine(exactlyOne('set', 'requests'))
  .superRefine(windowHasField);

/**
 * Searches that make one unit: all of them, one after the other, each time. The time of the whole runs from the first
 * request to the last answer, gaps included. A search that fails makes the transaction a failed one (a rejected one,
 * where nothing but 429s failed) and the others are sent all the same, so that no transaction is short for having failed.
 */
const transaction = z
  .strictObject({
    set: z.enum(REQUEST_SETS).optional(),
    requests: z
      .array(searchRequest.omit({ weight: true }))
      .min(1)
      .optional(),
    window,
    /** Pause between an answer and the next request of the same transaction. */
    gap: duration().default('0ms'),
  })
  .superRefine(exactlyOne('set', 'requests'))
  .superRefine(windowHasField);

export const task = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }),
    ingest: ingest.optional(),
    search: search.optional(),
    transaction: transaction.optional(),
    replay: replaySchema.optional(),
    executor: executorSchema.prefault(USUAL_EXECUTOR),
  })
  .superRefine(exactlyOne('ingest', 'search', 'transaction', 'replay'));

export type Window = NonNullable<z.output<typeof window>>;
