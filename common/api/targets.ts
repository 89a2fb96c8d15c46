/** Routes of targets (clusters under test). Responses never contain credentials. */
import * as z from 'zod';
import { ENGINES } from '../elasticsearch/engine';
import { route } from './route';

/** Id of the target that the host itself provides. It cannot be changed. */
export const LOCAL_TARGET = 'local';

const targetId = z
  .string()
  .max(100)
  .regex(/^(?!new$)[a-z0-9][a-z0-9._-]*$/, {
    error: 'lower-case letters, digits, . - and _, beginning with a letter or digit; not `new`',
  });

const url = z.string().max(2000);

/**
 * Credentials of a target. The kind `keep` means the stored credentials. Only requests that change or test an existing target may contain
 * `keep`.
 */
const credentials = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('basic'),
    username: z.string().min(1).max(1000),
    password: z.string().max(10_000),
  }),
  z.strictObject({ kind: z.literal('api-key'), key: z.string().min(1).max(10_000) }),
  z.strictObject({ kind: z.literal('keep') }),
]);

const settings = {
  /** Name of the target on pages. */
  title: z.string().min(1).max(200),
  hosts: z.array(url).min(1).max(100),
  credentials,
  /** Certificate of the certificate authority, as PEM. If null, Dyno uses the certificate authorities of the system. */
  ca: z.string().max(100_000).nullable(),
  verifyCertificates: z.boolean(),
};

/**
 * Settings of a new target, with defaults. A request that changes a target has no defaults, because a default would silently reset a
 * setting that the request omits.
 */
const newSettings = {
  ...settings,
  ca: settings.ca.default(null),
  verifyCertificates: settings.verifyCertificates.default(true),
};

export const targetSchema = z.object({
  id: z.string(),
  /** Version of the stored target, which clients must not interpret. Null for the target `local`. */
  version: z.string().nullable(),
  title: z.string(),
  hosts: z.array(z.string()),
  credentials: z.object({
    kind: z.enum(['none', 'basic', 'api-key']),
    /** User name. Present only with credentials of the kind `basic`. */
    username: z.string().nullable(),
  }),
  ca: z.string().nullable(),
  verifyCertificates: z.boolean(),
  /** Whether the host itself provides the target. Such a target cannot be changed or removed. */
  builtIn: z.boolean(),
  /** Number of experiments with this target. */
  experiments: z.number().int(),
});
export type Target = z.output<typeof targetSchema>;

/** Facts that the cluster of a target reports at the time of the request. */
export const targetFactsSchema = z.object({
  reachable: z.boolean(),
  /** Reason why the cluster cannot be reached or cannot be used; '' if there is no problem. */
  problem: z.string(),
  tookMs: z.number(),
  cluster: z
    .object({
      name: z.string(),
      uuid: z.string(),
      engine: z.enum(ENGINES),
      version: z.string(),
      health: z.enum(['green', 'yellow', 'red', 'unknown']),
      serverless: z.boolean(),
    })
    .nullable(),
  nodes: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      roles: z.array(z.string()),
      jvm: z.string(),
      os: z.string(),
      cores: z.number(),
      heapBytes: z.number(),
      memoryBytes: z.number(),
      /** Type of the disks: `ssd`, `spinning` or `unknown`. */
      disk: z.string(),
      diskTotalBytes: z.number(),
      diskFreeBytes: z.number(),
    }),
  ),
  /**
   * Modules of Elasticsearch that the cluster lacks because it has a reduced distribution, and the features that each module provides.
   * Empty for the complete distribution.
   */
  missing: z.array(z.object({ module: z.string(), brings: z.string() })),
  notes: z.array(z.string()),
});
export type TargetFacts = z.output<typeof targetFactsSchema>;

const oneTarget = z.object({ id: z.string().min(1).max(100) });

export const TARGET_ROUTES = {
  listTargets: route({
    method: 'GET',
    path: '/api/dyno/targets',
    summary: 'All targets',
    privilege: 'read',
    answer: 'json',
    response: z.object({
      targets: z.array(targetSchema),
      /** Reason why this host cannot store secrets: a sentence about the missing setting. Null if it can store them. */
      secretsRefused: z.string().nullable(),
    }),
  }),
  createTarget: route({
    method: 'POST',
    path: '/api/dyno/targets',
    summary: 'Add a target',
    privilege: 'manage',
    body: z.strictObject({ id: targetId, ...newSettings }),
    answer: 'json',
    response: targetSchema,
    status: 201,
  }),
  saveTarget: route({
    method: 'PUT',
    path: '/api/dyno/targets/{id}',
    summary: 'Change a target; 409 with the current one if `version` is not the newest',
    privilege: 'manage',
    params: oneTarget,
    body: z.strictObject({ ...settings, version: z.string() }),
    answer: 'json',
    response: targetSchema,
  }),
  deleteTarget: route({
    method: 'DELETE',
    path: '/api/dyno/targets/{id}',
    summary: 'Remove a target; 409 while experiments use it',
    privilege: 'manage',
    params: oneTarget,
    answer: 'json',
    response: z.object({ deleted: z.boolean() }),
  }),
  inspectTarget: route({
    method: 'GET',
    path: '/api/dyno/targets/{id}/facts',
    summary: 'Facts of the cluster: nodes, versions, heap, disks, health',
    privilege: 'read',
    params: oneTarget,
    answer: 'json',
    response: targetFactsSchema,
  }),
  testTarget: route({
    method: 'POST',
    path: '/api/dyno/targets/_test',
    summary: 'Test settings before saving them; `id`: the target whose stored credentials `keep` uses',
    privilege: 'manage',
    body: z.strictObject({ ...newSettings, id: targetId.optional() }),
    answer: 'json',
    response: targetFactsSchema,
  }),
};
