/** What the experiments of the account `bigcommerce-tenants` share: the catalogues of 7000 stores on Elasticsearch 2.3, searched by a log of their shoppers. */
import type { DefinitionInput } from '../../experiment/definition';

export const SEED = 'bigcommerce-tenants';
export const TITLE = 'Elasticsearch: Adventures in scaling a multitenant platform';

/** Paths of the factors. */
export const SHARDS = 'index.settings.number_of_shards';
export const INDICES = 'index.count';
export const ALLOCATION = 'index.allocation';

/** Its products; the nested documents come on top. */
const PRODUCTS = 31_000_000;
const USERS = 100;

/** Documents of even stores in the first index, of odd ones in the second. */
const BY_STORE = { field: 'store_id', by: 'remainder' } as const;

interface Workload {
  /** Of the index beside what all have. */
  index?: DefinitionInput['index'];
  route?: NonNullable<DefinitionInput['tasks'][number]['replay']>['route'];
}

/** Its load: a ramp-up to 100 users, then two minutes with all of them, of a log in which both kinds of searches take turns. */
export const workload = ({
  index,
  route,
}: Workload): Pick<DefinitionInput, 'index' | 'preload' | 'tasks' | 'measure' | 'trials'> => ({
  index: { settings: { number_of_replicas: 1 }, mapping: 'storefront', route: BY_STORE, ...index },
  preload: { documents: PRODUCTS, source: { generator: 'storefront' }, reuse: 'same' },
  tasks: [
    {
      name: 'shop',
      replay: { generator: 'storefront', params: { request_cache: false }, ...(route ? { route } : {}) },
      executor: {
        'ramping-clients': { stages: [{ clients: USERS, over: '1m' }], 'think-time': '150ms' },
      },
    },
  ],
  measure: { 'burn-in': '2m', warmup: '1m', duration: '2m' },
  trials: 3,
});

/** Few enough products to load in seconds, few enough users that one machine need not let them wait for each other. */
export const QUICK: Record<string, unknown> = {
  'preload.documents': 60_000,
  'tasks.shop.executor.ramping-clients.stages': [{ clients: 10, over: '5s' }],
  'measure.burn-in': '30s',
  'measure.warmup': '5s',
  'measure.duration': '15s',
};

/** Columns that several tables share, beside what a run measures. */
export const MEAN = { figure: 'mean', metric: 'shop.service_time.mean' };
export const P95 = { figure: 'p95', metric: 'shop.service_time.p95' };
export const TIMES = { mean: 'ms', p95: 'ms' };

export const REPEATED = 'at least three trials of each cell, without their spread';

export const CONDITIONS = [
  'Elasticsearch 2.3 on AWS: 4 data nodes c4.4xlarge (16 vCPUs, 30 GB, 4 EBS volumes of 100 GB in RAID 1 at 1920 IOPS), one client node c4.2xlarge, one master node.',
  'The catalogues of about 7000 stores: 31 million products with 59 million nested documents, 58 GB; 1 replica.',
  'Searches out of a log of 24 hours (9 million), regular and aggregated ones by turns, from up to 100 virtual users of JMeter that pause for 300 ms after each regular one; ramp-up and constant stage of 3 minutes in all.',
];

/** What holds for all of its figures. */
export const NOTES = [
  '31 and 59 million documents are told as 100 million; they are 90.',
  "About 48,000 searches are told for a test of 3 minutes. By Little's law 100 users send about 20,200 at a mean of 741 ms, 48,300 at 223 ms and 90,900 at 48 ms, less the ramp-up: it is the number of one test, not of all.",
  'How long the ramp-up took is not told, nor whether its figures include it.',
  'The 4 data nodes of its laboratory stand for 23 in production; the heap of most tests is not told.',
];

export const CHANGES = [
  'Its products were those of real stores; here they are made: 7000 stores whose sizes follow a Zipf-Mandelbrot law from some 30 products to 3.5 million, 61% of the products with odd store numbers, half of the searches for them.',
  'What its nested documents hold is not told; here they are the options of a product (colour, size, ...), 1.9 in the mean as there.',
  'Its log is replaced by a made one; to replay your own, put its file in the place of the generator, and let it rewrite searches of Elasticsearch 1 and 2. The regular searches (product) ask what its printed example asks.',
  'Its aggregated searches are not printed; here they count brands, categories, prices and options of a department or of words that are searched for.',
  '"filtered" is "bool" today, "_cache", "ignore_unmapped" and mapping types are gone, and so are its fields "*.partial", whose analyser is not told.',
  'Its users paused for 300 ms after each regular search and not after an aggregated one. Here they pause for 150 ms after each search, which is as long in the mean; who is free takes the next line of the log, so that the kinds take turns over all users and not within each.',
  'The ramp-up is one minute of warm-up here, and only the two minutes of the constant stage count.',
  'The shard request cache was off in Elasticsearch 2.3 and is on today: here the searches do without it.',
  'Its searches went through one client node; here they go to all data nodes in turn; spread one-host and the address of a coordinating node do as it did.',
  'The trials of a cell search the same indices, their caches emptied before each.',
  'The short form has 60,000 products and 10 users: what it measures is above all what a shard costs a search.',
];
