/** Routes of *About*: version, folders, health of each part, and the support bundle. */
import * as z from 'zod';
import { collectorSchema } from './host';
import { runState } from './runs';
import { route } from './route';

/** What a part told; null with the reason in `failure` where it could not: each part may fail alone. */
const told = <S extends z.ZodType>(found: S) =>
  z.object({
    found: found.nullable(),
    /** Why there is nothing; '' otherwise. */
    failure: z.string(),
  });

/** Of a folder of files that wait for a cluster. */
const waitingFiles = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  /** When the oldest file was begun, ISO 8601 UTC; null for none. */
  since: z.string().nullable(),
});

const partsShape = {
  versions: told(
    z.object({
      dyno: z.string(),
      node: z.string(),
      /** Of the Kibana that Dyno is a plugin of; null elsewhere. */
      kibana: z.string().nullable(),
      /** Operating system, its release and the architecture. */
      system: z.string(),
    }),
  ),
  results: told(
    z.object({
      /** Without user names and passwords. */
      url: z.string(),
      version: z.string(),
      /** Null where the cluster does not tell it (serverless, a role that may not ask). */
      health: z
        .object({
          status: z.enum(['green', 'yellow', 'red']),
          nodes: z.number().int(),
          unassignedShards: z.number().int(),
        })
        .nullable(),
    }),
  ),
  /** `none` where no embedded Elasticsearch is in use. */
  embedded: told(
    z.union([
      z.literal('none'),
      z.object({
        version: z.string(),
        /** False where another process of Dyno started it. */
        startedHere: z.boolean(),
      }),
    ]),
  ),
  spool: told(
    z.object({
      /** Documents of runs of this process. */
      documents: z.number().int(),
      /** For the results cluster, of all processes with this data folder. */
      waiting: waitingFiles,
      /** For clusters that kept the results before; only those know when they are back. */
      others: z.array(waitingFiles.extend({ cluster: z.string() })),
      /** Files of results that could not be stored beside what others had written. */
      kept: z.number().int(),
    }),
  ),
  collector: told(collectorSchema.pick({ shippers: true, own: true })),
  runs: told(
    z.array(
      z.object({
        id: z.string(),
        experiment: z.string(),
        state: runState,
        /** When its turn came, or while it is queued when it was asked for, ISO 8601 UTC. */
        since: z.string(),
      }),
    ),
  ),
  schedules: told(
    z.object({
      /** Experiments that have one. */
      scheduled: z.number().int(),
      /** The first that falls due. */
      next: z.object({ experiment: z.string(), at: z.string() }).nullable(),
      /** Of the last day, the newest of each experiment. */
      missed: z.array(z.object({ experiment: z.string(), at: z.string(), why: z.string() })),
    }),
  ),
  certification: told(
    z.object({
      going: z.boolean(),
      /** Null for none of this machine. */
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
  disks: told(
    z.array(
      z.object({
        /** What of Dyno's is on it. */
        holds: z.array(z.string()),
        freeBytes: z.number(),
        totalBytes: z.number(),
      }),
    ),
  ),
  machine: told(
    z.object({
      cores: z.number().int(),
      totalBytes: z.number(),
      availableBytes: z.number(),
      /** Of the process that answers. */
      ownBytes: z.number(),
      /** Processes that run or wait, mean of the last minute. */
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
  /** `wrong`: something does not work now; `warning`: it may not for long, or results suffer. */
  level: z.enum(['warning', 'wrong']),
  /** What is wrong, a sentence. */
  what: z.string(),
  /** What to do next, a sentence. */
  next: z.string(),
});
export type AboutProblem = z.output<typeof aboutProblemSchema>;

export const aboutSchema = z.object({
  /** When it was gathered, ISO 8601 UTC. */
  at: z.string(),
  host: z.enum(['standalone', 'kibana']),
  parts: partsSchema,
  problems: z.array(aboutProblemSchema),
});
export type About = z.output<typeof aboutSchema>;

export const aboutPathsSchema = z.object({
  paths: z.array(
    z.object({
      /** `data`, `spool`, ... */
      name: z.string(),
      path: z.string(),
      state: z.enum(['there', 'absent', 'closed']),
    }),
  ),
  /** Parts of the support bundle, a line each: what it holds is said before it is made. */
  bundle: z.array(z.string()),
});
export type AboutPaths = z.output<typeof aboutPathsSchema>;

export const ZIP_TYPE = 'application/zip';

export const ABOUT_ROUTES = {
  getAbout: route({
    method: 'GET',
    path: '/api/dyno/about',
    summary: 'Versions, the results cluster, what waits for it, the collector, schedules, disks and memory',
    privilege: 'read',
    answer: 'json',
    response: aboutSchema,
  }),
  getAboutPaths: route({
    method: 'GET',
    path: '/api/dyno/about/paths',
    summary: 'Folders of this Dyno, and what its support bundle contains',
    privilege: 'manage',
    answer: 'json',
    response: aboutPathsSchema,
  }),
  makeSupportBundle: route({
    method: 'GET',
    path: '/api/dyno/about/support',
    summary: 'What those need who are to help, as a zip without secrets',
    privilege: 'manage',
    answer: 'file',
    response: z.unknown(),
    contentTypes: [ZIP_TYPE],
  }),
};
