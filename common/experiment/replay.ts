/** The part of a definition that replays a recorded log. */
import { z } from 'zod';
import { CONSTRUCT_NAMES, REWRITE_NAMES, type Construct, type Rewrite } from '../replay/constructs';
import { LOG_FORMATS } from '../replay/line';
import { count, exactlyOne } from '../fields/schema';
import { LOG_GENERATORS, logOf } from '../generators/registry';

/** The trial's own index, or all of them together where it has several. */
export const OWN_INDEX = 'trial';
/** The route of the documents: each search goes to the index that `index.route` names for its value. */
export const AS_DOCUMENTS = 'index';

const route = z.strictObject({
  /** The field whose value decides: the body asks for it by `term`, `terms` or `match`, or has it as a key. */
  field: z.string().min(1),
  /** The value, a whole number, is divided by it; the remainder is the place in `indices`, from 0. */
  modulo: z.number().int().min(1).max(1000),
  /** `trial`: all of the trial's own. `{ trial: 2 }`: its second. `{ existing: stores-even }`: one that stands already. */
  indices: z
    .array(
      z.union(
        [
          z.string().min(1),
          z.strictObject({ trial: count() }),
          z.strictObject({ existing: z.string().min(1) }),
        ],
        { error: `${OWN_INDEX}, { ${OWN_INDEX}: NUMBER } or { existing: NAME }` },
      ),
    )
    .min(1),
  /** A name for each remainder: figures are kept by it too, beside those by type. */
  names: z
    .array(z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }))
    .max(20)
    .optional(),
});

export const replaySchema = z
  .strictObject({
    /** A log of searches; `.gz` and `.zst` are unpacked while it is read. Relative to the definition's file. */
    file: z.string().min(1).optional(),
    /** A made log in place of a recorded one; it has no end. */
    generator: z.enum(LOG_GENERATORS).optional(),
    /** `query-log`: `TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`. `slow-log`: Elasticsearch's, in JSON. `ndjson`: a search a line. */
    format: z.enum(LOG_FORMATS).default('query-log'),
    /** Only these; all by default. Of a slow log: `query_then_fetch`, ... */
    types: z.array(z.string().min(1)).min(1).optional(),
    /** Slow logs tell of a search once for each shard and phase: `one` of these lines is sent, or `all`. */
    shards: z.enum(['one', 'all']).default('one'),
    /** What old versions said otherwise, and is rewritten; what is not listed is not sent and counted as refused. */
    rewrite: z
      .union([z.literal('all'), z.array(z.enum(REWRITE_NAMES as [Rewrite, ...Rewrite[]]))], {
        error: `all, or a list of ${REWRITE_NAMES.join(', ')}`,
      })
      .default([]),
    /** What looks like an old version's, and is sent as it is. */
    accept: z.array(z.enum(CONSTRUCT_NAMES as [Construct, ...Construct[]])).default([]),
    /** Without it every search goes to all of the trial's own indices. */
    route: z
      .union([z.literal(AS_DOCUMENTS), route], {
        error: `${AS_DOCUMENTS}, or { field, modulo, indices: a list of ${OWN_INDEX}, { ${OWN_INDEX}: NUMBER } or { existing: NAME }, names: a list }`,
      })
      .optional(),
    /** Query-string parameters of every search, such as `request_cache: false`. */
    params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    /** Begin again when the log ends; otherwise the task ends with it. */
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
  types ?? (generator === undefined ? null : logOf(generator).types);

/** The rules that are asked for, by name. */
export const rewritesOf = ({ rewrite }: ReplayDefinition): Rewrite[] =>
  rewrite === 'all' ? REWRITE_NAMES : rewrite;
