/** Reads a metric out of trials that are to be compared with each other, all from the same source. */
import { hourlyIn } from '../experiment/price';
import type { Plan } from '../experiment/plan';
import { commonSource, readClusterMetric } from '../measurement/cluster-figures';
import { readMetric, whyNoData, type Metric } from '../measurement/metric';
import { SOURCE_NAMES } from '../measurement/node-metric';
import type { TrialDocument } from '../measurement/trial';
import { tooFewRequests } from './percentile-needs';
import { counts } from './validity';

export interface MetricReader {
  read: (trial: TrialDocument) => number | null;
  /** Where the figures come from, as people read it; '' for what the run itself measures. */
  source: string;
  /** Why a trial does not tell it. */
  why: (trial: TrialDocument) => string;
}

/** `trials`: all of `plan` that may be compared. */
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
