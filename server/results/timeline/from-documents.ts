/**
 * Builds the timeline of a run (its metrics over time, for charts) from documents in memory. {@link createTimelineReader} reads a timeline
 * from the results cluster.
 */
import { resolveStoredCell, storedTasks } from '../../../common/experiment/resolved-cells';
import type { RunDocument } from '../../../common/experiment/run';
import type { Overall, TaskPoint, Timeline } from '../../../common/api/timeline';
import { forTrouble } from '../../../common/measurement/outcomes';
import type { SampleDocument, TrialDocument } from '../../../common/measurement/trial';
import { requestsOf } from '../../../common/tasks/request-list';
import { kindOf, rateUnitOf } from '../../../common/tasks/registry';
import { distributionsOfTrials, overallOf } from './distributions';
import { gridOf, type Grid } from './grid';
import { heatmapOf, latencySecond } from './heatmap';
import { partsTimeline } from './parts';
import { phasesOf } from './tasks';
import { MOST_ROWS, type TimelineReader } from './timeline';
import { isWholeSecond, loadEnd } from '../../../common/measurement/sample';
import { parseTime } from '../../../common/units/time';
import { answeredSecond, areTooShort, EACH_SECOND, withWindows } from './windows';

/**
 * Documents of a run that has ended. A timeline from these documents contains no metrics of nodes, because the events of Dyno's collector
 * are missing. It also contains no times for the single requests of transactions.
 */
export interface RecordedDocuments {
  run: RunDocument;
  /** Trials in the order of their execution. */
  trials: readonly TrialDocument[];
  /** Samples in the order of their times. */
  samples: readonly SampleDocument[];
}

const atOf = (sample: SampleDocument): number => parseTime(sample['@timestamp']);

const most = (values: readonly (number | null)[]): number | null =>
  values.reduce((high, value) => (value !== null && (high === null || value > high) ? value : high), null);

function pointOf(
  at: number,
  samples: readonly SampleDocument[],
  isLoaded: (sample: SampleDocument) => boolean,
): TaskPoint {
  // If a second belongs to two phases, each phase has its own sample for this second.
  const seconds = new Set(samples.map(atOf)).size;
  const perSecond = (valueOf: (counts: SampleDocument['counts']) => number | undefined): number =>
    samples.reduce((sum, { counts }) => sum + (valueOf(counts) ?? 0), 0) / seconds;
  const loaded = samples.filter(isLoaded);
  const loadedSeconds = new Set(loaded.map(atOf)).size;
  const latency = (name: 'p50' | 'p90' | 'p99' | 'max'): number | null =>
    most(samples.map((sample) => sample.latency[name]));
  return {
    at,
    throughput:
      loaded.length === 0
        ? null
        : loaded.reduce((sum, { counts }) => sum + counts.accepted, 0) / loadedSeconds,
    attempted: perSecond(({ attempted }) => attempted),
    ...forTrouble(({ name }) => perSecond((counts) => counts[name])),
    p50: latency('p50'),
    p90: latency('p90'),
    p99: latency('p99'),
    max: latency('max'),
    clients: samples.reduce((sum, { clients }) => sum + clients, 0) / samples.length,
    backlog: most(samples.map(({ backlog }) => backlog)),
  };
}

function pointsOf(
  samples: readonly SampleDocument[],
  { bucketMs, offsetMs }: Grid,
  isLoaded: (sample: SampleDocument) => boolean,
): TaskPoint[] {
  const buckets = new Map<number, SampleDocument[]>();
  for (const sample of samples) {
    const at = Math.floor((atOf(sample) - offsetMs) / bucketMs) * bucketMs + offsetMs;
    const own = buckets.get(at);
    if (own) own.push(sample);
    else buckets.set(at, [sample]);
  }
  return [...buckets].sort(([one], [other]) => one - other).map(([at, own]) => pointOf(at, own, isLoaded));
}

export function recordedTimeline({ run, trials, samples }: RecordedDocuments): TimelineReader {
  const { definition, plan } = run;
  const secondsOf = (trial: string, task: string): SampleDocument[] =>
    samples.filter((sample) => sample.trial.id === trial && sample.task === task);

  return {
    async timeline(_run, options): Promise<Timeline> {
      const own = trials.filter(({ trial }) => options.trial === undefined || trial.id === options.trial);
      const grid = gridOf(run, own, options);
      const shown = samples.filter((sample) => {
        const at = atOf(sample);
        return at >= grid.from && at <= grid.to && own.some(({ trial }) => trial.id === sample.trial.id);
      });
      const ends = new Map(own.map(({ trial, times }) => [trial.id, loadEnd(times)]));
      const isLoaded = (sample: SampleDocument): boolean =>
        isWholeSecond(atOf(sample), sample.phase, ends.get(sample.trial.id) ?? null);
      const isWhole = options.from === undefined && options.to === undefined;
      const overall = isWhole
        ? await overallOf(own.filter(({ trial }) => trial.state === 'completed'))
        : new Map<string, Overall>();
      return {
        from: grid.from,
        to: grid.to,
        bucketMs: grid.bucketMs,
        phases: phasesOf(own, new Map(), grid),
        tasks: storedTasks(definition, plan.cells).map((task) => {
          const { name } = task;
          const points = pointsOf(
            shown.filter((sample) => sample.task === name),
            grid,
            isLoaded,
          );
          const answersIn = ({ trial }: TrialDocument) =>
            secondsOf(trial.id, name).map((sample) => answeredSecond(sample, atOf(sample)));
          return {
            task: name,
            unit: rateUnitOf(kindOf(task)),
            ...(areTooShort(points)
              ? withWindows(points, own.map(answersIn), grid.bucketMs)
              : { points, windows: EACH_SECOND }),
            overall: overall.get(name) ?? null,
          };
        }),
        nodes: [],
      };
    },

    heatmap(_run, { trial, task, columns }) {
      const seconds = secondsOf(trial, task).map((sample) => latencySecond(sample, atOf(sample)));
      return Promise.resolve({ task, ...heatmapOf(seconds, columns, MOST_ROWS) });
    },

    parts(_run, { trial, task, columns }) {
      const cell = trials.find((own) => own.trial.id === trial)?.cell;
      const own = cell && resolveStoredCell(definition, plan.cells[cell.index]!).definition;
      const transaction = own?.tasks.find(({ name }) => name === task)?.transaction;
      const names = transaction ? requestsOf(transaction).map(({ name }) => name) : [];
      return Promise.resolve({ task, ...partsTimeline([], names, columns) });
    },

    distributions: () =>
      distributionsOfTrials(
        definition,
        trials.filter(({ trial }) => trial.state === 'completed'),
      ),
  };
}
