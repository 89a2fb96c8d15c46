/** The tasks of a definition: what a stream of work does, and how it is paced. */
import { z } from 'zod';
import { executorSchema, USUAL_EXECUTOR } from '../executors/registry';
import { parseDuration } from '../units/duration';
import { bytes, count, duration, exactlyOne, wholeSeconds } from '../fields/schema';
import { parseSchema } from './parse';
import { replaySchema } from './replay';

export const GENERATORS = [
  'systembase',
  'systembase-big',
  'apache-logs',
  'apache-access-lines',
  'http-events',
  'storefront',
] as const;
export type GeneratorName = (typeof GENERATORS)[number];

export const source = z
  .strictObject({
    /**
     * Generated documents; the same seed makes the same ones. `apache-access-lines` makes raw lines, `storefront` products of
     * 7000 stores of very unequal size.
     * @example apache-logs
     */
    generator: z.enum(GENERATORS).optional(),
    /**
     * A file of documents, relative to the definition's file; `.gz` and `.zst` are unpacked while it is read.
     * @example corpus.ndjson.zst
     */
    file: z.string().min(1).optional(),
    /** `ndjson`: a JSON document on each line. `lines`: plain lines, each becomes `{"@timestamp": now, "message": line}`. */
    format: z.enum(['ndjson', 'lines']).default('ndjson'),
    /** Whether the file begins again when it ends; otherwise the task ends with it. */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('generator', 'file'));

const bulk = z
  .strictObject({
    /**
     * Documents in each bulk.
     * @example 3000
     */
    docs: count().max(1_000_000).optional(),
    /**
     * Size of each bulk's body: it is filled up to it, and never beyond unless one document alone is larger.
     * @example 5mb
     */
    bytes: bytes().optional(),
  })
  .superRefine(exactlyOne('docs', 'bytes'));

const retries = z
  .strictObject({
    /**
     * How often a refused document is sent again before it counts as rejected; 0 for never.
     * @example 0
     */
    attempts: count(0).max(100).default(5),
    /**
     * The pause before attempt n, counted from 0, is drawn evenly from [0, min(`max`, `base` x 2^n)] (full jitter).
     * @example 50ms
     */
    base: duration().default('100ms'),
    /**
     * The longest pause.
     * @example 5s
     */
    max: duration().default('10s'),
  })
  .prefault({});

const ingest = z.strictObject({
  /**
   * Where the documents come from.
   * @example { generator: apache-logs }
   */
  source,
  /**
   * How large each bulk is.
   * @example { bytes: 5mb }
   */
  bulk: bulk.prefault({ docs: 1000 }),
  /**
   * How raw lines become documents before they are indexed; see [parsing raw lines](parsing.md).
   * @example { pattern: '%{COMBINEDAPACHELOG}' }
   */
  parse: parseSchema.optional(),
  /**
   * Name of an ingest pipeline of the target that every bulk goes through.
   * @example my-pipeline
   */
  pipeline: z.string().min(1).optional(),
  /** When refused documents are sent again. */
  retries,
});

export const REQUEST_SETS = ['azure-queries'] as const;
export type RequestSetName = (typeof REQUEST_SETS)[number];

export const searchRequest = z.strictObject({
  /**
   * What figures of the request are called: `search.latest_errors.latency.p99`.
   * @example latest errors
   */
  name: z.string().min(1),
  /**
   * How often this request is drawn, in proportion to the weights of the others.
   * @example 3
   */
  weight: z.number().positive().default(1),
  /**
   * The body of the search, in query DSL.
   * @example { query: { match: { message: error } } }
   */
  body: z.record(z.string(), z.unknown()),
  /**
   * Parameters of the query string.
   * @example { request_cache: false }
   */
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

const WINDOW_FORM =
  'none, a duration such as 15m, or { last: 15m, field: <date field>, round: second | minute | hour | day }';

const last = wholeSeconds().refine((text) => (parseDuration(text) ?? 0) > 0);

const window = z
  .union(
    [
      z.literal('none'),
      last,
      z.strictObject({
        /**
         * How far back it reaches.
         * @example 15m
         */
        last,
        /**
         * The date field that is filtered; that of the set unless it is named.
         * @example '@timestamp'
         */
        field: z.string().min(1).optional(),
        /**
         * Rounds both ends by date math, the upper one up, so that the filter is the same for a while and may be cached.
         * @example minute
         */
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
    /**
     * A list of requests that comes with Dyno.
     * @example azure-queries
     */
    set: z.enum(REQUEST_SETS).optional(),
    /**
     * Your own requests; each is drawn by its weight.
     * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
     */
    requests: z.array(searchRequest).min(1).optional(),
    /**
     * The stretch of time before now, by the cluster's clock, to which a filter limits every request: `15m`, or with a field
     * of its own. `none`: all of the data. Without it, `azure-queries` looks back 15m, and your own requests are sent as they
     * are written.
     * @example { last: 15m, field: '@timestamp' }
     */
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
    /**
     * A list of requests that comes with Dyno.
     * @example azure-queries
     */
    set: z.enum(REQUEST_SETS).optional(),
    /**
     * Your own requests, sent in this order.
     * @example [{ name: latest, body: { sort: ['@timestamp'] } }]
     */
    requests: z
      .array(searchRequest.omit({ weight: true }))
      .min(1)
      .optional(),
    /**
     * The stretch of time before now, as in a search.
     * @example { last: 15m, field: '@timestamp' }
     */
    window,
    /**
     * Pause between an answer and the next request of the same transaction.
     * @example 200ms
     */
    gap: duration().default('0ms'),
  })
  .superRefine(exactlyOne('set', 'requests'))
  .superRefine(windowHasField);

export const task = z
  .strictObject({
    /**
     * What metrics and factors call the task.
     * @example ingest
     */
    name: z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }),
    /**
     * Indexes documents by bulk requests.
     * @example { source: { generator: apache-logs } }
     */
    ingest: ingest.optional(),
    /**
     * Sends searches, each drawn by weight from a list.
     * @example { set: azure-queries }
     */
    search: search.optional(),
    /**
     * Sends all requests of a list one after the other, each time, as one unit. Its time runs from the first request to the last
     * answer, gaps included. One that fails makes the transaction failed (rejected, where only 429s failed), and the others are
     * sent all the same.
     * @example { set: azure-queries, gap: 200ms }
     */
    transaction: transaction.optional(),
    /**
     * Sends the searches of a recorded log; see [replay of a log](replay.md).
     * @example { file: searches.log.gz }
     */
    replay: replaySchema.optional(),
    /**
     * When requests are sent. Rates are requests, or transactions, per second.
     * @example { constant-rate: { rate: 50 } }
     */
    executor: executorSchema.prefault(USUAL_EXECUTOR),
  })
  .superRefine(exactlyOne('ingest', 'search', 'transaction', 'replay'));

export type Window = NonNullable<z.output<typeof window>>;
