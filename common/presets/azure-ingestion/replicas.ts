/** No, one and two replicas, the last with more bulks refused than stored. */
import type { Preset } from '../preset';
import {
  CHANGES,
  clientsNote,
  COMMON_CHANGES,
  NOTES,
  ONE_HOUR,
  QUICK_MEASURE,
  REPEATED,
  REPLICAS,
  RESPONSE,
  SEED,
  THROUGHPUT,
  TITLE,
  TUNING_CLIENTS,
  UNITS,
  workload,
} from './account';

export const azureReplicas: Preset = {
  name: 'azure-replicas',
  summary: 'No, one and two replicas: what safety costs while ingesting, rejections included',
  definition: {
    version: 1,
    name: 'Replicas against bulk throughput (Azure)',
    hypothesis: 'Each replica lowers throughput and lengthens the answers',
    expect: [`ingest.throughput falls with ${REPLICAS}`, `ingest.latency.mean rises with ${REPLICAS}`],
    ...workload(TUNING_CLIENTS, { number_of_shards: 7, refresh_interval: '30s' }),
    factors: { [REPLICAS]: [0, 1, 2] },
    measure: ONE_HOUR,
    trials: 3,
    'provokes-rejections': true,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'Elasticsearch 1.7.3, 3 data nodes Standard D4 (8 cores, 28 GB, SSD-backed ephemeral storage), 7 shards, refresh every 30s.',
      'Bulks of 1000 small systembase documents; 1 hour for each number of replicas. Response times and throughput are those of successful bulks.',
    ],
    repeated: REPEATED,
    units: {
      throughput: UNITS.throughput,
      response: UNITS.response,
      samples: UNITS.samples,
      errors: UNITS.errors,
      queue: 'tasks in the bulk queue, about',
    },
    rows: [
      {
        levels: { [REPLICAS]: 0 },
        figures: { throughput: 59.8, response: 200, samples: 215_451, errors: 0, queue: null },
      },
      {
        levels: { [REPLICAS]: 1 },
        figures: { throughput: 32.7, response: 365, samples: 117_758, errors: 0, queue: 25 },
      },
      {
        levels: { [REPLICAS]: 2 },
        figures: { throughput: 26.1, response: 453, samples: 94_218, errors: 194_262, queue: 40 },
      },
    ],
    compared: [THROUGHPUT, RESPONSE, { figure: 'errors', metric: 'ingest.rejected' }],
    notes: [
      'With 2 replicas 67% of its bulks were refused: its bulk queue of 50 overflowed.',
      '94,218 bulks in an hour are 26.2 a second, not 26.1.',
      'The row of 1 replica is the one of 30s in its test of the refresh interval: the same trial, printed twice.',
      clientsNote('12, without those that were being refused', TUNING_CLIENTS),
      NOTES.bulk,
      NOTES.response,
    ],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.queue,
      'Replicas need as many more data nodes: on fewer, they stay unassigned and cost nothing; the report says so.',
    ],
  },
};
