/**
 * The definition of an experiment: what people write, one schema for the editor, files, the API and the command.
 * Strict: an unknown key is an error. Defaults are filled in here and nowhere else.
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

/** Of a definition that names no `patience`. */
export const DEFAULT_PATIENCE = '60s';
export type { TaskDefinition } from '../tasks/registry';
export type { SourceDefinition } from '../tasks/source';

const index = z
  .strictObject({
    /** Base of the index names; each trial appends the run and its number. */
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]*$/, {
        error: 'lower-case letters, digits, . - and _, beginning with a letter or digit',
      })
      .max(100)
      .default('dyno-trial'),
    /**
     * Data that is there already: the name of an index, an alias or a data stream, several with commas, or with `*`, as
     * Elasticsearch takes it. The tasks go to it; nothing is created, changed or deleted; see
     * [existing data](existing-data.md).
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
     * Tasks may write to the existing data. What they write stays there, so each trial begins with more than the one before.
     * @example true
     */
    'allow-writes': z.boolean().optional(),
    /**
     * How many indices each trial has, all with these settings and this mapping. Searches go to all of them, those of a
     * replay to one of them with a `route`. Their names share a URL, hence the limit.
     * @example 2
     */
    count: count(1, MOST_INDICES).default(1),
    /**
     * What each trial makes: an index, or a data stream with an index template of its own. A data stream takes documents by
     * `create` alone, which its ingestions send unless they say otherwise, and each has a `@timestamp`; see
     * [data streams and index modes](data-streams.md).
     * @example data-stream
     */
    as: z.enum(['index', 'data-stream']).optional(),
    /**
     * When the data stream gets another backing index. Dyno asks for it once a second while the load goes on, so that it depends
     * neither on a lifecycle nor on how often Elasticsearch looks at that.
     * @example { documents: 100000 }
     */
    rollover: z
      .strictObject({
        /**
         * From so many documents of the index that is written to.
         * @example 100000
         */
        documents: count().optional(),
        /**
         * From this size of its largest primary shard.
         * @example 50mb
         */
        size: bytes().optional(),
      })
      .refine((given) => given.documents !== undefined || given.size !== undefined, {
        error: 'documents: a number, or size: such as 50mb, or both',
      })
      .optional(),
    /**
     * Lifecycle of the data stream, as its index template takes it.
     * @example { data_retention: 7d }
     */
    lifecycle: keysAtMost(z.unknown(), LONGEST_LIST).optional(),
    /**
     * Fields of the mapping that tell the time series of an index with `settings: { mode: time_series }` apart: they become dimensions, and documents
     * are routed by them. Two documents of one series in one millisecond are a version conflict.
     * @example [clientip, verb]
     */
    dimensions: z.array(z.string().min(1)).min(1).max(LONGEST_LIST).optional(),
    /**
     * Which of several indices a document goes to. `in-turn`: one bulk goes to the first, the next to the second. Otherwise
     * a field of each document decides.
     * @example { field: store_id, by: remainder }
     */
    route: z
      .union(
        [
          z.literal('in-turn'),
          z.strictObject({
            /**
             * The field of the document whose value decides.
             * @example store_id
             */
            field: z.string().min(1),
            /** `remainder`: of a whole number divided by the number of indices. `hash`: of any text or number. */
            by: z.enum(['remainder', 'hash']).default('remainder'),
          }),
        ],
        { error: 'in-turn, or a field: { field: store_id, by: remainder }' },
      )
      .default('in-turn'),
    /**
     * Keeps each index on the nodes whose attribute has its value. `none` leaves it to the cluster, as without this key; it is
     * there as a level beside others.
     * @example { attribute: zone, values: [a, b] }
     */
    allocation: z
      .union(
        [
          z.literal('none'),
          z.strictObject({
            /**
             * The name of the attribute: `zone` for `node.attr.zone`.
             * @example zone
             */
            attribute: z.string().regex(/^[\w.-]+$/),
            /**
             * The first index is kept on nodes with the first value, the second on those with the second, and so on in turn.
             * @example [a, b]
             */
            values: z.array(z.string().min(1)).min(1),
          }),
        ],
        { error: 'none, or { attribute: letters, digits, . - and _, values: a list }' },
      )
      .optional(),
    /**
     * Index settings as Elasticsearch takes them, with or without the leading `index.`.
     * @example { number_of_shards: 3, refresh_interval: 30s }
     */
    settings: z.record(z.string(), z.unknown()).default({}),
    /**
     * What happens where the target adds to the indices, by index templates, component templates or in another way, what this
     * definition does not ask for. `report`, as without this key: the run, its report and comparisons name it. `refuse`: the run
     * does not begin.
     * @example refuse
     */
    templates: z.enum(['report', 'refuse']).optional(),
    /**
     * The name of a mapping that comes with Dyno, or one written out as Elasticsearch takes it. Without it, the mapping of the
     * first generator is used. `http-events-no-doc-values` has fielddata in place of doc values wherever there is any.
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
     * Load before the first trial that is not measured, once in a run: a cluster that has just been started is slow until its
     * code is compiled, and the cell that comes first would pay for it.
     * @example 2m
     */
    'burn-in': wholeSeconds().default('0s'),
    /**
     * Load at the beginning of each trial that is not measured: 30s unless it is given, or none where `documents` are. A trial
     * with `caches: cold` has none.
     * @example 30s
     */
    warmup: wholeSeconds().optional(),
    /**
     * What the caches hold when the measured phase begins. `cold`: they are emptied before the load, there is no warm-up, and
     * the operating system forgets the data files where Dyno started the nodes on this machine. `warm`: what the warm-up left.
     * @example cold
     */
    caches: z.enum(['cold', 'warm']).optional(),
    /**
     * How long each trial is measured: 5m unless it is given, or 15m at most for a search for the highest rate.
     * @example 10m
     */
    duration: wholeSeconds()
      .refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' })
      .optional(),
    /**
     * How many documents are measured, over all ingest tasks, in place of a time; the trial ends when all of them have been
     * answered.
     * @example 1000000
     */
    documents: count().optional(),
    /** How long answers are waited for after the load has ended. */
    drain: duration().default('30s'),
    /**
     * Merges each shard of the trial's indices into so many segments at most after the load, before their bytes and segments
     * are read, so that these do not depend on which merges had ended; see [bytes](figures.md#bytes-of-the-indices).
     * @example 1
     */
    'force-merge': count(1, 1000).optional(),
    /**
     * Reads the bytes of each field after the load (`_disk_usage`), which reads all there is once. Metrics
     * `index.field.<name>.bytes_per_document` need it.
     * @example true
     */
    'disk-usage': z.boolean().optional(),
    /**
     * What is done to the indices after the load, step by step, each timed (`index.recipe.<name>.time`), as an import ends: settings
     * put back, a merge, waiting until all copies are there and all documents are found; see
     * [imports](bulk-import.md). It goes with `documents`.
     * @example [{ name: merge, force-merge: 1 }, { name: searchable, wait: searchable }]
     */
    recipe: recipe.optional(),
  })
  .superRefine(exactlyOne('duration', 'documents'))
  .prefault({ duration: '5m' });

