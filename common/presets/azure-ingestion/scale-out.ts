/** The account's tests on 3, 6 and 9 nodes beside each other, each with the number of shards that it settled on. */
import type { Preset } from '../preset';
import {
  CHANGES,
  COMMON_CHANGES,
  LARGE_CLIENTS,
  NODES,
  QUICK_MEASURE,
  REPEATED,
  SEED,
  SHARDS,
  THROUGHPUT,
  TITLE,
  TWO_HOURS,
  workload,
} from './account';
import {
  ON_3_NODES,
  ON_6_NODES,
  ON_9_NODES,
  SHARD_NOTES,
  SHARD_UNITS,
  shardFigures,
  type ShardRow,
} from './shards';

/** Of each table the row that it found best: the only one, the tipping point, the tipping point. */
const CELLS: [nodes: string, row: ShardRow][] = [
  ['3', ON_3_NODES[0]!],
  ['6', ON_6_NODES.find(([shards]) => shards === 23)!],
  ['9', ON_9_NODES.find(([shards]) => shards === 37)!],
];

const levelsOf = ([nodes, [shards]]: (typeof CELLS)[number]): Record<string, unknown> => ({
  [NODES]: nodes,
  [SHARDS]: shards,
});

export const azureScaleOut: Preset = {
  name: 'azure-scale-out',
  summary: 'From 3 to 6 to 9 data nodes, with shards to fit',
  definition: {
    version: 1,
    name: 'Number of nodes against bulk throughput (Azure)',
    hypothesis: 'More nodes raise throughput, but by less than their number',
    expect: [`ingest.throughput rises with ${NODES}`],
    // Enough for 9 nodes; with fewer clients the larger clusters would wait for work.
    ...workload(3 * LARGE_CLIENTS, { number_of_replicas: 1, refresh_interval: '30s' }),
    factors: CELLS.map(levelsOf),
    measure: TWO_HOURS,
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'Elasticsearch 1.7.3 on Ubuntu, data nodes Standard D4 (8 cores, 28 GB, 16 data disks), 1 replica.',
      'Bulks of 1000 small systembase documents; 2 hours for each number of nodes.',
    ],
    repeated: REPEATED,
    units: SHARD_UNITS,
    rows: CELLS.map((cell) => ({ levels: levelsOf(cell), figures: shardFigures(cell[1]) })),
    compared: [THROUGHPUT],
    notes: [
      'Shards change along with the nodes: on 3 nodes the account measured 5 alone, which by its own rule are too few, so part of what more nodes bring is due to shards.',
      ...SHARD_NOTES,
    ],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.queue,
      CHANGES.nodes,
      `Its number of clients is not told, nor whether it grew with the nodes; here it is equal, three times the ${LARGE_CLIENTS} or so of its 3 nodes, so that it suffices for 9.`,
    ],
  },
};
