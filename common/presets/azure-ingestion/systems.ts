/** Two operating systems on the same large machines with ephemeral disks. */
import type { Preset } from '../preset';
import {
  CHANGES,
  clientsNote,
  COMMON_CHANGES,
  DEFAULT_INDEX,
  LARGE_CLIENTS,
  NOTES,
  QUICK_MEASURE,
  REPEATED,
  RESPONSE,
  SEED,
  SYSTEM,
  THROUGHPUT,
  TITLE,
  TWO_HOURS,
  UNITS,
  workload,
} from './account';

export const azureSystems: Preset = {
  name: 'azure-os',
  summary: 'Ubuntu against Windows on the same machines',
  definition: {
    version: 1,
    name: 'Operating system against bulk throughput (Azure)',
    hypothesis: 'The operating system makes no difference to throughput',
    expect: [`ingest.throughput stays with ${SYSTEM}`],
    ...workload(LARGE_CLIENTS, DEFAULT_INDEX),
    factors: { [SYSTEM]: ['ubuntu', 'windows'] },
    measure: TWO_HOURS,
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'Elasticsearch 1.7.3 on 3 data nodes Standard D4 (8 cores, 28 GB) with ephemeral disks (local SSDs), once with Ubuntu, once with Windows Server 2012.',
      '5 shards, 1 replica; bulks of 1000 small systembase documents for 2 hours on each system.',
    ],
    repeated: REPEATED,
    units: {
      throughput: UNITS.throughput,
      response: UNITS.response,
      samples: UNITS.samples,
      errorRate: UNITS.errorRate,
    },
    rows: [
      {
        levels: { [SYSTEM]: 'ubuntu' },
        figures: { throughput: 35.5, response: 585, samples: 255_626, errorRate: 11.7 },
      },
      {
        levels: { [SYSTEM]: 'windows' },
        figures: { throughput: 35.6, response: 613, samples: 257_115, errorRate: 7.2 },
      },
    ],
    compared: [THROUGHPUT, RESPONSE, { figure: 'errorRate', metric: 'ingest.rejection_rate' }],
    notes: [
      '257,115 bulks in 2 hours are 35.7 a second, not 35.6.',
      'The refused bulks, answered sooner, may explain the response times, says the account: 11.7% on Ubuntu, 7.2% on Windows.',
      clientsNote('21 and 22, without those that were being refused', LARGE_CLIENTS),
      NOTES.refresh,
      NOTES.bulk,
      NOTES.response,
    ],
    changes: [...COMMON_CHANGES, CHANGES.queue, CHANGES.labels],
  },
};
