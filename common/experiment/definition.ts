/**
 * The schema of a definition, which the editor, files, the API and the command share. It is strict: an unknown key is an error. Only this
 * schema fills in defaults.
 */
import * as z from 'zod';
import { parseDuration } from '../units/duration';
import {
  bytes,
  count,
  duration,
  exactlyOne,
  keysAtMost,
  LONGEST_LIST,
  MOST_INDICES,
  wholeSeconds,
} from '../fields/schema';
import { executorsFit } from '../executors/registry';
import { MAPPINGS } from '../generators/registry';
import { task } from '../tasks/registry';
import { EXISTING_NAMES } from '../elasticsearch/existing-names';
import { sourceSchema } from '../tasks/source';
import { routingSchema } from '../tasks/writes';
import { recipe } from './recipe';
import { WHEN_MISSED } from './schedule';

export type { ExecutorDefinition } from '../executors/registry';
export { durationMs } from '../units/duration';

/** Value of `patience` if a definition has none. */
export const DEFAULT_PATIENCE = '60s';
export type { TaskDefinition } from '../tasks/registry';
export type { SourceDefinition } from '../tasks/source';

const index = z
  .strictObject({
    /** First part of the index names. Each trial appends the id of the run and its own number. */
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]*$/, {
        error: 'lower-case letters, digits, . - and _, beginning with a letter or digit',
      })
      .max(100)
      .default('dyno-trial'),
    /**
     * Existing data: the name of an index, an alias or a data stream. Separate several names by commas, or match them with `*`. Tasks use
     * this data, and nothing is created, changed or deleted. See [existing data](existing-data.md).
     * @example products
     */
    existing: z
      .string()
      .max(1000)
      .regex(EXISTING_NAMES, {
        error: 'the name of an index, an alias or a data stream; several with commas, or with *',
      })
      .optional(),
    /**
     * Allows tasks to write to the existing data. Their documents stay there, so each trial begins with more data than the one before.
     * @example true
     */
    'allow-writes': z.boolean().optional(),
    /**
     * Number of indices of each trial. All have these settings and this mapping, and share the documents. Searches go to all of them; a
     * replay with a `route` searches one of them. Dyno limits the number because all names must fit into one URL.
     * @example 2
     */
    count: count(1, MOST_INDICES).default(1),
    /**
     * The kind of data that each trial creates: an index, or a data stream with its own index template. A data stream accepts documents only with the action
     * `create`, which is then the default of ingest tasks. Each document needs a `@timestamp`. See [data streams and index
     * modes](data-streams.md).
     * @example data-stream
     */
    as: z.enum(['index', 'data-stream']).optional(),
    /**
     * When to roll the data stream over to a new backing index. Dyno requests the rollover, checking the conditions once a second during
     * the load. So rollovers do not depend on a lifecycle policy or on how often Elasticsearch evaluates one.
     * @example { documents: 100000 }
     */
    rollover: z
      .strictObject({
        /**
         * Roll over when the write index has this many documents.
         * @example 100000
         */
        documents: count().optional(),
        /**
         * Roll over when the largest primary shard of the write index has this size.
         * @example 50mb
         */
        size: bytes().optional(),
      })
      .refine((given) => given.documents !== undefined || given.size !== undefined, {
        error: 'documents: a number, or size: such as 50mb, or both',
      })
      .optional(),
    /**
     * Lifecycle of the data stream, in the syntax of an index template.
     * @example { data_retention: 7d }
     */
    lifecycle: keysAtMost(z.unknown(), LONGEST_LIST).optional(),
    /**
     * Fields that identify a time series, for an index with `settings: { mode: time_series }`. They become dimensions of the mapping, and
     * Elasticsearch routes documents by them. Two documents of one series with the same millisecond are a version conflict.
     * @example [clientip, verb]
     */
    dimensions: z.array(z.string().min(1)).min(1).max(LONGEST_LIST).optional(),
    /**
     * Selects the index of each document if there are several. `in-turn` sends each bulk to the next index. Otherwise a field of each
     * document selects the index.
     * @example { field: store_id, by: remainder }
     */
    route: z
      .union(
        [
          z.literal('in-turn'),
          z.strictObject({
            /**
             * Field whose value selects the index.
             * @example store_id
             */
            field: z.string().min(1),
            /** `remainder` divides a whole number by the number of indices and uses the remainder. `hash` accepts any text or number. */
            by: z.enum(['remainder', 'hash']).default('remainder'),
          }),
        ],
        { error: 'in-turn, or a field: { field: store_id, by: remainder }' },
      )
      .default('in-turn'),
    /**
     * Keeps each index on the nodes with a certain value of a node attribute. `none` leaves the allocation to the cluster, as without this
     * key. Use it as a level of a factor.
     * @example { attribute: zone, values: [a, b] }
     */
    allocation: z
      .union(
        [
          z.literal('none'),
          z.strictObject({
            /**
             * Name of the attribute: `zone` for `node.attr.zone`.
             * @example zone
             */
            attribute: z.string().regex(/^[\w.-]+$/),
            /**
             * Values of the attribute. The first index is allocated to nodes with the first value, the second index to nodes with the
             * second value, and so on. After the last value, the list starts over.
             * @example [a, b]
             */
            values: z.array(z.string().min(1)).min(1),
          }),
        ],
        { error: 'none, or { attribute: letters, digits, . - and _, values: a list }' },
      )
      .optional(),
    /**
     * Index settings in the syntax of Elasticsearch, with or without the leading `index.`.
     * @example { number_of_shards: 3, refresh_interval: 30s }
     */
    settings: z.record(z.string(), z.unknown()).default({}),
    /**
     * Reaction if the target adds anything to the indices that this definition does not contain, for example from index or component
     * templates. `report` (the default) lists the additions in the run, in its report and in comparisons. `refuse` does not start the run.
     * @example refuse
     */
    templates: z.enum(['report', 'refuse']).optional(),
    /**
     * Name of a mapping that comes with Dyno, or a mapping in the syntax of Elasticsearch. The default is the mapping of the first
     * generator. `http-events-no-doc-values` replaces doc values with fielddata where Elasticsearch supports it.
     * @example apache-logs
     */
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
     * Unmeasured load before the first trial, once in each run. A cluster that has just started is slow until the JVM has compiled its
     * code. Without a burn-in, the first cell would pay for that.
     * @example 2m
     */
    'burn-in': wholeSeconds().default('0s'),
    /**
     * Unmeasured load at the beginning of each trial. The default is 30s, or none with `documents`. A trial with `caches: cold` has no
     * warm-up.
     * @example 30s
     */
    warmup: wholeSeconds().optional(),
    /**
     * State of the caches when the measured phase begins. `cold`: Dyno clears them before the load and skips the warm-up. If Dyno started
     * the nodes on this machine, it also removes the data files from the operating system's page cache. `warm`: the caches contain what the
     * warm-up loaded.
     * @example cold
     */
    caches: z.enum(['cold', 'warm']).optional(),
    /**
     * Length of the measured phase. The default is 5m. For a search for the highest rate, it is the time limit, by default 60m.
     * @example 10m
     */
    duration: wholeSeconds()
      .refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' })
      .optional(),
    /**
     * Number of documents to measure, over all ingest tasks, instead of a duration. The trial ends when all of them have been answered.
     * @example 1000000
     */
    documents: count().optional(),
    /** How long to wait for outstanding answers after the load has ended. */
    drain: duration().default('30s'),
    /**
     * Merges each shard of the trial's indices to at most this many segments after the load, before Dyno reads sizes and segment counts.
     * Without it, these metrics depend on which merges have finished. See [bytes](figures.md#bytes-of-the-indices).
     * @example 1
     */
    'force-merge': count(1, 1000).optional(),
    /**
     * Reads the bytes of each field after the load. The API (`_disk_usage`) reads the whole index once. The metrics
     * `index.field.<name>.bytes_per_document` need it.
     * @example true
     */
    'disk-usage': z.boolean().optional(),
    /**
     * Steps after the load, as at the end of an import: restore settings, merge, wait until all copies are allocated and all documents are
     * searchable. Dyno times each step (`index.recipe.<name>.time`). Requires `documents`. See [imports](bulk-import.md).
     * @example [{ name: merge, force-merge: 1 }, { name: searchable, wait: searchable }]
     */
    recipe: recipe.optional(),
  })
  .superRefine(exactlyOne('duration', 'documents'))
  .prefault({ duration: '5m' });

