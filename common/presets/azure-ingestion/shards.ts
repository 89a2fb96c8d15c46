/** Number of shards on 3, 6 and 9 nodes. */
import type { Preset } from '../preset';
import type { PublishedRow } from '../published';
import {
  CHANGES,
  COMMON_CHANGES,
  LARGE_CLIENTS,
  NOTES,
  QUICK_MEASURE,
  REPEATED,
  SEED,
  SHARDS,
  THROUGHPUT,
  TITLE,
  TWO_HOURS,
  workload,
} from './account';

/** A row of its tables: shards, documents stored in 2 hours, bulks/s, primaries on each node. */
export type ShardRow = [shards: number, documents: number, throughput: number, layout: string];

export const SHARD_UNITS = {
  throughput: 'bulks/s',
  documents: 'documents in 2 hours',
  layout: 'primaries by node',
};

export const shardFigures = ([, documents, throughput, layout]: ShardRow): PublishedRow['figures'] => ({
  throughput,
  documents,
  layout,
});

/** What its tests of shards and nodes have in common. */
export const SHARD_NOTES = [
  NOTES.refresh,
  'Its bulks/s are its documents divided by 1000 and by 2 hours, although a bulk holds 999.',
  'Nearly 1.5 billion documents in 2 hours are told; the most in any of its tables is 352,764,546.',
];

export const ON_3_NODES: ShardRow[] = [[5, 200_560_412, 27.86, '2-2-1']];

export const ON_6_NODES: ShardRow[] = [
  [4, 227_360_412, 31.58, '1-1-0-1-1-0'],
  [7, 268_013_252, 37.22, '2-1-1-1-1-1'],
  [10, 258_065_854, 35.84, '1-2-2-2-1-2'],
  [11, 279_788_157, 38.86, '2-2-2-1-2-2'],
  [12, 257_628_504, 35.78, '2-2-2-2-2-2'],
  [13, 300_126_822, 41.68, '2-2-2-2-2-3'],
  [23, 312_844_185, 43.45, '4-4-4-3-4-4'],
  [31, 309_930_777, 43.05, '5-5-5-5-6-5'],
  [43, 316_357_076, 43.94, '8-7-7-7-7-7'],
  [61, 305_072_556, 42.37, '10-11-10-10-10-10'],
  [91, 291_073_519, 40.43, '15-15-16-15-15-15'],
  [119, 273_596_325, 38.0, '20-20-20-20-20-19'],
];

export const ON_9_NODES: ShardRow[] = [
  [17, 325_165_364, 45.16, '2-2-2-2-2-2-2-2-1'],
  [19, 331_272_619, 46.01, '2-2-2-2-2-2-2-2-3'],
  [29, 349_682_551, 48.57, '3-3-3-4-3-3-3-4-3'],
  [37, 352_764_546, 49.0, '4-4-4-4-4-4-4-4-5'],
  [47, 343_684_074, 47.73, '5-5-5-6-5-5-5-6-5'],
  [89, 336_248_667, 46.7, '10-10-10-10-10-10-10-10-9'],
  [181, 297_919_131, 41.38, '20-20-20-20-20-20-20-20-21'],
];

interface ShardExperiment {
  name: string;
  nodes: number;
  levels: number[];
  /** The number that the account found, or would call, the best for so many nodes. */
  peak: number;
  table: ShardRow[];
  notes: string[];
}

function shardsPreset({ name, nodes, levels, peak, table, notes }: ShardExperiment): Preset {
  const [first, last] = [levels[0]!, levels.at(-1)!];
  return {
    name,
    summary: `Number of primary shards on ${nodes} data nodes, from ${first} to ${last}`,
    definition: {
      version: 1,
      name: `Shards against bulk throughput on ${nodes} nodes (Azure)`,
      hypothesis: `Throughput rises with the number of shards up to about ${peak}${last > peak ? ' and falls slowly beyond' : ''}`,
      expect: [
        `ingest.throughput rises with ${SHARDS} from ${first} to ${peak}`,
        ...(last > peak ? [`ingest.throughput falls with ${SHARDS} from ${peak} to ${last}`] : []),
      ],
      ...workload(LARGE_CLIENTS, { number_of_replicas: 1, refresh_interval: '30s' }),
      environment: { nodes },
      factors: { [SHARDS]: levels },
      measure: TWO_HOURS,
      trials: 3,
    },
    quick: { ...QUICK_MEASURE, 'measure.duration': '10s', 'measure.warmup': '3s' },
    published: {
      seed: SEED,
      title: TITLE,
      conditions: [
        `Elasticsearch 1.7.3 on Ubuntu, ${nodes} data nodes Standard D4 (8 cores, 28 GB, 16 data disks), 1 replica.`,
        'Bulks of 1000 small systembase documents; 2 hours for each number of shards.',
      ],
      repeated: REPEATED,
      units: SHARD_UNITS,
      rows: table.map((row) => ({ levels: { [SHARDS]: row[0] }, figures: shardFigures(row) })),
      compared: [THROUGHPUT],
      notes: [
        ...notes,
        `The number of clients is not told; ${LARGE_CLIENTS} is about what Little's law gives for its test of the large machines, also on 3 nodes.`,
        ...SHARD_NOTES,
      ],
      changes: [...COMMON_CHANGES, CHANGES.queue, CHANGES.nodes],
    },
  };
}

export const azureShards3: Preset = shardsPreset({
  name: 'azure-shards-3',
  nodes: 3,
  levels: [5, 7, 11, 13],
  peak: 11,
  table: ON_3_NODES,
  notes: [
    'On 3 nodes only 5 shards were measured. By its rule of 4 shards a node, one more or less (it calls that no formula), 11 or 13 would be best; 7 is what its later tests on 3 nodes have.',
    'The same cluster and index have 27.4 bulks/s in its test of the large machines, 27.86 here.',
  ],
});

export const azureShards: Preset = shardsPreset({
  name: 'azure-shards',
  nodes: 6,
  levels: ON_6_NODES.map(([shards]) => shards),
  peak: 23,
  table: ON_6_NODES,
  notes: [
    '23 shards is called the tipping point, although 43 shards were faster (43.94 against 43.45 bulks/s).',
    'More shards a node are said to help, yet 10 were slower than 7, and 12 slower than 11; an odd number is said to help, for a reason that it only supposes.',
    '91 and 119 shards are called prime; they are 7 x 13 and 7 x 17.',
  ],
});

export const azureShards9: Preset = shardsPreset({
  name: 'azure-shards-9',
  nodes: 9,
  levels: ON_9_NODES.map(([shards]) => shards),
  peak: 37,
  table: ON_9_NODES,
  notes: ['Whether 9 nodes had the same clients as 6 and 3 is not told; if so, they may have been too few.'],
});
