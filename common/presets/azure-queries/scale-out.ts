/** One, three and six nodes. */
import type { Preset } from '../preset';
import {
  A_DAY,
  ALONE_90_MINUTES,
  CHANGES,
  MIXED_CHANGES,
  MIXED_NOTES,
  mixedConditions,
  mixedWorkload,
  NODES,
  NOTES,
  queryClientsNote,
  QUERY_ONLY_CHANGES,
  QUERY_ONLY_NOTES,
  QUERY_ONLY_UNITS,
  queryOnlyConditions,
  queryOnlyFigures,
  queryOnlyWorkload,
  QUICK_MIXED,
  QUICK_QUERY_ONLY,
  REPEATED,
  SEED,
  TITLE,
} from './account';
import { COMPARED_QUERIES, COMPARED_TIMES } from './columns';
import { QUERY_ONLY, QUERY_ONLY_1_NODE, QUERY_ONLY_3_NODES, type QueryTrial } from './tables';

const CLUSTER = '1, 3 or 6 nodes DS14 (16 cores, 112 GB, 32 SSDs).';

const TRIALS: [nodes: string, trial: QueryTrial][] = [
  ['1', QUERY_ONLY_1_NODE],
  ['3', QUERY_ONLY_3_NODES],
  ['6', QUERY_ONLY.DS14],
];
const LEVELS = TRIALS.map(([nodes]) => nodes);

export const azureQueriesMixedScaleOut: Preset = {
  name: 'azure-queries-mixed-scale-out',
  summary: 'Queries beside ingestion on 1, 3 and 6 nodes',
  definition: {
    version: 1,
    name: 'Number of nodes against ingestion and queries together (Azure)',
    hypothesis: 'More nodes ingest more and answer the queries beside it sooner',
    expect: [`ingest.throughput rises with ${NODES}`, `queries.service_time.mean falls with ${NODES}`],
    ...mixedWorkload(),
    factors: { [NODES]: LEVELS },
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
    notes: [
      NOTES.notPrinted('ingestion and queries together', 'queries alone'),
      'On 1 node the replica stays unassigned: it stores each document once, the others twice.',
      ...MIXED_NOTES,
    ],
    changes: [...MIXED_CHANGES, CHANGES.labels],
  },
};

export const azureQueriesOnlyScaleOut: Preset = {
  name: 'azure-queries-only-scale-out',
  summary: 'Queries alone on 1, 3 and 6 nodes with the same documents',
  definition: {
    version: 1,
    name: 'Number of nodes against queries alone (Azure)',
    hypothesis: 'More nodes answer more queries, each in less time',
    expect: [`queries.throughput rises with ${NODES}`, `queries.service_time.mean falls with ${NODES}`],
    ...queryOnlyWorkload(),
    factors: { [NODES]: LEVELS },
    measure: ALONE_90_MINUTES,
    trials: 3,
  },
  quick: QUICK_QUERY_ONLY,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: queryOnlyConditions(CLUSTER),
    repeated: REPEATED,
    units: QUERY_ONLY_UNITS,
    rows: TRIALS.map(([nodes, trial]) => ({
      levels: { [NODES]: nodes },
      figures: queryOnlyFigures(trial),
    })),
    compared: [COMPARED_QUERIES, ...COMPARED_TIMES],
    notes: [
      '6 nodes are said to handle 6 times as many queries as 1; by its counts it is 6.4 times (3 nodes: 4.2 times, told as 4).',
      'Whether the test on 1 node had a replica, which could not be assigned there, is not told.',
      queryClientsNote('8 on every number of nodes.'),
      NOTES.sum,
      ...QUERY_ONLY_NOTES,
    ],
    changes: [...QUERY_ONLY_CHANGES, CHANGES.cacheOff, CHANGES.labels],
  },
};
