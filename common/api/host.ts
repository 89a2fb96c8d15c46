/** Routes of this Dyno process itself (the *host*), and of the collectors that send metrics to it. */
import * as z from 'zod';
import { route } from './route';

/** A step of the start of the standalone server. */
const startStep = z.object({
  /** One sentence about the step. */
  text: z.string(),
  state: z.enum(['under-way', 'done', 'failed']),
  /** Duration so far, in ms. */
  tookMs: z.number(),
  /** Completed part of the step, from 0 to 1; null if unknown. */
  share: z.number().nullable(),
});

/**
 * State of a start that has not finished. Until then, the host only responds to requests that need no Elasticsearch, such as requests for
 * this state.
 */
const startSchema = z.object({
  /** Steps in the order in which they began. */
  steps: z.array(startStep),
  /** Reason why the start failed; '' if it did not fail. After a failure, the host ends. */
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
   * Id of the target whose clusters this host starts itself when the environment of a definition requests certain nodes, heap or versions.
   * Null if this host starts no clusters.
   */
  startsClustersOf: z.string().nullable(),
  /** Patterns of the host names to which Dyno may send load; null if all are allowed. */
  allowedHosts: z.array(z.string()).nullable(),
  /** State of the start of this server; null once it has started. */
  start: startSchema.nullable().default(null),
  /** Number of samples that exist only on disk so far, because the results cluster has not accepted them yet. */
  spooled: z.number().int(),
  /**
   * Significant changes of metrics in the history of an experiment that could not be sent to the experiment's webhook. Dyno sends them
   * again after the next run.
   */
  untold: z.array(
    z.object({
      experiment: z.string(),
      name: z.string(),
      /** Id of the run in whose analysis the change was found. */
      run: z.string(),
      /** Time of the last attempt to send the change, ISO 8601, UTC. */
      at: z.string(),
      why: z.string(),
    }),
  ),
});
export type Status = z.output<typeof statusSchema>;

/** Processor architectures for which the collector (dynobeat) is built, as Go names them. */
export const COLLECTOR_ARCHITECTURES = ['amd64', 'arm64'] as const;
export type CollectorArchitecture = (typeof COLLECTOR_ARCHITECTURES)[number];

/**
 * Names of the secrets in a collector's configuration. By default, the configuration contains a placeholder for each secret. A user who
 * downloads a collector package may enter the secrets. The configuration then contains them instead of the placeholders.
 */
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
      /** Names of the sets of metrics that the collector sends (Metricbeat's *metricsets*), such as `node` and `host`. */
      metricsets: z.array(z.string()),
      periodMs: z.number().nullable(),
      cluster: z.string(),
      nodes: z.array(z.string()),
      /** Time of the collector's newest event, ISO 8601 in UTC. */
      lastSeen: z.string(),
      /** Number of the collector's events in the last five minutes. */
      events: z.number().int(),
      /** Error in the newest event that contains an error; '' if no event contains one. */
      error: z.string(),
      /** Time of the event with the error in `error`, ISO 8601, UTC; '' without an error. */
      errorAt: z.string(),
      /** Names of the metricsets (sets of metrics) whose newest event is an error. These metricsets currently provide no values. */
      failing: z.array(z.string()),
    }),
  ),
  /**
   * State of the collector that this host itself starts. `off`: the host starts no collector, because it runs in Kibana or the collector is
   * disabled. `missing`: the program of the collector was not found. `failed`: the collector does not run because of an error. `detail`:
   * explanation as text.
   */
  own: z.object({ state: z.enum(['running', 'off', 'missing', 'failed']), detail: z.string() }),
  /** A dynobeat.yml for each target. It contains placeholders instead of secrets. */
  configurations: z.array(z.object({ target: z.string(), text: z.string() })),
  /** Processor architectures for which this host offers a package of the collector for Linux. */
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
      /** Secrets to write into the configuration. For each secret that is missing here, the configuration refers to dynobeat's keystore. */
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
