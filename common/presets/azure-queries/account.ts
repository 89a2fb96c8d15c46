/** What the experiments of the account `azure-queries` share: seven queries over web events, beside ingestion or alone, on Azure in 2016. */
import type { DefinitionInput } from '../../experiment/definition';
import type { PublishedRow } from '../published';
import {
  COUNT_UNITS,
  INGEST_UNITS,
  QUERIES_UNIT,
  requestCounts,
  responseTimes,
  sumOf,
  TIME_UNITS,
} from './columns';
import type { MixedTrial, QueryTrial } from './tables';

export const SEED = 'azure-queries';
export const TITLE = 'Tuning data aggregation and query performance with Elasticsearch on Azure';

/** Paths of the factors. */
export const REPLICAS = 'index.settings.number_of_replicas';
export const SHARDS = 'index.settings.number_of_shards';
export const CACHE = 'index.settings.requests.cache.enable';
export const MAPPING = 'index.mapping';
export const MACHINE = 'environment.machine';
export const DISK = 'environment.disk';
export const NODES = 'environment.nodes';

/** Levels of {@link MAPPING}. */
export const DOC_VALUES = 'http-events';
export const NO_DOC_VALUES = 'http-events-no-doc-values';

/** By Little's law: of most of its trials with ingestion, and of nearly all of its trials with queries alone. */
export const INGEST_CLIENTS = 3;
export const QUERY_CLIENTS = 8;

/** That of its request which creates the index; the request cache was off unless it was switched on. */
const INDEX = {
  number_of_shards: 5,
  number_of_replicas: 1,
  refresh_interval: '30s',
  'translog.durability': 'async',
  'requests.cache.enable': false,
};

type Workload = Pick<DefinitionInput, 'index' | 'preload' | 'tasks'>;
type Settings = Record<string, unknown>;

/** Its *ingestion and query* test: bulks of 1000 into an empty index, and beside them the queries about the last 15 minutes. */
export const mixedWorkload = (settings: Settings = {}): Workload => ({
  index: { settings: { ...INDEX, ...settings } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'http-events' }, bulk: { docs: 1000 }, retries: { attempts: 0 } },
      executor: { 'constant-clients': { clients: INGEST_CLIENTS } },
    },
    {
      name: 'queries',
      transaction: { set: 'azure-queries', window: '15m' },
      executor: { 'constant-rate': { every: '5s' } },
    },
  ],
});

/** Its *query-only* test: the queries about all of 100 million documents, back to back. */
export const queryOnlyWorkload = (settings: Settings = {}): Workload => ({
  index: { settings: { ...INDEX, ...settings } },
  preload: {
    documents: 100_000_000,
    source: { generator: 'http-events' },
    'force-merge': 1,
    reuse: 'same',
  },
  tasks: [
    {
      name: 'queries',
      transaction: { set: 'azure-queries', window: 'none' },
      executor: { 'constant-clients': { clients: QUERY_CLIENTS } },
    },
  ],
});

/** Until the window of the queries is full. */
const FILL = '15m';
export const A_DAY = { 'burn-in': '2m', warmup: FILL, duration: '24h' };
export const BESIDE_90_MINUTES = { 'burn-in': '2m', warmup: FILL, duration: '90m' };
export const ALONE_90_MINUTES = { 'burn-in': '2m', warmup: '2m', duration: '90m' };

/** Refreshed and asked more often, or hardly a query would find anything, and hardly one would be asked. */
export const QUICK_MIXED = {
  'index.settings.refresh_interval': '5s',
  'tasks.queries.executor.constant-rate.every': '1s',
  'measure.burn-in': '30s',
  'measure.warmup': '10s',
  'measure.duration': '20s',
};
export const QUICK_QUERY_ONLY = {
  'preload.documents': 100_000,
  'measure.burn-in': '30s',
  'measure.warmup': '5s',
  'measure.duration': '20s',
};

export const REPEATED = 'one trial of each cell';

/** Columns of the two kinds of test. */
export const MIXED_UNITS = { ...INGEST_UNITS, ...TIME_UNITS };
export const QUERY_ONLY_UNITS = { ...QUERIES_UNIT, ...TIME_UNITS, ...COUNT_UNITS };

type Figures = PublishedRow['figures'];

export const mixedFigures = ({ ingestion, bulks, times }: MixedTrial): Figures => ({
  ingestion,
  bulks,
  ...responseTimes(times),
});

export const queryOnlyFigures = ({ times, counts }: QueryTrial): Figures => ({
  queries: counts === null ? null : sumOf(counts),
  ...responseTimes(times),
  ...requestCounts(counts),
});

