/** From 7 to 61 primary shards. */
import type { Preset } from '../preset';
import {
  A_DAY,
  ALONE_90_MINUTES,
  CHANGES,
  MIXED_CHANGES,
  mixedConditions,
  mixedWorkload,
  NOTES,
  queryClientsNote,
  QUERY_ONLY_CHANGES,
  queryOnlyConditions,
  queryOnlyWorkload,
  QUICK_MIXED,
  QUICK_QUERY_ONLY,
  REPEATED,
  SEED,
  SHARDS,
  TITLE,
} from './account';
import { COMPARED_QUERIES, QUERIES_UNIT } from './columns';
import { QUERY_ONLY_SHARDS } from './tables';

const CLUSTER = '6 nodes DS14 (16 cores, 112 GB, 32 SSDs).';
const LEVELS = QUERY_ONLY_SHARDS.map(([shards]) => shards);

export const azureQueriesMixedShards: Preset = {
  name: 'azure-queries-mixed-shards',
  summary: 'Queries beside ingestion with 7 to 61 primary shards',
  definition: {
    version: 1,
    name: 'Shards against ingestion and queries together (Azure)',
    hypothesis: 'More shards answer queries sooner, and cost ingestion',
    expect: [
      `queries.service_time.mean falls with ${SHARDS} from 7 to 23`,
      `ingest.throughput falls with ${SHARDS} from 23 to 61`,
    ],
    ...mixedWorkload(),
    factors: { [SHARDS]: LEVELS },
    measure: A_DAY,
    trials: 3,
  },
  quick: QUICK_MIXED,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: mixedConditions(CLUSTER),
    repeated: REPEATED,
    units: {},
    rows: [],
    compared: [],
    notes: [NOTES.notPrinted('ingestion and queries together', 'queries alone'), NOTES.fields, NOTES.version],
    changes: MIXED_CHANGES,
  },
};

export const azureQueriesOnlyShards: Preset = {
  name: 'azure-queries-only-shards',
  summary: 'Queries alone with 7 to 61 primary shards',
  definition: {
    version: 1,
    name: 'Shards against queries alone (Azure)',
    hypothesis:
      'With too few shards cores are idle while queries wait; beyond half a shard a core, more bring little',
    expect: [
      `queries.throughput rises with ${SHARDS} from 13 to 23`,
      `queries.throughput stays with ${SHARDS} from 23 to 61`,
    ],
    ...queryOnlyWorkload(),
    factors: { [SHARDS]: LEVELS },
    measure: ALONE_90_MINUTES,
    trials: 3,
  },
  quick: { ...QUICK_QUERY_ONLY, 'preload.documents': 50_000, 'measure.duration': '15s' },
  published: {
    seed: SEED,
    title: TITLE,
    conditions: queryOnlyConditions(CLUSTER),
    repeated: REPEATED,
    units: {
      ...QUERIES_UNIT,
      response: 'ms of the whole transaction',
      layout: 'shards by node, replicas included',
    },
    rows: QUERY_ONLY_SHARDS.map(([shards, layout, queries, response]) => ({
      levels: { [SHARDS]: shards },
      figures: { queries, response, layout },
    })),
    compared: [COMPARED_QUERIES, { figure: 'response', metric: 'queries.service_time.mean' }],
    notes: [
      'The row of 13 shards is that of its DS4 machines (7,369 queries, 41,050 ms by its other tables), and 7 shards come out alike; its DS14 machines answered 12,872 elsewhere. So that the throughput nearly doubles at 23 shards may come from the machines.',
      'Half as many shards a node as cores (8 of 16) are called the best, although 61 shards, 20 a node, answered the most queries.',
      'Figure 18 is of 7 shards by its caption and of 13 by the text.',
      queryClientsNote('8 with every number of shards.'),
      NOTES.documents,
      NOTES.fields,
      NOTES.version,
    ],
    changes: [
      ...QUERY_ONLY_CHANGES,
      'Today a shard whose data lies in several segments may be searched by several threads at once; merged into one, it is searched by one thread, as it was in its time.',
      CHANGES.cacheOff,
      CHANGES.stands,
    ],
  },
};
