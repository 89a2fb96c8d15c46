/**
 * Routes of tunings (*Tune this index*): series of experiments that search for better settings of an index. They return the first draft of
 * the experiment's definition, the plan, and the recommendation.
 */
import * as z from 'zod';
import { tuningOptionsSchema } from '../tuning/tuning';
import { tuningDocument, tuningPlanDocument } from './documents';
import { route } from './route';

const id = z.string().min(1).max(200);
const oneTuning = z.object({ id });

/** A definition as YAML, with the current settings of the index. */
const text = z.string().max(1_000_000);

const asked = z.strictObject({ text, options: tuningOptionsSchema });

const PATH = '/api/dyno/tunings';

export const tuningSummarySchema = z.object({
  id,
  name: z.string(),
  state: z.enum(['running', 'completed', 'failed', 'cancelled']),
  created: z.string(),
  target: z.string(),
  recommended: z.boolean(),
  /** The result as one sentence; '' while the tuning is running. */
  sentence: z.string(),
});
export type TuningSummary = z.output<typeof tuningSummarySchema>;

export const TUNING_ROUTES = {
  draftTuning: route({
    method: 'POST',
    path: `${PATH}/draft`,
    summary:
      'Create a definition from an index of the target: mapping, settings, and a limited sample of its documents as a file on this host',
    privilege: 'run',
    body: z.strictObject({
      target: id,
      index: z.string().min(1).max(255),
      /** Maximum number of documents of the index that are copied, so that the experiments can index them. */
      documents: z.number().int().min(10).max(20_000).default(2000),
      /**
       * Whether the load also searches. `true`: searches for the newest documents. An object: the body of a search, which is sent
       * unchanged.
       */
      search: z.union([z.boolean(), z.record(z.string(), z.unknown())]).default(false),
    }),
    answer: 'json',
    response: z.object({
      text,
      documents: z.number().int(),
      /**
       * The index or data stream from which the draft of the definition was made. The request that starts the tuning sends this object as
       * `options.subject`.
       */
      subject: z.object({ name: z.string(), dataStream: z.boolean() }),
    }),
  }),
  planTuning: route({
    method: 'POST',
    path: `${PATH}/plan`,
    summary: 'Plan a tuning without starting it: what it would try within its time, and how long that takes',
    privilege: 'run',
    body: asked,
    answer: 'json',
    response: z.object({
      plan: tuningPlanDocument,
      /**
       * Conditions that the results must meet, whichever setting the tuning tries. An example is a latency below 50 ms. If the request
       * contains no conditions, they follow from the goal of the tuning.
       */
      limits: z.array(z.string()),
    }),
  }),
  startTuning: route({
    method: 'POST',
    path: PATH,
    summary: 'Start a tuning: its experiments run one after the other',
    privilege: 'manage',
    body: asked,
    answer: 'json',
    response: tuningDocument,
    status: 202,
  }),
  listTunings: route({
    method: 'GET',
    path: PATH,
    summary: 'Tunings, the newest first',
    privilege: 'read',
    answer: 'json',
    response: z.object({ tunings: z.array(tuningSummarySchema) }),
  }),
  getTuning: route({
    method: 'GET',
    path: `${PATH}/{id}`,
    summary: 'One tuning with its stages and its result',
    privilege: 'read',
    params: oneTuning,
    answer: 'json',
    response: tuningDocument,
  }),
  deleteTuning: route({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    summary:
      'Remove a tuning with its sample of documents and, if requested, its experiments and runs with all their results',
    privilege: 'manage',
    params: oneTuning,
    query: z.object({ runs: z.enum(['keep', 'delete']).default('keep') }),
    answer: 'json',
    response: z.object({
      deletedRuns: z.number().int(),
      /** Whether the documents that the tuning had copied from the index were removed. */
      sample: z.boolean(),
    }),
  }),
  cancelTuning: route({
    method: 'POST',
    path: `${PATH}/{id}/cancel`,
    summary: 'Cancel a tuning and its current run',
    privilege: 'run',
    params: oneTuning,
    answer: 'json',
    response: tuningDocument,
    status: 202,
  }),
};
