/**
 * Routes of the certification of this host's load generator: a test whether its measurements are accurate. Also contains the schema of a
 * stored certification.
 */
import * as z from 'zod';
import type { Certification, CertifiedBehaviour } from '../measurement/certification';
import { PERCENTILES } from '../measurement/histogram';
import { route } from './route';

export const certificationSchema = z.object({
  answer: z.enum(['certified', 'not-certified', 'busy']),
  why: z.string(),
  at: z.iso.datetime(),
  dyno: z.string(),
  machine: z.object({
    host: z.string(),
    cores: z.number(),
    memoryBytes: z.number(),
    node: z.string(),
    os: z.string(),
  }),
}) satisfies z.ZodType<Certification>;

const known = { behaviour: z.string(), text: z.string(), perSecond: z.number() };

const counts = z.object({ requests: z.number(), accepted: z.number(), rejected: z.number() });

export const certifiedBehaviourSchema = z.object({
  ...known,
  countsAreExact: z.boolean(),
  said: counts,
  truth: counts,
  figures: z.array(
    z.object({
      of: z.enum(['service', 'latency']),
      key: z.enum([...PERCENTILES.map(({ key }) => key), 'max']),
      said: z.number(),
      truth: z.number(),
      ownMs: z.number().nullable(),
      doubted: z.boolean(),
      verdict: z.enum(['right', 'stated', 'doubted', 'wrong']),
    }),
  ),
}) satisfies z.ZodType<CertifiedBehaviour>;

export const certificationStatusSchema = z.object({
  /** The machine on which this host runs. Its load generator is certified. */
  machine: z.object({ host: z.string(), cores: z.number().int() }),
  /** Version of Dyno. A certification of another version is not valid. */
  dyno: z.string(),
  /** Progress of the certification that is running in this process; null if none is running. */
  progress: z
    .object({
      /** Start of the certification, ISO 8601, UTC. */
      started: z.string(),
      /**
       * Number of completed measurements. There is one measurement for each combination of a rate and a simulated behaviour of the target.
       */
      done: z.number().int(),
      of: z.number().int(),
      /** The measurement that is running; null while the simulated target starts. */
      now: z.object(known).nullable(),
    })
    .nullable(),
  /**
   * Problem of the last certification in this process: the reason why it has no result, or why its result could not be stored. '' without a
   * problem.
   */
  problem: z.string(),
  /** The last certification of this machine that has a result; null if no certification has a result. */
  last: z
    .object({
      certification: certificationSchema,
      /** Results for each simulated behaviour of the target. Empty if only `certification` was stored, without the results. */
      measured: z.array(certifiedBehaviourSchema),
    })
    .nullable(),
});
export type CertificationStatus = z.output<typeof certificationStatusSchema>;
export type LastCertification = NonNullable<CertificationStatus['last']>;

const PATH = '/api/dyno/certification';

export const CERTIFICATION_ROUTES = {
  getCertification: route({
    method: 'GET',
    path: PATH,
    summary: 'The certification of this host’s load generator: the last one and a running one',
    privilege: 'read',
    answer: 'json',
    response: certificationStatusSchema,
  }),
  startCertification: route({
    method: 'POST',
    path: PATH,
    summary:
      'Certify the load generator of this host, which loads its machine for two minutes; 409 during a run or another certification',
    privilege: 'run',
    answer: 'json',
    response: certificationStatusSchema,
    status: 202,
  }),
  cancelCertification: route({
    method: 'POST',
    path: `${PATH}/cancel`,
    summary: 'Cancel the running certification; 409 if none is running',
    privilege: 'run',
    answer: 'json',
    response: certificationStatusSchema,
  }),
};
