/** What the experiments of the account `logsearch-scaling` share: archived logs ingested again through parsers, on AWS in 2015. */
import type { DefinitionInput } from '../../experiment/definition';

export const SEED = 'logsearch-scaling';
export const TITLE = 'Performance Testing Elasticsearch';

/** Paths of the factors. */
export const DEPLOYMENT = 'environment.deployment';
export const PARSERS = 'tasks.ingest.ingest.parse.workers';
export const REPLICAS = 'index.settings.number_of_replicas';
export const REFRESH = 'index.settings.refresh_interval';
export const MERGE_THREADS = 'index.settings.merge.scheduler.max_thread_count';
export const AUTO_THROTTLE = 'index.settings.merge.scheduler.auto_throttle';

/** Of all its deployments. */
export const SHARDS = 4;

/** A deployment with its best trial, as printed. */
export interface Deployment {
  label: string;
  parsers: number;
  replicas: number;
  refresh: string;
  /** Whether merges are throttled as they are by default. */
  autoThrottle: boolean;
  perSecond: number;
  perMinute: number;
}

const FIRST = { replicas: 0, refresh: '1s', autoThrottle: true };

export const DEPLOYMENTS: readonly Deployment[] = [
  { label: 'A: all on one server', parsers: 1, ...FIRST, perSecond: 316, perMinute: 19_019 },
  { label: 'B: a server for each component', parsers: 1, ...FIRST, perSecond: 406, perMinute: 24_414 },
  { label: 'C: 4 parser servers', parsers: 4, ...FIRST, perSecond: 1735, perMinute: 104_103 },
  { label: 'D: 4 larger parser servers', parsers: 4, ...FIRST, perSecond: 3882, perMinute: 232_944 },
  {
    label: 'E: 4 Elasticsearch servers',
    parsers: 4,
    ...FIRST,
    replicas: 1,
    perSecond: 4396,
    perMinute: 263_795,
  },
  {
    label: 'F: SSD disks',
    parsers: 4,
    replicas: 1,
    refresh: '10s',
    autoThrottle: false,
    perSecond: 4884,
    perMinute: 293_097,
  },
];

/** Lines of an access log, parsed by so many threads, sent by clients that are never the reason to wait. */
export const workload = (
  parsers: number,
  settings: Record<string, unknown>,
): Pick<DefinitionInput, 'index' | 'tasks'> => ({
  index: { settings: { number_of_shards: SHARDS, ...settings } },
  tasks: [
    {
      name: 'ingest',
      ingest: {
        source: { generator: 'apache-access-lines' },
        parse: {
          by: 'workers',
          workers: parsers,
          pattern: '%{COMBINEDAPACHELOG}',
          timestamp: { field: 'timestamp', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
        },
        bulk: { docs: 1000 },
      },
      executor: { 'constant-clients': { clients: 4 } },
    },
  ],
});

export const AN_HOUR = { 'burn-in': '2m', warmup: '2m', duration: '1h' };
export const QUICK_MEASURE = { 'measure.burn-in': '20s', 'measure.warmup': '5s', 'measure.duration': '20s' };

export const REPEATED = 'the best of at least 2 trials of each cell';
export const UNITS = { perSecond: 'messages/s', perMinute: 'messages/min' };
export const COMPARED = [{ figure: 'perSecond', metric: 'ingest.throughput' }];

export const NOTES = {
  best: 'Each figure is that of the best of at least 2 trials of at least an hour; how far the others were from it is not told. Means of your own trials stand beside it.',
  cut: 'Its messages per second are those per minute divided by 60 and cut, not rounded.',
  unknown:
    'Versions of Elasticsearch, number of clients, size of bulks and the refresh interval before its last step are not told: here 4 clients, bulks of 1000, 1s.',
};

export const CHANGES = {
  lines:
    'Its archived logs and its own Logstash filters are not public: lines of an access log stand for them, parsed by one grok pattern.',
  parsers:
    'A parser was a server of its own that ran Logstash; here it is a thread of Dyno, which is many times as fast: where its parsers were the limit, yours may not be. The finding says which it was.',
  trials: 'Three trials, where the account had at least two: with fewer there is no interval.',
  labels: 'Dyno cannot change the environment: its levels are labels of what you set up yourself.',
  throttle:
    'indices.store.throttle.type and .max_bytes_per_sec (20mb, for merges) are gone since Elasticsearch 2.0: merges are limited by a rate that follows the load, which index.merge.scheduler.auto_throttle turns off.',
};

export const COMMON_CHANGES = [CHANGES.lines, CHANGES.parsers, CHANGES.trials];
