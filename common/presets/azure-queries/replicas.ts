/** One and two replicas. */
import type { Preset } from '../preset';
import type { PublishedRow } from '../published';
import {
  A_DAY,
  ALONE_90_MINUTES,
  CHANGES,
  INGEST_CLIENTS,
  MIXED_CHANGES,
  MIXED_NOTES,
  mixedConditions,
  mixedWorkload,
  queryClientsNote,
  NOTES,
  QUERY_ONLY_CHANGES,
  QUERY_ONLY_NOTES,
  QUERY_ONLY_UNITS,
  queryOnlyConditions,
  queryOnlyFigures,
  queryOnlyWorkload,
  QUICK_MIXED,
  QUICK_QUERY_ONLY,
  REPEATED,
  REPLICAS,
  SEED,
  TITLE,
} from './account';
import {
  COMPARED_INGESTION,
  COMPARED_QUERIES,
  COMPARED_TIMES,
  INGEST_UNITS,
  responseTimes,
  TIME_UNITS,
} from './columns';
import { MIXED, MIXED_2_REPLICAS, QUERY_ONLY, QUERY_ONLY_2_REPLICAS, type MixedTrial } from './tables';

const CLUSTER = '6 nodes DS4 (8 cores, 28 GB, 16 SSDs) or DS14 (16 cores, 112 GB, 32 SSDs).';
const MACHINES = ['DS4', 'DS14'] as const;

/** How many bulks were stored with 2 replicas is not printed. */
const mixed = ({ ingestion, times }: MixedTrial): PublishedRow['figures'] => ({
  ingestion,
  ...responseTimes(times),
});

export const azureQueriesMixedReplicas: Preset = {
  name: 'azure-queries-mixed-replicas',
  summary: 'Queries beside ingestion with one replica and with two',
  definition: {
    version: 1,
    name: 'Replicas against ingestion and queries together (Azure)',
    hypothesis: 'A second replica slows ingestion, and the queries beside it gain nothing',
    expect: [`ingest.throughput falls with ${REPLICAS}`, `queries.service_time.mean rises with ${REPLICAS}`],
    ...mixedWorkload(),
    factors: { [REPLICAS]: [1, 2] },
    measure: A_DAY,
    trials: 3,
  },
  quick: QUICK_MIXED,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: mixedConditions(CLUSTER),
    repeated: REPEATED,
    units: { ingestion: INGEST_UNITS.ingestion, ...TIME_UNITS },
    rows: MACHINES.flatMap((machine): PublishedRow[] => [
      { levels: { [REPLICAS]: 1 }, labels: { machine }, figures: mixed(MIXED[machine]) },
      { levels: { [REPLICAS]: 2 }, labels: { machine }, figures: mixed(MIXED_2_REPLICAS[machine]) },
    ]),
    compared: [COMPARED_INGESTION, ...COMPARED_TIMES],
    notes: [
      `The bulks stored with 2 replicas are not printed, so its clients are known of 1 replica only: about ${INGEST_CLIENTS}, by Little's law. Here it is ${INGEST_CLIENTS} in all cells.`,
      'With fewer documents stored, queries have less to look at: a part of the replica in their response times is that.',
      'The average I/O on DS14 went from 16,896,573 to 33,986,843 bytes/s.',
      ...MIXED_NOTES,
    ],
    changes: MIXED_CHANGES,
  },
};

export const azureQueriesOnlyReplicas: Preset = {
  name: 'azure-queries-only-replicas',
  summary: 'Queries alone with one replica and with two',
  definition: {
    version: 1,
    name: 'Replicas against queries alone (Azure)',
    hypothesis: 'A second replica spreads queries over more nodes, so that more are answered',
    expect: [`queries.throughput rises with ${REPLICAS}`, `queries.service_time.mean falls with ${REPLICAS}`],
    ...queryOnlyWorkload(),
    factors: { [REPLICAS]: [1, 2] },
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
    rows: MACHINES.flatMap((machine): PublishedRow[] => [
      { levels: { [REPLICAS]: 1 }, labels: { machine }, figures: queryOnlyFigures(QUERY_ONLY[machine]) },
      {
        levels: { [REPLICAS]: 2 },
        labels: { machine },
        figures: queryOnlyFigures(QUERY_ONLY_2_REPLICAS[machine]),
      },
    ]),
    compared: [COMPARED_QUERIES, ...COMPARED_TIMES],
    notes: [
      'It found more queries answered on DS4 and fewer on DS14; the difference is 8% and 7% of single trials.',
      queryClientsNote('8 in all four trials.'),
      NOTES.sum,
      ...QUERY_ONLY_NOTES,
    ],
    changes: [...QUERY_ONLY_CHANGES, CHANGES.cacheOff, CHANGES.stands],
  },
};
