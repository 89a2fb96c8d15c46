/** APIs that create, find, change and delete indices. */
import * as z from 'zod';
import { changes, counter, having, reads, type Change, type Endpoint, type Query } from './ask';
import { pathOf, type Names } from './documents';

/** Time limit for requests that can run for hours, such as force merges, copies and disk usage, in ms. */
export const HOURS_MS = 6 * 3600_000;

const STATISTICS = { ceiling: 'statistics' } as const;

export const indexExists = (index: string): Change => changes('HEAD', pathOf(index));

export const createIndex = (index: string, body: object, query: Query = {}): Change =>
  changes('PUT', pathOf(index), { query, body });

export const deleteIndex = (index: string): Change => changes('DELETE', pathOf(index));

/** Reads settings, mappings and aliases, by index. */
export const getIndices = <T>(names: Names, answer: z.ZodType<T>, query: Query): Endpoint<T> =>
  reads(pathOf(names), answer, { query, ...STATISTICS });

const mappings = z.record(z.string(), having<{ mappings?: unknown } | undefined>()).nullable();

/** Reads mappings, by index. If `names` is undefined, reads the mappings of all indices. */
export const getMappings = (
  names: Names | undefined,
  query: Query = {},
): Endpoint<z.output<typeof mappings>> =>
  reads(`${names === undefined ? '' : pathOf(names)}/_mapping`, mappings, { query, ...STATISTICS });

export const putMapping = (names: Names, body: object, query: Query = {}): Change =>
  changes('PUT', `${pathOf(names)}/_mapping`, { query, body });

const settings = z
  .record(z.string(), z.looseObject({ settings: z.record(z.string(), z.unknown()).optional() }))
  .nullable()
  .transform((answer) => answer ?? {});

/** Reads settings, by index, in nested form. */
export const nestedSettings = <T>(names: Names, answer: z.ZodType<T>, query: Query): Endpoint<T> =>
  reads(`${pathOf(names)}/_settings`, answer, { query, ...STATISTICS });

/** Reads the settings that match the patterns `of`, by index, with flat names. */
export const getSettings = (names: Names, of: readonly string[]): Endpoint<z.output<typeof settings>> =>
  reads(`${pathOf(names)}/_settings/${of.join()}`, settings, {
    query: { flat_settings: true },
    ...STATISTICS,
  });

export const putSettings = (names: Names, body: object): Change =>
  changes('PUT', `${pathOf(names)}/_settings`, { body, isExact: true });

/** Makes all earlier writes visible to searches. */
export const refresh = (names: Names, query: Query = {}): Change =>
  changes('POST', `${pathOf(names)}/_refresh`, { query });

export const forceMerge = (names: Names, segments: number): Change =>
  changes('POST', `${pathOf(names)}/_forcemerge`, {
    query: { max_num_segments: segments },
    timeoutMs: HOURS_MS,
  });

export const clearCaches = (names: Names): Change => changes('POST', `${pathOf(names)}/_cache/clear`);

export const closeIndices = (names: Names): Change => changes('POST', `${pathOf(names)}/_close`);

const NO_WAIT = { wait_for_active_shards: 0 };

/** Opens indices, without waiting for their shards. */
export const openIndices = (names: Names): Change =>
  changes('POST', `${pathOf(names)}/_open`, { query: NO_WAIT });

/** Clones an index, without waiting for the shards. `own`: settings of the new index that differ from the original. */
export const cloneIndex = (from: string, to: string, own: object): Change =>
  changes('POST', `${pathOf(from)}/_clone/${encodeURIComponent(to)}`, {
    query: NO_WAIT,
    body: { settings: own },
    repeatable: false,
  });

/** Reads statistics of indices. `what`: `_segments`, or `_stats/` followed by groups of statistics. */
export const indexFigures = <T>(
  names: Names,
  what: `_stats/${string}` | '_segments',
  answer: z.ZodType<T>,
  query: Query,
): Endpoint<T> => reads(`${pathOf(names)}/${what}`, answer, { query, ...STATISTICS });

const usage = z.record(
  z.string(),
  z.looseObject({
    fields: z.record(z.string(), z.looseObject({ total_in_bytes: counter().optional() })).optional(),
  }),
);

/** Measures the disk usage of each field, in bytes. For this, Elasticsearch flushes the index and reads one whole copy of each shard. */
export const diskUsage = (names: Names): Endpoint<z.output<typeof usage>> => ({
  method: 'POST',
  path: `${pathOf(names)}/_disk_usage`,
  query: { run_expensive_tasks: true, filter_path: '*.fields.*.total_in_bytes' },
  timeoutMs: HOURS_MS,
  repeatable: true,
  ceiling: 'statistics',
  answer: usage,
});

const capabilities = z.looseObject({
  indices: z.array(z.string()).default([]),
  fields: z
    .record(z.string(), z.record(z.string(), z.looseObject({ metadata_field: z.boolean().optional() })))
    .default({}),
});

/**
 * Reads the types of the fields that match the patterns. The response maps each field to its types. Indices that do not exist are ignored.
 */
export const fieldCapabilities = (
  names: Names,
  fields: readonly string[],
): Endpoint<z.output<typeof capabilities>> =>
  reads(`${pathOf(names)}/_field_caps`, capabilities, {
    query: {
      fields: fields.join(),
      ignore_unavailable: true,
      filter_path: 'indices,fields.*.*.type,fields.*.*.metadata_field,error,status',
    },
    ...STATISTICS,
  });

const rolled = z.looseObject({ rolled_over: z.boolean().optional() });

export const rollOver = (name: string, conditions: object): Endpoint<z.output<typeof rolled>> => ({
  method: 'POST',
  path: `${pathOf(name)}/_rollover`,
  body: { conditions },
  answer: rolled,
});

/** Reads the names of the indices that match the pattern. */
export const indicesLike = (pattern: string): Endpoint<string[]> =>
  reads(`${pathOf(pattern)}/_alias`, z.record(z.string(), z.unknown()).transform(Object.keys), {
    query: { allow_no_indices: true },
  });

const named = z.array(z.looseObject({ name: z.string() })).default([]);
const resolved = z
  .looseObject({ indices: named, aliases: named, data_streams: named })
  .transform(({ indices, aliases, data_streams: streams }) =>
    [indices, aliases, streams].flatMap((own) => own.map(({ name }) => name)),
  );

/** Reads the names of all indices, aliases and data streams. */
export const allNames = (): Endpoint<string[]> => reads('/_resolve/index/*', resolved);
