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
import { PROFILE_EVENTS } from '../profile/events';
import { executorsFit } from '../executors/registry';
import { MAPPINGS } from '../generators/registry';
import { task } from '../tasks/registry';
import { EXISTING_NAMES, isSeveral } from '../elasticsearch/existing-names';
import { sourceSchema } from '../tasks/source';
import { routingSchema } from '../tasks/writes';
import { recipe } from './recipe';
import { WHEN_MISSED } from './schedule';

export type { ExecutorDefinition } from '../executors/registry';
export { durationMs } from '../units/duration';

/** Default maximum time that a run waits for an unavailable target (key `patience`). */
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
     * Name of an existing index, alias or data stream. Separate several names by commas, or use `*`. The tasks use these indices instead of
     * new ones. Dyno does not create, change or delete any index then. See [existing data](existing-data.md).
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
     * Allows tasks to write to the existing indices. Dyno does not delete the written documents, so each trial begins with more documents
     * than the previous one.
     * @example true
     */
    'allow-writes': z.boolean().optional(),
    /**
     * Number of indices of each trial. All indices have the same settings and the same mapping. The documents are distributed among the
     * indices. A search goes to all indices, except in a replay with a `route`. The number is limited because the names of all indices must
     * fit into one URL.
     * @example 2
     */
    count: count(1, MOST_INDICES).default(1),
    /**
     * Whether each trial creates indices, or data streams with their own index template. The default is `index`. For data streams, ingest
     * tasks can only use the action `create`, which is then the default, and each document needs a `@timestamp`. See [data streams and
     * index modes](data-streams.md).
     * @example data-stream
     */
    as: z.enum(['index', 'data-stream']).optional(),
    /**
     * Conditions for a rollover of the data stream to a new backing index. During the load, Dyno requests a rollover with these conditions
     * once a second. Rollovers therefore do not depend on how often Elasticsearch evaluates lifecycle policies.
     * @example { documents: 100000 }
     */
    rollover: z
      .strictObject({
        /**
         * Minimum number of documents in the write index for a rollover.
         * @example 100000
         */
        documents: count().optional(),
        /**
         * Minimum size of the largest primary shard of the write index for a rollover.
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
     * Fields that identify a time series. Requires `settings: { mode: time_series }`. Dyno marks these fields as dimensions in the mapping,
     * and Elasticsearch routes documents by them. If two documents of the same series have the same millisecond, the second one is a
     * version conflict.
     * @example [clientip, verb]
     */
    dimensions: z.array(z.string().min(1)).min(1).max(LONGEST_LIST).optional(),
    /**
     * How documents are distributed among several indices. `in-turn`: each bulk request goes to the next index. With `field`, the value of
     * this field decides which index a document goes to.
     * @example { field: store_id, by: remainder }
     */
    route: z
      .union(
        [
          z.literal('in-turn'),
          z.strictObject({
            /**
             * Field with the value that decides which index a document goes to.
             * @example store_id
             */
            field: z.string().min(1),
            /**
             * How the value decides. `remainder`: the value must be a whole number. Its remainder after division by the number of indices
             * is the position of the index, from 0. `hash`: the same with a hash of the value, which can be any text or number.
             */
            by: z.enum(['remainder', 'hash']).default('remainder'),
          }),
        ],
        { error: 'in-turn, or a field: { field: store_id, by: remainder }' },
      )
      .default('in-turn'),
    /**
     * Allocates each index only to nodes with a certain value of a node attribute. `none` has the same effect as omitting this key: the
     * cluster decides. Use `none` as a level of a factor.
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
             * second value, and so on. If there are more indices than values, the list starts over.
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
     * Reaction if the indices on the target get settings or mappings that this definition does not contain, for example from index
     * templates. `report` (the default): the additions are listed in the run, in its report and in comparisons. `refuse`: the run does not
     * start.
     * @example refuse
     */
    templates: z.enum(['report', 'refuse']).optional(),
    /**
     * Name of a built-in mapping, or a mapping in the syntax of Elasticsearch. The default is the mapping of the first generator in the
     * definition. `http-events-no-doc-values` uses fielddata instead of doc values for all fields where Elasticsearch supports it.
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
     * Duration of an unmeasured load before the first trial of each run. A cluster that has just started is slow until its JVM has compiled
     * the code. Without a burn-in, the first trial would therefore be too slow.
     * @example 2m
     */
    'burn-in': wholeSeconds().default('0s'),
    /**
     * Duration of the unmeasured load at the beginning of each trial. The default is 30s. With `documents`, there is no warm-up by default.
     * With `caches: cold`, there is never a warm-up.
     * @example 30s
     */
    warmup: wholeSeconds().optional(),
    /**
     * State of the caches when the measured phase begins. `cold`: Dyno clears Elasticsearch's caches before the load, and there is no
     * warm-up. If Dyno started the nodes on this machine, it also removes the data files from the page cache of the operating system.
     * `warm`: the caches contain what the warm-up loaded. See [caches](caches.md).
     * @example cold
     */
    caches: z.enum(['cold', 'warm']).optional(),
    /**
     * Duration of the measured phase. The default is 5m. For a search for the highest rate, this is the maximum duration of the search, and
     * the default is 60m.
     * @example 10m
     */
    duration: wholeSeconds()
      .refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' })
      .optional(),
    /**
     * Number of documents that all ingest tasks of a trial send together, instead of a duration. The measured phase ends when all of them
     * have been answered.
     * @example 1000000
     */
    documents: count().optional(),
    /**
     * Finds out on what the nodes spend their CPU time, for the metrics `cluster.cpu.<activity>`. `hot-threads`: Dyno reads the stacks of
     * the busy threads (API `_nodes/hot_threads`) during the measured phase. `profiler`: async-profiler samples all threads, including those
     * of the garbage collector; only on nodes that Dyno starts. Both cost the nodes some CPU time, so compare latencies without them. See
     * [profiling](profiling.md).
     * @example hot-threads
     */
    profile: z.enum(['off', 'hot-threads', 'profiler']).optional(),
    /**
     * Selects what the profiler counts: CPU time (`cpu`, the default), allocated bytes (`alloc`), the time in which threads wait for locks
     * (`lock`), or the elapsed time of tasks (`wall`). Requires `profile: profiler`. Only `cpu` has the metrics `cluster.cpu.<activity>`.
     * See [profiling](profiling.md#choose-what-the-profiler-counts).
     * @example alloc
     */
    'profile-event': z.enum(PROFILE_EVENTS).optional(),
    /**
     * Interval between two readings of the hot threads. The default is 5s. More readings make the shares more precise, and cost the nodes
     * more. The profiler does not use it.
     * @example 500ms
     */
    'profile-interval': duration()
      .refine((text) => (parseDuration(text) ?? 0) >= 200, { error: 'at least 200ms' })
      .optional(),
    /**
     * Finds out where the time of searches goes: in which queries, collectors, aggregations and steps of the fetch phase. During the
     * measured phase, Dyno sends one of the requests of each task `search` or `requests` with `profile: true` every 2 s, outside of the
     * load. These searches do not count in any metric of the task. See [profiling](profiling.md#where-the-time-of-a-search-goes).
     * @example true
     */
    'profile-searches': z.boolean().optional(),
    /** Maximum time to wait for outstanding answers at the end of the load. */
    drain: duration().default('30s'),
    /**
     * Maximum number of segments per shard for a force merge after the load. Dyno then reads the sizes and the numbers of segments. Without
     * a force merge, these metrics depend on which merges have finished by chance. See [bytes](figures.md#bytes-of-the-indices).
     * @example 1
     */
    'force-merge': count(1, 1000).optional(),
    /**
     * Reads the size of each field after the load, for the metrics `index.field.<name>.bytes_per_document`. Elasticsearch reads the whole
     * index for this (API `_disk_usage`).
     * @example true
     */
    'disk-usage': z.boolean().optional(),
    /**
     * Steps after the load, like those at the end of a bulk import: restore settings, merge, wait until all shards are allocated, wait
     * until all documents are searchable. Dyno measures the duration of each step (`index.recipe.<name>.time`). Requires `documents`. See
     * [imports](bulk-import.md).
     * @example [{ name: merge, force-merge: 1 }, { name: searchable, wait: searchable }]
     */
    recipe: recipe.optional(),
  })
  .superRefine(exactlyOne('duration', 'documents'))
  .prefault({ duration: '5m' });

