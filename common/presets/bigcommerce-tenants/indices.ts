/** Its second hypothesis: the stores in two indices instead of one, with the same number of shards in all. */
import type { Preset } from '../preset';
import {
  CHANGES,
  CONDITIONS,
  INDICES,
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
import { BY_SHARDS } from './shards';

/** Shards of the one index and of each of two; mean and 95th percentile with two, ms. */
export const SPLIT: [shards: number, each: number, mean: number, p95: number][] = [
  [15, 8, 101, 200],
  [8, 4, 48, 265],
];

function indicesPreset([shards, each, mean, p95]: (typeof SPLIT)[number]): Preset {
  const [, , oneMean, oneP95] = BY_SHARDS.find(([own]) => own === shards)!;
  const one = { [INDICES]: 1, [SHARDS]: shards };
  const two = { [INDICES]: 2, [SHARDS]: each };
  return {
    name: `bigcommerce-indices-${shards}`,
    summary: `One index of ${shards} shards against two of ${each}, for odd and even stores`,
    definition: {
      version: 1,
      name: `One index of ${shards} shards against two of ${each} (BigCommerce)`,
      hypothesis: 'A search that asks one of two indices, with half of the shards, is answered sooner',
      expect: [`shop.service_time.mean falls with ${INDICES}`, `shop.service_time.p95 falls with ${INDICES}`],
      ...workload({ route: 'index' }),
      factors: [one, two],
    },
    quick: QUICK,
    published: {
      seed: SEED,
      title: TITLE,
      conditions: [...CONDITIONS, 'The two indices hold the stores with even and with odd numbers.'],
      repeated: REPEATED,
      units: TIMES,
      rows: [
        { levels: one, figures: { mean: oneMean, p95: oneP95 } },
        { levels: two, figures: { mean, p95 } },
      ],
      compared: [MEAN, P95],
      notes: [
        'It expected no difference and found a large one; the hypothesis here is what it found.',
        'The mean is said to have improved by over 400%: it is 4.65 times as short from 8 to 2 x 4 shards, 3.01 times from 15 to 2 x 8.',
        'The 95th percentile is said to have improved by over 300%: it is 3.48 times as short from 15 to 2 x 8 shards, 2.72 times from 8 to 2 x 4.',
        'Two indices of 4 shards are said to be better still than two of 8, but their 95th percentile is worse, 265 against 200 ms.',
        'Each index is said to have half of the data; odd stores have 61% of it.',
        ...(shards === 15 ? ['Two indices of 8 shards have one shard more than one of 15.'] : []),
        ...NOTES,
      ],
      changes: CHANGES,
    },
  };
}

export const bigcommerceIndices: readonly Preset[] = SPLIT.map(indicesPreset);
