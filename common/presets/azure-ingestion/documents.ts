/** Small and big documents: the account describes both, and prints figures of the small ones alone. */
import type { Preset } from '../preset';
import {
  BULK_DOCS,
  CHANGES,
  CLIENTS,
  COMMON_CHANGES,
  GENERATOR,
  NOTES,
  ONE_HOUR,
  QUICK_MEASURE,
  REPEATED,
  SEED,
  TITLE,
  TUNING_CLIENTS,
  workload,
} from './account';

/** So many big documents take about the bytes of 1000 small ones: 24.5 KB against 445 bytes, each with its action line. */
const AS_MANY_BYTES = 18;

export const azureDocuments: Preset = {
  name: 'azure-documents',
  summary: 'Small against big documents: by number and by bytes of a bulk',
  definition: {
    version: 1,
    name: 'Size of documents against bulk throughput (Azure)',
    hypothesis: 'Of big documents fewer are stored in a second: the bytes of a bulk count, not its documents',
    expect: [`ingest.throughput falls with ${GENERATOR}`, `ingest.latency.mean rises with ${GENERATOR}`],
    ...workload(TUNING_CLIENTS, { number_of_shards: 7, number_of_replicas: 1, refresh_interval: '30s' }),
    factors: [
      { [GENERATOR]: 'systembase', [BULK_DOCS]: 1000 },
      { [GENERATOR]: 'systembase-big', [BULK_DOCS]: 1000 },
      { [GENERATOR]: 'systembase-big', [BULK_DOCS]: AS_MANY_BYTES },
    ],
    measure: ONE_HOUR,
    trials: 3,
  },
  // A dozen bulks of 24 MB at a time are more than a small node takes in.
  quick: { ...QUICK_MEASURE, [CLIENTS]: 2 },
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'The account gives the code for both kinds, 1000 to a bulk: big ones have two more fields of 12000 characters each. It prints no figures of the big ones.',
    ],
    repeated: REPEATED,
    units: {},
    rows: [],
    compared: [],
    notes: ['The two big fields stand neither in its table of fields nor in its mapping.', NOTES.bulk],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.queue,
      `A third cell has ${AS_MANY_BYTES} big documents to a bulk, about as many bytes as 1000 small ones: it tells the size of the documents from that of the bulks.`,
      "Cluster and index are those of the account's one-hour tests.",
    ],
  },
};
