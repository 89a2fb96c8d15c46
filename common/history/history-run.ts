/**
 * A history run: the small part of a completed run that the history of its experiment needs. Thousands of history runs can be read at once,
 * because they are so small.
 *
 * Dyno calculates a history run when the run ends, and stores it in the field `night` of the run's document. Runs of earlier versions lack
 * this field. Dyno calculates their history runs from their trials.
 */
import { mean, sampleVariance } from '../analysis/interval';
import { metricReader } from '../analysis/metric-reader';
import { PLACE_TRAITS } from '../analysis/place-differences';
import { trustOf, type TrustedRun } from '../analysis/run-trust';
import { counts, isSaturated, placeWarnings, type WarningKind } from '../analysis/validity';
import { limitsTrust } from '../analysis/warnings';
import { metricName } from '../analysis/wording';
import type { CellDefinition } from '../experiment/cell-definition';
import type { Definition } from '../experiment/definition';
import type { Plan } from '../experiment/plan';
import { tasksOf } from '../experiment/resolved-cells';
import type { PlaceFacts, RunDocument } from '../experiment/run';
import type { TrustLevel } from '../experiment/trust';
import { executorOf } from '../executors/registry';
import { CLUSTER } from '../measurement/cluster-metrics';
import { NODE_METRICS } from '../measurement/node-metrics';
import { parseClaim, parseCondition } from '../measurement/condition';
import { isOfTask, parseMetric, writtenMetric, type Metric } from '../measurement/metric';
import { storedBlocks } from '../measurement/stored-names';
import type { TrialDocument } from '../measurement/trial';
import { deriveSeed } from '../random';
import { kindNamed, rateUnitOf, type RateUnit } from '../tasks/registry';

/**
 * Version of the calculation of history runs. Increase it when the calculation changes. Dyno then ignores stored history runs of earlier
 * versions and calculates them again.
 */
export const HISTORY_RUN_VERSION = 2;

/** One metric of a run, for all combinations of factor levels. */
export interface HistoryRunFigures {
  /** Name of the metric as in claims, such as `search.latency.p95`. */
  metric: string;
  /** Name for display. */
  title: string;
  /** Unit for rates of the metric's task, such as documents/s. */
  unit: RateUnit;
  /**
   * Source of the values of a cluster metric, such as the statistics of the nodes or Dyno's collector. Values from different sources cannot
   * be compared.
   */
  source?: string;
  /**
   * Three numbers for each combination of factor levels, in the order of `cells`: mean, sample standard deviation and number of trials. All
   * three are null if the combination has no value. The deviation is null for a single trial.
   */
  values: readonly (number | null)[];
}

/** Number of values per combination of factor levels in {@link HistoryRunFigures.values}. */
export const PER_CELL = 3;

/** One combination of factor levels. */
export interface HistoryRunCell {
  id: string;
  label: string;
  /**
   * Hash of everything in the definition that affects the results of this combination. Runs with the same hash executed the same trials.
   * Their results can therefore be compared.
   */
  definition: string;
}

/** A warning about trials of a run: the load generator or the machine may have affected their results. */
export interface HistoryRunWarning {
  /** Kind of warning, such as an overloaded load generator. */
  kind: WarningKind;
  /** Share of trials with this warning, for each combination of factor levels in the order of `cells`. */
  shares: readonly number[];
}

export interface HistoryRun {
  run: string;
  /** Start of the run, as ISO 8601 in UTC. */
  at: string;
  /** Relative margin: the smallest relative change that counts. 0.05 means 5%. */
  margin: number;
  cells: readonly HistoryRunCell[];
  /**
   * Properties of the set-up that affect metrics, such as the version of Elasticsearch. If the run measured on several clusters that differ
   * in a property, its value lists all their values.
   */
  place: Readonly<Record<string, string>>;
  /** Metrics by which the experiment is judged: metrics of tasks and indices, and metrics in claims and thresholds. */
  figures: readonly HistoryRunFigures[];
  /** Warnings about the run's trials. Absent if no trial has a warning. */
  doubts?: readonly HistoryRunWarning[];
  /** How reliable the run is. Absent in runs of earlier versions; use {@link historyRunTrust} to read it for all versions. */
  trust?: TrustLevel;
  /** Metrics of the cluster, which may explain a change. Dyno reads them only when it needs them. */
  cluster: readonly HistoryRunFigures[];
}

/** A history run without its metrics, which take up most of its size. */
export type HistoryRunFacts = Omit<HistoryRun, 'figures' | 'cluster'>;