/** A list of claims, conditions or tags. */
const sentences = () => z.array(z.string().max(1000)).max(LONGEST_LIST).default([]);

/** Largest number of tasks of one trial. */
const MOST_TASKS = 50;

const levels = z
  .array(z.unknown().refine((level) => level !== undefined))
  .min(1, { error: 'at least one level' });

const factors = z
  .union([z.record(z.string(), levels), z.array(z.record(z.string(), z.unknown())).min(1)], {
    error: 'a list of levels for each path, or a list of cells',
  })
  .default({});

/**
 * Labels of the cluster's surroundings, which cannot be changed through Elasticsearch's API: `disk: premium`, `machine: D4`. Dyno only
 * stores them. Exception: if the target is the embedded Elasticsearch, the names in requested-cluster.ts make Dyno start a cluster.
 */
const environment = keysAtMost(
  z.union([z.string().min(1).max(200), z.number().transform(String)], {
    error: 'a label: a text of up to 200 characters, or a number',
  }),
  LONGEST_LIST,
  z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }),
).default({});

const cluster = z
  .strictObject({
    /**
     * Dynamic settings of the cluster. Each trial stores them as persistent settings before it begins, and restores the earlier values
     * afterwards. If the process dies, the next start of the server restores them; in Kibana, the next run does.
     * @example { indices.recovery.max_bytes_per_sec: 40mb }
     */
    settings: z.record(z.string(), z.unknown()).default({}),
  })
  .prefault({});

