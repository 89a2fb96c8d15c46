/**
 * Recorded results, and a fake cluster that contains only them. It answers the searches of the readers of results as Elasticsearch does.
 * It supports the queries and aggregations that they use, and refuses all others.
 */
import { readFileSync } from 'node:fs';

type Json = Record<string, unknown>;

/** Stored documents in the order of time. */
export interface StoredResults {
  run: Json;
  trials: Json[];
  samples: Json[];
}

export const readResults = (file: string): StoredResults =>
  JSON.parse(readFileSync(file, 'utf8')) as StoredResults;

const valueAt = (document: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((node, key) => (node as Json | undefined)?.[key], document);

/** Returns the number in a field, or its time in ms since the epoch. */
const numberAt = (document: Json, field: string): number | null => {
  const value = valueAt(document, field);
  if (typeof value === 'string') return Date.parse(value);
  return typeof value === 'number' ? value : null;
};

const only = (clause: Json): [string, Json] => Object.entries(clause)[0] as [string, Json];

function matches(document: Json, query: Json): boolean {
  const [kind, of] = only(query);
  if (kind === 'bool') {
    const {
      filter = [],
      must_not: without = [],
      ...more
    } = of as { filter?: Json[]; must_not?: Json | Json[] };
    if (Object.keys(more).length > 0)
      throw new Error(`no such part of a bool query: ${JSON.stringify(more)}`);
    return (
      filter.every((own) => matches(document, own)) && ![without].flat().some((own) => matches(document, own))
    );
  }
  if (kind === 'exists') return (valueAt(document, of['field'] as string) ?? null) !== null;
  const [field, wanted] = only(of);
  if (kind === 'term') return valueAt(document, field) === wanted;
  if (kind === 'terms') return (wanted as unknown as unknown[]).includes(valueAt(document, field));
  if (kind === 'range') {
    const { gte, lte } = wanted as unknown as { gte: number; lte: number };
    const value = numberAt(document, field) ?? Number.NaN;
    return value >= gte && value <= lte;
  }
  throw new Error(`no such query: ${kind}`);
}

function grouped<Key>(documents: readonly Json[], keyOf: (document: Json) => Key): Map<Key, Json[]> {
  const groups = new Map<Key, Json[]>();
  for (const document of documents) {
    const key = keyOf(document);
    groups.set(key, [...(groups.get(key) ?? []), document]);
  }
  return groups;
}

const FIGURES: Readonly<Record<string, (values: number[]) => number | null>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => (values.length === 0 ? null : Math.max(...values)),
  min: (values) => (values.length === 0 ? null : Math.min(...values)),
  avg: (values) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
  cardinality: (values) => new Set(values).size,
};

function aggregate(documents: readonly Json[], aggregations: Json = {}): Json {
  const buckets = (groups: Map<string | number, Json[]>, inner: Json | undefined): Json => ({
    buckets: [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, own]) => ({ key, doc_count: own.length, ...aggregate(own, inner) })),
  });
  return Object.fromEntries(
    Object.entries(aggregations as Record<string, Json>).map(([name, { aggs, ...own }]) => {
      const [kind, of] = only(own);
      const inner = aggs as Json | undefined;
      const field = of['field'] as string;
      if (kind === 'filter') {
        const found = documents.filter((document) => matches(document, of));
        return [name, { doc_count: found.length, ...aggregate(found, inner) }];
      }
      if (kind === 'terms')
        return [
          name,
          buckets(
            grouped(documents, (document) => valueAt(document, field) as string),
            inner,
          ),
        ];
      if (kind === 'date_histogram') {
        const [length, offset] = [of['fixed_interval'], of['offset']].map((text) =>
          parseInt(text as string, 10),
        ) as [number, number];
        const startOf = (document: Json): number =>
          Math.floor((numberAt(document, field)! - offset) / length) * length + offset;
        return [name, buckets(grouped(documents, startOf), inner)];
      }
      const figure = FIGURES[kind];
      if (figure === undefined) throw new Error(`no such aggregation: ${kind}`);
      return [name, { value: figure(documents.flatMap((document) => numberAt(document, field) ?? [])) }];
    }),
  );
}

/** Returns a client of a fake cluster that contains only `results`, without events of a collector. */
export const clusterOf = ({ run, trials, samples }: StoredResults) => ({
  request<T>({ path, body }: { path: string; body?: unknown }): Promise<{ status: number; body: T }> {
    const kind = /^\/dyno-(\w+)-\*\/_(search|refresh)$/.exec(path);
    if (kind === null) return Promise.resolve({ status: 404, body: {} as T });
    const all: Record<string, Json[]> = { runs: [run], trials, samples };
    const { query, aggs, size = 10, search_after: after } = (body ?? {}) as Record<string, never>;
    const found = (all[kind[1]!] ?? []).filter((document) => query === undefined || matches(document, query));
    // All hits are on the first page, so later pages are empty.
    const hits = after === undefined ? found.slice(0, size) : [];
    const answer = {
      _shards: { total: 1 },
      hits: { hits: hits.map((_source, place) => ({ _source, sort: [place] })) },
      ...(aggs === undefined ? {} : { aggregations: aggregate(found, aggs) }),
    };
    return Promise.resolve({ status: 200, body: answer as T });
  },
});

/**
 * Returns the results as older versions of Dyno stored them, without the fields that may be missing according to the types of runs, trials
 * and samples.
 */
export function asOlderVersion({ run, trials, samples }: StoredResults): StoredResults {
  const result = structuredClone({ run, trials, samples });
  const without = (from: unknown, ...keys: string[]): void => {
    for (const key of keys) if (typeof from === 'object' && from !== null) Reflect.deleteProperty(from, key);
  };
  without(result.run['provenance'], 'sittings', 'started');
  without(result.run['progress'], 'sitting');
  for (const document of [result.run, ...result.trials, ...result.samples])
    without(document['experiment'], 'target', 'provokesRejections');
  for (const trial of result.trials) {
    without(trial, 'cluster', 'collected');
    if (trial['preload'] === null) without(trial, 'preload');
    without(trial['preload'], 'built');
    for (const task of trial['tasks'] as Json[]) {
      without(task, 'replay', 'highestRate', 'parsing');
      for (const request of Object.values(task['requests'] as Json))
        without(request, 'serviceHistogram', 'latencyHistogram');
    }
  }
  for (const sample of result.samples) without(sample, 'requests');
  return result;
}
