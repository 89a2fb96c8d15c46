/** Routes of recorded traffic: the files that a server may read, and surveys of them. */
import * as z from 'zod';
import { surveySchema } from '../survey/survey';
import { route } from './route';

/** A loss while the file was recorded or read. */
const lossSchema = z.object({
  /** Text such as `2 blocks damaged`. */
  text: z.string(),
  /** The first examples: where, and what is wrong. */
  examples: z.array(z.string()),
});

const trafficFileSchema = z.object({
  /** Path relative to the folder of readable files, with `/` between folders. */
  file: z.string(),
  /** Format, such as `dyno` or `har`. */
  format: z.string(),
  /** Number of files of the recording. */
  files: z.number().int(),
  bytes: z.number(),
  /** Time of the last change, ISO 8601, UTC. */
  modifiedAt: z.string(),
  /** Start of the recording, ISO 8601, UTC. Null if it is only known after the whole file was read. */
  startedAt: z.string().nullable(),
  /** Time from the start to the last request, in ms. Null as above. */
  durationMs: z.number().nullable(),
  requests: z.number().int().nullable(),
});
export type ListedTraffic = z.output<typeof trafficFileSchema>;

export const trafficListSchema = z.object({
  /** Folder in which recordings must be, so that this server can read them. */
  folder: z.string(),
  files: z.array(trafficFileSchema),
  /** True if the folder has so many files that not all of them were examined. */
  isCut: z.boolean(),
});
export type TrafficList = z.output<typeof trafficListSchema>;

export const trafficStateSchema = z.discriminatedUnion('state', [
  z.object({
    /** The server reads the file. Ask again. */
    state: z.literal('reading'),
    /** Number of requests that were read. */
    read: z.number().int(),
    /** Number of requests in the file; null if unknown. */
    of: z.number().int().nullable(),
  }),
  z.object({
    state: z.literal('read'),
    format: z.string(),
    /** Share of the connections that was recorded, in (0, 1]. */
    share: z.number(),
    survey: surveySchema,
    losses: z.array(lossSchema),
  }),
]);
export type TrafficState = z.output<typeof trafficStateSchema>;

export const TRAFFIC_ROUTES = {
  listTraffic: route({
    method: 'GET',
    path: '/api/dyno/traffic',
    summary: 'Files of recorded traffic that experiments of this server can replay',
    privilege: 'manage',
    answer: 'json',
    response: trafficListSchema,
  }),
  getTraffic: route({
    method: 'GET',
    path: '/api/dyno/traffic/_survey',
    summary: 'What a file of recorded traffic contains; `reading` until the whole file has been read',
    privilege: 'manage',
    query: z.object({ file: z.string().min(1).max(1000) }),
    answer: 'json',
    response: trafficStateSchema,
  }),
};
