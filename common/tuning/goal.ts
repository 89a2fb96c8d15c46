/** Goals and limits of a tuning, and the metrics that goals and limits use. */
import * as z from 'zod';
import type { Definition } from '../experiment/definition';
import { hourlyCost, PRICE, PRICE_FORM, priceOf } from '../experiment/price';
import { CLUSTER, clusterMetricTitle } from '../measurement/cluster-metrics';
import { parseCondition, type Condition, type LanguageError } from '../measurement/condition';
import { isOfTask, parseMetric, readMetric, type Metric } from '../measurement/metric';
import { bytesPerDocument, shardsIn } from '../measurement/server';
import type { TrialDocument } from '../measurement/trial';
import { taskKind, kindOf } from '../tasks/registry';
import type { Goal } from './choices';

export const GOAL_TITLES: Record<Goal, string> = {
  throughput: 'Documents indexed per second',
  'search-p95': '95th percentile of the searches, while documents are indexed',
  bytes: 'Bytes on disk per document',
  cost: 'Cost per million documents',
};

export const pricesSchema = z.strictObject({
  /** Price of the whole cluster per hour, in any currency; default: `environment.price` of the definition. */
  hour: z.number().positive().optional(),
  /** Price of storing one gigabyte for a month, including all copies. */
  gigabyteMonth: z.number().min(0).default(0),
  /** Number of months for which each document is stored. */
  months: z.number().min(0).default(1),
});
export type Prices = z.output<typeof pricesSchema>;

/** A metric of a trial. */
export interface Figure {
  /** Name of the metric, as in limits: `ingest.throughput`. */
  name: string;
  /** Title of the metric in tables, such as `docs/s` or `p95 of queries`. */
  title: string;
  better: 'higher' | 'lower';
  read: (trial: TrialDocument) => number | null;
  /** Set if some clusters do not report the metric. Tables omit such a metric if no trial has a value. */
  optional?: true;
}

const ofMetric = (name: string, title: string): Figure => {
  const metric = parseMetric(name)!;
  return { name, title, better: metric.better, read: (trial) => readMetric(metric, trial) };
};

const ingestOf = ({ tasks }: Pick<Definition, 'tasks'>): string | undefined =>
  tasks.find(({ ingest }) => ingest)?.name;
const searchesOf = ({ tasks }: Pick<Definition, 'tasks'>): string[] =>
  tasks.filter((task) => taskKind(kindOf(task)).searches).map(({ name }) => name);

const MILLION = 1e6;
const GIGABYTE = 1e9;

const ofCluster = (figure: string): Figure => {
  const metric = parseMetric(`${CLUSTER}.${figure}`)!;
  const found = ofMetric(`${CLUSTER}.${figure}`, `cluster ${clusterMetricTitle(metric.ofCluster!)}`);
  return { ...found, optional: true };
};

/** Metrics of the cluster that may become worse if settings are changed. */
const OF_CLUSTER = ['cpu', 'heap', 'disk.write', 'merges.time'] as const;

/** Returns the metric of costs: the cost of a million documents. It is made of machine time at the measured rate, and of storage. */
const costFigure = (
  ingest: string,
  { hour, gigabyteMonth, months }: Prices,
  { environment }: Pick<Definition, 'environment'>,
): Figure => {
  const throughput = parseMetric(`${ingest}.throughput`)!;
  return {
    name: 'cost',
    title: 'cost per million documents',
    better: 'lower',
    read: (trial) => {
      const rate = readMetric(throughput, trial);
      const bytes = trial.index === null ? null : bytesPerDocument(trial.index);
      const hourly = hour ?? hourlyCost(environment, trial);
      if (hourly === null || rate === null || rate <= 0 || trial.index === null || bytes === null)
        return null;
      const primaries = Math.max(1, shardsIn(trial.index.primaries));
      const copies = Math.max(1, shardsIn(trial.index.shards) / primaries);
      return (
        ((hourly / 3600) * MILLION) / rate + ((bytes * copies * MILLION) / GIGABYTE) * gigabyteMonth * months
      );
    },
  };
};

