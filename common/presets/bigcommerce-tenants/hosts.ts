/** Its third hypothesis: each of two indices on hosts of its own. */
import type { Preset } from '../preset';
import {
  ALLOCATION,
  CHANGES,
  CONDITIONS,
  NOTES,
  QUICK,
  REPEATED,
  SEED,
  SHARDS,
  TITLE,
  workload,
} from './account';

/** Its tag was bc_index_group. */
const ATTRIBUTE = 'index_group';
/** The first index has the even stores. */
const GROUPS = ['even', 'odd'];
const APART = { attribute: ATTRIBUTE, values: GROUPS };

/** Shards of each index, whether each has hosts of its own; mean response times of odd and even stores, ms. */
export const BY_HOSTS: [shards: number, apart: boolean, odd: number, even: number][] = [
  [8, false, 104, 97],
  [8, true, 225, 82],
  [4, false, 60, 34],
  [4, true, 108, 41],
];

export const bigcommerceHosts: Preset = {
  name: 'bigcommerce-hosts',
  summary: 'Two indices of odd and even stores on the same hosts, and on hosts of their own',
  definition: {
    version: 1,
    name: 'Indices on the same hosts or on their own (BigCommerce)',
    hypothesis: 'Indices on hosts of their own answer as soon as indices that share all hosts',
    expect: [
      `shop.odd.service_time.mean stays with ${ALLOCATION}`,
      `shop.even.service_time.mean stays with ${ALLOCATION}`,
    ],
    ...workload({
      index: { count: 2 },
      route: { field: 'store_id', modulo: 2, indices: [{ trial: 1 }, { trial: 2 }], names: [...GROUPS] },
    }),
    factors: { [SHARDS]: [8, 4], [ALLOCATION]: ['none', APART] },
  },
  // With one node for each group a replica would have a place in some cells only.
  quick: { ...QUICK, 'index.settings.number_of_replicas': 0 },
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      ...CONDITIONS,
      'Two indices, of the stores with odd and with even numbers: 61% and 39% of the data, half of the searches each. On hosts of their own each has two of the four data nodes.',
    ],
    repeated: REPEATED,
    units: { odd: 'ms', even: 'ms' },
    rows: BY_HOSTS.map(([shards, apart, odd, even]) => ({
      levels: { [SHARDS]: shards, [ALLOCATION]: apart ? APART : 'none' },
      figures: { odd, even },
    })),
    compared: [
      { figure: 'odd', metric: 'shop.odd.service_time.mean' },
      { figure: 'even', metric: 'shop.even.service_time.mean' },
    ],
    notes: [
      'Hosts of their own are said to add no overhead, which it judges by the even stores alone: with 4 shards these take 21% longer (34 to 41 ms), with 8 shards 15% less (97 to 82).',
      'Odd stores take 2.16 times as long on hosts of their own with 8 shards, 1.80 times with 4. Of all searches together the mean rises from 101 to 154 ms and from 47 to 75 ms.',
      'Half of the searches each, 60 and 34 ms make 47 ms, 47.5 at most before rounding; its test of two indices prints 48 ms for the same cell.',
      'The 95th percentile of odd and even stores is not told.',
      ...NOTES,
    ],
    changes: [
      `It needs 4 data nodes (the short form 2), half of them with node.attr.${ATTRIBUTE} even, half with odd. The account's attribute was bc_index_group.`,
      ...CHANGES,
    ],
  },
};
