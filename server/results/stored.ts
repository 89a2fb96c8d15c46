/** What is stored of each document beside itself, and where: index names, ids, the fields that dashboards split by. */
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
/** The collector's events. */
export const METRICS = 'dyno-metrics';

/** A trial as it stands in its index. */
export interface StoredTrial extends TrialDocument {
  /** When it began. */
  '@timestamp': string;
  /** Factor path to level, as text. */
  factors: Record<string, string>;
  /** Figures of the cluster by their names in metrics, each from the source that is believed first; absent where none is told. */
  figures?: Record<string, number>;
}

/** A document on its way: plain data, so that it can wait on a disk. */
export interface StoredDocument {
  index: string;
  id: string;
  /** Of two versions the higher one stays, in whatever order they arrive; undefined for what is written once. */
  version?: number;
  source: object;
  /** The carrier of its run for whoever wrote it, of one that waits on a disk; spools of earlier versions lack it. */
  by?: ProcessIdentity;
  /** The results had its run when it came to wait: where they have it no more, the run was deleted. */
  known?: true;
}

/** Tells documents apart: `index/id`. */
export const keyOf = ({ index, id }: Pick<StoredDocument, 'index' | 'id'>): string => `${index}/${id}`;

/** Of the run that a document belongs to. */
export const runIdOf = ({ source }: Pick<StoredDocument, 'source'>): string =>
  (source as { run: { id: string } }).run.id;

/** Whether it is one of `dyno-runs-*`, and so on. */
export const isOfKind = ({ index }: Pick<StoredDocument, 'index'>, kind: string): boolean =>
  index.startsWith(`${kind}-`);

/** `dyno-samples-2026.11`: the month of `timestamp` (ISO 8601) in UTC. */
function monthly(kind: string, timestamp: string): string {
  const month = new Date(parseTime(timestamp)).toISOString().slice(0, 7).replace('-', '.');
  return `${kind}-${month}`;
}

/** In the month in which it was asked for, so that a later state replaces the earlier one. `version`: ms since the epoch. */
export const storedRun = (run: RunDocument, version: number): StoredDocument => ({
  index: monthly(RUNS, run['@timestamp']),
  id: run.run.id,
  version,
  source: run,
});

/** In the month of its start; versioned as {@link storedRun}. */
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

/** The id says which second of which task it is: written twice it is still one document. */
export const storedSample = (sample: SampleDocument): StoredDocument => {
  const at = sample['@timestamp'];
  return {
    index: monthly(SAMPLES, at),
    id: [sample.trial.id, sample.task, sample.phase, parseTime(at)].join('-'),
    source: sample,
  };
};

/** The trial alone. */
export function trialOf({
  '@timestamp': _timestamp,
  factors: _factors,
  figures: _figures,
  ...trial
}: StoredTrial): TrialDocument {
  return trial;
}

/** In the usual way over all nodes, and of the busiest one: for dashboards, since pages and reports read them out of the trial. */
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

/** Field names take no empty parts; `tasks[0].x` becomes `tasks.0.x`, which Kibana can show. */
const fieldName = (path: string): string =>
  path
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .split('.')
    .filter((part) => part.trim() !== '')
    .join('.');

const factorsOf = (levels: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(levels).map(([path, level]) => [fieldName(path), shownWhole(level)]));