/** Largest number of load machines. Nobody has tested more. */
const MOST_SEATS = 200;

const load = z.strictObject({
  /**
   * Number of machines that generate the load together. Each runs `dyno worker`. With 1, the machine that carries the run generates the
   * load and needs no worker.
   * @example 4
   */
  seats: count(1, MOST_SEATS).default(1),
  /**
   * Load threads of each machine. By default, Dyno chooses the number by the clients and by the smallest of the machines.
   * @example 2
   */
  threads: count(1, 64).optional(),
  /**
   * How long a run waits until all seats are taken. It waits as long for a replacement if a worker is lost.
   * @example 2m
   */
  within: duration().default('10m'),
  /** Allows several workers on one machine to take a seat each. They share its cores, so use this only for trying things out. */
  'share-machine': z.boolean().default(false),
});

const preload = z.strictObject({
  /**
   * Number of documents to load.
   * @example 1000000
   */
  documents: count(),
  /**
   * Source of the documents. The default is the source of the first ingest task.
   * @example { generator: apache-logs }
   */
  source: sourceSchema.optional(),
  /**
   * Routing of these documents. The default is their ids.
   * @example { field: customer }
   */
  routing: routingSchema.optional(),
  /**
   * Merges each shard to at most this many segments before the load begins.
   * @example 1
   */
  'force-merge': count(1, 1000).optional(),
  /**
   * Whether trials share the documents. `never`: each trial loads its own. `copy`: the documents are loaded once for each kind of index,
   * and each trial gets a clone. If possible, the cluster fills the other kinds of index by `_reindex`. `same`: trials that only search
   * share the indices. Dyno clears their caches before each trial.
   */
  reuse: z.enum(['never', 'copy', 'same']).default('never'),
});

