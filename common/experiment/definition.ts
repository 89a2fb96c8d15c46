/**
 * The definition of an experiment: what people write, one schema for the editor, files, the API and the command.
 * Strict: an unknown key is an error. Defaults are filled in here and nowhere else.
 */
import { z } from 'zod';
import { parseDuration } from '../units/duration';
import { count, duration, exactlyOne, wholeSeconds } from '../fields/schema';
import { executorsFit } from '../executors/registry';
import { MAPPINGS } from '../generators/registry';
import { task } from '../tasks/registry';
import { sourceSchema } from '../tasks/source';

export type { ExecutorDefinition } from '../executors/registry';
export { durationMs } from '../units/duration';
export type { TaskDefinition } from '../tasks/registry';
export type { SourceDefinition } from '../tasks/source';

const index = z
  .strictObject({
    /** Base of the index name; each trial appends its own suffix. */
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]*$/, {
        error: 'lower-case letters, digits, . - and _, beginning with a letter or digit',
      })
      .max(100)
      .default('dyno-trial'),
    /** Indices of each trial, all with these settings and this mapping; searches go to all of them. Their names share a URL. */
    count: count().max(20).default(1),
    /**
     * Which of several indices a document goes to. `in-turn`: one bulk to the first, the next to the second. By a field
     * of the document: `remainder` of a whole number divided by the count, `hash` of any text or number.
     */
    route: z
      .union(
        [
          z.literal('in-turn'),
          z.strictObject({
            field: z.string().min(1),
            by: z.enum(['remainder', 'hash']).default('remainder'),
          }),
        ],
        { error: 'in-turn, or a field: { field: store_id, by: remainder }' },
      )
      .default('in-turn'),
    /**
     * Each index lives on the nodes whose attribute (`node.attr.*`) has its value: the values go round the indices.
     * `none`, as without it: wherever the cluster puts it; a level beside others.
     */
    allocation: z
      .union(
        [
          z.literal('none'),
          z.strictObject({
            attribute: z.string().regex(/^[\w.-]+$/),
            values: z.array(z.string().min(1)).min(1),
          }),
        ],
        { error: 'none, or { attribute: letters, digits, . - and _, values: a list }' },
      )
      .optional(),
    /** Index settings as Elasticsearch takes them, with or without the leading `index.`. */
    settings: z.record(z.string(), z.unknown()).default({}),
    /** A mapping that comes with Dyno, or one written out; without it that of the first generator. */
    mapping: z
      .union([z.enum(MAPPINGS), z.record(z.string(), z.unknown())], {
        error: `one of ${MAPPINGS.join(', ')}, or a mapping written out`,
      })
      .optional(),
  })
  .prefault({});

const measure = z
  .strictObject({
    /**
     * Load before the first trial that counts for nothing, once in a run: a cluster that has just been started is slow
     * until its code is compiled, and the cell that comes first would pay for it.
     */
    'burn-in': wholeSeconds().default('0s'),
    /** Load of each trial that is not measured; by default 30s, or none when a number of documents is given. */
    warmup: wholeSeconds().optional(),
    duration: wholeSeconds()
      .refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' })
      .optional(),
    /** Documents of the measured phase, over all ingest tasks; it ends when all of them have been answered. */
    documents: count().optional(),
    /** How long answers are waited for after the load has ended. */
    drain: duration().default('30s'),
  })
  .superRefine(exactlyOne('duration', 'documents'))
  .prefault({ duration: '5m' });

const levels = z
  .array(z.unknown().refine((level) => level !== undefined))
  .min(1, { error: 'at least one level' });

const factors = z
  .union([z.record(z.string(), levels), z.array(z.record(z.string(), z.unknown())).min(1)], {
    error: 'a list of levels for each path, or a list of cells',
  })
  .default({});

/**
 * What stands around the cluster and nobody can change from here: `disk: premium`, `machine: D4`. Labels, and nothing more,
 * but for those of requested-cluster.ts where the target is the embedded Elasticsearch.
 */
const environment = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }),
    z.union([z.string().min(1).max(200), z.number().transform(String)], {
      error: 'a label: a text of up to 200 characters, or a number',
    }),
  )
  .default({});

const cluster = z
  .strictObject({
    /** Dynamic settings of the cluster: each trial sets them before it begins and puts back what they were. */
    settings: z.record(z.string(), z.unknown()).default({}),
  })
  .prefault({});

const preload = z.strictObject({
  documents: count(),
  /** Where they come from: by default where the first ingest task's do. */
  source: sourceSchema.optional(),
  /** Each shard is merged into so many segments at most before the load begins. */
  'force-merge': count().max(1000).optional(),
  /**
   * `never`: every trial loads its own. `copy`: loaded once for cells whose indices are the same, each trial gets a copy
   * that the cluster makes. `same`: trials that only search use the same indices, with empty caches.
   */
  reuse: z.enum(['never', 'copy', 'same']).default('never'),
});

export const definitionSchema = z
  .strictObject({
    version: z.literal(1),
    name: z.string().min(1).max(200),
    /** What is believed, in a sentence. */
    hypothesis: z.string().default(''),
    /** The hypothesis as claims that can be tested: `ingest.throughput rises with index.settings.refresh_interval`. */
    expect: z.array(z.string()).default([]),
    /** The preset that this came from: the report draws its published figures. */
    preset: z.string().optional(),
    tags: z.array(z.string()).default([]),
    /** Name of the target; the command's `--elasticsearch` says where it is. */
    target: z.string().min(1).default('local'),
    /** To which nodes requests go: the target's data nodes in turn, the given hosts in turn, or the first host alone. */
    spread: z.enum(['data-nodes', 'given-hosts', 'one-host']).default('data-nodes'),
    /** A request without an answer after this long counts as failed. */
    'request-timeout': duration().default('60s'),
    index,
    cluster,
    environment,
    /** Documents that are in the indices before anything is measured. */
    preload: preload.optional(),
    tasks: z.array(task).min(1),
    factors,
    /** The cell that the others are compared with; by default the first. */
    baseline: z.record(z.string(), z.unknown()).optional(),
    measure,
    trials: count().max(1000).default(3),
    order: z.enum(['interleaved', 'randomised', 'sequential']).default('interleaved'),
    /** Documents, the random order and the retries' jitter follow from it. */
    seed: z.number().int().min(0).max(4294967295).default(1),
    /** Conditions that every cell must meet: `ingest.rejection_rate < 1%`. */
    thresholds: z.array(z.string()).default([]),
    /** Conditions over the last ten seconds that end the run: `ingest.error_rate > 50%`. */
    'stop-when': z.array(z.string()).default([]),
    /** Its load provokes rejections on purpose: an alert may be told to be silent about them. */
    'provokes-rejections': z.boolean().default(false),
    /** A relative difference smaller than this is none. */
    margin: z.number().min(0).max(1).default(0.05),
    /** What happens to a run whose host died: go on with the next trial, or end. */
    'on-interruption': z.enum(['end', 'continue']).default('end'),
    /** Cron in UTC, or an interval: `0 2 * * *`, `every 6h`. */
    schedule: z.string().optional(),
  })
  .superRefine(executorsFit);

/** A definition with its defaults filled in. */
export type Definition = z.output<typeof definitionSchema>;
/** A definition as people may write it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type IndexRoute = Definition['index']['route'];
