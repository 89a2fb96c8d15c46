/** What the experiments of the account `azure-ingestion` share: Elasticsearch 1.7.3 on Azure in 2016, bulks of one kind of document. */
import type { DefinitionInput } from '../../experiment/definition';

export const SEED = 'azure-ingestion';
export const TITLE = 'Tune data ingestion performance for Elasticsearch on Azure';

/** Paths of the factors. */
export const REFRESH = 'index.settings.refresh_interval';
export const REPLICAS = 'index.settings.number_of_replicas';
export const SHARDS = 'index.settings.number_of_shards';
export const MACHINE = 'environment.machine';
export const DISK = 'environment.disk';
export const SYSTEM = 'environment.os';
export const NODES = 'environment.nodes';
export const CLIENTS = 'tasks.ingest.executor.constant-clients.clients';
export const GENERATOR = 'tasks.ingest.ingest.source.generator';
export const BULK_DOCS = 'tasks.ingest.ingest.bulk.docs';
export const BULK_BYTES = 'tasks.ingest.ingest.bulk.bytes';

/** Its load: `clients` that send bulks of 1000 small documents one after the other, and none of them a second time. */
export const workload = (
  clients: number,
  settings: Record<string, unknown>,
): Pick<DefinitionInput, 'index' | 'tasks'> => ({
  index: { settings },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 1000 }, retries: { attempts: 0 } },
      executor: { 'constant-clients': { clients } },
    },
  ],
});

/** The index of its request and of its tests of machines, disks and systems: 5 shards, each with a copy. */
export const DEFAULT_INDEX = { number_of_shards: 5, number_of_replicas: 1, refresh_interval: '30s' };

/** Its three clusters had 3 of these as data nodes, and three further nodes as masters. */
export const MACHINES = {
  small: { sku: 'Standard D2', cores: 2, disks: 4, memory: 7 },
  medium: { sku: 'Standard D3', cores: 4, disks: 8, memory: 14 },
  large: { sku: 'Standard D4', cores: 8, disks: 16, memory: 28 },
};

/** Clients of its tests on the large machines, and those of its one-hour tests there. */
export const LARGE_CLIENTS = 24;
export const TUNING_CLIENTS = 12;

export const REPEATED = 'one trial of each cell';

/** For the presets over two hours and over one. */
export const TWO_HOURS = { 'burn-in': '2m', warmup: '2m', duration: '2h' };
export const ONE_HOUR = { 'burn-in': '2m', warmup: '2m', duration: '1h' };
export const QUICK_MEASURE = { 'measure.burn-in': '30s', 'measure.warmup': '5s', 'measure.duration': '20s' };

/** What the columns that several tables share count. */
export const UNITS = {
  throughput: 'bulks/s',
  response: 'ms',
  samples: 'bulks stored',
  sent: 'bulks sent',
  errors: 'bulk errors',
  errorRate: '% of bulks sent',
};

/** The two columns of nearly all its tables, beside what a run measures. */
export const THROUGHPUT = { figure: 'throughput', metric: 'ingest.throughput' };
export const RESPONSE = { figure: 'response', metric: 'ingest.latency.mean' };

/** What holds for all of its figures. */
export const NOTES = {
  bulk: 'Its bulk loop inserts 999 documents, not 1000; an operation is one bulk.',
  response:
    'Its code makes the documents and opens a connection within each timed bulk: its response times hold both.',
  refresh:
    "The refresh interval of these tests is not told; 30s is that of the account's request that creates the index.",
};

export const CHANGES = {
  mapping:
    '"string, not_analyzed" is "keyword" today, mapping types are gone, and so is the _all field, which was on by default.',
  client:
    'Its Java transport client is gone: bulks go over HTTP, to all data nodes in turn where it had a load balancer.',
  queue:
    'Its bulk pool, with a queue of 50, is the write pool today, with one of 10000; memory is guarded by indexing pressure instead. Far more load fits in before anything is refused.',
  retries: 'Its client sent no refused bulk again, so retries are off: what is refused counts at once.',
  nodes:
    'On the embedded Elasticsearch Dyno starts that many nodes itself, all on one machine; of any other target the number is a label of what you set up yourself.',
  labels: 'Dyno cannot change the environment: its levels are labels of what you set up yourself.',
};

/** Changes that every experiment of the account has. */
export const COMMON_CHANGES = [CHANGES.mapping, CHANGES.client, CHANGES.retries];

/** A note on the number of clients, which the account does not tell; `law` is throughput x response time of its rows. */
export const clientsNote = (law: string, clients: number): string =>
  `The number of clients is not told; by Little's law its figures come from about ${law}. Here it is ${clients} everywhere.`;
