/** `replay`: sends the searches of a log, recorded or generated, or the requests of recorded traffic. */
import * as z from 'zod';
import { CONSTRUCT_NAMES, REWRITE_NAMES, type Construct, type Rewrite } from '../replay/constructs';
import { LOG_FORMATS, type LogFormat } from '../replay/formats/registry';
import type { RouteRule } from '../replay/route';
import type { FormField, FormRow, Text, Written } from '../fields/form';
import { EXISTING_NAMES, OWN_INDICES } from '../elasticsearch/existing-names';
import { count, duration, exactlyOne, keysAtMost, LONGEST_LIST, MOST_INDICES } from '../fields/schema';
import { LOG_GENERATORS, logOf, type LogGeneratorName } from '../generators/registry';
import { requestKey } from '../measurement/metric';
import { showValue, type Problem } from '../problem';
import { durationMs } from '../units/duration';
import { deriveSeed } from '../random';
import { paramsSchema, queryString } from '../requests/parts';
import type { IndexPlace, IndexRule } from '../traffic/index-map';
import { WRITES } from '../traffic/kind';
import type { TimeField } from '../traffic/time-shift';
import {
  isTrafficFormat,
  TRAFFIC_FORMATS,
  type TrafficFormat,
  type TrafficFound,
  type TrafficJob,
} from '../traffic/job';
import { defineTaskKind, type Surroundings } from './kind';
import { FILE_HELP } from './source';

/** Value in definitions that means all indices of the trial. */
export const OWN_INDEX = 'trial';
/** Value in `indices` for requests that are left out because of their index. */
export const LEAVE_OUT = 'leave-out';
/**
 * Value of `route` for searches of data that `index.route` distributed over several indices. Each search is sent to the index with the
 * documents that it can find.
 */
export const AS_DOCUMENTS = 'index';

