/** Refresh interval of 1 against 30 seconds. */
import { QUICK_WITH_MERGES, TIERED, TIERED_NOTE } from '../merge-policy';
import type { Preset } from '../preset';
import {
  clientsNote,
  COMMON_CHANGES,
  NOTES,
  ONE_HOUR,
  REFRESH,
  REPEATED,
  RESPONSE,
  SEED,
  THROUGHPUT,
  TITLE,
  TUNING_CLIENTS,
  UNITS,
  workload,
} from './account';

export const azureRefresh: Preset = {
  name: 'azure-refresh',
  summary: 'Refresh interval 1s against 30s, with fewer merges as the mechanism',
  definition: {
    version: 1,
    name: 'Refresh interval against bulk throughput (Azure)',
    hypothesis:
      'Refreshing every 30 seconds instead of every second raises throughput and shortens the answers',
    expect: [`ingest.throughput rises with ${REFRESH}`, `ingest.latency.mean falls with ${REFRESH}`],
    ...workload(TUNING_CLIENTS, { number_of_shards: 7, number_of_replicas: 1, ...TIERED }),
    factors: { [REFRESH]: ['1s', '30s'] },
    measure: ONE_HOUR,
    trials: 3,
  },
  quick: QUICK_WITH_MERGES,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'Elasticsearch 1.7.3, 3 data nodes Standard D4 (8 cores, 28 GB, SSD-backed ephemeral storage), 7 shards, 1 replica.',
      'Bulks of 1000 small systembase documents; 1 hour for each interval. Response times and throughput are those of successful bulks.',
    ],
    repeated: REPEATED,
    units: { throughput: UNITS.throughput, response: UNITS.response, samples: UNITS.samples },
    rows: [
      { levels: { [REFRESH]: '1s' }, figures: { throughput: 26.0, response: 460, samples: 93_755 } },
      { levels: { [REFRESH]: '30s' }, figures: { throughput: 32.7, response: 365, samples: 117_758 } },
    ],
    compared: [THROUGHPUT, RESPONSE],
    notes: [
      'The account claims +18% throughput; its table gives +25.8%.',
      clientsNote('12', TUNING_CLIENTS),
      NOTES.bulk,
      NOTES.response,
    ],
    changes: [...COMMON_CHANGES, TIERED_NOTE],
  },
};
