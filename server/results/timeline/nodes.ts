/** What the target's nodes and their machines felt over the timeline of a run, from the collector's events. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { capacityKey, type NodePoint, type Timeline } from '../../../common/api/timeline';
import { namesIn } from '../../../common/measurement/collected-events';
import type { Course } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import * as api from '../../elasticsearch/api';
import { askIfThere } from '../answer';
import { onGrid, overGrid, type Grid } from './grid';
import { search } from '../search';
import { METRICS } from '../stored';

const NODE = 'dyno.node';
/** Nodes of a cluster, at most. */
const MOST = 1000;
/** Garbage collectors are those of the JVMs, so their names are asked for again only after this time, ms. */
const NAMES_MS = 30_000;

/** Every chart with the name of its metric, under which points contain its values. */
const CHARTS = NODE_METRICS.flatMap(({ name, chart }) => (chart === undefined ? [] : [{ name, ...chart }]));
const COURSES: readonly Course[] = CHARTS.flatMap(({ courses, capacity }) => [
  ...courses,
  ...(capacity === undefined ? [] : [capacity]),
]);

/** Fields with a `*`, and the names to leave out. */
const PATTERNS = COURSES.flatMap((course) =>
  course.kind === 'rate' && course.field.includes('*') ? [course] : [],
);

type Kind = 'sum' | 'max' | 'avg';
const keyOf = (kind: Kind, field: string): string => `${kind} ${field}`;

/** Field with the time that an event covers. Events of a node and of its machine have one each. */
const intervalOf = (field: string): string => `${field.split('.', 2).join('.')}.interval.ms`;

/** Names that exist for the `*` of each pattern. */
type Names = ReadonlyMap<string, readonly string[]>;

const fieldsOf = (field: string, names: Names): string[] =>
  field.includes('*') ? (names.get(field) ?? []).map((name) => field.replace('*', name)) : [field];

/** Aggregations that {@link valueOf} reads. Those of different courses are shared. */
function aggregationsOf(course: Course, names: Names): [Kind, string][] {
  if (course.kind === 'average') return [['avg', course.field]];
  if (course.kind === 'highest') return [['max', course.field]];
  if (course.kind === 'of') return [course.part, course.whole].map((field) => ['max', field]);
  // A sum of nothing is 0 and an average of nothing is null, which shows whether any event has the field.
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

/** Resolves to what reads the nodes of a run, by name; empty where no collector told anything. Rejects as `search`. */
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
          // A machine's events name all nodes that run there.
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

/** Resolves to the names that fields with a `*` have, such as garbage collectors; null where no metrics are stored. */
function wildcardNames(client: ElasticsearchClient): () => Promise<Names | null> {
  let known: Names | null = null;
  let askedAt = 0;
  return async () => {
    if (known !== null && performance.now() - askedAt < NAMES_MS) return known;
    const told = await askIfThere(
      client,
      api.fieldCapabilities(
        `${METRICS}-*`,
        PATTERNS.map(({ field }) => field),
      ),
      `read the fields of ${METRICS}`,
    );
    askedAt = performance.now();
    if (told === undefined || told.indices.length === 0) return (known = null);
    const fields = Object.keys(told.fields);
    known = new Map(
      PATTERNS.map(({ field, except }) => [field, namesIn(fields, field).filter((name) => !except?.(name))]),
    );
    return known;
  };
}

const share = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);

function valueOf(course: Course, bucket: Bucket, names: Names): number | null {
  const value = (kind: Kind, field: string): number | null => bucket[keyOf(kind, field)]?.value ?? null;
  switch (course.kind) {
    case 'average':
      return value('avg', course.field);
    case 'highest':
      return value('max', course.field);
    case 'of':
      return share(value('max', course.part), value('max', course.whole));
    case 'rate': {
      // Divided by the time that the events cover: a collector's period may be longer than the bucket.
      const intervalMs = value('sum', intervalOf(course.field));
      const told = fieldsOf(course.field, names).filter((field) => value('avg', field) !== null);
      if (!intervalMs || told.length === 0) return null;
      const change = told.reduce((sum, field) => sum + value('sum', field)!, 0);
      return (change * course.per) / intervalMs;
    }
  }
}

/** The first value that is not null. */
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
