/** Refresh interval against indexing throughput, as Sematext measured it on Elasticsearch 0.90. */
import { QUICK_WITH_MERGES, TIERED, TIERED_NOTE } from './merge-policy';
import type { Preset } from './preset';

const REFRESH = 'index.settings.refresh_interval';

export const sematextRefresh: Preset = {
  name: 'sematext-refresh',
  summary: 'Refresh interval 1s, 5s, 30s: what it costs to see documents early',
  definition: {
    version: 1,
    name: 'Refresh interval against indexing throughput (Sematext)',
    hypothesis: 'A longer refresh interval raises indexing throughput',
    expect: [`ingest.throughput rises with ${REFRESH}`],
    index: {
      settings: { number_of_shards: 3, number_of_replicas: 1, ...TIERED },
      mapping: 'apache-logs',
    },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 3000 } },
        executor: { 'constant-clients': { clients: 2 } },
      },
    ],
    factors: { [REFRESH]: ['1s', '5s', '30s'] },
    measure: { 'burn-in': '2m', warmup: '2m', duration: '30m' },
    trials: 3,
  },
  quick: QUICK_WITH_MERGES,
  published: {
    seed: 'sematext-refresh',
    title: 'Elasticsearch refresh interval vs indexing performance',
    conditions: [
      'Elasticsearch 0.90.0 on 3 EC2 m1.small instances, 3 shards, 1 replica.',
      'Apache logs in bulks of 3000 on 2 threads; 30 minutes for each interval.',
      'index.store.type mmapfs, index buffer 30%, translog flush after 50000 operations.',
    ],
    repeated: 'one trial of each cell',
    units: { throughput: 'docs/s', documents: 'documents in 30 minutes' },
    rows: [
      { levels: { [REFRESH]: '1s' }, figures: { throughput: 2000, documents: 3_600_000 } },
      { levels: { [REFRESH]: '5s' }, figures: { throughput: 2500, documents: 4_500_000 } },
      { levels: { [REFRESH]: '30s' }, figures: { throughput: 3400, documents: 6_100_000 } },
    ],
    compared: [{ figure: 'throughput', metric: 'ingest.throughput' }],
    notes: ['The account says 25% from 5s to 30s; its own figures give 36%.'],
    changes: [
      TIERED_NOTE,
      'Store type, index buffer and the translog setting are not set here: today they are chosen well or named otherwise.',
      'With fewer than two data nodes the replica stays unassigned; the report says so.',
    ],
  },
};
