/** Data views of the dashboards. */
import { METRICS, RUNS, SAMPLES, TRIALS } from '../../results/stored';
import type { SpaceId } from '../../results/space';
import { dataViewId, type DataViewName } from './ids';
import { dataViewObject, type ImportedObject } from './saved-object';

export const DATA_VIEWS: Readonly<Record<DataViewName, { index: string; name: string }>> = {
  runs: { index: RUNS, name: 'Dyno runs' },
  trials: { index: TRIALS, name: 'Dyno trials' },
  samples: { index: SAMPLES, name: 'Dyno samples' },
  metrics: { index: METRICS, name: 'Dyno node metrics' },
};

/** Returns the format of a field whose values link to a page of the app. Kibana adds its base path and the space to the link. */
const linkTo = (page: string): object => ({
  id: 'url',
  params: { type: 'a', urlTemplate: `../app/dyno/${page}/{{value}}`, labelTemplate: '{{value}}' },
});

const FORMATS: Readonly<Record<string, object>> = {
  'run.id': linkTo('runs'),
  'experiment.id': linkTo('experiments'),
};

/**
 * Runtime field that contains the names of a task and of a cell (combination of factor levels). Charts need one line for each pair of a
 * task and a cell, but Lens can only split by one field. An aggregation over two fields needs a module that some builds of Elasticsearch
 * lack.
 */
export const TASK_AND_CELL = 'task_and_cell';

/**
 * Runtime field with the p99 of a sample in ms. A sample with fewer than 100 responses has no p99. The field then contains the time of the
 * slowest response.
 */
export const SLOW_ANSWER = 'slow_answer_ms';

/**
 * Metrics of the tasks of a trial. The key is the end of the runtime field's name. The value is the path of the metric in the stored data
 * of a task.
 */
const TASK_FIGURES = {
  throughput: 'throughput',
  p50: 'latency.p50',
  p90: 'latency.p90',
  p99: 'latency.p99',
} as const;

/** Runtime field with the number of a trial in its run, starting at 1 as on Dyno's pages. The stored order starts at 0. */
export const TRIAL_NUMBER = 'trial_number';

/**
 * Runtime field with the used share of a node's write queue, calculated for each event of the node. A formula over all nodes would be
 * wrong: it would divide the longest queue of one node by the largest capacity of another.
 */
export const WRITE_QUEUE_SHARE = 'write_queue_share';
/** Runtime field with the used share of a node's limit for indexing pressure, calculated for each event of the node. */
export const INDEXING_PRESSURE_SHARE = 'indexing_pressure_share';

/**
 * Returns a runtime field with the quotient of two fields of an event: `part` divided by `whole`. The runtime field has no value if one of
 * the two is missing or `whole` is 0.
 */
const shareOf = (part: string, whole: string): object => {
  const [used, limit] = [part, whole].map((field) => `doc['dyno.node.${field}']`);
  return {
    type: 'double',
    script: {
      source:
        `if (${used}.size() > 0 && ${limit}.size() > 0 && ${limit}.value > 0) ` +
        `{ emit(${used}.value / (double) ${limit}.value) }`,
    },
  };
};

/** Kinds of tasks by what they count: documents, searches (including replays) or transactions. */
const TASK_KINDS = ['ingest', 'search', 'transaction'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];
export type TaskFigure = keyof typeof TASK_FIGURES;

/**
 * Returns the name of the runtime field that contains a metric of only the tasks of one kind, such as `ingest_p50`. The stored fields
 * contain the values of all tasks of a trial together.
 */
export const taskField = (kind: TaskKind, name: TaskFigure): string => `${kind}_${name}`;

/**
 * Returns a Painless condition that is true for tasks of one kind. The kind `search` includes all tasks except ingest and transactions, for
 * example replays.
 */
const ofKind = (kind: TaskKind): string =>
  kind === 'search' ? "task.kind != 'ingest' && task.kind != 'transaction'" : `task.kind == '${kind}'`;

const taskFields = (): Record<string, object> =>
  Object.fromEntries(
    TASK_KINDS.flatMap((kind) =>
      Object.entries(TASK_FIGURES).map(([name, place]) => [
        taskField(kind, name as TaskFigure),
        {
          type: 'double',
          script: {
            source:
              `for (def task : params._source.tasks) { if (${ofKind(kind)} && task.${place} != null) ` +
              `{ emit(((Number) task.${place}).doubleValue()) } }`,
          },
        },
      ]),
    ),
  );

export const RUNTIME_FIELDS: Readonly<Record<DataViewName, Readonly<Record<string, object>>>> = {
  runs: {},
  trials: {
    ...taskFields(),
    [TRIAL_NUMBER]: { type: 'long', script: { source: "emit(doc['trial.order'].value + 1)" } },
  },
  samples: {
    [TASK_AND_CELL]: {
      type: 'keyword',
      script: { source: "emit(doc['task'].value + ', ' + doc['cell.label'].value)" },
    },
    [SLOW_ANSWER]: {
      type: 'double',
      script: {
        source:
          "if (doc['latency.p99'].size() > 0) { emit(doc['latency.p99'].value) } " +
          "else if (doc['latency.max'].size() > 0) { emit(doc['latency.max'].value) }",
      },
    },
  },
  metrics: {
    [WRITE_QUEUE_SHARE]: shareOf('thread_pool.write.queue', 'thread_pool.write.queue_capacity'),
    [INDEXING_PRESSURE_SHARE]: shareOf(
      'indexing_pressure.current.all.bytes',
      'indexing_pressure.limit.bytes',
    ),
  },
};

/** Attributes of a data view as Kibana stores them. Attributes that this type does not list may also exist, because users can add them. */
interface DataViewAttributes extends Readonly<Record<string, unknown>> {
  /** Formats of the fields, as JSON text. */
  fieldFormatMap?: string;
  runtimeFieldMap?: string;
}

const parsed = (json = '{}'): object => {
  try {
    return JSON.parse(json) as object;
  } catch {
    return {};
  }
};

/** Returns a data view. `before`: attributes of the existing data view. The result keeps what users have added to them. */
export function dataView(
  name: DataViewName,
  space: SpaceId,
  before: DataViewAttributes = { fields: '[]' },
): ImportedObject {
  const { index, name: title } = DATA_VIEWS[name];
  return dataViewObject({
    id: dataViewId(name, space),
    attributes: {
      ...before,
      title: `${index}-*`,
      name: title,
      timeFieldName: '@timestamp',
      fieldFormatMap: JSON.stringify({ ...parsed(before.fieldFormatMap), ...FORMATS }),
      runtimeFieldMap: JSON.stringify({ ...parsed(before.runtimeFieldMap), ...RUNTIME_FIELDS[name] }),
    },
    references: [],
  });
}