/** Claims, conditions or tags. */
const sentences = () => z.array(z.string().max(1000)).max(LONGEST_LIST).default([]);

/** Tasks of one trial. */
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
 * What stands around the cluster and nobody can change from here: `disk: premium`, `machine: D4`. Labels, and nothing more,
 * but for those of requested-cluster.ts where the target is the embedded Elasticsearch.
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
     * Dynamic settings of the cluster. Each trial sets them as persistent ones before it begins and puts back what they were;
     * where the process died, the next start does so, or in Kibana the next run.
     * @example { indices.recovery.max_bytes_per_sec: 40mb }
     */
    settings: z.record(z.string(), z.unknown()).default({}),
  })
  .prefault({});

/** More machines than this nobody has tried. */
const MOST_SEATS = 200;

const load = z.strictObject({
  /**
   * Machines that generate the load together, each of which runs `dyno worker`. One means the machine that carries the run, which needs
   * no worker.
   * @example 4
   */
  seats: count(1, MOST_SEATS).default(1),
  /**
   * Load threads of each seat; without it, as many as suit the clients and the smallest of the machines.
   * @example 2
   */
  threads: count(1, 64).optional(),
  /**
   * How long a run waits until all of its seats are taken, and for another worker where one is lost.
   * @example 2m
   */
  within: duration().default('10m'),
  /** Several workers of one machine may take a seat each. They share its cores: for trying things out. */
  'share-machine': z.boolean().default(false),
});

