/** Three sizes of machine, on Ubuntu with standard disks and on Windows with ephemeral ones. */
import type { Preset } from '../preset';
import {
  CHANGES,
  clientsNote,
  COMMON_CHANGES,
  DEFAULT_INDEX,
  LARGE_CLIENTS,
  MACHINE,
  MACHINES,
  NOTES,
  QUICK_MEASURE,
  REPEATED,
  RESPONSE,
  SEED,
  THROUGHPUT,
  TITLE,
  TWO_HOURS,
  UNITS,
  workload,
} from './account';

const machineUnits = { cores: 'cores', disks: 'data disks', memory: 'GB of memory' };
const { small, medium, large } = MACHINES;
const machine = ({ cores, disks, memory }: typeof small): Record<string, number> => ({
  cores,
  disks,
  memory,
});

const ALONG_CHANGES = [
  ...COMMON_CHANGES,
  CHANGES.queue,
  CHANGES.labels,
  "It fitted the load to each machine; here it is equal, so that only the machine differs. For the account's own, list the cells with their clients instead: { environment.machine: small, tasks.ingest.executor.constant-clients.clients: 6 }.",
];

const MACHINES_TOLD = `3 data nodes each: small is ${small.sku} (${small.cores} cores, ${small.disks} data disks, ${small.memory} GB), medium ${medium.sku} (${medium.cores}, ${medium.disks}, ${medium.memory} GB), large ${large.sku} (${large.cores}, ${large.disks}, ${large.memory} GB); half of the memory for the heap.`;

export const azureScaleUp: Preset = {
  name: 'azure-scale-up',
  summary: 'Small, medium and large machines: what twice the cores, memory and disks bring',
  definition: {
    version: 1,
    name: 'Machine size against bulk throughput (Azure)',
    hypothesis: 'A machine with twice the cores, memory and disks ingests more, but not twice as much',
    expect: [`ingest.throughput rises with ${MACHINE}`],
    ...workload(LARGE_CLIENTS, DEFAULT_INDEX),
    factors: { [MACHINE]: ['small', 'medium', 'large'] },
    measure: TWO_HOURS,
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      `Elasticsearch 1.7.3 on Ubuntu with standard (spinning) disks. ${MACHINES_TOLD}`,
      '5 shards, 1 replica; bulks of 1000 small systembase documents for 2 hours on each size.',
      'Network and disk are those of node 2; CPU is that of the busiest node, and so is the time that it waited for the disk.',
    ],
    repeated: REPEATED,
    units: {
      throughput: UNITS.throughput,
      response: UNITS.response,
      samples: UNITS.samples,
      sent: UNITS.sent,
      errors: UNITS.errors,
      errorRate: UNITS.errorRate,
      cpu: '% CPU',
      diskWait: '% of CPU time waiting for the disk',
      received: 'bytes/s received',
      written: 'bytes/s written',
      ...machineUnits,
    },
    rows: [
      {
        levels: { [MACHINE]: 'small' },
        figures: {
          throughput: 9.3,
          response: 636,
          samples: 67_057,
          sent: 67_057,
          errors: 0,
          errorRate: 0,
          cpu: 75.01,
          diskWait: 21.04,
          received: 3_993_640.3,
          written: 25_502_361.94,
          ...machine(small),
        },
      },
      {
        levels: { [MACHINE]: 'medium' },
        figures: {
          throughput: 17.2,
          response: 692,
          samples: 123_482,
          sent: 123_483,
          errors: 1,
          errorRate: 0.0008,
          cpu: 64.93,
          diskWait: 14.48,
          received: 7_311_689.9,
          written: 48_856_124.5,
          ...machine(medium),
        },
      },
      {
        levels: { [MACHINE]: 'large' },
        figures: {
          throughput: 27.4,
          response: 839,
          samples: 197_085,
          sent: 200_702,
          errors: 3617,
          errorRate: 1.8,
          cpu: 64.64,
          diskWait: 15.84,
          received: 11_893_874.2,
          written: 88_137_675.46,
          ...machine(large),
        },
      },
    ],
    compared: [THROUGHPUT, RESPONSE],
    notes: [
      'The time spent waiting for the disk is summed up as 16% to 21%; its table has 14.48% too.',
      'More than 500 million documents are told of the large cluster; its 197,085 bulks of 999 are 197 million.',
      clientsNote('6, 12 and 23', LARGE_CLIENTS),
      NOTES.refresh,
      NOTES.bulk,
      NOTES.response,
    ],
    changes: ALONG_CHANGES,
  },
};

export const azureScaleUpWindows: Preset = {
  name: 'azure-scale-up-windows',
  summary: 'The three machine sizes again, with Windows and fast local disks',
  definition: {
    version: 1,
    name: 'Machine size against bulk throughput on Windows (Azure)',
    hypothesis: 'Also on Windows a larger machine ingests more',
    expect: [`ingest.throughput rises with ${MACHINE}`],
    ...workload(LARGE_CLIENTS, DEFAULT_INDEX),
    factors: { [MACHINE]: ['small', 'medium', 'large'] },
    measure: TWO_HOURS,
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      `Elasticsearch 1.7.3 on Windows Server 2012 with ephemeral disks (local SSDs). ${MACHINES_TOLD}`,
      '5 shards, 1 replica; bulks of 1000 small systembase documents for 2 hours on each size.',
    ],
    repeated: REPEATED,
    units: {
      throughput: UNITS.throughput,
      response: UNITS.response,
      samples: UNITS.samples,
      ...machineUnits,
    },
    rows: [
      {
        levels: { [MACHINE]: 'small' },
        figures: { throughput: 12.5, response: 476, samples: 90_295, ...machine(small) },
      },
      {
        levels: { [MACHINE]: 'medium' },
        figures: { throughput: 23.5, response: 508, samples: 169_243, ...machine(medium) },
      },
      {
        levels: { [MACHINE]: 'large' },
        figures: { throughput: 35.6, response: 613, samples: 257_115, ...machine(large) },
      },
    ],
    compared: [THROUGHPUT, RESPONSE],
    notes: [
      '257,115 bulks in 2 hours are 35.7 a second, not 35.6.',
      'Standard disks were not tried on Windows: only the large size can be set beside Ubuntu (azure-os).',
      clientsNote('6, 12 and 22', LARGE_CLIENTS),
      NOTES.refresh,
      NOTES.bulk,
      NOTES.response,
    ],
    changes: ALONG_CHANGES,
  },
};
