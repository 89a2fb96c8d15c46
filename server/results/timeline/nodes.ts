/** Reads the metrics of nodes and machines over the timeline of a run, from the events of Dyno's collector (dynobeat). */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { capacityKey, type NodePoint, type Timeline } from '../../../common/api/timeline';
import { namesIn, shareOf } from '../../../common/measurement/field-sums';
import { fieldsOfCourse, type Course } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import * as api from '../../elasticsearch/api';
import { askIfThere } from '../answer';
import { onGrid, overGrid, type Grid } from './grid';
import { search } from '../search';
import { METRICS } from '../stored';

const NODE = 'dyno.node';
/** Maximum number of nodes per cluster. */
const MOST = 1000;
/** Time for which the names of garbage collectors are cached, in ms. They rarely change. */
const NAMES_MS = 30_000;

/**
 * All charts of nodes. `name`: name of the metric that a chart shows, which is also the name of its values in the points of the timeline.
 */
const CHARTS = NODE_METRICS.flatMap(({ name, chart }) => (chart === undefined ? [] : [{ name, ...chart }]));
const COURSES: readonly Course[] = CHARTS.flatMap(({ courses, capacity }) => [
  ...courses,
  ...(capacity === undefined ? [] : [capacity]),
]);

/**
 * Lines of charts that add up several fields. Their field name contains a `*`, which replaces for example the name of a thread pool. They
 * may exclude some names.
 */
const PATTERNS = COURSES.flatMap((course) =>
  course.kind === 'rate' && course.field.includes('*') ? [course] : [],
);

type Kind = 'sum' | 'max' | 'avg';
const keyOf = (kind: Kind, field: string): string => `${kind} ${field}`;

/**
 * Returns the field that contains the length of an event's interval, in ms. `field`: a field of the same event. The name differs between
 * events of nodes and events of machines.
 */
const intervalOf = (field: string): string => `${field.split('.', 2).join('.')}.interval.ms`;

/** Maps each field name with a `*` to the existing names that the `*` matches. */
type Names = ReadonlyMap<string, readonly string[]>;

const fieldsOf = (field: string, names: Names): string[] =>
  field.includes('*') ? (names.get(field) ?? []).map((name) => field.replace('*', name)) : [field];

/**
 * Returns the aggregations that {@link valueOf} needs for a line of a chart. Each is a pair: the kind of aggregation, such as `sum`, and
 * the field. Several lines may share aggregations.
 */
function aggregationsOf(course: Course, names: Names): [Kind, string][] {
  if (course.kind === 'average') return [['avg', course.field]];
  if (course.kind === 'highest') return [['max', course.field]];
  if (course.kind === 'of') return [course.part, course.whole].map((field) => ['max', field]);
  if (course.kind === 'share') return fieldsOfCourse(course).map((field) => ['sum', field]);
  // The sum of no values is 0, but their average is null. The average therefore shows whether any event contains the field.
  return [
    ['sum', intervalOf(course.field)],
    ...fieldsOf(course.field, names).flatMap((field): [Kind, string][] => [
      ['sum', field],
      ['avg', field],
    ]),
  ];
}

type Bucket = { key: number } & Record<string, { value: number | null }>;

interface Aggregations {
  nodes: {
    buckets: {
      key: string;
      own: { names: { buckets: { key: string }[] } };
      timeline: { buckets: Bucket[] };
    }[];
  };
}

/**
 * Returns a reader for the metrics of a run's nodes over time, by name of the node. The reader resolves to an empty list if Dyno's
 * collector stored no events. Rejects with the errors of `search`.
 */
