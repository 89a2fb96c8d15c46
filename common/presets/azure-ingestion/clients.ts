/** More and more clients, until bulks are refused: how the account says that the limit is found. */
import type { Preset } from '../preset';
import {
  CHANGES,
  CLIENTS,
  COMMON_CHANGES,
  ONE_HOUR,
  QUICK_MEASURE,
  REPEATED,
  SEED,
  TITLE,
  workload,
} from './account';

export const azureClients: Preset = {
  name: 'azure-clients',
  summary: 'From 1 to 512 clients, until bulks are refused',
  definition: {
    version: 1,
    name: 'Clients against bulk throughput, until errors (Azure)',
    hypothesis:
      'More clients raise throughput until the cluster is full; beyond, they only wait longer, and errors lower the throughput',
    expect: [
      `ingest.throughput rises with ${CLIENTS} from 1 to 16`,
      `ingest.throughput falls with ${CLIENTS} from 64 to 512`,
      `ingest.latency.mean rises with ${CLIENTS}`,
    ],
    ...workload(1, { number_of_shards: 7, number_of_replicas: 1, refresh_interval: '30s' }),
    factors: { [CLIENTS]: [1, 4, 16, 64, 256, 512] },
    measure: ONE_HOUR,
    trials: 3,
    'provokes-rejections': true,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'The account advises to add threads until errors occur, and to stay below for a load that lasts: errors cost the cluster too. It prints no figures by number of clients.',
    ],
    repeated: REPEATED,
    units: {},
    rows: [],
    compared: [],
    notes: [
      "Its own tests were at that point: by Little's law with about 6 clients on small machines (no error), 12 on medium ones (one error), 23 on large ones (1.8% of the bulks).",
    ],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.queue,
      'A large cluster may refuse nothing even at 512: add levels, or let the bulks be larger.',
      "Cluster and index are those of the account's one-hour tests.",
    ],
  },
};
