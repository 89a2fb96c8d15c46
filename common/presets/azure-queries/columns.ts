/** The columns of the account's tables: seven queries, each with a response time and a number, and the ingestion beside them. */
import { requestKey } from '../../measurement/metric';
import { requestsOf } from '../../experiment/request-sets';
import type { ComparedFigure, PublishedRow } from '../published';

type Figures = PublishedRow['figures'];
/** A figure of each query, in the order of {@link QUERIES}. */
export type Seven = readonly [number, number, number, number, number, number, number];

/** Its queries, in the order of its tables. */
export const QUERIES = requestsOf({ set: 'azure-queries', window: 'none' }).map(({ name }) => name);

const keysOf = (suffix: string): string[] => QUERIES.map((name) => `${requestKey(name)}${suffix}`);
const TIMES = keysOf('');
const COUNTS = keysOf('-count');

const columns = <T>(keys: readonly string[], value: (at: number) => T): Record<string, T> =>
  Object.fromEntries(keys.map((key, at) => [key, value(at)]));

/** Mean response times, ms. */
export const responseTimes = (times: Seven): Figures => columns(TIMES, (at) => times[at]!);
export const TIME_UNITS = columns(TIMES, (at) => `ms of ${QUERIES[at]}`);

/** How often each query was answered. */
export const requestCounts = (counts: Seven | null): Figures => columns(COUNTS, (at) => counts?.[at] ?? null);
export const COUNT_UNITS = columns(COUNTS, (at) => `number of ${QUERIES[at]}`);

/** The response time of each query beside the service time of that part of the transaction. */
export const COMPARED_TIMES: readonly ComparedFigure[] = TIMES.map((key) => ({
  figure: key,
  metric: `queries.${key}.service_time.mean`,
}));

/** All seven together. */
export const sumOf = (counts: Seven): number => counts.reduce((sum, count) => sum + count, 0);

/** Ingestion: its mean response time and the bulks stored. */
export const INGEST_UNITS = { ingestion: 'ms of Ingestion', bulks: 'bulks stored' };
export const COMPARED_BULKS: ComparedFigure = { figure: 'bulks', metric: 'ingest.throughput' };
export const COMPARED_INGESTION: ComparedFigure = { figure: 'ingestion', metric: 'ingest.latency.mean' };

/** Queries of all kinds in a query-only test. The account prints the sum for some tests; for the others it was added up. */
export const QUERIES_UNIT = { queries: 'queries in 90 minutes' };
export const COMPARED_QUERIES: ComparedFigure = { figure: 'queries', metric: 'queries.throughput' };
