/** The account's six deployments, from one server to a cluster on SSD disks. */
import type { Preset } from '../preset';
import {
  AN_HOUR,
  AUTO_THROTTLE,
  CHANGES,
  COMMON_CHANGES,
  COMPARED,
  DEPLOYMENT,
  DEPLOYMENTS,
  NOTES,
  PARSERS,
  QUICK_MEASURE,
  REFRESH,
  REPEATED,
  REPLICAS,
  SEED,
  TITLE,
  UNITS,
  workload,
  type Deployment,
} from './account';

const levelsOf = ({
  label,
  parsers,
  replicas,
  refresh,
  autoThrottle,
}: Deployment): Record<string, unknown> => ({
  [DEPLOYMENT]: label,
  [PARSERS]: parsers,
  [REPLICAS]: replicas,
  [REFRESH]: refresh,
  [AUTO_THROTTLE]: autoThrottle,
});

export const logsearchDeployments: Preset = {
  name: 'logsearch-deployments',
  summary: 'Six deployments of parsers and Elasticsearch, from one server to SSD clusters',
  definition: {
    version: 1,
    name: 'Deployments of parsers and Elasticsearch against throughput (logsearch)',
    hypothesis:
      'Each deployment, with more of what was the limit before it, takes in more lines than the last one',
    expect: [`ingest.throughput rises with ${DEPLOYMENT}`],
    ...workload(1, { number_of_replicas: 0 }),
    factors: DEPLOYMENTS.map(levelsOf),
    measure: AN_HOUR,
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'logsearch v19 on AWS; c4.large (2 cores, 3.75 GB), the larger parsers c4.2xlarge; 4 shards; archived logs ingested again for at least an hour.',
      'A to C: the CPU of the parsers was at its limit. D: parsers at about 45%, Elasticsearch near 100%.',
    ],
    repeated: REPEATED,
    units: UNITS,
    rows: DEPLOYMENTS.map((deployment) => ({
      levels: levelsOf(deployment),
      figures: { perSecond: deployment.perSecond, perMinute: deployment.perMinute },
    })),
    compared: COMPARED,
    notes: [
      NOTES.best,
      NOTES.cut,
      'Its last two steps change several things at once: E adds 3 servers and the first replica, F disks, refresh interval and throttle. What each of them did cannot be told.',
      'From B to C it says that throughput more than quadrupled, with 4 parsers for 1: 4.27 times by its figures.',
      NOTES.unknown,
    ],
    changes: [
      ...COMMON_CHANGES,
      CHANGES.labels,
      'Parsers, replicas, refresh interval and throttle are set by Dyno with each label. C and D differ in the label alone: put the load generator on a larger machine, or give D more parser threads.',
      CHANGES.throttle,
    ],
  },
};