/** Returns the schema of a list of claims, conditions or tags. */
const sentences = () => z.array(z.string().max(1000)).max(LONGEST_LIST).default([]);

/** Maximum number of tasks of one trial. */
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
 * Labels that describe the hardware and software around the cluster: `disk: premium`, `machine: D4`. Dyno only stores these labels, because
 * it cannot change the environment through Elasticsearch's API. Exception: if the target is the embedded Elasticsearch, Dyno starts a
 * cluster with the properties that requested-cluster.ts lists.
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
     * Dynamic cluster settings, in the syntax of Elasticsearch. Dyno sets them as persistent settings before each trial, and restores the
     * previous values afterwards. If the process dies during a trial, the previous values are restored when the server starts the next time
     * (in Kibana: when the next run starts).
     * @example { indices.recovery.max_bytes_per_sec: 40mb }
     */
    settings: z.record(z.string(), z.unknown()).default({}),
  })
  .prefault({});

/** Maximum number of load machines. More have not been tested. */
const MOST_SEATS = 200;

const load = z.strictObject({
  /**
   * Number of machines that generate the load together. `dyno worker` must run on each of them. With 1, the machine that executes the run
   * generates the load itself, and no worker is needed.
   * @example 4
   */
  seats: count(1, MOST_SEATS).default(1),
  /**
   * Number of load threads on each machine. By default, it depends on the number of clients, and on the machine with the fewest cores.
   * @example 2
   */
  threads: count(1, 64).optional(),
  /**
   * Maximum time that a run waits for the workers before it begins. If a worker is lost during the run, the run waits up to this time for a
   * replacement.
   * @example 2m
   */
  within: duration().default('10m'),
  /** Allows several workers on the same machine. They share its cores, so use this only to try out how workers function. */
  'share-machine': z.boolean().default(false),
});