const route = z.strictObject({
  /**
   * Field that decides which index a search goes to. Dyno reads its value from the body of the search: from a `term`, `terms` or `match`
   * query on this field, or from a key with this name.
   * @example store_id
   */
  field: z.string().min(1),
  /**
   * The value must be a whole number. Dyno divides it by `modulo`. The remainder is the position in `indices`, from 0.
   * @example 2
   */
  modulo: z.number().int().min(1).max(1000),
  /**
   * One index for each remainder. `trial`: all indices of the trial. `{ trial: 2 }`: the second index of the trial. `{ existing: NAME }`:
   * an existing index.
   * @example [{ trial: 1 }, { existing: stores-odd }]
   */
  indices: z
    .array(
      z.union(
        [
          z.string().min(1),
          z.strictObject({
            /**
             * Position of the index among the indices of the trial, from 1.
             * @example 2
             */
            trial: count(1, MOST_INDICES),
          }),
          z.strictObject({
            /**
             * Name of an existing index.
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
   * One name for each remainder. Each name adds metrics of its searches: `shop.odd.latency.p99`.
   * @example [even, odd]
   */
  names: z
    .array(z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }))
    .max(20)
    .optional(),
});

/** Formats of files that a replay reads. */
export const REPLAY_FORMATS = [...LOG_FORMATS, ...TRAFFIC_FORMATS] as const;

const place = z.union(
  [
    z.literal(OWN_INDEX),
    z.literal(LEAVE_OUT),
    z.strictObject({
      /**
       * Position of the index among the indices of the trial, from 1.
       * @example 2
       */
      trial: count(1, MOST_INDICES),
    }),
    z.strictObject({
      /**
       * Name of an existing index.
       * @example shop-copy
       */
      existing: z.string().regex(EXISTING_NAMES, {
        error: 'the name of an index, an alias or a data stream; several with commas, or with *',
      }),
    }),
  ],
  { error: `${OWN_INDEX}, { ${OWN_INDEX}: NUMBER }, { existing: NAME } or ${LEAVE_OUT}` },
);

const replaySchema = z
  .strictObject({
    /**
     * File with a log of searches, or with recorded traffic. The path is relative to the file of the definition. Dyno streams the file, so it can have any size.
     * Files in gzip or zstd format are decompressed while Dyno reads them.
     * @example searches.log.gz
     */
    file: z.string().min(1).optional(),
    /**
     * Generates an endless log, instead of reading a file. `storefront`: the log of a shop platform with 9 million searches per day. Its
     * types are `product` (searches of products) and `aggregated` (pages with counts). All trials get the same log.
     * @example storefront
     */
    generator: z.enum(LOG_GENERATORS).optional(),
    /**
     * Format of the log. By default, Dyno detects the format from the first lines. `query-log`: lines
     * `TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`, with the timestamp in seconds since the epoch. `slow-log`: the search slow log of
     * Elasticsearch (7.x to 9.x) or OpenSearch in JSON, including documents from Filebeat and exported hits, and the query log of
     * Elasticsearch 9.4 and later. `slow-log-text`: the search slow log as plain text. `ndjson`: each line is a search body, or
     * `{"@timestamp", "type", "search_type", "body"}`. `traffic`: requests of all kinds, recorded by `dyno record`. `har`: an HTTP
     * archive. `gor`: a file of GoReplay. `audit-log`: the audit log of Elasticsearch with request bodies. See
     * [replay](replay.md#what-a-log-may-be).
     */
    format: z.enum(REPLAY_FORMATS).optional(),
    /**
     * Indices that the requests of recorded traffic go to, by their recorded names. A key is a name, or a pattern with `*`. A name is
     * preferred to a pattern, and an earlier pattern to a later one. `trial`: all indices of the trial. `{ trial: 2 }`: the second index of
     * the trial. `{ existing: NAME }`: an existing index. `leave-out`: requests to this index are not sent. Requests to other names are not
     * sent either. By default, requests to any name go to the index of the trial; if it has several, each recorded name gets the next one.
     * @example { shop: trial, 'logs-*': leave-out }
     */
    indices: keysAtMost(place, LONGEST_LIST).optional(),
    /**
     * Whether requests of recorded traffic may change documents in the existing indices of `indices`, and may name ingest pipelines.
     * Otherwise, such requests are not sent. The changes remain after the run.
     */
    'allow-writes': z.boolean().optional(),
    /**
     * Time before and after a search of recorded traffic in which a refresh may come earlier or later than in the recording. If the numbers
     * of hits differ by at most the number of documents that the recording wrote to the index in this time, the answers count as alike. The
     * report also counts these answers separately. By default, every difference counts.
     * @example 1s
     */
    'refresh-window': duration().optional(),
    /**
     * Dates in recorded traffic. `recorded`: they stay. `shift`: they move by the time from the first request of the recording to the start
     * of the load, so that queries such as `now-15m` find the documents that the replay writes. Only values of date fields move, and not
     * those in scripts and calculations. See [replay](replay.md#dates).
     * @example shift
     */
    times: z.enum(['recorded', 'shift']).optional(),
    /**
     * Fields whose values `times: shift` moves. By default, these are all date fields in the mappings of the indices to which the requests
     * go.
     * @example ['@timestamp', order.created]
     */
    'time-fields': z.array(z.string().min(1)).min(1).max(LONGEST_LIST).optional(),
    /**
     * Types of the searches to send. By default, all searches are sent. In a slow log, a type is for example `query_then_fetch`. In recorded
     * traffic, a type is a kind of request, such as `search` or `bulk`.
     * @example [product]
     */
    types: z.array(z.string().min(1)).min(1).max(LONGEST_LIST).optional(),
    /**
     * Lines of a slow log that are sent. A slow log contains one line for each shard and phase of a search. `one`: only the line of shard
     * 0, so that each search is sent once. `all`: every line as a separate search.
     */
    shards: z.enum(['one', 'all']).default('one'),
    /**
     * Removed syntax of old Elasticsearch versions that Dyno rewrites to current syntax. A search with any other removed syntax is not
     * sent, and counts as *refused*.
     * @example all
     */
    rewrite: z
      .union([z.literal('all'), z.array(z.enum(REWRITE_NAMES as [Rewrite, ...Rewrite[]]))], {
        error: `all, or a list of ${REWRITE_NAMES.join(', ')}`,
      })
      .default([]),
    /**
     * Syntax that Dyno would otherwise treat as removed. A search with this syntax is sent unchanged.
     * @example [removed-query]
     */
    accept: z.array(z.enum(CONSTRUCT_NAMES as [Construct, ...Construct[]])).default([]),
    /**
     * Index that a search goes to. By default, a search goes to all indices of the trial. `index`: each search contains a value of the
     * field in `index.route`, and goes to the index with the documents of this value. An object is a custom rule.
     * @example index
     */
    route: z
      .union([z.literal(AS_DOCUMENTS), route], {
        error: `${AS_DOCUMENTS}, or { field, modulo, indices: a list of ${OWN_INDEX}, { ${OWN_INDEX}: NUMBER } or { existing: NAME }, names: a list }`,
      })
      .optional(),
    /**
     * Adds a routing to each search, so that it only goes to the shards with the documents it searches for. The routing is the value of a
     * field in the body of the search.
     * @example { field: store_id }
     */
    routing: z
      .strictObject({
        /**
         * Field with the routing. Dyno reads its value from the body of the search: from a `term`, `terms` or `match` query on this field,
         * or from a key with this name.
         * @example store_id
         */
        field: z.string().min(1),
      })
      .optional(),
    /**
     * Query parameters of every search.
     * @example { request_cache: false }
     */
    params: paramsSchema,
    /**
     * Whether Dyno starts the file again after its end. Otherwise, the task ends with the file. With the executor `recorded`, only possible
     * for recorded traffic.
     */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('file', 'generator'));

export type ReplayDefinition = z.output<typeof replaySchema>;
/** A custom rule for the index of a search, as definitions contain it. */
export type ReplayRoute = z.output<typeof route>;

/**
 * Returns the names that a custom rule for the index of a search defines, such as `odd` and `even`. Searches have metrics for each name, in
 * addition to the metrics for each type. Empty if the rule defines no names.
 */
export const routeNames = ({ route: own }: Pick<ReplayDefinition, 'route'>): readonly string[] =>
  typeof own === 'object' ? (own.names ?? []) : [];

/** Returns the types of the searches to send. Returns null if they are unknown until the log is read. */
export const typesOf = ({
  types,
  generator,
}: Pick<ReplayDefinition, 'types' | 'generator'>): readonly string[] | null =>
  types ?? (generator === undefined ? null : logOf(generator).types);

/** Returns the names of the rewrite rules that the definition requests. */
export const rewritesOf = ({ rewrite }: ReplayDefinition): Rewrite[] =>
  rewrite === 'all' ? REWRITE_NAMES : rewrite;

/** Source of the lines of a log: a file, or a generator. The same seed generates the same lines. */
export type LogSource =
  | { kind: 'file'; file: string }
  | { kind: 'generator'; generator: LogGeneratorName; seed: number };

/** A replay, with the facts that Dyno finds in its file before a load. */
export type ReplayWork = ReplayDefinition & {
  found?: TrafficFound;
  /** Fields whose dates move. Absent if dates stay as recorded. */
  timeFields?: readonly TimeField[];
};

/** Matches the ends of the names of files with traffic. */
const TRAFFIC_FILE = /\.(?:traffic|har|gor)(?:\.gz|\.zst)?$/i;

/** Returns whether the file contains traffic instead of searches. Without the key `format`, the ending of its name decides. */
export const isTraffic = ({
  format,
  file,
  indices,
  'allow-writes': mayWrite,
}: Pick<ReplayDefinition, 'format' | 'file' | 'indices' | 'allow-writes'>): boolean =>
  format === undefined
    ? TRAFFIC_FILE.test(file ?? '') || indices !== undefined || mayWrite !== undefined
    : isTrafficFormat(format);

/** Returns whether the task may send requests that change documents. */
const mayChange = (work: ReplayDefinition): boolean =>
  isTraffic(work) && (work.types === undefined || work.types.some((type) => WRITES.has(type)));

/** Returns the names of the existing indices to which requests go. They must exist before the run. */
export const existingIndices = ({ route, indices = {} }: ReplayDefinition): string[] => [
  ...new Set(
    [...(typeof route === 'object' ? route.indices : []), ...Object.values(indices)].flatMap((index) =>
      typeof index === 'object' && 'existing' in index ? [index.existing] : [],
    ),
  ),
];

/** Returns whether the requests may change the indices that {@link existingIndices} returns. */
export const changesExistingIndices = (work: ReplayDefinition): boolean =>
  work['allow-writes'] === true && mayChange(work);

export interface ReplayJob {
  source: LogSource;
  /** Format of the log. Null if the reader detects the format from the first lines. */
  format: LogFormat | null;
  /** Types of the searches to send. Null if searches of all types are sent. */
  types: string[] | null;
  everyShard: boolean;
  rewrite: Construct[];
  accept: Construct[];
  /** Index that a search goes to. Null if every search goes to all indices of the trial. */
  route:
    | (RouteRule & {
        /**
         * One index for each remainder. It is the name of an existing index, the position of an index of the trial (from 1), or null for
         * all indices of the trial.
         */
        indices: (string | number | null)[];
        /** Names of additional metrics, one for each element of `indices`. Null if there are no additional metrics. */
        names: string[] | null;
      })
    | null;
  /** Field with the routing of a search. Absent if searches are sent without a routing. */
  routing?: string;
  /** Query string of every search. */
  params: string;
  repeat: boolean;
  /** Whether the executor sends searches at their times in the log. If so, every line needs a time. */
  timed: boolean;
}

/** Returns the source of the log. Like a recorded log, a generated log is the same in all trials. */
const logSource = (
  { file, generator }: ReplayDefinition,
  seed: number,
  resolveFile: (file: string) => string,
): LogSource =>
  generator === undefined
    ? { kind: 'file', file: resolveFile(file!) }
    : { kind: 'generator', generator, seed };

function routeJob({ route }: ReplayDefinition, index: Surroundings['index']): ReplayJob['route'] {
  if (route === undefined) return null;
  if (route === AS_DOCUMENTS) {
    // With a single index, the same rule applies, so that all cells refuse the same searches.
    if (index.route === 'in-turn') return null;
    const { field, by } = index.route;
    const indices = Array.from({ length: index.count }, (_, place) => place + 1);
    return { field, by, modulo: index.count, indices, names: null };
  }
  const { field, modulo, indices, names } = route;
  return { field, by: 'remainder', modulo, indices: indices.map(indexOf), names: names ?? null };
}

/** Converts an element of `indices` to its form in a job. The schema and later checks exclude other values. */
function indexOf(index: string | { trial: number } | { existing: string }): string | number | null {
  if (typeof index === 'object') return 'trial' in index ? index.trial : index.existing;
  if (index !== OWN_INDEX) throw new Error(`no index of the trial is called ${index}`);
  return null;
}

const placeOf = (written: z.output<typeof place>): IndexPlace | null => {
  if (written === LEAVE_OUT) return null;
  if (written === OWN_INDEX) return { trial: null };
  return 'trial' in written ? { trial: written.trial } : { existing: written.existing };
};

/** Returns the rules that map recorded names of indices to the indices of the replay. */
const indexRules = ({ indices = {} }: ReplayDefinition): IndexRule[] =>
  Object.entries(indices).map(([pattern, to]) => ({ pattern, to: placeOf(to) }));

/** Placeholder for the facts of a file that has not been read yet. */
const NOT_FOUND: TrafficFound = { indices: [], startedAt: 0, firstAt: 0, lastAt: 0, groups: null };

const trafficJob = (
  work: ReplayWork,
  format: TrafficFormat,
  {
    index,
    engine = 'elasticsearch',
    resolveFile,
    now,
  }: Pick<Surroundings, 'index' | 'engine' | 'resolveFile' | 'now'>,
): TrafficJob => ({
  source: { kind: 'file', file: resolveFile(work.file!) },
  traffic: format,
  types: work.types ?? null,
  indices: indexRules(work),
  rest: work.indices === undefined ? { trial: null } : null,
  mayWriteOwn: index.existing === undefined || index['allow-writes'] === true,
  mayWriteExisting: work['allow-writes'] === true,
  engine,
  repeat: work.repeat,
  ...(work['refresh-window'] === undefined ? {} : { refreshWindowMs: durationMs(work['refresh-window']) }),
  ...(work.timeFields === undefined
    ? {}
    : { times: { fields: work.timeFields, seconds: secondsTo(now, work.found ?? NOT_FOUND) } }),
  found: work.found ?? NOT_FOUND,
});

/** Returns the time from the first request of a recording to `now`, in whole seconds. 0 if `now` is unknown. */
const secondsTo = (now: number | undefined, { startedAt, firstAt }: TrafficFound): number =>
  now === undefined ? 0 : Math.floor((now - startedAt - firstAt / 1000) / 1000);

/** Keys that apply only to logs of searches. */
const OF_LOGS = ['route', 'routing'] as const;

/**
 * Returns a problem for each key that does not fit the contents of the file. If these are recorded traffic, keys for logs of searches are
 * not allowed. If they are a log of searches, keys for recorded traffic are not allowed.
 */
function checkTraffic(work: ReplayDefinition, path: string): Problem[] {
  const problems: Problem[] = [];
  const wrong = (key: string, message: string, allowed: string): void => {
    problems.push({ code: 'definition.replay-traffic', path: `${path}.${key}`, message, allowed });
  };
  if (work['time-fields'] !== undefined && work.times !== 'shift')
    wrong('time-fields', 'it applies only if dates move', 'times: shift, or no time-fields');
  if (!isTraffic(work)) {
    for (const key of ['indices', 'allow-writes', 'refresh-window', 'times'] as const)
      if (work[key] !== undefined)
        wrong(
          key,
          'it applies only to recorded traffic',
          `format: ${TRAFFIC_FORMATS.join(' | ')}, or no ${key}`,
        );
    return problems;
  }
  const message = 'it applies only to logs of searches, and the file contains traffic';
  for (const key of OF_LOGS) if (work[key] !== undefined) wrong(key, message, `no ${key}`);
  if (Object.keys(work.params ?? {}).length > 0) wrong('params', message, 'no params');
  if (work.rewrite === 'all' || work.rewrite.length > 0) wrong('rewrite', message, 'no rewrite');
  if (work.accept.length > 0) wrong('accept', message, 'no accept');
  if (work.generator !== undefined) wrong('generator', 'recorded traffic is read from a file', 'file');
  for (const [pattern, to] of Object.entries(work.indices ?? {}))
    if (
      typeof to === 'object' &&
      'existing' in to &&
      work['allow-writes'] &&
      !MAY_BE_CHANGED.test(to.existing)
    )
      problems.push({
        code: 'definition.existing',
        path: `${path}.indices.${pattern}`,
        message:
          'with allow-writes, it must be the name of one index, which does not belong to Elasticsearch or Dyno',
        found: to.existing,
        allowed: 'a name without wildcards, commas and leading dots',
      });
  return problems;
}

/** Matches the names of indices that a replay may change. */
const MAY_BE_CHANGED = new RegExp(
  `^(?!${OWN_INDICES.map((own) => own.replaceAll('*', '.*')).join('|')})[^.*,<_-][^*,<]*$`,
);

/** Format of generated logs. */
const MADE: LogFormat = 'query-log';

/** Returns a problem for each key that is not allowed with a generated log. */
function checkMade({ generator, format, repeat, types }: ReplayDefinition, path: string): Problem[] {
  if (generator === undefined) return [];
  const problems: Problem[] = [];
  const wrong = (key: string, message: string, found: string, allowed: string): void => {
    problems.push({ code: 'definition.made-log', path: `${path}.${key}`, message, found, allowed });
  };
  if (format !== undefined && format !== MADE)
    wrong('format', 'a generated log has its own format', format, 'query-log, or a file');
  if (repeat) wrong('repeat', 'a generated log has no end', 'true', 'false, or a file');
  const made = logOf(generator).types;
  for (const [at, type] of (types ?? []).entries())
    if (!made.includes(type))
      wrong(`types[${at}]`, 'the generated log has no such searches', type, made.join(', '));
  return problems;
}

function checkRouting({ routing, params }: ReplayDefinition, path: string): Problem[] {
  const given = params['routing'];
  if (routing === undefined || given === undefined) return [];
  return [
    {
      code: 'definition.replay-routing',
      path: `${path}.params.routing`,
      message: `each search has its own routing by ${routing.field}`,
      found: showValue(given),
      allowed: 'routing, or params.routing',
    },
  ];
}

function checkRoute(replay: ReplayDefinition, route: ReplayRoute, path: string): Problem[] {
  const { modulo, indices, names } = route;
  const problems = indices.flatMap((index, place): Problem[] =>
    typeof index === 'string' && index !== OWN_INDEX
      ? [
          {
            code: 'definition.route-index',
            path: `${path}.indices[${place}]`,
            message: 'the indices of a trial have no other names here',
            found: index,
            allowed: `${OWN_INDEX}, { ${OWN_INDEX}: NUMBER }, or { existing: NAME } for an existing index`,
          },
        ]
      : [],
  );
  const oneEach = (key: 'indices' | 'names', found: number, what: string): void => {
    if (found === modulo) return;
    problems.push({
      code: `definition.route-${key}`,
      path: `${path}.${key}`,
      message: `there must be ${what} for each remainder of the division by ${modulo}`,
      found: String(found),
      allowed: `${modulo} of them`,
    });
  };
  oneEach('indices', indices.length, 'an index');
  if (names === undefined) return problems;
  oneEach('names', names.length, 'a name');
  const taken = (typesOf(replay) ?? []).map(requestKey);
  for (const [at, name] of names.entries()) {
    const key = requestKey(name);
    if (taken.includes(key))
      problems.push({
        code: 'definition.name-twice',
        path: `${path}.names[${at}]`,
        message: 'metrics cannot distinguish it from another name or from a search type',
        found: name,
        allowed: 'names that differ in letters or digits',
      });
    taken.push(key);
  }
  return problems;
}

function checkIndices(
  route: NonNullable<ReplayDefinition['route']>,
  { count, route: ofDocuments }: Surroundings['index'],
  path: string,
): Problem[] {
  if (route === AS_DOCUMENTS) {
    if (count === 1 || typeof ofDocuments === 'object') return [];
    return [
      {
        code: 'definition.route-in-turn',
        path,
        message: 'documents go to the indices in turn, so no index belongs to a value',
        found: route,
        allowed: 'index.route: { field: ..., by: remainder | hash }, or no route',
      },
    ];
  }
  return route.indices.flatMap((own, place): Problem[] =>
    typeof own === 'object' && 'trial' in own && own.trial > count
      ? [noSuchIndex(`${path}.indices[${place}]`, own.trial, count)]
      : [],
  );
}

const noSuchIndex = (path: string, position: number, count: number): Problem => ({
  code: 'definition.route-index',
  path,
  message: count === 1 ? 'a trial has one index' : `a trial has ${count} indices`,
  found: `{ ${OWN_INDEX}: ${position} }`,
  allowed: `1 to index.count, or ${OWN_INDEX} for all of them`,
});

const FORMAT_TEXTS: Readonly<Record<LogFormat | TrafficFormat, Text>> = {
  'query-log': { id: 'dyno.editor.replay.queryLog', text: 'TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY' },
  'slow-log': { id: 'dyno.editor.replay.slowLog', text: 'Search slow log of Elasticsearch, JSON' },
  'slow-log-text': { id: 'dyno.editor.replay.slowLogText', text: 'Search slow log of Elasticsearch, text' },
  ndjson: { id: 'dyno.editor.replay.ndjson', text: 'One JSON search per line' },
  traffic: { id: 'dyno.editor.replay.traffic', text: 'Traffic recorded by dyno record' },
  har: { id: 'dyno.editor.replay.har', text: 'HTTP archive (HAR)' },
  gor: { id: 'dyno.editor.replay.gor', text: 'Traffic recorded by GoReplay' },
  'audit-log': { id: 'dyno.editor.replay.auditLog', text: 'Audit log of Elasticsearch with request bodies' },
};

const isLog = (work: Written): boolean => !isTraffic(work as Parameters<typeof isTraffic>[0]);
const mayBeTraffic = (work: Written): boolean =>
  isFile(work) && (work['format'] === undefined || isTrafficFormat(String(work['format'])));

/** Keys that are only allowed with a file. */
const OF_FILES = [
  ...['format', 'shards', 'repeat', 'types', 'indices', 'allow-writes', 'refresh-window', 'times'],
  'time-fields',
];

const taken = (work: Written, keys: readonly string[]): { key: string }[] =>
  keys.filter((key) => key in work).map((key) => ({ key }));

const isFile = ({ generator }: Written): boolean => generator === undefined;

const TRAFFIC_ROWS: readonly FormRow[] = [
  {
    kind: 'structure',
    key: 'indices',
    lines: 3,
    optional: true,
    placeholder: "shop: trial\n'logs-*': leave-out",
    label: { id: 'dyno.editor.replay.indices', text: 'Indices of recorded traffic' },
    help: {
      id: 'dyno.editor.replay.indicesHelp',
      text: "Where requests to a recorded index go: trial, '{ trial: 1 }', '{ existing: NAME }' or leave-out. Empty: all go to the trial.",
    },
  },
  {
    kind: 'switch',
    key: 'allow-writes',
    label: {
      id: 'dyno.editor.replay.allowWrites',
      text: 'Recorded traffic may change existing indices and use ingest pipelines',
    },
  },
  {
    kind: 'text',
    key: 'refresh-window',
    placeholder: '1s',
    label: { id: 'dyno.editor.replay.refreshWindow', text: 'Refresh window' },
    help: {
      id: 'dyno.editor.replay.refreshWindowHelp',
      text: 'Numbers of hits may differ by documents written in this time before or after a search. Without it, every difference counts.',
    },
  },
  {
    kind: 'ways',
    key: 'times',
    label: { id: 'dyno.editor.replay.times', text: 'Dates in requests' },
    ways: [
      {
        value: 'recorded',
        text: { id: 'dyno.editor.replay.timesRecorded', text: 'stay as recorded' },
        is: ({ times }) => times !== 'shift',
        writes: (work) => taken(work, ['times', 'time-fields']),
      },
      {
        value: 'shift',
        text: { id: 'dyno.editor.replay.timesShift', text: 'move to the time of the replay' },
        is: ({ times }) => times === 'shift',
        writes: () => [{ key: 'times', value: 'shift' }],
        rows: [
          {
            kind: 'structure',
            key: 'time-fields',
            lines: 2,
            optional: true,
            placeholder: "['@timestamp', order.created]",
            label: { id: 'dyno.editor.replay.timeFields', text: 'Fields whose dates move' },
            help: {
              id: 'dyno.editor.replay.timeFieldsHelp',
              text: 'Empty: all date fields in the mappings of the indices that the requests go to. Dates in scripts, PPL and calculations stay as recorded.',
            },
          },
        ],
      },
    ],
  },
];

const LOG_ROWS: readonly FormRow[] = [
  {
    kind: 'ways',
    label: { id: 'dyno.editor.replay.source', text: 'Requests' },
    ways: [
      {
        value: 'file:',
        text: { id: 'dyno.editor.replay.fromFile', text: 'A recorded log or traffic' },
        is: isFile,
        writes: (work) => [...taken(work, ['generator']), { key: 'file', value: 'searches.log' }],
      },
      ...LOG_GENERATORS.map((name) => ({
        value: name,
        text: logOf(name).label,
        is: ({ generator }: Written) => generator === name,
        writes: (work: Written) => [...taken(work, ['file', ...OF_FILES]), { key: 'generator', value: name }],
      })),
    ],
  },
  {
    kind: 'group',
    shown: isFile,
    rows: [
      [
        {
          kind: 'text',
          key: 'file',
          required: true,
          label: { id: 'dyno.editor.replay.file', text: 'File' },
          help: FILE_HELP,
        },
        {
          kind: 'choice',
          key: 'format',
          fallback: '',
          label: { id: 'dyno.editor.replay.format', text: 'Format' },
          options: [
            { value: '', text: { id: 'dyno.editor.replay.detected', text: 'Detected from the first lines' } },
            ...REPLAY_FORMATS.map((value) => ({ value, text: FORMAT_TEXTS[value] })),
          ],
        },
      ],
      {
        kind: 'group',
        shown: mayBeTraffic,
        rows: TRAFFIC_ROWS,
      },
      [
        {
          kind: 'choice',
          key: 'rewrite',
          shown: isLog,
          fallback: '[]',
          label: { id: 'dyno.editor.replay.rewrite', text: 'Searches of old Elasticsearch versions' },
          help: { id: 'dyno.editor.replay.rewriteHelp', text: 'Both are counted.' },
          options: [
            { value: '[]', text: { id: 'dyno.editor.replay.rewriteNone', text: 'are skipped' } },
            {
              value: 'all',
              text: { id: 'dyno.editor.replay.rewriteAll', text: 'are rewritten if a rule exists' },
            },
          ],
        },
        {
          kind: 'choice',
          key: 'shards',
          shown: (work) =>
            isLog(work) && ['slow-log', 'slow-log-text', ''].includes(String(work['format'] ?? '')),
          fallback: 'one',
          label: { id: 'dyno.editor.replay.shards', text: 'Lines of several shards and phases of a search' },
          options: [
            { value: 'one', text: { id: 'dyno.editor.replay.shardsOne', text: 'count as one search' } },
            { value: 'all', text: { id: 'dyno.editor.replay.shardsAll', text: 'count as one search each' } },
          ],
        },
      ],
      {
        kind: 'switch',
        key: 'repeat',
        label: {
          id: 'dyno.editor.replay.repeat',
          text: 'Start again at the end of the file (a log of searches: not at the recorded pace)',
        },
      },
    ],
  },
];

/** The first route in the form: two indices of the trial, with metrics for each. */
const FIRST_ROUTE = {
  field: 'store_id',
  modulo: 2,
  indices: [{ trial: 1 }, { trial: 2 }],
  names: ['even', 'odd'],
};

const ROUTE_FIELD: FormField = {
  kind: 'ways',
  key: 'route',
  shown: isLog,
  label: { id: 'dyno.editor.replay.route', text: 'Each search goes to' },
  ways: [
    {
      value: 'all',
      text: { id: 'dyno.editor.replay.routeAll', text: 'all indices of the trial' },
      is: (work) => work['route'] === undefined,
      writes: () => [{ key: 'route' }],
    },
    {
      value: AS_DOCUMENTS,
      text: {
        id: 'dyno.editor.replay.routeIndex',
        text: 'the index of the documents with its value',
      },
      is: (work) => work['route'] === AS_DOCUMENTS,
      writes: () => [{ key: 'route', value: AS_DOCUMENTS }],
    },
    {
      value: 'own',
      text: { id: 'dyno.editor.replay.routeOwn', text: 'the index selected by a custom rule' },
      is: (work) => work['route'] !== undefined && work['route'] !== AS_DOCUMENTS,
      writes: () => [{ key: 'route', value: FIRST_ROUTE }],
      rows: [
        {
          kind: 'structure',
          key: 'route',
          lines: 8,
          label: { id: 'dyno.editor.replay.routeRule', text: 'The rule' },
          help: {
            id: 'dyno.editor.replay.routeRuleHelp',
            text: "An index for each remainder: trial, '{ trial: 1 }' or '{ existing: NAME }'. Names add metrics for each.",
          },
        },
      ],
    },
  ],
};

export const replay = defineTaskKind({
  name: 'replay',
  schema: replaySchema,
  text: 'Sends the searches of a log again, or all requests of recorded traffic. See [replay](replay.md).',
  label: { id: 'dyno.editor.task.replay', text: 'Replay' },
  add: { id: 'dyno.editor.tasks.addReplay', text: 'Add replay of a log or of traffic' },
  first: { work: { file: 'searches.log' }, executor: { recorded: { speed: 1 } } },
  form: [
    ...LOG_ROWS,
    ROUTE_FIELD,
    [
      {
        kind: 'text',
        key: 'routing.field',
        shown: isLog,
        label: { id: 'dyno.editor.replay.routing', text: 'Routing by field' },
        help: {
          id: 'dyno.editor.replay.routingHelp',
          text: 'Each search goes only to the shard of its value in this field.',
        },
      },
    ],
  ],
  sentence: (work) => {
    const { file, generator, types, routing, repeat } = work;
    return [
      `${isTraffic(work) ? 'requests' : 'searches'} of ${file ?? `the generated log ${generator!}`}`,
      types === undefined ? '' : `, of ${types.join(' and ')} only`,
      routing === undefined ? '' : `, routed by ${routing.field}`,
      work.times === 'shift'
        ? ', with the dates of date fields moved to the time of the replay (not those in scripts and calculations)'
        : '',
      repeat ? `, again from the start when the ${isTraffic(work) ? 'file' : 'log'} ends` : '',
    ].join('');
  },
  unit: 'requests/s',
  counted: 'Requests',
  answered: 'requests were answered',
  // Recorded traffic may write. Writes to existing data are left out unless they are allowed, so they are no problem of a definition.
  changesIndex: mayChange,
  searches: true,
  requestNames: (work) => {
    const types = typesOf(work);
    return types === null ? null : [...types, ...routeNames(work)];
  },
  file: ({ file }) => (file === undefined ? undefined : { key: 'file', file }),
  problems: (work, path, { executor }) => [
    ...checkMade(work, path),
    ...checkTraffic(work, path),
    ...('recorded' in executor && executor.recorded !== undefined && work.repeat && !isTraffic(work)
      ? [
          {
            code: 'definition.recorded-repeat',
            path: `${path}.repeat`,
            message: 'a recorded log cannot repeat at its recorded pace',
            allowed: 'false, or an executor with clients or a rate',
          },
        ]
      : []),
    ...checkRouting(work, path),
    ...(typeof work.route === 'object' ? checkRoute(work, work.route, `${path}.route`) : []),
  ],
  indexProblems: ({ route: given, indices = {} }, path, index) => [
    ...(given === undefined ? [] : checkIndices(given, index, `${path}.route`)),
    ...Object.entries(indices).flatMap(([pattern, to]) =>
      typeof to === 'object' && 'trial' in to && to.trial > index.count
        ? [noSuchIndex(`${path}.indices.${pattern}`, to.trial, index.count)]
        : [],
    ),
  ],
  operation: 'replay',
  job: (work, { name, executor, index, engine, seed, resolveFile, now }): ReplayJob | TrafficJob => {
    const { format, types, shards, accept, params, repeat } = work;
    if (isTrafficFormat(format)) return trafficJob(work, format, { index, engine, resolveFile, now });
    return {
      source: logSource(work, deriveSeed(seed, name, 'log'), resolveFile),
      format: format ?? (work.generator === undefined ? null : MADE),
      types: types ?? null,
      everyShard: shards === 'all',
      rewrite: rewritesOf(work),
      accept,
      route: routeJob(work, index),
      ...(work.routing === undefined ? {} : { routing: work.routing.field }),
      params: queryString(params),
      repeat,
      timed: 'recorded' in executor && executor.recorded !== undefined,
    };
  },
});
