/**
 * Reads the values of a metric from trials that are compared with each other. If a metric has several sources, all values come from the
 * same one.
 */
import { hourlyIn } from '../experiment/price';
import type { Plan } from '../experiment/plan';
import { commonSource, readClusterMetric } from '../measurement/cluster-metrics';
import { readMetric, whyNoData, type Metric } from '../measurement/metric';
import { SOURCE_NAMES } from '../measurement/node-metric';
import type { TrialDocument } from '../measurement/trial';
import { tooFewRequests } from './percentile-needs';
import { counts } from './validity';

export interface MetricReader {
  read: (trial: TrialDocument) => number | null;
  /** Display name of the source, such as Dyno's collector; '' if the run itself measures the metric. */
  source: string;
  /** Returns the reason why a trial has no value. */
  why: (trial: TrialDocument) => string;
}

/**
 * Returns functions that read `metric` from trials. Some metrics have several sources, such as Dyno's collector and the nodes' statistics.
 * The functions read all trials from the same source. It is the source that has values in most of `trials`, which must be all trials to
 * compare.
 */
export function metricReader(
  metric: Metric,
  plan: Pick<Plan, 'cells'>,
  trials: readonly TrialDocument[],
): MetricReader {
  const { ofCluster } = metric;
  if (ofCluster === undefined)
    return {
      read: (trial) => readMetric(metric, trial, { hourly: hourlyIn(plan, trial) }),
      source: '',
      why: (trial) => whyNoData(metric, trial, tooFewRequests(metric, trial)),
    };
  const source = commonSource(ofCluster, trials.filter(counts));
  return {
    read: (trial) => readMetric(metric, trial, { source }),
    source: source === undefined ? '' : SOURCE_NAMES[source],
    why: (trial) => {
      const found = readClusterMetric(ofCluster, trial, source);
      return found.value === null ? found.reason : '';
    },
  };
}