const parts = z.strictObject({
  /** Version of the definition language. */
  version: z.literal(1),
  /**
   * Name of the experiment in lists and reports.
   * @example Refresh interval against indexing throughput
   */
  name: z.string().min(1).max(200),
  /**
   * Your expectation, in one sentence.
   * @example A longer refresh interval raises indexing throughput
   */
  hypothesis: z.string().max(10_000).default(''),
  /**
   * The hypothesis as claims that Dyno tests: `<metric> rises|falls|stays with <factor> [from <level> to <level>] [by at least|by at most
   * <n>%]`.
   * @example ['ingest.throughput rises with index.settings.refresh_interval']
   */
  expect: sentences(),
  /**
   * Published experiment from which this one was created. Charts of the report include its published values.
   * @example azure-replicas
   */
  preset: z.string().optional(),
  /**
   * Words for finding the experiment.
   * @example [nightly]
   */
  tags: sentences(),
  /**
   * Name of the cluster under test, as stored in Dyno. On the command line, `--elasticsearch` gives its address.
   * @example staging
   */
  target: z.string().min(1).default('local'),
  /**
   * Nodes to which requests go. `data-nodes`: all data nodes of the target in turn. `given-hosts`: the configured hosts in turn.
   * `one-host`: only the first configured host.
   */
  spread: z.enum(['data-nodes', 'given-hosts', 'one-host']).default('data-nodes'),
  /**
   * Time after which a request without an answer fails. The outcome of its documents is then unknown.
   * @example 10s
   */
  'request-timeout': duration().default('60s'),
  /**
   * How long a run waits if the target is unavailable or refuses requests that are not part of the load, such as creating an index or
   * counting its documents. The default is 60s.
   * @example 5m
   */
  patience: duration().optional(),
  /**
   * Machines that generate the load. The default is this machine alone. With more than one, the results must be stored in a cluster other
   * than the target. See [More than one machine](machines.md).
   * @example { seats: 4 }
   */
  load: load.optional(),
  /** Indices of each trial: created for it, or existing ones. */
  index,
  /** Changes that each trial makes to the cluster. */
  cluster,
  /**
   * Labels of the cluster's surroundings. Dyno cannot change them, and stores them next to the facts that it found. See
   * [environments](environments.md). For the embedded Elasticsearch, Dyno itself applies `engine`, `nodes`, `heap`, `version`,
   * `distribution`, `client-nodes`, `node-attribute`, `index-buffer`, `write-queue` and `write-threads`.
   * @example { disk: premium }
   */
  environment,
  /**
   * Documents that are loaded into the indices before the measurement.
   * @example { documents: 1000000, reuse: copy }
   */
  preload: preload.optional(),
  /**
   * Streams of work. All of them run at the same time in each trial.
   * @example [{ name: ingest, ingest: { source: { generator: apache-logs } } }]
   */
  tasks: z.array(task).min(1).max(MOST_TASKS),
  /**
   * The varied paths with their levels, or a list of cells. Dyno combines every level of each path with every level of the others. Any
   * path below `index`, `preload`, `cluster`, `environment`, `tasks` and `measure` can vary, also `spread` and `request-timeout`. A path
   * addresses a task by its name: `tasks.ingest.ingest.bulk.docs`.
   * @example { index.settings.refresh_interval: [1s, 30s] }
   */
  factors,
  /**
   * Levels of the cell with which the others are compared. The default is the first cell.
   * @example { index.settings.refresh_interval: 1s }
   */
  baseline: z.record(z.string(), z.unknown()).optional(),
  /** Duration and phases of each trial. */
  measure,
  /**
   * Number of trials of each cell, or `until-decided`: as many as needed to decide the claims of `expect`.
   * @example { until-decided: { most: 15, time: 4h } }
   */
  trials: z
    .union(
      [
        count(1, 1000),
        z.strictObject({
          /**
           * After each repetition, the run checks whether its claims are decided. Cells that no open claim needs stop, and the run ends
           * when all claims are decided. Intervals are wider than with a fixed number of trials, because every check is another chance of a
           * wrong decision.
           */
          'until-decided': z
            .strictObject({
              /** Repetitions before the first check. */
              least: count(3, 50).default(3),
              /** Largest number of repetitions. The run ends after them, whether or not the claims are decided. */
              most: count(3, 50).default(20),
              /**
               * Time limit. Once `least` repetitions are done, no repetition begins later than this after the start of the run.
               * @example 4h
               */
              time: duration().optional(),
            })
            .prefault({}),
        }),
      ],
      {
        error:
          'a whole number from 1 to 1000, or { until-decided: { least: from 3 to 50, most: from 3 to 50, time: a duration } }',
      },
    )
    .default(3),
  /**
   * Order of the trials. `interleaved`: one trial of each cell, then the next of each; each repetition begins one cell later. `randomised`:
   * the same with a random order in each repetition, drawn from the `seed`. `sequential`: all trials of a cell, then those of the next.
   * Sequential runs report no differences between cells, because a drift would look like a difference. Environments run one after another,
   * except those with an `engine`, which [take turns](environments.md#compare-engines).
   */
  order: z.enum(['interleaved', 'randomised', 'sequential']).default('interleaved'),
  /**
   * Seed of everything random: generated documents, the randomised order, and the jitter of retries.
   * @example 42
   */
  seed: z.number().int().min(0).max(4294967295).default(1),
  /**
   * Conditions that every cell must meet. A run that violates one, or has no data for it, ends with exit code 1.
   * @example ['ingest.rejection_rate < 1%']
   */
  thresholds: sentences(),
  /**
   * Conditions that end the run. Dyno checks them against the last ten seconds.
   * @example ['ingest.error_rate > 50%']
   */
  'stop-when': sentences(),
  /** The load is meant to cause rejections, so alerts can ignore them. Always true for a search for the highest rate. */
  'provokes-rejections': z.boolean().default(false),
  /**
   * Smallest relative difference that matters: 0.05 is 5%. Smaller differences do not count.
   * @example 0.02
   */
  margin: z.number().min(0).max(1).default(0.05),
  /**
   * Whether a run continues after its process has died. `end`: it ends. `continue`: it continues with the next trial. `dyno start`, and a schedule in
   * Kibana, continue it automatically. Otherwise, use `dyno resume`.
   */
  'on-interruption': z.enum(['end', 'continue']).default('end'),
  /**
   * When the server or Kibana starts runs. Cron in UTC, or in the time zone at its end (`0 3 * * * Europe/Berlin`). An interval, counted
   * from midnight UTC if it divides the day. Or one time (`once 2026-12-01 22:00 Europe/Berlin`).
   * @example every 6h
   */
  schedule: z
    .union([
      z.string().max(1000),
      z.strictObject({
        /**
         * The cron expression, interval or time.
         * @example 0 3 * * *
         */
        cron: z.string().max(1000),
        /**
         * Time zone of `cron` and `quiet`, a name of the IANA list. The default is UTC.
         * @example Europe/Berlin
         */
        zone: z.string().max(100).optional(),
        /**
         * Periods in which no run starts: days, times or dates. A run that would reach into a period by its estimate does not start either.
         * @example [Mon-Fri 08:00-18:00, 2026-12-20 to 2027-01-03]
         */
        quiet: z.array(z.string().max(200)).max(100).optional(),
        /**
         * Reaction to times that were missed because the server or Kibana was not running. `run-once` starts one run for the last of
         * them, before the next time is due. `skip` starts none.
         */
        'when-missed': z.enum(WHEN_MISSED).optional(),
      }),
    ])
    .optional(),
});

export const definitionSchema = parts.superRefine(executorsFit);

/** Schemas of cells by the varied keys, so that each is built once. */
const cellSchemas = new Map<string, typeof definitionSchema>();

/** Returns a schema that validates only the keys in `varied`. The rest of the definition was validated before. */
export function cellSchema(varied: readonly string[]): typeof definitionSchema {
  const key = [...varied].sort().join();
  const known = cellSchemas.get(key);
  if (known) return known;
  const shape = Object.fromEntries(
    Object.entries(parts.shape).map(([name, schema]) => [
      name,
      varied.includes(name) ? schema : z.unknown().optional(),
    ]),
  );
  const schema = z
    .strictObject(shape)
    .superRefine(executorsFit as never) as unknown as typeof definitionSchema;
  cellSchemas.set(key, schema);
  return schema;
}

/** A definition with its defaults filled in. */
export type Definition = z.output<typeof definitionSchema>;
/** A definition as people write it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type IndexRoute = Definition['index']['route'];
