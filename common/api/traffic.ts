/**
 * Routes of recorded traffic, which are requests of real clients to replay. They return the files that this server may read, and summaries
 * (*surveys*) of their contents.
 */
import * as z from 'zod';
import { surveySchema } from '../survey/survey';
import { route } from './route';

/** A loss in a recording: data that is missing because of a problem while the traffic was recorded or read. */
const lossSchema = z.object({
  /** Description of the missing part, such as `2 blocks damaged`. */
  text: z.string(),
  /** The first losses of this type, each with its position in the file and the problem. */
  examples: z.array(z.string()),
});

const trafficFileSchema = z.object({
  /** Path of the file, relative to the folder of recordings. Folders are separated by `/`. */
  file: z.string(),
  /** Format of the file, such as `dyno` or `har`. */
  format: z.string(),
  /** Number of files of which the recording consists. */
  files: z.number().int(),
  bytes: z.number(),
  /** Time of the last change of the file, ISO 8601, UTC. */
  modifiedAt: z.string(),
  /** Start of the recording, ISO 8601, UTC. Null if Dyno would have to read the whole file to find it. */
  startedAt: z.string().nullable(),
  /** Time from the start to the last request, in ms. Null if Dyno would have to read the whole file to find it. */
  durationMs: z.number().nullable(),
  requests: z.number().int().nullable(),
});
export type ListedTraffic = z.output<typeof trafficFileSchema>;

export const trafficListSchema = z.object({
  /** Folder that contains the recordings. The server reads only files in this folder. */
  folder: z.string(),
  files: z.array(trafficFileSchema),
  /** Whether the list is incomplete, because the folder contains too many files. */
  isCut: z.boolean(),
});
export type TrafficList = z.output<typeof trafficListSchema>;

export const trafficStateSchema = z.discriminatedUnion('state', [
  z.object({
    /** State while the server is still reading the file. Send the request again later. */
    state: z.literal('reading'),
    /** Number of requests that the server has read so far. */
    read: z.number().int(),
    /** Number of requests in the file; null if unknown. */
    of: z.number().int().nullable(),
  }),
  z.object({
    state: z.literal('read'),
    format: z.string(),
    /** Share of all connections that was recorded: above 0, at most 1 (all). */
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