const preload = z.strictObject({
  /**
   * How many documents there are.
   * @example 1000000
   */
  documents: count(),
  /**
   * Where they come from; without it, from the source of the first ingest task.
   * @example { generator: apache-logs }
   */
  source: sourceSchema.optional(),
  /**
   * The routing of these documents; without it, by their ids.
   * @example { field: customer }
   */
  routing: routingSchema.optional(),
  /**
   * Merges each shard into so many segments at most before the load begins.
   * @example 1
   */
  'force-merge': count(1, 1000).optional(),
  /**
   * `never`: every trial loads its own. `copy`: they are loaded once for each kind of index (from the first kind into the
   * others by `_reindex`, where the cluster has it), and each trial gets a clone that the cluster makes. `same`: trials that
   * only search share the indices, their caches emptied before each.
   */
  reuse: z.enum(['never', 'copy', 'same']).default('never'),
});

const parts = z.strictObject({
  /** The version of the language that the definition is written in. */
  version: z.literal(1),
  /**
   * What the experiment is called, in lists and reports.
   * @example Refresh interval against indexing throughput
   */
  name: z.string().min(1).max(200),
  /**
   * What you believe, in one sentence.
   * @example A longer refresh interval raises indexing throughput
   */
  hypothesis: z.string().max(10_000).default(''),
  /**
   * The hypothesis as claims that are tested: `<metric> rises|falls|stays with <factor> [from <level> to <level>] [by at
   * least|by at most <n>%]`.
   * @example ['ingest.throughput rises with index.settings.refresh_interval']
   */
  expect: sentences(),
  /**
   * The published experiment that this one came from; the report draws its published figures.
   * @example azure-replicas
   */
  preset: z.string().optional(),
  /**
   * Words to find the experiment by.
   * @example [nightly]
   */
  tags: sentences(),
  /**
   * Name of the cluster under test, as the host knows it. For the command, `--elasticsearch` says where it is.
   * @example staging
   */
  target: z.string().min(1).default('local'),
  /**
   * To which nodes requests go: the data nodes of the target in turn, the hosts that were given in turn, or the first of these
   * hosts alone.
   */
  spread: z.enum(['data-nodes', 'given-hosts', 'one-host']).default('data-nodes'),
  /**
   * A request without an answer after this long is given up, and what it sent counts as unknown.
   * @example 10s
   */
  'request-timeout': duration().default('60s'),
  /**
   * How long a run waits for a target that is away or refuses requests that are no load, such as those that create an index
   * or count its documents; without it, 60s.
   * @example 5m
   */
  patience: duration().optional(),
  /**
   * Who generates the load; without it, this machine alone. More than one seat needs a results cluster that is not the target; see
   * [More than one machine](machines.md).
   * @example { seats: 4 }
   */
  load: load.optional(),
  /** The indices that each trial creates, or those that are there. */
  index,
  /** What each trial changes in the cluster. */
  cluster,
  /**
   * Labels of what Dyno cannot change, kept beside what was found; see [environments](environments.md). On the embedded
   * Elasticsearch, Dyno itself sets `nodes`, `heap`, `version`, `client-nodes`, `node-attribute`, `index-buffer`, `write-queue` and `write-threads`.
   * @example { disk: premium }
   */
  environment,
  /**
   * Documents that are in the indices before anything is measured.
   * @example { documents: 1000000, reuse: copy }
   */
  preload: preload.optional(),
  /**
   * Streams of work that run side by side in each trial.
   * @example [{ name: ingest, ingest: { source: { generator: apache-logs } } }]
   */
  tasks: z.array(task).min(1).max(MOST_TASKS),
  /**
   * What varies: paths with their levels, which are crossed, or a list of cells. Any path below `index`, `preload`, `cluster`,
   * `environment`, `tasks` and `measure` may vary, and `spread` and `request-timeout`. A path addresses a task by its name:
   * `tasks.ingest.ingest.bulk.docs`.
   * @example { index.settings.refresh_interval: [1s, 30s] }
   */
  factors,
  /**
   * The cell that the others are compared with, by its levels; without it, the first.
   * @example { index.settings.refresh_interval: 1s }
   */
  baseline: z.record(z.string(), z.unknown()).optional(),
  /** What each trial measures, and for how long. */
  measure,
  /**
   * How many trials each cell has: a number, or as many as it takes to decide the claims of `expect`.
   * @example { until-decided: { most: 15, time: 4h } }
   */
  trials: z
    .union(
      [
        count(1, 1000),
        z.strictObject({
          /**
           * After each repetition the run looks whether its claims are decided. Cells that no open claim needs stop, and the
           * run ends with the last of them. Intervals are wider than with a fixed number, for every look is a chance to be wrong.
           */
          'until-decided': z
            .strictObject({
              /** Repetitions before the first look. */
              least: count(3, 50).default(3),
              /** Repetitions after which the run ends, decided or not. */
              most: count(3, 50).default(20),
              /**
               * No repetition begins later than this after the run's start, once the `least` are done.
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
   * How trials follow each other. `interleaved`: one of each cell, then the next of each, each time beginning one cell later.
   * `randomised`: one of each cell in an order drawn with the `seed`, then the next of each in another one. `sequential`: all
   * trials of a cell, then those of the next; such runs name no difference, for a drift would look like one.
   */
  order: z.enum(['interleaved', 'randomised', 'sequential']).default('interleaved'),
  /**
   * Generated documents, the randomised order and the jitter of retries follow from it.
   * @example 42
   */
  seed: z.number().int().min(0).max(4294967295).default(1),
  /**
   * Conditions that every cell must meet; a run that misses one, or has no data for it, ends with exit code 1.
   * @example ['ingest.rejection_rate < 1%']
   */
  thresholds: sentences(),
  /**
   * Conditions over the last ten seconds that end the run.
   * @example ['ingest.error_rate > 50%']
   */
  'stop-when': sentences(),
  /**
   * Whether the load is meant to be refused: an alert may be silent about it. A search for the highest rate always counts as
   * such.
   */
  'provokes-rejections': z.boolean().default(false),
  /**
   * A relative difference smaller than this counts as none: 0.05 is 5%.
   * @example 0.02
   */
  margin: z.number().min(0).max(1).default(0.05),
  /**
   * What happens to a run whose process died: it ends, or goes on with the next trial, by itself where `dyno start` or a
   * schedule in Kibana carries it, by `dyno resume` otherwise.
   */
  'on-interruption': z.enum(['end', 'continue']).default('end'),
  /**
   * When the server or Kibana starts runs: cron in UTC, or in the time zone at its end (`0 3 * * * Europe/Berlin`); an interval, which
   * is counted from midnight UTC if it divides the day; or one time (`once 2026-12-01 22:00 Europe/Berlin`).
   * @example every 6h
   */
  schedule: z
    .union([
      z.string().max(1000),
      z.strictObject({
        /**
         * The same as the text alone.
         * @example 0 3 * * *
         */
        cron: z.string().max(1000),
        /**
         * The time zone of `cron` and `quiet`, of the IANA's list; UTC by default.
         * @example Europe/Berlin
         */
        zone: z.string().max(100).optional(),
        /**
         * Periods in which nothing is started, nor a run that would, by the estimate of its plan, reach into one: days, times, or dates.
         * @example [Mon-Fri 08:00-18:00, 2026-12-20 to 2027-01-03]
         */
        quiet: z.array(z.string().max(200)).max(100).optional(),
        /**
         * What is done about a time that was missed, since the server or Kibana did not run: the last one is made up for, before
         * the next one falls due, or none is.
         */
        'when-missed': z.enum(WHEN_MISSED).optional(),
      }),
    ])
    .optional(),
});

export const definitionSchema = parts.superRefine(executorsFit);

/** Schemas of cells by what their factors vary. */
const cellSchemas = new Map<string, typeof definitionSchema>();

/** Reads a definition that was read before and of which only `varied` has changed since: the rest stays as it is. */
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
/** A definition as people may write it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type IndexRoute = Definition['index']['route'];