const QUERIES_TOLD =
  'Seven queries as one transaction: Count By Rating, Count Over Time, Hits By Country, Top 15 Organizations, Unique Count Organizations, Unique IP Count, Total Hits Counts.';
const INDEX_TOLD =
  'Events of 32 fields in one index, refreshed every 30s, translog.durability async, 1 replica unless told otherwise.';

/** What stood under the two kinds of test; `cluster` is a sentence. */
export const mixedConditions = (cluster: string, lasting = '24 hours for each cell'): string[] => [
  cluster,
  `Ingestion and query: bulks of 1000 into an empty index; beside them, every 5 seconds, the queries about the last 15 minutes; ${lasting}.`,
  QUERIES_TOLD,
  INDEX_TOLD,
];
export const queryOnlyConditions = (cluster: string): string[] => [
  cluster,
  'Queries only: the same queries about all of 100 million documents that do not change; 90 minutes for each cell.',
  QUERIES_TOLD,
  INDEX_TOLD,
];

/** What holds for all of its figures. */
export const NOTES = {
  version: 'The version of Elasticsearch is not told; the settings and mappings are of 1.7 to 2.x.',
  shards:
    'The number of shards is told of one test only; here it is the 5 of its request that creates the index.',
  fields:
    'Its table of fields names 31, its mapping 32 (SourceIpRegion is missing in the table); here they are 32.',
  documents:
    'The 100 million documents are told of each node in one place and of the whole index elsewhere; here it is the index.',
  sum: 'Queries of all kinds together are added up here, but for the 7,369 and 5,894 that the account prints itself.',
  interval:
    'The queries were repeated every 5 seconds, it says; by its counts a transaction came every 12.4 s on DS4 and every 12.3 s on DS14.',
  notPrinted: (form: string, printed: string): string =>
    `The account did this for ${printed} alone and prints no figures of ${form}; the experiment is offered because it is the other half of the question.`,
};
export const MIXED_NOTES = [NOTES.interval, NOTES.shards, NOTES.fields, NOTES.version];
export const QUERY_ONLY_NOTES = [NOTES.documents, NOTES.shards, NOTES.fields, NOTES.version];

/** Says by Little's law how many clients its figures come from; `law` ends in a full stop or goes on after a semicolon. */
export const ingestClientsNote = (law: string): string =>
  `The number of clients is not told; by Little's law its bulks come from about ${law} Here it is ${INGEST_CLIENTS} in all cells.`;
export const queryClientsNote = (law: string): string =>
  `The number of clients is not told; by Little's law its queries come from about ${law} Here it is ${QUERY_CLIENTS} in all cells.`;

export const CHANGES = {
  mapping:
    '"string, not_analyzed" is "keyword" today; mapping types and _all, which it had switched off, are gone, and so is _timestamp, lat_lon and geohash of its mapping.',
  queries:
    '"filtered" queries are "bool" queries today, "interval" is "fixed_interval", and Total Hits Counts asks for track_total_hits, without which counting stops at 10,000.',
  cacheOff:
    'The shard request cache was off by default in its time and is on since 5.0: it is switched off here, or the queries would be answered from it.',
  open: 'A transaction leaves every 5 s, however slow the answers are; its client may have paused 5 s after each.',
  retries: 'Its client sent no refused bulk again, so retries are off: what is refused counts at once.',
  merged:
    'Each shard is merged into one segment first: else cells whose indices are loaded apart would differ by their segments too.',
  shortcuts:
    'Without a window, some queries (Total Hits Counts, and aggregations by terms or time) may be answered from counts that the index keeps, without a look at the documents; its version had to look.',
  stands:
    'Cells of different settings load documents of their own, and all of these indices stand at once; "order: sequential" needs room for one at a time, and lets a drift of the machine into the comparison.',
  labels: 'Dyno cannot change the environment: its levels are labels of what you set up yourself.',
  warmup: 'Its 24 hours begin with an empty index; here 15 minutes go before, so that the window is full.',
  replica: 'On fewer data nodes than copies, replicas stay unassigned and cost nothing; the report says so.',
};
const COMMON_CHANGES = [CHANGES.mapping, CHANGES.queries];
export const MIXED_CHANGES = [
  ...COMMON_CHANGES,
  CHANGES.open,
  CHANGES.warmup,
  CHANGES.retries,
  CHANGES.replica,
];
export const QUERY_ONLY_CHANGES = [...COMMON_CHANGES, CHANGES.merged, CHANGES.shortcuts, CHANGES.replica];
