/** Bulks from 100 KB to 30 MB: the account names a range to begin with, and prints no figures. */
import type { Preset } from '../preset';
import {
  BULK_BYTES,
  CHANGES,
  CLIENTS,
  COMMON_CHANGES,
  ONE_HOUR,
  QUICK_MEASURE,
  REPEATED,
  SEED,
  TITLE,
  TUNING_CLIENTS,
  workload,
} from './account';

export const azureBulkSize: Preset = {
  name: 'azure-bulk-size',
  summary: 'Bulks from 100 KB to 30 MB: where larger ones stop to help',
  definition: {
    version: 1,
    name: 'Size of bulks against throughput (Azure)',
    hypothesis: 'Larger bulks raise throughput up to 5 MB; from there to 15 MB nothing is gained',
    expect: [
      `ingest.throughput rises with ${BULK_BYTES} from 100kb to 5mb`,
      `ingest.throughput stays with ${BULK_BYTES} from 5mb to 15mb`,
    ],
    ...workload(TUNING_CLIENTS, { number_of_shards: 7, number_of_replicas: 1, refresh_interval: '30s' }),
    factors: { [BULK_BYTES]: ['100kb', '450kb', '1mb', '5mb', '15mb', '30mb'] },
    measure: ONE_HOUR,
    trials: 3,
  },
  // A dozen bulks of 30 MB at a time are more than a small node takes in.
  quick: { ...QUICK_MEASURE, [CLIENTS]: 2 },
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      "The account passes on 5 to 15 MB as the size to begin one's own tests with, and says that bytes matter more than the number of documents. It prints no figures.",
    ],
    repeated: REPEATED,
    units: {},
    rows: [],
    compared: [],
    notes: [
      'Its own bulks of 999 small documents were of about 0.45 MB, a tenth of what it recommends; 450kb is that size.',
    ],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.queue,
      "Cluster and index are those of the account's one-hour tests.",
      'Bulks are cut by bytes, as the account advises, not by documents.',
    ],
  },
};