/** Returns the metric of a goal. If the definition does not have this metric, returns the reason as text. */
export function goalFigure(goal: Goal, definition: Definition, prices?: Prices): Figure | string {
  const ingest = ingestOf(definition);
  const [search] = searchesOf(definition);
  if (ingest === undefined) return 'no task indexes documents, so there is nothing to tune';
  const closed = definition.tasks.find(({ name }) => name === ingest)!.executor;
  const offered = !('constant-clients' in closed);
  switch (goal) {
    case 'throughput':
      return offered
        ? `“${ingest}” is not driven by constant-clients, so its throughput is the offered rate, and not what the cluster can do`
        : ofMetric(`${ingest}.throughput`, 'docs/s');
    case 'search-p95':
      return search === undefined
        ? 'no task searches: add one, or choose another goal'
        : ofMetric(`${search}.latency.p95`, `p95 of ${search}`);
    case 'bytes':
      return ofMetric('index.bytes_per_document', 'bytes per document');
    case 'cost':
      if (prices?.hour === undefined && priceOf(definition.environment) === undefined)
        return `the price of the cluster for an hour is missing: give it here, or as environment.${PRICE}, ${PRICE_FORM}`;
      return offered
        ? `“${ingest}” is not driven by constant-clients, so its throughput is the offered rate, and not what the cluster can do`
        : costFigure(ingest, prices ?? pricesSchema.parse({}), definition);
  }
}

/**
 * Returns the metrics, other than the goal, that a change of settings may worsen: throughput, response times, bytes and metrics of the
 * cluster.
 */
export function figuresBeside(goal: Figure, definition: Definition): Figure[] {
  const ingest = ingestOf(definition);
  const figures = [
    ...(ingest === undefined
      ? []
      : [ofMetric(`${ingest}.throughput`, 'docs/s'), ofMetric(`${ingest}.latency.p95`, `p95 of ${ingest}`)]),
    ...searchesOf(definition).map((name) => ofMetric(`${name}.latency.p95`, `p95 of ${name}`)),
    ofMetric('index.bytes_per_document', 'bytes per document'),
    ...OF_CLUSTER.map(ofCluster),
  ];
  return figures.filter(({ name }) => name !== goal.name);
}

/** A limit that recommended settings must keep. */
export type Limit =
  | { text: string; kind: 'relative'; figure: Figure; most: number | null; least: number | null }
  | { text: string; kind: 'absolute'; figure: Figure; condition: Condition };

const RELATIVE = /^(\S+) at (most|least) ([+-]?\d+(?:\.\d+)?)%$/;

const FORM =
  'a metric with its largest change, such as “queries.latency.p95 at most +10%” or “ingest.throughput at least -5%”, or a condition such as “queries.latency.p95 < 200ms”';

const figureOf = (metric: Metric, name: string): Figure => ({
  name,
  title: name,
  better: metric.better,
  read: (trial) => readMetric(metric, trial),
});

export function parseLimit(text: string, { tasks }: Pick<Definition, 'tasks'>): Limit | LanguageError {
  const [, name, side, percent] = RELATIVE.exec(text.trim()) ?? [];
  if (name === undefined) {
    const condition = parseCondition(text);
    if ('message' in condition) return { message: 'is not a limit', allowed: FORM };
    return (
      withTask(condition.metric, tasks) ?? {
        text,
        kind: 'absolute',
        condition,
        figure: figureOf(condition.metric, text.trim().split(/\s/)[0]!),
      }
    );
  }
  const metric = parseMetric(name);
  if (metric === undefined) return { message: `“${name}” is not a metric`, allowed: FORM };
  const bound = 1 + Number(percent) / 100;
  if (bound <= 0) return { message: 'nothing can fall by 100% or more', allowed: FORM };
  return (
    withTask(metric, tasks) ?? {
      text,
      kind: 'relative',
      figure: figureOf(metric, name),
      most: side === 'most' ? bound : null,
      least: side === 'least' ? bound : null,
    }
  );
}

function withTask(metric: Metric, tasks: Definition['tasks']): LanguageError | undefined {
  const { task } = metric;
  if (!isOfTask(metric) || tasks.some(({ name }) => name === task)) return undefined;
  return {
    message: `no task is named “${task}”`,
    allowed: `one of ${tasks.map(({ name }) => name).join(', ')}`,
  };
}

/**
 * Returns the default limits of a goal. With these limits, a tuning does not recommend settings that improve the goal but make other
 * metrics much worse.
 */
export function usualLimits(goal: Goal, definition: Definition): string[] {
  const ingest = ingestOf(definition);
  const searches = searchesOf(definition);
  const ofSearches = searches.map((name) => `${name}.latency.p95 at most +10%`);
  const closed = goalFigure('throughput', definition);
  const ofThroughput =
    ingest === undefined || typeof closed === 'string' ? [] : [`${ingest}.throughput at least -10%`];
  if (goal === 'throughput') return ofSearches;
  if (goal === 'search-p95') return ofThroughput;
  return goal === 'bytes' ? [...ofThroughput, ...ofSearches] : ofSearches;
}
