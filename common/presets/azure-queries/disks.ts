/** Spinning and solid-state disks under machines that are otherwise the same. */
import type { Preset } from '../preset';
import {
  A_DAY,
  ALONE_90_MINUTES,
  CHANGES,
  DISK,
  ingestClientsNote,
  INGEST_CLIENTS,
  MIXED_CHANGES,
  MIXED_NOTES,
  MIXED_UNITS,
  mixedConditions,
  mixedFigures,
  mixedWorkload,
  NOTES,
  QUERY_ONLY_CHANGES,
  QUERY_ONLY_NOTES,
  queryOnlyConditions,
  queryOnlyWorkload,
  QUICK_MIXED,
  QUICK_QUERY_ONLY,
  REPEATED,
  SEED,
  TITLE,
} from './account';
import { COMPARED_BULKS, COMPARED_INGESTION, COMPARED_TIMES } from './columns';
import { MIXED } from './tables';

const CLUSTER =
  '6 nodes with 8 cores, 28 GB (14 GB heap) and 16 data disks: standard is Standard D4 with spinning disks, premium Standard DS4 with SSDs.';

export const azureQueriesMixedDisks: Preset = {
  name: 'azure-queries-mixed-disks',
  summary: 'Queries beside ingestion on spinning disks and on solid-state ones',
  definition: {
    version: 1,
    name: 'Kind of disk against ingestion and queries together (Azure)',
    hypothesis:
      'Solid-state disks ingest more; queries beside it have more to look at, and are answered no sooner',
    expect: [`ingest.throughput rises with ${DISK}`, `queries.service_time.mean rises with ${DISK}`],
    ...mixedWorkload(),
    factors: { [DISK]: ['standard', 'premium'] },
    measure: A_DAY,
    trials: 3,
  },
  quick: QUICK_MIXED,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: mixedConditions(CLUSTER),
    repeated: REPEATED,
    units: {
      ...MIXED_UNITS,
      ingestErrors: 'ingestion errors',
      queryErrors: 'query errors',
      operationBytes: 'bytes written and read by an operation',
    },
    rows: [
      {
        levels: { [DISK]: 'standard' },
        figures: {
          ...mixedFigures(MIXED.D4),
          ingestErrors: 10_584,
          queryErrors: 21,
          operationBytes: 13_471_557,
        },
      },
      {
        levels: { [DISK]: 'premium' },
        figures: { ...mixedFigures(MIXED.DS4), ingestErrors: 0, queryErrors: 0, operationBytes: 24_643_470 },
      },
    ],
    compared: [COMPARED_BULKS, COMPARED_INGESTION, ...COMPARED_TIMES],
    notes: [
      'Half as many documents were stored on spinning disks, so the same 15 minutes held half as many: their queries were answered sooner for that alone. Longer answers on the faster disk are no sign of slower queries.',
      'The 503,157 bulks of its table are 503,137 in the text below it.',
      'Of which kind the errors were is not told.',
      ingestClientsNote('3 on both kinds of disk.'),
      ...MIXED_NOTES,
    ],
    changes: [...MIXED_CHANGES, CHANGES.labels],
  },
};

export const azureQueriesOnlyDisks: Preset = {
  name: 'azure-queries-only-disks',
  summary: 'Queries alone, on spinning disks and on solid-state ones',
  definition: {
    version: 1,
    name: 'Kind of disk against queries alone (Azure)',
    hypothesis: 'Data that does not fit into memory is queried faster on solid-state disks',
    expect: [`queries.throughput rises with ${DISK}`],
    ...queryOnlyWorkload(),
    factors: { [DISK]: ['standard', 'premium'] },
    measure: ALONE_90_MINUTES,
    trials: 3,
  },
  quick: QUICK_QUERY_ONLY,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: queryOnlyConditions(CLUSTER),
    repeated: REPEATED,
    units: {},
    rows: [],
    compared: [],
    notes: [
      NOTES.notPrinted('queries alone', `ingestion and queries together (with ${INGEST_CLIENTS} clients)`),
      'Documents that fit into the page cache of the nodes are read from memory on either disk: preload more than that.',
      ...QUERY_ONLY_NOTES,
    ],
    changes: [...QUERY_ONLY_CHANGES, CHANGES.cacheOff, CHANGES.labels],
  },
};
