/** The part of a definition that replays a recorded log. */
import { z } from 'zod';
import { CONSTRUCT_NAMES, REWRITE_NAMES, type Construct, type Rewrite } from '../replay/constructs';
import { LOG_FORMATS } from '../replay/line';
import { count, exactlyOne } from '../fields/schema';

/** The trial's own index, or all of them together where it has several. */
export const OWN_INDEX = 'trial';
/** The route of the documents: each search goes to the index that `index.route` names for its value. */
export const AS_DOCUMENTS = 'index';

/** Logs that are made while they are read: endless, seeded, lines of `query-log`. */
export const LOG_GENERATORS = ['storefront'] as const;
export type LogGeneratorName = (typeof LOG_GENERATORS)[number];

/** The types of the searches in each. */
export const LOG_TYPES: Readonly<Record<LogGeneratorName, readonly string[]>> = {
  storefront: ['product', 'aggregated'],
};

const route = z.strictObject({
  /**
   * The field whose value in the body decides: the body asks for it by `term`, `terms` or `match`, or has it as a key.
   * @example store_id
   */
  field: z.string().min(1),
  /**
   * The value, a whole number, is divided by it; the remainder is the place in `indices`, counted from 0.
   * @example 2
   */
  modulo: z.number().int().min(1).max(1000),
  /**
   * The index for each remainder. `trial`: all of the trial's own. `{ trial: 2 }`: its second. `{ existing: NAME }`: one that
   * is there already.
   * @example [{ trial: 1 }, { existing: stores-odd }]
   */
  indices: z
    .array(
      z.union(
        [
          z.string().min(1),
          z.strictObject({
            /**
             * Which of the trial's own indices, counted from 1.
             * @example 2
             */
            trial: count(),
          }),
          z.strictObject({
            /**
             * The name of an index that is there already.
             * @example stores-odd
             */
            existing: z.string().min(1),
          }),
        ],
        { error: `${OWN_INDEX}, { ${OWN_INDEX}: NUMBER } or { existing: NAME }` },
      ),
    )
    .min(1),
  /**
   * A name for each remainder: there are figures by these names, beside those by type, such as `shop.odd.latency.p99`.
   * @example [even, odd]
   */
  names: z
    .array(z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }))
    .max(20)
    .optional(),
});

export const replaySchema = z
  .strictObject({
    /**
     * A log of searches, relative to the definition's file and streamed whatever its size; `.gz` and `.zst` are unpacked while
     * they are read.
     * @example searches.log.gz
     */
    file: z.string().min(1).optional(),
    /**
     * A generated log without end in place of a file. `storefront`: searches (`product`) and pages with counts (`aggregated`)
     * of the stores in turn, 9 million a day, the same in all trials.
     * @example storefront
     */
    generator: z.enum(LOG_GENERATORS).optional(),
    /**
     * `query-log`: `TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`, seconds since the epoch. `slow-log`: Elasticsearch's search slow log
     * in JSON, 7.x to 9.x. `ndjson`: `{"@timestamp", "type", "search_type", "body"}`, or a body, on each line.
     */
    format: z.enum(LOG_FORMATS).default('query-log'),
    /**
     * Sends only searches of these types; without it, all. Those of a slow log are `query_then_fetch` and the like.
     * @example [product]
     */
    types: z.array(z.string().min(1)).min(1).optional(),
    /**
     * A slow log has a line for each shard and phase of a search. `one`: the search is sent once, as the line of shard 0. `all`:
     * each line is a search.
     */
    shards: z.enum(['one', 'all']).default('one'),
    /**
     * What searches of old versions contain and Dyno rewrites; a search with anything else of the kind is not sent and counts
     * as refused.
     * @example all
     */
    rewrite: z
      .union([z.literal('all'), z.array(z.enum(REWRITE_NAMES as [Rewrite, ...Rewrite[]]))], {
        error: `all, or a list of ${REWRITE_NAMES.join(', ')}`,
      })
      .default([]),
    /**
     * What looks as if it came from an old version and is sent as it is.
     * @example [removed-query]
     */
    accept: z.array(z.enum(CONSTRUCT_NAMES as [Construct, ...Construct[]])).default([]),
    /**
     * Which index each search goes to. `index`: to the one that `index.route` gives the documents of its value. Without it,
     * every search goes to all of the trial's own indices.
     * @example index
     */
    route: z
      .union([z.literal(AS_DOCUMENTS), route], {
        error: `${AS_DOCUMENTS}, or { field, modulo, indices: a list of ${OWN_INDEX}, { ${OWN_INDEX}: NUMBER } or { existing: NAME }, names: a list }`,
      })
      .optional(),
    /**
     * Parameters of the query string of every search.
     * @example { request_cache: false }
     */
    params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    /** Whether the log begins again when it ends, which it cannot at the recorded pace; otherwise the task ends with it. */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('file', 'generator'));

export type ReplayDefinition = z.output<typeof replaySchema>;
/** Written out, in place of that of the documents. */
export type ReplayRoute = z.output<typeof route>;

/** What figures are kept by beside the types: the names of the route; none where it has none. */
export const routeNames = ({ route: own }: Pick<ReplayDefinition, 'route'>): readonly string[] =>
  typeof own === 'object' ? (own.names ?? []) : [];

/** The types that are sent; null where only the log itself tells. */
export const typesOf = ({
  types,
  generator,
}: Pick<ReplayDefinition, 'types' | 'generator'>): readonly string[] | null =>
  types ?? (generator === undefined ? null : LOG_TYPES[generator]);

/** The rules that are asked for, by name. */
export const rewritesOf = ({ rewrite }: ReplayDefinition): Rewrite[] =>
  rewrite === 'all' ? REWRITE_NAMES : rewrite;
