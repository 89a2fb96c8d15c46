/** Routes of the host itself and of the collectors that ship to it. */
import * as z from 'zod';
import { route } from './route';

/** One thing that a start does. */
const startStep = z.object({
  /** A sentence: what goes on, or once it is done that it is. */
  text: z.string(),
  state: z.enum(['under-way', 'done', 'failed']),
  /** How long it takes so far, or took, ms. */
  tookMs: z.number(),
  /** How much of it is done, in [0, 1]; null where that is not known. */
  share: z.number().nullable(),
});

/** A start that is not over: until then a host answers this, and what it knows without Elasticsearch. */
const startSchema = z.object({
  /** In the order in which they began. */
  steps: z.array(startStep),
  /** Why it came to nothing, and that the host has ended; '' while it goes on. */
  failed: z.string(),
});
export type Start = z.output<typeof startSchema>;

export const statusSchema = z.object({
  version: z.string(),
  host: z.enum(['standalone', 'kibana']),
  /** Where results, experiments and targets are kept. */
  results: z.object({
    url: z.string(),
    /** '' while it is away. */
    version: z.string(),
    /** Why it cannot be reached; '' when it can. */
    problem: z.string(),
  }),
  /** Id of the target for which this host starts clusters as an environment's nodes, heap and version ask; null for none. */
  startsClustersOf: z.string().nullable(),
  /** Patterns of hosts that may be loaded; null allows all. */
  allowedHosts: z.array(z.string()).nullable(),
  /** Null once it has started. */
  start: startSchema.nullable().default(null),
  /** Samples that wait on the disk for the results cluster. */
  spooled: z.number().int(),
  /** Experiments of whose history the webhook has not taken what became known; it is told again after their next run. */
  untold: z.array(
    z.object({
      experiment: z.string(),
      name: z.string(),
      /** With which it became known. */
      run: z.string(),
      /** When the webhook was tried last, ISO 8601, UTC. */
      at: z.string(),
      why: z.string(),
    }),
  ),
});
export type Status = z.output<typeof statusSchema>;

/** For which dynobeat is built, in Go's words. */
export const COLLECTOR_ARCHITECTURES = ['amd64', 'arm64'] as const;
export type CollectorArchitecture = (typeof COLLECTOR_ARCHITECTURES)[number];

/** Names in a configuration for what its reader keeps secret; who fills them in does so for one file. */
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
      /** `node`, `host`. */
      metricsets: z.array(z.string()),
      periodMs: z.number().nullable(),
      cluster: z.string(),
      nodes: z.array(z.string()),
      /** ISO 8601, UTC. */
      lastSeen: z.string(),
      /** In the last five minutes. */
      events: z.number().int(),
      /** Of its newest event that has one; ''. */
      error: z.string(),
      /** When that was, ISO 8601, UTC; '' without one. */
      errorAt: z.string(),
      /** Of its metricsets those whose newest event tells an error: they read nothing since. */
      failing: z.array(z.string()),
    }),
  ),
  /** What this host does by itself: runs one, could not, was told not to. */
  own: z.object({ state: z.enum(['running', 'off', 'missing', 'failed']), detail: z.string() }),
  /** A dynobeat.yml by target id, without secrets. */
  configurations: z.array(z.object({ target: z.string(), text: z.string() })),
  /** Of Linux, for which this host has a dynobeat to download. */
  packages: z.array(z.enum(COLLECTOR_ARCHITECTURES)),
});
export type CollectorStatus = z.output<typeof collectorSchema>;

export const HOST_ROUTES = {
  getStatus: route({
    method: 'GET',
    path: '/api/dyno/status',
    summary: 'The server, and where results are stored',
    privilege: 'read',
    answer: 'json',
    response: statusSchema,
  }),
  getCollector: route({
    method: 'GET',
    path: '/api/dyno/collector',
    summary: 'Collectors that ship, and configurations for more',
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
      /** Where it is left out, the configuration names the entry of dynobeat's keystore. */
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
