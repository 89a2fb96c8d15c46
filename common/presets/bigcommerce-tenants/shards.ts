/** Its first hypothesis: fewer and larger shards under the same searches. */
import type { Preset } from '../preset';
import {
  CHANGES,
  CONDITIONS,
  MEAN,
  NOTES,
  P95,
  QUICK,
  REPEATED,
  SEED,
  SHARDS,
  TIMES,
  TITLE,
  workload,
} from './account';

/** Shards, median size of one in GB, mean and 95th percentile of the response time in ms. */
export const BY_SHARDS: [shards: number, size: number, mean: number, p95: number][] = [
  [60, 1, 741, 1266],
  [30, 2, 518, 1007],
  [15, 4, 304, 695],
  [8, 8, 223, 720],
  [4, 17, 134, 600],
];

export const bigcommerceShards: Preset = {
  name: 'bigcommerce-shards',
  summary: 'One index of many stores in 4, 8, 15, 30 and 60 shards: what searches cost',
  definition: {
    version: 1,
    name: 'Number of shards against the response time of searches (BigCommerce)',
    hypothesis: 'The fewer shards a search has to ask, the sooner it is answered, although they are larger',
    expect: [`shop.service_time.mean rises with ${SHARDS}`],
    ...workload({}),
    factors: { [SHARDS]: BY_SHARDS.map(([shards]) => shards).reverse() },
    baseline: { [SHARDS]: 30 },
  },
  quick: QUICK,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: CONDITIONS,
    repeated: REPEATED,
    units: { ...TIMES, size: 'GB, median of the shards' },
    rows: BY_SHARDS.map(([shards, size, mean, p95]) => ({
      levels: { [SHARDS]: shards },
      figures: { mean, p95, size },
    })),
    compared: [MEAN, P95],
    notes: [
      'It expected larger shards to answer later and found the opposite; the hypothesis here is what it found.',
      'Fewer shards are said to be faster throughout, but the 95th percentile gets worse from 15 to 8 shards, 695 to 720 ms.',
      'Of 58 GB, 8 and 4 shards of 8 and 17 GB would make 64 and 68.',
      'It supposes that there was too little data to press on the heap; with a heap of 8 GB it found the same, without printing figures.',
      ...NOTES,
    ],
    changes: CHANGES,
  },
};
