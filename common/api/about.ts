/** Routes of the page *About*: versions, folders, the health of each part of Dyno, and the support bundle. */
import * as z from 'zod';
import { collectorSchema } from './host';
import { runState } from './runs';
import { route } from './route';

/**
 * Returns the schema of the check result of one part of Dyno. If the check failed, `found` is null and `failure` contains the reason. Each
 * part is checked independently of the others.
 */
const partOf = <S extends z.ZodType>(found: S) =>
  z.object({
    found: found.nullable(),
    /** Reason why the check failed; '' if it succeeded. */
    failure: z.string(),
  });

/** Files in a folder that wait until a cluster can be reached. */
const waitingFiles = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  /** Time when the oldest file was created, ISO 8601, UTC; null if there are no files. */
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
      /** URL of the results cluster, without user name and password. */
      url: z.string(),
      version: z.string(),
      /**
       * Health of the results cluster. Null if the cluster does not report its health (Elastic Cloud Serverless), or if Dyno's user lacks
       * the privilege to read it.
       */
      health: z
        .object({
          status: z.enum(['green', 'yellow', 'red']),
          nodes: z.number().int(),
          unassignedShards: z.number().int(),
        })
        .nullable(),
    }),
  ),
  /** The embedded Elasticsearch that this host starts. The result is `none` if this host uses another cluster. */
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
      /** Number of documents with results of this process's runs that the results cluster has not stored yet. */
      documents: z.number().int(),
      /** Files that wait for the results cluster. Includes the files of all processes with this data folder. */
      waiting: waitingFiles,
      /**
       * Waiting files with results for clusters that were the results cluster earlier, by cluster. Dyno stores such files when their
       * cluster becomes the results cluster again.
       */
      others: z.array(waitingFiles.extend({ cluster: z.string() })),
      /**
       * Number of files with results that Dyno did not store, because the results cluster contains other versions of the same documents,
       * written by other processes. `dyno results import` can import these files.
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
        /** Time at which this run started, ISO 8601, UTC. For a queued run, the time at which it was requested. */
        since: z.string(),
      }),
    ),
  ),
  schedules: partOf(
    z.object({
      /** Number of experiments with a schedule. */
      scheduled: z.number().int(),
      /** The next scheduled run of any experiment, and its time. Null if no run is scheduled. */
      next: z.object({ experiment: z.string(), at: z.string() }).nullable(),
      /**
       * For each experiment, the newest scheduled time of the last 24 hours at which no run started, with the reason `why`. Experiments
       * without a missed time are left out.
       */
      missed: z.array(z.object({ experiment: z.string(), at: z.string(), why: z.string() })),
    }),
  ),
  certification: partOf(
    z.object({
      going: z.boolean(),
      /** The last certification of this machine's load generator; null if it was never certified. */
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
        /** Names of Dyno's folders that are on this disk. */
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
      /** Memory that this Dyno process uses, in bytes. */
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
  /**
   * Severity of the problem. `wrong`: something does not work now. `warning`: something may soon stop working, or makes results less
   * reliable.
   */
  level: z.enum(['warning', 'wrong']),
  /** One sentence that describes the problem. */
  what: z.string(),
  /** One sentence about what to do next. */
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
      /** Name of the folder: `data`, `spool`, ... */
      name: z.string(),
      path: z.string(),
      state: z.enum(['there', 'absent', 'closed']),
    }),
  ),
  /** Contents of the support bundle, one line for each file. The page shows these lines before the user creates the bundle. */
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
