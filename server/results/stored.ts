/** Converts runs, trials and samples to stored documents: determines index names and ids, and adds fields for dashboards. */
import type { RunDocument } from '../../common/experiment/run';
import { shownWhole } from '../../common/json/exact';
import {
  clusterMetricName,
  readClusterMetric,
  type ClusterMetric,
} from '../../common/measurement/cluster-metrics';
import type { Over } from '../../common/measurement/node-metric';
import { NODE_METRICS } from '../../common/measurement/node-metrics';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import type { ProcessIdentity } from '../process-life';
import { parseTime } from '../../common/units/time';

export const RUNS = 'dyno-runs';
export const TRIALS = 'dyno-trials';
export const SAMPLES = 'dyno-samples';
/** Index of the collector's events. */
export const METRICS = 'dyno-metrics';

/** A trial as it is stored in its index. */
export interface StoredTrial extends TrialDocument {
  /** Start of the trial. */
  '@timestamp': string;
  /** The level of each factor, as text, by the path of the factor. */
  factors: Record<string, string>;
  /**
   * Metrics of the cluster by name. If several sources report a metric, the one with the highest priority is used. Metrics without a value
   * are absent.
   */
  figures?: Record<string, number>;
}

/** A document to be stored. Plain data, so that it can wait on disk. */
export interface StoredDocument {
  index: string;
  id: string;
  /**
   * Version of a run or trial. The state with the highest version is stored, no matter in which order the states arrive. Undefined for
   * samples, which are written only once.
   */
  version?: number;
  source: object;
  /** The run's carrier at the time of writing, if the document waits on disk. Missing in spools of earlier versions. */
  by?: ProcessIdentity;
  /** Set if the run existed in the results cluster when the document began to wait. If the run no longer exists later, it was deleted. */
  known?: true;
}

/** Identifies a document: `index/id`. */
export const keyOf = ({ index, id }: Pick<StoredDocument, 'index' | 'id'>): string => `${index}/${id}`;

/** Returns the id of the run to which a document belongs. */
export const runIdOf = ({ source }: Pick<StoredDocument, 'source'>): string =>
  (source as { run: { id: string } }).run.id;

/** Returns whether a document belongs to the indices `<kind>-*`. */
export const isOfKind = ({ index }: Pick<StoredDocument, 'index'>, kind: string): boolean =>
  index.startsWith(`${kind}-`);

/** Returns an index name such as `dyno-samples-2026.11`. It contains the month of `timestamp` (ISO 8601) in UTC. */
function monthly(kind: string, timestamp: string): string {
  const month = new Date(parseTime(timestamp)).toISOString().slice(0, 7).replace('-', '.');
  return `${kind}-${month}`;
}

/**
 * Converts a run. Its index is that of the month in which the run was requested, so that a later state replaces an earlier one. `version`:
 * ms since the epoch.
 */
export const storedRun = (run: RunDocument, version: number): StoredDocument => ({
  index: monthly(RUNS, run['@timestamp']),
  id: run.run.id,
  version,
  source: run,
});

/** Converts a trial. Its index is that of the month in which the trial started. The version is like that in {@link storedRun}. */
export function storedTrial(trial: TrialDocument, version: number): StoredDocument {
  const { times, cell } = trial;
  const figures = clusterValuesOf(trial);
  const source: StoredTrial = {
    '@timestamp': times.started,
    ...trial,
    factors: factorsOf(cell.levels),
    ...(Object.keys(figures).length === 0 ? {} : { figures }),
  };
  return { index: monthly(TRIALS, times.started), id: trial.trial.id, version, source };
}

/** Converts a sample. The id contains trial, task, phase and second, so a sample that is written twice is still one document. */
export const storedSample = (sample: SampleDocument): StoredDocument => {
  const at = sample['@timestamp'];
  return {
    index: monthly(SAMPLES, at),
    id: [sample.trial.id, sample.task, sample.phase, parseTime(at)].join('-'),
    source: sample,
  };
};

/** Removes the fields that storing added to a trial. */
export function trialOf({
  '@timestamp': _timestamp,
  factors: _factors,
  figures: _figures,
  ...trial
}: StoredTrial): TrialDocument {
  return trial;
}

/**
 * Metrics that trials store for dashboards. Each metric is stored twice: once combined over all nodes by its default rule, and once for the
 * busiest node. Pages and reports do not read these fields; they calculate the metrics from the trial.
 */
export const STORED_CLUSTER_METRICS: readonly ClusterMetric[] = NODE_METRICS.flatMap((nodeMetric) =>
  [...new Set<Over>([nodeMetric.usually, 'busiest'])].map((over) => ({ nodeMetric, role: undefined, over })),
);

const clusterValuesOf = (trial: TrialDocument): Record<string, number> =>
  Object.fromEntries(
    STORED_CLUSTER_METRICS.flatMap((metric) => {
      const { value } = readClusterMetric(metric, trial);
      return value === null ? [] : [[clusterMetricName(metric), value]];
    }),
  );

/** Converts a factor's path to a field name that Kibana can show: without empty parts, and with `tasks.0.x` for `tasks[0].x`. */
const fieldName = (path: string): string =>
  path
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .split('.')
    .filter((part) => part.trim() !== '')
    .join('.');

const factorsOf = (levels: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(levels).map(([path, level]) => [fieldName(path), shownWhole(level)]));
