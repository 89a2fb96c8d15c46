/** Refresh interval, replicas and shard counts under bulk ingestion, as measured on Azure with Elasticsearch 1.7.3. */
import type { DefinitionInput } from '../experiment/definition';
import type { Preset } from './preset';
import type { PublishedRow } from './published';

const REFRESH = 'index.settings.refresh_interval';
const REPLICAS = 'index.settings.number_of_replicas';
const SHARDS = 'index.settings.number_of_shards';

const SEED = 'azure-ingestion';
const TITLE = 'Tune data ingestion performance for Elasticsearch on Azure';

const BULK_NOTE = 'Its bulk loop inserts 999 documents, not 1000; an operation is one bulk.';
const CHANGED_NOTE = '"string, not_analyzed" is "keyword" today, and mapping types are gone.';

/** The systembase workload: bulks of 1000 small documents from a fixed number of clients. */
const workload = (
  clients: number,
  settings: Record<string, unknown>,
): Pick<DefinitionInput, 'index' | 'tasks'> => ({
  index: { settings, mapping: 'systembase' },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 1000 } },
      executor: { 'constant-clients': { clients } },
    },
  ],
});

const QUICK_MEASURE = { 'measure.burn-in': '30s', 'measure.warmup': '5s', 'measure.duration': '20s' };

export const azureRefresh: Preset = {
  name: 'azure-refresh',
  summary: 'Refresh interval 1s against 30s, with fewer merges as the mechanism',
  definition: {
    version: 1,
    name: 'Refresh interval against bulk throughput (Azure)',
    hypothesis:
      'Refreshing every 30 seconds instead of every second raises throughput and shortens the answers',
    expect: [`ingest.throughput rises with ${REFRESH}`, `ingest.latency.mean falls with ${REFRESH}`],
    ...workload(12, { number_of_shards: 7, number_of_replicas: 1 }),
    factors: { [REFRESH]: ['1s', '30s'] },
    measure: { 'burn-in': '2m', warmup: '2m', duration: '1h' },
    trials: 3,
  },
  // Measured for longer than the longest interval, so that each cell refreshes at least once.
  quick: { 'measure.burn-in': '30s', 'measure.warmup': '5s', 'measure.duration': '35s' },
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'Elasticsearch 1.7.3, 3 data nodes Standard D4 (8 cores, 28 GB, SSD-backed ephemeral storage), 7 shards, 1 replica.',
      'Bulks of 1000 systembase documents; 1 hour for each interval, one trial each.',
    ],
    throughput: 'throughput',
    units: { throughput: 'bulks/s', response: 'ms', samples: 'bulks' },
    rows: [
      { levels: { [REFRESH]: '1s' }, figures: { throughput: 26.0, response: 460, samples: 93_755 } },
      { levels: { [REFRESH]: '30s' }, figures: { throughput: 32.7, response: 365, samples: 117_758 } },
    ],
    notes: [
      'The account claims +18% throughput; its table gives +25.8%.',
      "The number of clients is not told; 12 follow from its figures by Little's law.",
      BULK_NOTE,
      CHANGED_NOTE,
    ],
  },
};

export const azureReplicas: Preset = {
  name: 'azure-replicas',
  summary: 'No, one and two replicas: what safety costs while ingesting, rejections included',
  definition: {
    version: 1,
    name: 'Replicas against bulk throughput (Azure)',
    hypothesis: 'Each replica lowers throughput and lengthens the answers',
    expect: [`ingest.throughput falls with ${REPLICAS}`, `ingest.latency.mean rises with ${REPLICAS}`],
    ...workload(12, { number_of_shards: 7, refresh_interval: '30s' }),
    factors: { [REPLICAS]: [0, 1, 2] },
    measure: { 'burn-in': '2m', warmup: '2m', duration: '1h' },
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'Elasticsearch 1.7.3, 3 data nodes Standard D4 (8 cores, 28 GB, SSD-backed ephemeral storage), 7 shards, refresh every 30s.',
      'Bulks of 1000 systembase documents; 1 hour for each number of replicas, one trial each.',
    ],
    throughput: 'throughput',
    units: { throughput: 'bulks/s', response: 'ms', samples: 'bulks', errors: 'bulk errors' },
    rows: [
      {
        levels: { [REPLICAS]: 0 },
        figures: { throughput: 59.8, response: 200, samples: 215_451, errors: 0 },
      },
      {
        levels: { [REPLICAS]: 1 },
        figures: { throughput: 32.7, response: 365, samples: 117_758, errors: 0 },
      },
      {
        levels: { [REPLICAS]: 2 },
        figures: { throughput: 26.1, response: 453, samples: 94_218, errors: 194_262 },
      },
    ],
    notes: [
      'With 2 replicas its bulk queue of 50 overflowed; the write queue of today holds 10000 and memory is guarded by indexing pressure instead.',
      "The number of clients is not told; 12 follow from its figures by Little's law.",
      'Replicas need as many more data nodes: on fewer, they stay unassigned and cost nothing; the report says so.',
      BULK_NOTE,
      CHANGED_NOTE,
    ],
  },
};

