/** Three sizes of machine, six of each. */
import type { Preset } from '../preset';
import {
  A_DAY,
  ALONE_90_MINUTES,
  CHANGES,
  ingestClientsNote,
  MACHINE,
  MIXED_CHANGES,
  MIXED_NOTES,
  MIXED_UNITS,
  mixedConditions,
  mixedFigures,
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
  SEED,
  TITLE,
} from './account';
import {
  COMPARED_BULKS,
  COMPARED_INGESTION,
  COMPARED_QUERIES,
  COMPARED_TIMES,
  COUNT_UNITS,
  requestCounts,
} from './columns';
import { MIXED, QUERY_ONLY, QUERY_ONLY_DS4_BY_MACHINE } from './tables';

const CLUSTER =
  '6 nodes with SSDs: DS3 (4 cores, 14 GB, 8 data disks), DS4 (8 cores, 28 GB, 16 data disks) or DS14 (16 cores, 112 GB, 32 data disks).';
const MACHINES = ['DS3', 'DS4', 'DS14'] as const;

export const azureQueriesMixedScaleUp: Preset = {
  name: 'azure-queries-mixed-scale-up',
  summary: 'Queries beside ingestion on small, medium and large machines',
  definition: {
    version: 1,
    name: 'Machine size against ingestion and queries together (Azure)',
    hypothesis: 'Larger machines ingest more and answer the queries beside it sooner',
    expect: [`ingest.throughput rises with ${MACHINE}`, `queries.service_time.mean falls with ${MACHINE}`],
    ...mixedWorkload(),
    factors: { [MACHINE]: [...MACHINES] },
    measure: A_DAY,
    trials: 3,
  },
  quick: QUICK_MIXED,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: mixedConditions(CLUSTER),
    repeated: REPEATED,
    units: { ...MIXED_UNITS, ...COUNT_UNITS },
    rows: MACHINES.map((machine) => ({
      levels: { [MACHINE]: machine },
      figures: { ...mixedFigures(MIXED[machine]), ...requestCounts(MIXED[machine].counts) },
    })),
    compared: [COMPARED_BULKS, COMPARED_INGESTION, ...COMPARED_TIMES],
    notes: [
      ingestClientsNote('8 on DS3 and 3 on DS4 and DS14: unlike loads were compared.'),
      'The queries came every 4.7 s on DS3, 2.7 times as often as on DS4: that load was unlike, too.',
      'DS3 stored 41% of what DS4 stored, so its queries had less to look at; their response times are no ranking of the machines.',
      ...MIXED_NOTES,
    ],
    changes: [
      ...MIXED_CHANGES,
      CHANGES.labels,
      "Ingestion and queries are equally many on all machines here. For the account's own, list the cells: { environment.machine: DS3, tasks.ingest.executor.constant-clients.clients: 8 }.",
    ],
  },
};

export const azureQueriesOnlyScaleUp: Preset = {
  name: 'azure-queries-only-scale-up',
  summary: 'Queries alone on small, medium and large machines',
  definition: {
    version: 1,
    name: 'Machine size against queries alone (Azure)',
    hypothesis: 'Twice the cores answer about twice the queries, each in less time',
    expect: [`queries.throughput rises with ${MACHINE}`, `queries.service_time.mean falls with ${MACHINE}`],
    ...queryOnlyWorkload(),
    factors: { [MACHINE]: [...MACHINES] },
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
    rows: MACHINES.map((machine) => ({
      levels: { [MACHINE]: machine },
      figures: queryOnlyFigures(machine === 'DS4' ? QUERY_ONLY_DS4_BY_MACHINE : QUERY_ONLY[machine]),
    })),
    compared: [COMPARED_QUERIES, ...COMPARED_TIMES],
    notes: [
      'Two of the counts on DS4 are 1,045 here and 1,054 in its other tables of the same trial; Count Over Time took 7,292 ms here, 7,293 in one of them.',
      queryClientsNote('8 on all three machines.'),
      NOTES.sum,
      ...QUERY_ONLY_NOTES,
    ],
    changes: [...QUERY_ONLY_CHANGES, CHANGES.cacheOff, CHANGES.labels],
  },
};
