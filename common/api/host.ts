/** Routes of the host itself, and of the collectors that send metrics to it. */
import * as z from 'zod';
import { route } from './route';

/** One step of the start of a host. */
const startStep = z.object({
  /** One sentence about the step. */
  text: z.string(),
  state: z.enum(['under-way', 'done', 'failed']),
  /** Duration so far, in ms. */
  tookMs: z.number(),
  /** Completed share, in [0, 1]; null if unknown. */
  share: z.number().nullable(),
});

/**
 * State of a start that has not finished. Until the start has finished, a host can only return this state, and facts that it knows without
 * Elasticsearch.
 */
const startSchema = z.object({
  /** Steps in the order in which they began. */
  steps: z.array(startStep),
  /** Reason why the start failed and the host ended; '' while it is starting. */
  failed: z.string(),
});
export type Start = z.output<typeof startSchema>;

export const statusSchema = z.object({
  version: z.string(),
  host: z.enum(['standalone', 'kibana']),
  /** The cluster that stores results, experiments and targets. */
  results: z.object({
    url: z.string(),
    /** Version of the cluster; '' while it cannot be reached. */
    version: z.string(),
    /** Reason why the results cluster cannot be reached; '' if it can be reached. */
    problem: z.string(),
  }),
  /**
   * Id of the target for which this host starts clusters itself, with the nodes, heap and version of an environment. Null if this host
   * starts no clusters.
   */
  startsClustersOf: z.string().nullable(),
  /** Patterns of hosts that may receive load; null allows all. */
  allowedHosts: z.array(z.string()).nullable(),
  /** State of the start; null once the host has started. */
  start: startSchema.nullable().default(null),
  /** Number of samples that are stored on disk because the results cluster has not stored them yet. */
  spooled: z.number().int(),
  /** Experiments with changes that could not be sent to the webhook. They are sent again after the next run. */
  untold: z.array(
    z.object({
      experiment: z.string(),
      name: z.string(),
      /** Id of the run after which the change was found. */
      run: z.string(),
      /** Time of the last attempt, ISO 8601, UTC. */
      at: z.string(),
      why: z.string(),
    }),
  ),
});
export type Status = z.output<typeof statusSchema>;

/** Architectures for which dynobeat, the collector, is built, in Go's notation. */
export const COLLECTOR_ARCHITECTURES = ['amd64', 'arm64'] as const;
export type CollectorArchitecture = (typeof COLLECTOR_ARCHITECTURES)[number];

/** Names of the placeholders for secrets in a configuration. When a package is downloaded, their values can be filled in. */
export const COLLECTOR_SECRETS = ['TARGET_SECRET', 'RESULTS_SECRET'] as const;
export type CollectorSecret = (typeof COLLECTOR_SECRETS)[number];

export const GZIP_TYPE = 'application/gzip';

export const collectorSchema = z.object({
  shippers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      host: z.string(),
      version: z.string(),
      /** Names of the metricsets that the collector sends, such as `node` and `host`. */
      metricsets: z.array(z.string()),
      periodMs: z.number().nullable(),
      cluster: z.string(),
      nodes: z.array(z.string()),
      /** Time of the collector's newest event, ISO 8601 in UTC. */
      lastSeen: z.string(),
      /** Number of the collector's events in the last five minutes. */
      events: z.number().int(),
      /** Error in the newest event that contains an error; '' if no event contains an error. */
      error: z.string(),
      /** Time of that error, ISO 8601, UTC; '' without one. */
      errorAt: z.string(),
      /** Names of the metricsets whose newest event is an error. Since that event, they have not read any values. */
      failing: z.array(z.string()),
    }),
  ),
  /**
   * State of the collector that this host starts itself. `off`: the host does not start a collector, because it runs in Kibana or the
   * collector is disabled.
   */
  own: z.object({ state: z.enum(['running', 'off', 'missing', 'failed']), detail: z.string() }),
  /** A dynobeat.yml for each target, without secrets. */
  configurations: z.array(z.object({ target: z.string(), text: z.string() })),
  /** Linux architectures for which this host offers a dynobeat for download. */
  packages: z.array(z.enum(COLLECTOR_ARCHITECTURES)),
});
export type CollectorStatus = z.output<typeof collectorSchema>;

export const HOST_ROUTES = {
  getStatus: route({
    method: 'GET',
    path: '/api/dyno/status',
    summary: 'State of the server and of the results cluster',
    privilege: 'read',
    answer: 'json',
    response: statusSchema,
  }),
  getCollector: route({
    method: 'GET',
    path: '/api/dyno/collector',
    summary: 'Collectors that send metrics, and configurations for more',
    privilege: 'read',
    answer: 'json',
    response: collectorSchema,
  }),
  makeCollectorPackage: route({
    method: 'POST',
    path: '/api/dyno/collector/package',
    summary:
      'dynobeat for Linux with the configuration for a target, as tar.gz; secrets of the body are for this file and are not kept',
    privilege: 'manage',
    body: z.strictObject({
      target: z.string().min(1).max(200),
      architecture: z.enum(COLLECTOR_ARCHITECTURES),
      /** Secrets to write into the configuration. For a secret without a value, the configuration refers to dynobeat's keystore. */
      secrets: z
        .strictObject({
          TARGET_SECRET: z.string().min(1).max(2000).optional(),
          RESULTS_SECRET: z.string().min(1).max(2000).optional(),
        })
        .default({}),
    }),
    answer: 'file',
    response: z.unknown(),
    contentTypes: [GZIP_TYPE],
  }),
};
