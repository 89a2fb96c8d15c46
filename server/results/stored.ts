/** Turns runs, trials and samples into stored documents: index names, ids, and additional fields for dashboards. */
import type { RunDocument } from '../../common/experiment/run';
import { shownWhole } from '../../common/json/exact';
import {
  clusterMetricName,
  readClusterMetric,
  type ClusterMetric,
} from '../../common/measurement/cluster-figures';
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

/** A trial as its index contains it. */
export interface StoredTrial extends TrialDocument {
  /** Start of the trial. */
  '@timestamp': string;
  /** Factor path to level, as text. */
  factors: Record<string, string>;
  /** Metrics of the cluster by name, each from the source with the highest priority. Metrics without a value are absent. */
  figures?: Record<string, number>;
}

/** A document to be stored: plain data, so that it can wait on disk. */
export interface StoredDocument {
  index: string;
  id: string;
  /**
   * Version of a run or trial: the higher of two versions wins, in whatever order they arrive. Undefined for samples, which are written
   * once.
   */
  version?: number;
  source: object;
  /** Carrier of the run as the writing process knew it, if the document waits on disk. Spools of earlier versions lack it. */
  by?: ProcessIdentity;
  /** Set if the results contained the run when the document began to wait. If they no longer do, the run was deleted. */
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

/** Returns an index name such as `dyno-samples-2026.11`: the month of `timestamp` (ISO 8601) in UTC. */
function monthly(kind: string, timestamp: string): string {
  const month = new Date(parseTime(timestamp)).toISOString().slice(0, 7).replace('-', '.');
  return `${kind}-${month}`;
}

/**
 * Stores the run in the index of the month in which it was requested, so that a later state replaces an earlier one. `version`: ms since
 * the epoch.
 */
export const storedRun = (run: RunDocument, version: number): StoredDocument => ({
  index: monthly(RUNS, run['@timestamp']),
  id: run.run.id,
  version,
  source: run,
});

/** Stores the trial in the index of the month of its start, with a version as in {@link storedRun}. */
export function storedTrial(trial: TrialDocument, version: number): StoredDocument {
  const { times, cell } = trial;
  const figures = clusterFiguresOf(trial);
  const source: StoredTrial = {
    '@timestamp': times.started,
    ...trial,
    factors: factorsOf(cell.levels),
    ...(Object.keys(figures).length === 0 ? {} : { figures }),
  };
  return { index: monthly(TRIALS, times.started), id: trial.trial.id, version, source };
}

/** The id names trial, task, phase and second, so a sample that is written twice is still one document. */
export const storedSample = (sample: SampleDocument): StoredDocument => {
  const at = sample['@timestamp'];
  return {
    index: monthly(SAMPLES, at),
    id: [sample.trial.id, sample.task, sample.phase, parseTime(at)].join('-'),
    source: sample,
  };
};

/** Removes the additional fields of a stored trial. */
export function trialOf({
  '@timestamp': _timestamp,
  factors: _factors,
  figures: _figures,
  ...trial
}: StoredTrial): TrialDocument {
  return trial;
}

/**
 * Metrics that trials store for dashboards: each combined over all nodes as usual, and of the busiest node. Pages and reports calculate
 * them from the trial instead.
 */
export const STORED_CLUSTER_METRICS: readonly ClusterMetric[] = NODE_METRICS.flatMap((figure) =>
  [...new Set<Over>([figure.usually, 'busiest'])].map((over) => ({ figure, role: undefined, over })),
);

const clusterFiguresOf = (trial: TrialDocument): Record<string, number> =>
  Object.fromEntries(
    STORED_CLUSTER_METRICS.flatMap((metric) => {
      const { value } = readClusterMetric(metric, trial);
      return value === null ? [] : [[clusterMetricName(metric), value]];
    }),
  );

/** Returns a factor's path as a field name: without empty parts, and with `tasks.0.x` for `tasks[0].x`, which Kibana can show. */
const fieldName = (path: string): string =>
  path
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .split('.')
    .filter((part) => part.trim() !== '')
    .join('.');

const factorsOf = (levels: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(levels).map(([path, level]) => [fieldName(path), shownWhole(level)]));