const oneIndex = (error: string): z.ZodString =>
  z.string().refine((name) => EXISTING_NAMES.test(name) && !isSeveral(name), { error });

const fromSnapshot = z.strictObject({
  /**
   * Name of a snapshot repository that is registered in the target.
   * @example backups
   */
  repository: z.string().min(1),
  /**
   * Name of a snapshot in this repository.
   * @example before-recording
   */
  snapshot: z.string().regex(/^[^*,\s]+$/, { error: 'the name of one snapshot, without wildcards' }),
  /**
   * Name of an index in this snapshot.
   * @example shop
   */
  index: oneIndex('the name of one index, without wildcards'),
});
export type FromSnapshot = z.output<typeof fromSnapshot>;

const preload = z
  .strictObject({
    /**
     * Number of documents to load.
     * @example 1000000
     */
    documents: count().optional(),
    /**
     * Existing index, alias or data stream of the target. Instead of loading documents from a source, Dyno copies all its documents. The
     * copies keep their ids and their routing. Without `index.mapping`, the indices of the trials get the mapping and the
     * analysis settings of this index. See [existing data](existing-data.md#copies-of-an-index).
     * @example shop
     */
    'from-index': oneIndex('the name of one index, alias or data stream, without wildcards').optional(),
    /**
     * Name of a stored target from which `from-index` is copied, if it is not an index of the target itself. Dyno reads the documents there
     * and writes them to the indices of the trials. The command line uses `--from-target` for the address of this cluster. See [an index of
     * another cluster](existing-data.md#an-index-of-another-cluster).
     * @example production
     */
    'from-target': z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]*$/, { error: 'the name of a stored target, without an address' })
      .optional(),
    /**
     * Index of a snapshot that each trial begins with. The target restores it under the name of the trial's index, with the settings of
     * `index.settings`. Mapping, shards and the other settings are those in the snapshot. See [an index of a
     * snapshot](existing-data.md#an-index-of-a-snapshot).
     * @example { repository: backups, snapshot: before-recording, index: shop }
     */
    'from-snapshot': fromSnapshot.optional(),
    /**
     * Source of the documents. The default is the source of the first ingest task.
     * @example { generator: apache-logs }
     */
    source: sourceSchema.optional(),
    /**
     * Routing of these documents. By default, Elasticsearch routes documents by their ids.
     * @example { field: customer }
     */
    routing: routingSchema.optional(),
    /**
     * Maximum number of segments per shard for a force merge before the load.
     * @example 1
     */
    'force-merge': count(1, 1000).optional(),
    /**
     * Whether trials share the loaded documents. `never`: each trial loads the documents again. `copy`: the documents are loaded once for
     * each variant of the indices, and each trial gets a clone. If possible, Dyno sends the documents only for the first variant, and fills
     * the other variants with `_reindex`. `same`: all trials use the same indices, which requires that tasks only search. Dyno clears
     * Elasticsearch's caches before each trial. With `copy` and `same`, also set `force-merge: 1` if the indices are a factor: otherwise, a
     * difference between cells may come from the segments of one load.
     */
    reuse: z.enum(['never', 'copy', 'same']).default('never'),
  })
  .superRefine(exactlyOne('documents', 'from-index', 'from-snapshot'));