export function nodeTimelines(
  client: ElasticsearchClient,
): (grid: Grid, of: { run: string; trial: string | undefined }) => Promise<Timeline['nodes']> {
  const namesThere = wildcardNames(client);
  return async (grid, { run, trial }) => {
    const names = await namesThere();
    if (names === null) return [];
    const figures = Object.fromEntries(
      COURSES.flatMap((course) => aggregationsOf(course, names)).map(([kind, field]) => [
        keyOf(kind, field),
        { [kind]: { field } },
      ]),
    );
    const { aggregations } = await search<never, Aggregations>(client, METRICS, {
      size: 0,
      query: {
        bool: {
          filter: onGrid(grid, run, trial),
          must_not: { exists: { field: 'error.message' } },
        },
      },
      aggs: {
        nodes: {
          // Events of a machine contain the ids of all nodes on that machine.
          terms: { field: 'elasticsearch.node.id', size: MOST },
          aggs: {
            own: {
              filter: { term: { 'event.dataset': NODE } },
              aggs: { names: { terms: { field: 'elasticsearch.node.name', size: 1 } } },
            },
            timeline: overGrid(grid, figures),
          },
        },
      },
    });
    return (aggregations?.nodes.buckets ?? [])
      .map(({ key, own, timeline }) => ({
        id: key,
        name: own.names.buckets[0]?.key ?? key,
        points: timeline.buckets.map((bucket) => pointOf(bucket, names)),
      }))
      .sort((a, b) => (`${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1));
  };
}

/**
 * Returns a function that reads the existing names for each `*` in a field name, such as names of garbage collectors. The function resolves
 * to null if Dyno's collector has never stored an event.
 */
function wildcardNames(client: ElasticsearchClient): () => Promise<Names | null> {
  let known: Names | null = null;
  let askedAt = 0;
  return async () => {
    if (known !== null && performance.now() - askedAt < NAMES_MS) return known;
    const answer = await askIfThere(
      client,
      api.fieldCapabilities(
        `${METRICS}-*`,
        PATTERNS.map(({ field }) => field),
      ),
      `read the fields of ${METRICS}`,
    );
    askedAt = performance.now();
    if (answer === undefined || answer.indices.length === 0) return (known = null);
    const fields = Object.keys(answer.fields);
    known = new Map(
      PATTERNS.map(({ field, except }) => [field, namesIn(fields, field).filter((name) => !except?.(name))]),
    );
    return known;
  };
}

function valueOf(course: Course, bucket: Bucket, names: Names): number | null {
  const value = (kind: Kind, field: string): number | null => bucket[keyOf(kind, field)]?.value ?? null;
  switch (course.kind) {
    case 'average':
      return value('avg', course.field);
    case 'highest':
      return value('max', course.field);
    case 'of':
      return shareOf(value('max', course.part), value('max', course.whole));
    case 'share': {
      const sumOf = (fields: readonly string[]): number =>
        fields.reduce((sum, field) => sum + (value('sum', field) ?? 0), 0);
      return shareOf(sumOf(course.part), sumOf(course.whole));
    }
    case 'rate': {
      // The sum is divided by the time that the events cover and not by the length of the bucket, because a collector's period may be
      // longer than a bucket.
      const intervalMs = value('sum', intervalOf(course.field));
      const reported = fieldsOf(course.field, names).filter((field) => value('avg', field) !== null);
      if (!intervalMs || reported.length === 0) return null;
      const change = reported.reduce((sum, field) => sum + value('sum', field)!, 0);
      return (change * course.per) / intervalMs;
    }
  }
}

/**
 * Returns the value of the first of `courses` that has a value in the bucket; null if none has. `courses`: alternative calculations of one
 * line of a chart.
 */
function firstOf(courses: readonly Course[], bucket: Bucket, names: Names): number | null {
  for (const course of courses) {
    const value = valueOf(course, bucket, names);
    if (value !== null) return value;
  }
  return null;
}

function pointOf(bucket: Bucket, names: Names): NodePoint {
  const values = CHARTS.flatMap(({ name, courses, shown, capacity }): [string, number | null][] => {
    const value = firstOf(courses, bucket, names);
    return [
      [name, value !== null && shown === 'share' ? Math.min(1, value) : value],
      ...(capacity === undefined
        ? []
        : [[capacityKey(name), valueOf(capacity, bucket, names)] as [string, number | null]]),
    ];
  });
  return { ...Object.fromEntries(values), at: bucket.key };
}