/** Rows of a table of the account: shards, documents stored in 2 hours, bulks/s, primaries by node. */
const shardRows = (table: [shards: number, documents: number, throughput: number][]): PublishedRow[] =>
  table.map(([shards, documents, throughput]) => ({
    levels: { [SHARDS]: shards },
    figures: { throughput, documents },
  }));

const shardsPreset = (
  name: string,
  nodes: number,
  peak: number,
  table: [shards: number, documents: number, throughput: number][],
  notes: string[],
): Preset => ({
  name,
  summary: `Number of primary shards on ${nodes} data nodes, from ${table[0]![0]} to ${table.at(-1)![0]}`,
  definition: {
    version: 1,
    name: `Shards against bulk throughput on ${nodes} nodes (Azure)`,
    hypothesis: `Throughput rises with the number of shards up to about ${peak} and falls slowly beyond`,
    expect: [
      `ingest.throughput rises with ${SHARDS} from ${table[0]![0]} to ${peak}`,
      `ingest.throughput falls with ${SHARDS} from ${peak} to ${table.at(-1)![0]}`,
    ],
    ...workload(24, { number_of_replicas: 1, refresh_interval: '30s' }),
    factors: { [SHARDS]: table.map(([shards]) => shards) },
    measure: { 'burn-in': '2m', warmup: '2m', duration: '2h' },
    trials: 3,
  },
  quick: { ...QUICK_MEASURE, 'measure.duration': '10s', 'measure.warmup': '3s' },
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      `Elasticsearch 1.7.3, ${nodes} data nodes Standard D4 (8 cores, 28 GB, 16 data disks), 1 replica.`,
      'Bulks of 1000 systembase documents; 2 hours for each number of shards, one trial each.',
    ],
    throughput: 'throughput',
    units: { throughput: 'bulks/s', documents: 'documents in 2 hours' },
    rows: shardRows(table),
    notes: [
      ...notes,
      "The refresh interval of these tests is not told; 30s is that of the account's request that creates the index.",
      "The number of clients is not told; 24 is about what Little's law gives for its scale-up test on the same machines.",
      BULK_NOTE,
      CHANGED_NOTE,
    ],
  },
});

export const azureShards: Preset = shardsPreset(
  'azure-shards',
  6,
  23,
  [
    [4, 227_360_412, 31.58],
    [7, 268_013_252, 37.22],
    [10, 258_065_854, 35.84],
    [11, 279_788_157, 38.86],
    [12, 257_628_504, 35.78],
    [13, 300_126_822, 41.68],
    [23, 312_844_185, 43.45],
    [31, 309_930_777, 43.05],
    [43, 316_357_076, 43.94],
    [61, 305_072_556, 42.37],
    [91, 291_073_519, 40.43],
    [119, 273_596_325, 38.0],
  ],
  [
    '23 shards is called the tipping point, although 43 shards were faster (43.94 against 43.45 bulks/s).',
    '91 and 119 shards are called prime; they are 7 x 13 and 7 x 17.',
  ],
);

export const azureShards9: Preset = shardsPreset(
  'azure-shards-9',
  9,
  37,
  [
    [17, 325_165_364, 45.16],
    [19, 331_272_619, 46.01],
    [29, 349_682_551, 48.57],
    [37, 352_764_546, 49.0],
    [47, 343_684_074, 47.73],
    [89, 336_248_667, 46.7],
    [181, 297_919_131, 41.38],
  ],
  [],
);
