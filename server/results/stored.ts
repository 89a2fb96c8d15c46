/** Converts runs, trials, samples and profiles to stored documents: determines index names and ids, and adds fields for dashboards. */
import type { RunDocument } from '../../common/experiment/run';
import { shownWhole } from '../../common/json/exact';
import {
  clusterMetricName,
  readClusterMetric,
  type ClusterMetric,
} from '../../common/measurement/cluster-metrics';
import type { Over } from '../../common/measurement/node-metric';
import { NODE_METRICS } from '../../common/measurement/node-metrics';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import type { ProcessIdentity } from '../process-life';
import { parseTime } from '../../common/units/time';

export const RUNS = 'dyno-runs';
export const TRIALS = 'dyno-trials';
export const SAMPLES = 'dyno-samples';
/** Index of the stacks of trials with `measure.profile`. */
export const PROFILES = 'dyno-profiles';
/** Index of the events of Dyno's collector (dynobeat): metrics of nodes and machines. */
export const METRICS = 'dyno-metrics';

/** A trial as it is stored in its index. */
export interface StoredTrial extends TrialDocument {
  /** Start of the trial. */
  '@timestamp': string;
  /** The level of each factor as text, such as `5`. The key is the factor's path in the definition, such as `index.number_of_shards`. */
  factors: Record<string, string>;
  /**
   * Values of cluster metrics, by name of the metric. If several sources measure a metric, only the value of the most reliable source is
   * stored. Metrics without a value are absent.
   */
  figures?: Record<string, number>;
}

/** A document to be stored. It contains only plain data, so that it can wait on disk. */
export interface StoredDocument {
  index: string;
  id: string;
  /**
   * Version of a document of a run or trial. The results cluster keeps the document with the highest version, even if an older version
   * arrives later. Undefined for samples and profiles, which are written only once.
   */
  version?: number;
  source: object;
  /**
   * The process that executed the run when the document was written. Missing for samples, profiles and trials of unknown runs, and in documents of
   * earlier Dyno versions.
   */
  by?: ProcessIdentity;
  /**
   * Set if the run was already stored when the document began to wait. If the run is missing later, somebody has deleted it, and the
   * document is not stored.
   */
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
 * Converts a run. The month in the index name is that of the run's request, so all versions of the run are in the same index. `version`:
 * time of this version, in ms since the epoch.
 */
export const storedRun = (run: RunDocument, version: number): StoredDocument => ({
  index: monthly(RUNS, run['@timestamp']),
  id: run.run.id,
  version,
  source: run,
});

/** Converts a trial. The month in the index name is that of the trial's start. `version`: time of this version, in ms since the epoch. */
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

/** Converts a profile. The id contains trial and event, so the profile of a trial that is measured again replaces the earlier one. */
export const storedProfile = (profile: ProfileDocument): StoredDocument => ({
  index: monthly(PROFILES, profile['@timestamp']),
  id: `${profile.trial.id}-${profile.event}`,
  source: profile,
});

/** Returns a stored trial without the fields that only stored trials have. */
export function trialOf({
  '@timestamp': _timestamp,
  factors: _factors,
  figures: _figures,
  ...trial
}: StoredTrial): TrialDocument {
  return trial;
}

/**
 * Cluster metrics that trials store for dashboards. Each metric is stored twice: as the usual combination over all nodes (such as sum or
 * mean), and for the node with the highest value. Pages and reports do not read these fields. They calculate the metrics from the trial.
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

/** Converts the path of a factor to a field name that Kibana can show. `tasks[0].x` becomes `tasks.0.x`, and `a..b` becomes `a.b`. */
const fieldName = (path: string): string =>
  path
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .split('.')
    .filter((part) => part.trim() !== '')
    .join('.');

const factorsOf = (levels: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(levels).map(([path, level]) => [fieldName(path), shownWhole(level)]));