export const factsOf = ({ figures: _figures, cluster: _cluster, ...facts }: HistoryRun): HistoryRunFacts =>
  facts;

/**
 * Returns the hash of everything in the definition that affects the results of one combination of factor levels. Undefined if the run does
 * not have this combination.
 */
export const definitionIn = ({ cells }: Pick<HistoryRun, 'cells'>, cell: string): string | undefined =>
  cells.find(({ id }) => id === cell)?.definition;

/**
 * Keys of a definition that do not affect a trial, such as texts, claims, schedule and number of trials. The name of the target is one of
 * these keys. The cluster behind this name does affect a trial, but is recorded separately ({@link HistoryRun.place}).
 */
const WITHOUT_EFFECT: readonly string[] = [
  ...['version', 'name', 'hypothesis', 'expect', 'preset', 'tags', 'target', 'patience', 'trials'],
  ...['thresholds', 'stop-when', 'provokes-rejections', 'margin', 'on-interruption', 'schedule', 'baseline'],
];

/** Returns the parts of a definition that affect the results of its trials. */
export const effective = (definition: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(definition)
      .filter(([key]) => !WITHOUT_EFFECT.includes(key))
      .map(([key, value]) => [key, key === 'index' ? withoutTemplates(value as object) : value]),
  );

/**
 * Removes the key `templates` from the settings of an index, because this key does not affect trials. The key only decides whether Dyno
 * refuses a run if index templates of the target would change the run's indices.
 */
const withoutTemplates = ({ templates: _templates, ...index }: { templates?: unknown }): object => index;

/** Returns JSON with sorted keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

/** Returns a hash of 64 bits. Two different texts of an experiment practically never have the same hash. */
export const hashOf = (text: string): string =>
  [1, 2].map((seed) => deriveSeed(seed, text).toString(16).padStart(8, '0')).join('');

const definitionHash = (own: CellDefinition): string => hashOf(canonical(effective(own)));

/**
 * Returns the names of a task's metrics. A task that searches for the highest sustainable rate has no percentiles of latency, because it
 * varies the rate on purpose.
 */
const figuresOfTask = (executor: object): readonly string[] =>
  executorOf(executor).description.name === 'highest-rate'
    ? ['sustainable_rate']
    : ['throughput', 'latency.p50', 'latency.p95', 'latency.p99', 'rejection_rate'];

/**
 * Returns the metrics in claims and thresholds. Claims and thresholds that cannot be parsed are left out; the analysis of the run reports
 * them.
 */
const judgedMetrics = ({ expect, thresholds }: Definition): Metric[] =>
  [...expect.map((text) => parseClaim(text)), ...thresholds.map((text) => parseCondition(text))].flatMap(
    (read) => ('message' in read ? [] : [read.metric]),
  );

/** Returns all metrics by which the experiment is judged: those of each task, and those in claims and thresholds. */
function metricsOf(definition: Definition, plan: Pick<Plan, 'cells'>): Metric[] {
  const names = plan.cells.flatMap(({ definition: { tasks } }) =>
    tasks.flatMap(({ name, executor }) => figuresOfTask(executor).map((figure) => `${name}.${figure}`)),
  );
  const all = [...names.flatMap((name) => parseMetric(name) ?? []), ...judgedMetrics(definition)];
  return [...new Map(all.map((metric) => [writtenMetric(metric), metric])).values()];
}

const CLUSTER_METRICS: readonly Metric[] = NODE_METRICS.flatMap(
  ({ name }) => parseMetric(`${CLUSTER}.${name}`) ?? [],
);

/**
 * Returns whether a metric of a trial can be compared between runs. Latencies cannot be compared if the target fell behind a task with a
 * fixed rate, because they then grow with the length of the trial.
 */
const isSound = (metric: Metric, { tasks }: TrialDocument): boolean =>
  metric.unit !== 'ms' ||
  !isOfTask(metric) ||
  !tasks.some((task) => task.task === metric.task && isSaturated(task));

/** Rounds to six significant digits. No trial is more precise than this. */
const kept = (value: number): number => Number(value.toPrecision(6));

