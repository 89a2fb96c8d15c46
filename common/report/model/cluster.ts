/**
 * Builds the metrics of the cluster's nodes and machines for each cell (combination of factor levels): means over trials, and the
 * comparison with the baseline.
 */
import { figuresOf } from '../../analysis/blocks';
import { compareCells, type Comparison } from '../../analysis/comparison';
import { metricReader } from '../../analysis/metric-reader';
import { summarise, type Summary } from '../../analysis/summary';
import { counts } from '../../analysis/validity';
import type { Definition } from '../../experiment/definition';
import type { Plan } from '../../experiment/plan';
import {
  clusterMetricName,
  clusterMetricTitle,
  commonSource,
  readClusterMetric,
} from '../../measurement/cluster-metrics';
import { parseClaim, parseCondition } from '../../measurement/condition';
import { parseMetric, type Metric } from '../../measurement/metric';
import type { MetricGroup } from '../../measurement/node-metric';
import { NODE_METRICS } from '../../measurement/node-metrics';
import type { TrialDocument } from '../../measurement/trial';

export interface ReportClusterFigure {
  /** Name in claims, such as `cluster.merges.count`. */
  metric: string;
  /** Name in texts, such as `merges`. */
  title: string;
  group: MetricGroup;
  unit: Metric['unit'];
  better: Metric['better'];
  /** Name of the source, for display, from which all values of the metric were read; '' if no trial has a value. */
  source: string;
  /** Reason why no trial has a value; '' if a trial has one. */
  reason: string;
  /**
   * Values in the order of the report's cells (combinations of factor levels). Null for cells without a value. Empty if no trial has a
   * value.
   */
  cells: (ReportClusterCell | null)[];
}

export interface ReportClusterCell {
  summary: Summary;
  /** For each value in `summary.values`, the position of its trial in the order of execution. */
  orders: number[];
  /** Name of the node that had the highest value in any trial with these factor levels. Present for metrics of the busiest node. */
  on?: string;
  /** Comparison with the baseline. Null for the baseline itself. */
  comparison: Pick<Comparison, 'ratio' | 'interval' | 'word'> | null;
}

/**
 * Returns the names of the metrics to show. `usual`: each node metric, combined over the nodes by its usual rule (mean, sum or busiest).
 * With several nodes, it also contains the value of the busiest node. `asked`: the node metrics in claims and thresholds.
 */
function metricsOf(definition: Definition, severalNodes: boolean): { usual: string[]; asked: string[] } {
  const usual = NODE_METRICS.flatMap((nodeMetric) => {
    const name = (over: typeof nodeMetric.usually): string =>
      clusterMetricName({ nodeMetric, role: undefined, over });
    return severalNodes ? [name(nodeMetric.usually), name('busiest')] : [name(nodeMetric.usually)];
  });
  const named = [
    ...definition.expect.map((text) => parseClaim(text)),
    ...definition.thresholds.map((text) => parseCondition(text)),
  ];
  const asked = named.flatMap((parsed) =>
    'metric' in parsed && parsed.metric.ofCluster ? [clusterMetricName(parsed.metric.ofCluster)] : [],
  );
  return { usual, asked };
}

export function buildCluster(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): ReportClusterFigure[] {
  const counting = trials.filter(counts);
  if (counting.length === 0) return [];
  const severalNodes = counting.some(({ server, collected }) => {
    const nodes = server?.perNode ?? collected?.nodes ?? [];
    return nodes.length > 1;
  });
  const { usual, asked } = metricsOf(definition, severalNodes);
  return [...new Set([...usual, ...asked])].flatMap((name): ReportClusterFigure[] => {
    const metric = parseMetric(name)!;
    const described = {
      metric: name,
      title: clusterMetricTitle(metric.ofCluster!),
      group: metric.ofCluster!.nodeMetric.group,
      unit: metric.unit,
      better: metric.better,
    };
    const found = figureInCells(metric, definition, plan, counting);
    const { isOptional } = metric.ofCluster!.nodeMetric;
    if (isOptional && found.cells.length === 0 && !asked.includes(name)) return [];
    const cells = found.cells.map((one) => one && { ...one, ...highestOn(metric, one, counting) });
    return [{ ...described, ...found, cells }];
  });
}

function highestOn(
  { ofCluster }: Metric,
  { orders, summary: { values } }: ReportClusterCell,
  counting: readonly TrialDocument[],
): Pick<ReportClusterCell, 'on'> {
  if (ofCluster?.over !== 'busiest') return {};
  const order = orders[values.indexOf(Math.max(...values))];
  const trial = counting.find((one) => one.trial.order === order);
  const found = trial && readClusterMetric(ofCluster, trial, commonSource(ofCluster, counting));
  return found?.value != null && found.on ? { on: found.on } : {};
}

/**
 * Returns one metric for every combination of factor levels, and its comparison with the baseline. `counting`: the completed trials; there
 * must be at least one.
 */
export function figureInCells(
  metric: Metric,
  definition: Definition,
  plan: Plan,
  counting: readonly TrialDocument[],
): Pick<ReportClusterFigure, 'source' | 'reason' | 'cells'> {
  const { read, source, why } = metricReader(metric, plan, counting);
  const figures = figuresOf(plan, counting, read);
  if (figures.every((cell) => cell.trials.length === 0))
    return { source: '', reason: why(counting[0]!), cells: [] };
  const others = plan.cells.map((_, at) => at).filter((at) => at !== plan.baseline);
  const { comparisons } = compareCells(
    figures,
    others.map((at) => [at, plan.baseline]),
    definition,
  );
  const cells = figures.map((cell, at): ReportClusterCell | null => {
    if (cell.trials.length === 0) return null;
    const found = comparisons[others.indexOf(at)];
    return {
      summary: summarise(
        cell.trials.map(({ value }) => value),
        metric.better,
      ),
      orders: cell.trials.map(({ order }) => order),
      comparison:
        found === undefined ? null : { ratio: found.ratio, interval: found.interval, word: found.word },
    };
  });
  return { source, reason: '', cells };
}
