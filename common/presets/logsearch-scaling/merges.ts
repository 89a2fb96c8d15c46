/** How much merges are held back: of the account's last step the one part that is a setting of merging. */
import { QUICK_WITH_MERGES, TIERED, TIERED_NOTE } from '../merge-policy';
import type { Preset } from '../preset';
import {
  AN_HOUR,
  AUTO_THROTTLE,
  CHANGES,
  COMMON_CHANGES,
  MERGE_THREADS,
  NOTES,
  REPEATED,
  SEED,
  TITLE,
  workload,
} from './account';

export const logsearchMerges: Preset = {
  name: 'logsearch-merges',
  summary: 'Merges with and without throttle, by one thread and by four',
  definition: {
    version: 1,
    name: 'Merge throttle and merge threads against throughput (logsearch)',
    hypothesis: 'Merges that are not held back keep up with indexing, which so need not wait for them',
    expect: [`ingest.throughput rises with ${AUTO_THROTTLE} from true to false`],
    ...workload(2, { number_of_replicas: 0, refresh_interval: '1s', ...TIERED }),
    factors: { [AUTO_THROTTLE]: [true, false], [MERGE_THREADS]: [1, 4] },
    measure: AN_HOUR,
    trials: 3,
  },
  quick: QUICK_WITH_MERGES,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'The account raised the threshold of the store throttle together with SSD disks and a longer refresh interval, and shows the throttled time with and without in a picture. It prints no figures of it alone.',
    ],
    repeated: REPEATED,
    units: {},
    rows: [],
    compared: [],
    notes: [
      'By how much the threshold was raised is not told.',
      'Its gain of 4396 to 4884 messages a second is that of three changes together.',
      NOTES.unknown,
    ],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.throttle,
      TIERED_NOTE,
      'index.merge.scheduler.max_thread_count limits the merges of a shard. Since 8.19 and 9.1 the merges of all shards of a node go through one pool of as many threads as it has cores, and the limit of a shard counts within that.',
      'Throttled and stopped time of merges stand in the report under the cluster: the throttle may work without any cost in throughput.',
    ],
  },
};