function figuresIn(
  metric: Metric,
  plan: Plan,
  ofCells: readonly (readonly TrialDocument[])[],
): HistoryRunFigures {
  const { read, source } = metricReader(metric, plan, ofCells.flat());
  const values = ofCells.flatMap((trials) => {
    const found = trials.flatMap((trial) => (isSound(metric, trial) ? (read(trial) ?? []) : []));
    if (found.length === 0) return [null, null, null];
    const deviation = found.length === 1 ? null : kept(Math.sqrt(sampleVariance(found)));
    return [kept(mean(found)), deviation, found.length];
  });
  const tasks = tasksOf(plan.cells);
  return {
    metric: writtenMetric(metric),
    title: metricName(metric, { tasks }),
    unit: rateUnitOf(kindNamed({ tasks }, metric.task)),
    ...(source === '' ? {} : { source }),
    values,
  };
}

/**
 * Returns the properties of the set-up. If a run measured in several environments, they differ on purpose. Each property then lists its
 * values in all environments.
 */
function placeOf({ provenance }: Pick<RunDocument, 'provenance'>): Record<string, string> {
  if (provenance === null) return {};
  const blocks = storedBlocks(provenance);
  const places: readonly PlaceFacts[] = blocks.length === 0 ? [provenance] : blocks;
  return Object.fromEntries(
    PLACE_TRAITS.flatMap(({ what, read }) => {
      const values = new Set(places.flatMap((place) => read(place) ?? []));
      return values.size === 0 ? [] : [[what, [...values].sort().join(' / ')]];
    }),
  );
}

/** Describes the existing data on which the trials ran. Undefined if the trials created their data. */
function existingData(trials: readonly TrialDocument[]): string | undefined {
  const found = trials.flatMap(({ existing }) => existing ?? []).at(0);
  return found && `${found.indices.join(', ')}, ${found.documents} documents`;
}

/**
 * Returns the kinds of warnings of a trial. Only warnings that need no histograms are examined. A history has many trials, so their
 * histograms are not read.
 */
const warningsIn = (trial: TrialDocument): Set<WarningKind> =>
  new Set([
    ...placeWarnings(trial).map(({ kind }) => kind),
    ...(trial.tasks.some(isSaturated) ? (['saturated'] as const) : []),
  ]);

function historyRunWarnings(ofCells: readonly (readonly TrialDocument[])[]): HistoryRunWarning[] {
  const found = ofCells.map((trials) => trials.map(warningsIn));
  return [...new Set(found.flat().flatMap((kinds) => [...kinds]))].map((kind) => ({
    kind,
    shares: found.map((trials) =>
      trials.length === 0 ? 0 : kept(trials.filter((kinds) => kinds.has(kind)).length / trials.length),
    ),
  }));
}

/** Returns how reliable a run is. For runs of earlier versions, this is derived from the warnings that they stored. */
export const historyRunTrust = ({
  trust,
  doubts: warnings = [],
}: Pick<HistoryRun, 'trust' | 'doubts'>): TrustLevel =>
  trust ?? (warnings.some(({ kind }) => limitsTrust(kind)) ? 'limited' : 'high');

/** Calculates the history run of a run that has executed all planned trials. `trials`: all trials of the run. */
export function historyRunOf(
  run: Pick<RunDocument, 'run' | 'definition' | 'provenance'> & Partial<TrustedRun>,
  plan: Plan,
  trials: readonly TrialDocument[],
): HistoryRun {
  const { definition } = run;
  const ofCells = plan.cells.map(({ index }) =>
    trials.filter((trial) => trial.cell.index === index && counts(trial)),
  );
  const existing = existingData(ofCells.flat());
  const figures = (metrics: readonly Metric[]): HistoryRunFigures[] =>
    metrics
      .map((metric) => figuresIn(metric, plan, ofCells))
      .filter(({ values }) => values.some((value) => value !== null));
  const judged = metricsOf(definition, plan);
  const known = new Set(judged.map(writtenMetric));
  const warnings = historyRunWarnings(ofCells);
  const { verdict, progress } = run;
  const completed = { ...run.run, state: 'completed' as const };
  const trust = verdict && progress && trustOf({ run: completed, progress, verdict });
  return {
    run: run.run.id,
    at: run.run.started,
    margin: definition.margin,
    cells: plan.cells.map(({ id, label, definition: own }) => ({
      id,
      label,
      definition: definitionHash(own),
    })),
    place: { ...placeOf(run), ...(existing === undefined ? {} : { 'existing data': existing }) },
    figures: figures(judged),
    ...(warnings.length === 0 ? {} : { doubts: warnings }),
    ...(trust ? { trust: trust.level } : {}),
    cluster: figures(CLUSTER_METRICS.filter((metric) => !known.has(writtenMetric(metric)))),
  };
}
