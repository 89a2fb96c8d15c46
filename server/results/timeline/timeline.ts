/** Reads the timeline of a run and reduces its points for charts. `common/api/timeline.ts` explains the values. */
import type { Distribution } from '../../../common/api/runs';
import type {
  Heatmap,
  Overall,
  PartsTimeline,
  TaskPoint,
  Timeline,
  Windows,
} from '../../../common/api/timeline';
import { requestsOf } from '../../../common/tasks/request-list';
import { resolveStoredCell, storedTasks } from '../../../common/experiment/resolved-cells';
import { kindOf, rateUnitOf } from '../../../common/tasks/registry';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { TimelineCache } from './cache';
import { completedTrials, overallOf, readDistributions } from './distributions';
import { gridOf, type Grid } from './grid';
import { heatmapOf } from './heatmap';
import { latencySeconds } from './heatmap';
import { nodeTimelines } from './nodes';
import { partsTimeline, partsSeconds } from './parts';
import { LATE_MS, timelineRuns, type TimelineRun, type TimelineTrial } from './run';
import { phasesOf, readTasks } from './tasks';
import {
  answeredSeconds,
  areTooShort,
  EACH_SECOND,
  MOST_DECODED,
  withWindows,
  type AnsweredSecond,
} from './windows';
import { parseTime } from '../../../common/units/time';

export interface TimelineOptions {
  /** Id of a trial, to read only this one. */
  trial?: string;
  /** Start of the window, ISO 8601. Default: the start of the run. */
  from?: string;
  to?: string;
  /** Maximum number of points of each line. */
  points: number;
}

export interface HeatmapOptions {
  trial: string;
  task: string;
  columns: number;
}

/**
 * All methods reject with a DynoError `run.not-found`, `results.unauthorised`, `results.forbidden` or `results.refused`, or with the errors
 * of the client. If the run does not have the trial or task, the timeline is empty.
 */
export interface TimelineReader {
  timeline(runId: string, options: TimelineOptions): Promise<Timeline>;
  heatmap(runId: string, options: HeatmapOptions): Promise<Heatmap>;
  /** Reads the response times of the single requests in a task's transactions. Empty for a task without transactions. */
  parts(runId: string, options: HeatmapOptions): Promise<PartsTimeline>;
  distributions(runId: string): Promise<Distribution[]>;
}

/** Maximum number of rows of a heat map. */
export const MOST_ROWS = 40;
/** Maximum number of cached timelines of runs that have ended. Each has at most a few hundred KB. */
const MOST_KEPT = 50;

/** Number of trials whose seconds are read in parallel. */
const AT_ONCE = 8;

const isOver = ({ ended }: TimelineTrial['times']): boolean =>
  ended !== null && Date.now() - parseTime(ended) > LATE_MS;

const withoutPercentiles = (point: TaskPoint): TaskPoint => ({ ...point, p50: null, p90: null, p99: null });

/** Creates a reader. `client`: client of the results cluster. */
export function createTimelineReader(client: ElasticsearchClient): TimelineReader {
  const findRun = timelineRuns(client);
  const readNodes = nodeTimelines(client);
  const readLatencies = latencySeconds(client);
  const readParts = partsSeconds(client);
  const readAnswers = answeredSeconds(client);
  const kept = new TimelineCache<unknown>(MOST_KEPT);

  /**
   * Returns the result of `read`, and caches it if the run has ended. The run itself is always read again, because it may have been
   * removed.
   */
  async function once<Value>(run: TimelineRun, what: unknown, read: () => Promise<Value>): Promise<Value> {
    if (!run.settled) return await read();
    const key = JSON.stringify([run.id, run.run.ended, what]);
    const known = kept.get(key) as Value | undefined;
    if (known !== undefined) return known;
    const value = await read();
    kept.set(key, value);
    return value;
  }

  /**
   * Returns the points of a task. If single seconds have too few responses for percentiles, each percentile is calculated over a window:
   * several seconds that end with the point.
   */
  async function inWindows(
    run: TimelineRun,
    trials: readonly TimelineTrial[],
    task: string,
    { points, samples, grid }: { points: TaskPoint[]; samples: number; grid: Grid },
  ): Promise<{ points: TaskPoint[]; windows: Windows | null }> {
    if (!areTooShort(points)) return { points, windows: EACH_SECOND };
    if (samples > MOST_DECODED) return { points: points.map(withoutPercentiles), windows: null };
    const shown = trials.filter(
      ({ times: { started, ended } }) =>
        parseTime(started) <= grid.to && (ended === null || parseTime(ended) >= grid.from),
    );
    const answers: (readonly AnsweredSecond[])[] = [];
    for (let at = 0; at < shown.length; at += AT_ONCE) {
      const part = shown.slice(at, at + AT_ONCE);
      answers.push(
        ...(await Promise.all(
          part.map(({ trial, times }) => readAnswers(trial.id, task, run.settled || isOver(times))),
        )),
      );
    }
    return withWindows(points, answers, grid.bucketMs);
  }

  async function readTimeline(run: TimelineRun, options: TimelineOptions): Promise<Timeline> {
    const { trial } = options;
    const trials = run.trials.filter((own) => trial === undefined || own.trial.id === trial);
    const grid = gridOf(run, trials, options);
    const open = trials.filter(({ times }) => times.warmup === null).map((own) => own.trial.id);
    const isWhole = options.from === undefined && options.to === undefined;
    const [tasks, nodes, overall] = await Promise.all([
      readTasks(client, grid, { run: run.id, trial, trials, open }),
      readNodes(grid, { run: run.id, trial }),
      run.settled && isWhole ? overallOf(completedTrials(client, run.id, trial)) : new Map<string, Overall>(),
    ]);
    const drawn = await Promise.all(
      storedTasks(run.definition, run.plan.cells).map(async (task) => {
        const points = tasks.points.get(task.name) ?? [];
        const samples = tasks.samples.get(task.name) ?? 0;
        return {
          task: task.name,
          unit: rateUnitOf(kindOf(task)),
          ...(await inWindows(run, trials, task.name, { points, samples, grid })),
          overall: overall.get(task.name) ?? null,
        };
      }),
    );
    return {
      from: grid.from,
      to: grid.to,
      bucketMs: grid.bucketMs,
      phases: phasesOf(trials, tasks.begun, grid),
      tasks: drawn,
      nodes,
    };
  }

  return {
    async timeline(runId, options) {
      const run = await findRun(runId);
      return await once(run, ['timeline', options], () => readTimeline(run, options));
    },

    async heatmap(runId, { trial, task, columns }) {
      const run = await findRun(runId);
      const isOurs = run.trials.some((own) => own.trial.id === trial);
      const seconds = isOurs ? await readLatencies(trial, task, run.settled) : [];
      return { task, ...heatmapOf(seconds, columns, MOST_ROWS) };
    },

    async parts(runId, { trial, task, columns }) {
      const run = await findRun(runId);
      const cell = run.trials.find((own) => own.trial.id === trial)?.cell;
      const own = cell && resolveStoredCell(run.definition, run.plan.cells[cell.index]!).definition;
      const transaction = own?.tasks.find(({ name }) => name === task)?.transaction;
      const seconds = transaction ? await readParts(trial, task, run.settled) : [];
      const names = transaction ? requestsOf(transaction).map(({ name }) => name) : [];
      return { task, ...partsTimeline(seconds, names, columns) };
    },

    async distributions(runId) {
      const run = await findRun(runId);
      return await once(run, 'distributions', () => readDistributions(client, run));
    },
  };
}