const parts = z.strictObject({
  /** Version of the definition language. */
  version: z.literal(1),
  /**
   * Name of the experiment in lists and reports.
   * @example Refresh interval against indexing throughput
   */
  name: z.string().min(1).max(200),
  /**
   * Your hypothesis, in one sentence.
   * @example A longer refresh interval raises indexing throughput
   */
  hypothesis: z.string().max(10_000).default(''),
  /**
   * Claims that Dyno tests. Together, they state the hypothesis precisely: `<metric> rises|falls|stays with <factor> [from <level> to
   * <level>] [by at least|by at most <n>%]`.
   * @example ['ingest.throughput rises with index.settings.refresh_interval']
   */
  expect: sentences(),
  /**
   * Name of the published experiment on which this definition is based. The charts of the report then also show the published values.
   * @example azure-replicas
   */
  preset: z.string().optional(),
  /**
   * Tags for finding the experiment in the list.
   * @example [nightly]
   */
  tags: sentences(),
  /**
   * Name of a stored target: the cluster under test. The command line uses `--elasticsearch` instead.
   * @example staging
   */
  target: z.string().min(1).default('local'),
  /**
   * Nodes that receive the requests. `data-nodes`: all data nodes of the target in turn. `given-hosts`: the hosts in the settings of the
   * target, in turn. `one-host`: only the first host in the settings of the target.
   */
  spread: z.enum(['data-nodes', 'given-hosts', 'one-host']).default('data-nodes'),
  /**
   * Maximum time to wait for the answer to a request. After this time, the request fails, and its documents count as *unknown*.
   * @example 10s
   */
  'request-timeout': duration().default('60s'),
  /**
   * Maximum time that a run waits for an unavailable or overloaded target. This is only for requests that are not part of the load, such as
   * the creation of an index. The default is 60s.
   * @example 5m
   */
  patience: duration().optional(),
  /**
   * Machines that generate the load. By default, only this machine does. With several machines, the results must be stored in a cluster
   * other than the target. See [More than one machine](machines.md).
   * @example { seats: 4 }
   */
  load: load.optional(),
  /** Indices of each trial. Dyno creates new ones, or uses existing ones. */
  index,
  /** Changes that each trial makes to the cluster. */
  cluster,
  /**
   * Labels that describe the hardware and software around the cluster. Dyno cannot change the environment, so you change it and label it.
   * See [environments](environments.md). For the embedded Elasticsearch, Dyno itself applies `engine`, `nodes`, `heap`, `version`,
   * `distribution`, `client-nodes`, `node-attribute`, `index-buffer`, `write-queue` and `write-threads`.
   * @example { disk: premium }
   */
  environment,
  /**
   * Documents that Dyno loads into the indices before the load begins.
   * @example { documents: 1000000, reuse: copy }
   */
  preload: preload.optional(),
  /**
   * The load: a list of tasks. All tasks run at the same time in each trial.
   * @example [{ name: ingest, ingest: { source: { generator: apache-logs } } }]
   */
  tasks: z.array(task).min(1).max(MOST_TASKS),
  /**
   * The keys to vary. Each factor is a path with a list of levels, and Dyno combines all levels of all factors. Instead, you can write a
   * list of cells, each with one level for each path. You can vary any path below `index`, `preload`, `cluster`, `environment`, `tasks` and
   * `measure`, as well as `spread` and `request-timeout`. In a path, use the name of a task instead of its position:
   * `tasks.ingest.ingest.bulk.docs`.
   * @example { index.settings.refresh_interval: [1s, 30s] }
   */
  factors,
  /**
   * Levels of the cell with which all other cells are compared. The default is the first cell.
   * @example { index.settings.refresh_interval: 1s }
   */
  baseline: z.record(z.string(), z.unknown()).optional(),
  /** Duration and phases of each trial. */
  measure,
  /**
   * Number of trials of each cell. With `until-decided`, the run repeats the trials until the claims in `expect` are decided.
   * @example { until-decided: { most: 15, time: 4h } }
   */
  trials: z
    .union(
      [
        count(1, 1000),
        z.strictObject({
          /**
           * Repeats all cells until the claims are decided. After each repetition, the run checks the claims. Cells that are not needed for
           * an open claim are not repeated. The run ends when all claims are decided. The confidence intervals are wider than with a fixed
           * number of trials, because every check adds a risk of a wrong decision.
           */
          'until-decided': z
            .strictObject({
              /** Number of repetitions before the first check. */
              least: count(3, 50).default(3),
              /** Maximum number of repetitions. After this number, the run ends even if a claim is undecided. */
              most: count(3, 50).default(20),
              /**
               * Maximum duration. After this time, no further repetition begins. But the run always finishes `least` repetitions.
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
   * Order of the trials. `interleaved`: each repetition runs one trial of every cell, and begins with a different cell than the previous
   * repetition. `randomised`: each repetition runs one trial of every cell in random order. `sequential`: all trials of the first cell,
   * then all trials of the second cell, and so on. The report of a sequential run does not compare cells, because a drift would look like a
   * difference. If cells have different environments, all trials of one environment run before those of the next. Only environments with an
   * `engine` [alternate](environments.md#compare-engines).
   */
  order: z.enum(['interleaved', 'randomised', 'sequential']).default('interleaved'),
  /**
   * Seed of all random numbers: for generated documents, the randomised order, and the jitter of retries.
   * @example 42
   */
  seed: z.number().int().min(0).max(4294967295).default(1),
  /**
   * Conditions that every cell must meet. If a condition is not met, or has no data, `dyno run` ends with exit code 1.
   * @example ['ingest.rejection_rate < 1%']
   */
  thresholds: sentences(),
  /**
   * Conditions that stop the run. Dyno checks them during the load, each time over the last ten seconds.
   * @example ['ingest.error_rate > 50%']
   */
  'stop-when': sentences(),
  /** Marks a load that causes rejections on purpose, so that alerts can ignore them. A search for the highest rate is always marked. */
  'provokes-rejections': z.boolean().default(false),
  /**
   * Minimum relative difference that matters: 0.05 is 5%. Smaller differences are treated as equal.
   * @example 0.02
   */
  margin: z.number().min(0).max(1).default(0.05),
  /**
   * Whether Dyno automatically resumes a run after its process has died. `end`: the run stays interrupted. `continue`: `dyno start`, or a
   * schedule in Kibana, resumes the run with the next trial. In all other cases, use `dyno resume`.
   */
  'on-interruption': z.enum(['end', 'continue']).default('end'),
  /**
   * When the server or Kibana starts runs. There are three forms. A cron expression, in UTC or with a time zone: `0 3 * * * Europe/Berlin`.
   * An interval: `every 6h`, which counts from midnight UTC if a day is a multiple of the interval. A single time: `once 2026-12-01 22:00
   * Europe/Berlin`.
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
         * Time zone of `cron` and `quiet`, by its IANA name. The default is UTC.
         * @example Europe/Berlin
         */
        zone: z.string().max(100).optional(),
        /**
         * Periods without runs: weekdays, times or dates. A run does not start within such a period. It also does not start before a period
         * if its estimated end is within the period.
         * @example [Mon-Fri 08:00-18:00, 2026-12-20 to 2027-01-03]
         */
        quiet: z.array(z.string().max(200)).max(100).optional(),
        /**
         * Reaction to scheduled times that were missed because the server or Kibana was not running. `run-once`: one run starts, for the
         * last missed time, unless the next scheduled time has come. `skip`: no run starts.
         */
        'when-missed': z.enum(WHEN_MISSED).optional(),
      }),
    ])
    .optional(),
});

export const definitionSchema = parts.superRefine(executorsFit);

/** Cache of the schemas that {@link cellSchema} returns, by the keys that vary between cells. */
const cellSchemas = new Map<string, typeof definitionSchema>();

/** Returns a schema that validates only the keys in `varied`. The other keys are the same in all cells and have been validated before. */
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

/** A definition with all defaults filled in. */
export type Definition = z.output<typeof definitionSchema>;
/** A definition as people write it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type IndexRoute = Definition['index']['route'];
