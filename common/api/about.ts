/** Routes of *About*: version, folders, health of each part, and the support bundle. */
import * as z from 'zod';
import { collectorSchema } from './host';
import { runState } from './runs';
import { route } from './route';

/**
 * The result of checking one part. If the check failed, `found` is null and `failure` contains the reason. A failure does not affect the
 * results of other parts.
 */
const partOf = <S extends z.ZodType>(found: S) =>
  z.object({
    found: found.nullable(),
    /** Reason of the failure; '' otherwise. */
    failure: z.string(),
  });

/** A folder of files that wait for a cluster. */
const waitingFiles = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  /** Time when the oldest file was created, ISO 8601 UTC; null without files. */
  since: z.string().nullable(),
});

const partsShape = {
  versions: partOf(
    z.object({
      dyno: z.string(),
      node: z.string(),
      /** Version of Kibana if Dyno runs as its plugin; null otherwise. */
      kibana: z.string().nullable(),
      /** Operating system with release and architecture. */
      system: z.string(),
    }),
  ),
  results: partOf(
    z.object({
      /** Address without user name and password. */
      url: z.string(),
      version: z.string(),
      /** Health of the cluster. Null if the cluster does not report it (serverless), or if the privilege is missing. */
      health: z
        .object({
          status: z.enum(['green', 'yellow', 'red']),
          nodes: z.number().int(),
          unassignedShards: z.number().int(),
        })
        .nullable(),
    }),
  ),
  /** `none` if no embedded Elasticsearch is in use. */
  embedded: partOf(
    z.union([
      z.literal('none'),
      z.object({
        version: z.string(),
        /** False if another Dyno process started the embedded Elasticsearch. */
        startedHere: z.boolean(),
      }),
    ]),
  ),
  spool: partOf(
    z.object({
      /** Number of spooled documents of this process's runs. */
      documents: z.number().int(),
      /** Files of all processes with this data folder that wait for the results cluster. */
      waiting: waitingFiles,
      /**
       * Files that wait for clusters which were the results cluster earlier. They are stored once such a cluster is the results cluster
       * again.
       */
      others: z.array(waitingFiles.extend({ cluster: z.string() })),
      /**
       * Number of files with results that were not stored because they conflict with documents of other processes. `dyno results import`
       * can import them.
       */
      kept: z.number().int(),
    }),
  ),
  collector: partOf(collectorSchema.pick({ shippers: true, own: true })),
  runs: partOf(
    z.array(
      z.object({
        id: z.string(),
        experiment: z.string(),
        state: runState,
        /** Start of the run, or the time of the request while it is queued, ISO 8601 UTC. */
        since: z.string(),
      }),
    ),
  ),
  schedules: partOf(
    z.object({
      /** Number of experiments with a schedule. */
      scheduled: z.number().int(),
      /** The next scheduled run. */
      next: z.object({ experiment: z.string(), at: z.string() }).nullable(),
      /** Scheduled times of the last day at which no run started; for each experiment only the newest. */
      missed: z.array(z.object({ experiment: z.string(), at: z.string(), why: z.string() })),
    }),
  ),
  certification: partOf(
    z.object({
      going: z.boolean(),
      /** The last certification of this machine; null without one. */
      last: z
        .object({
          answer: z.enum(['certified', 'not-certified', 'busy']),
          why: z.string(),
          at: z.string(),
          dyno: z.string(),
        })
        .nullable(),
    }),
  ),
  disks: partOf(
    z.array(
      z.object({
        /** Names of those folders of Dyno that are on this disk. */
        holds: z.array(z.string()),
        freeBytes: z.number(),
        totalBytes: z.number(),
      }),
    ),
  ),
  machine: partOf(
    z.object({
      cores: z.number().int(),
      totalBytes: z.number(),
      availableBytes: z.number(),
      /** Memory of the process that sends the response, in bytes. */
      ownBytes: z.number(),
      /** Load average of the last minute. */
      load: z.number(),
    }),
  ),
};

const partsSchema = z.object(partsShape);
export type AboutParts = z.output<typeof partsSchema>;
export type AboutPart = keyof AboutParts;
export type Found<P extends AboutPart> = NonNullable<AboutParts[P]['found']>;

export const ABOUT_PARTS = Object.keys(partsShape) as AboutPart[];

export const aboutProblemSchema = z.object({
  part: z.enum(ABOUT_PARTS as [AboutPart, ...AboutPart[]]),
  /** `wrong`: something does not work now. `warning`: something may soon stop working, or affects results. */
  level: z.enum(['warning', 'wrong']),
  /** One sentence that describes the problem. */
  what: z.string(),
  /** One sentence that describes what to do next. */
  next: z.string(),
});
export type AboutProblem = z.output<typeof aboutProblemSchema>;

export const aboutSchema = z.object({
  /** Time of the checks, ISO 8601 UTC. */
  at: z.string(),
  host: z.enum(['standalone', 'kibana']),
  parts: partsSchema,
  problems: z.array(aboutProblemSchema),
});
export type About = z.output<typeof aboutSchema>;

export const aboutPathsSchema = z.object({
  paths: z.array(
    z.object({
      /** Name of the path: `data`, `spool`, ... */
      name: z.string(),
      path: z.string(),
      state: z.enum(['there', 'absent', 'closed']),
    }),
  ),
  /** Contents of the support bundle, one line for each file. Users see them before the bundle is created. */
  bundle: z.array(z.string()),
});
export type AboutPaths = z.output<typeof aboutPathsSchema>;

export const ZIP_TYPE = 'application/zip';

export const ABOUT_ROUTES = {
  getAbout: route({
    method: 'GET',
    path: '/api/dyno/about',
    summary: 'Health of this Dyno: versions, results cluster, spool, collector, schedules, disks and memory',
    privilege: 'read',
    answer: 'json',
    response: aboutSchema,
  }),
  getAboutPaths: route({
    method: 'GET',
    path: '/api/dyno/about/paths',
    summary: 'Folders of this Dyno, and the contents of its support bundle',
    privilege: 'manage',
    answer: 'json',
    response: aboutPathsSchema,
  }),
  makeSupportBundle: route({
    method: 'GET',
    path: '/api/dyno/about/support',
    summary: 'Support bundle (zip, no secrets): health, settings, recent logs, last runs',
    privilege: 'manage',
    answer: 'file',
    response: z.unknown(),
    contentTypes: [ZIP_TYPE],
  }),
};
