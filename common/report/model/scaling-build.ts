/** Fits how the rate of each task grows with a count: the number of nodes, clients or shards, or any other factor with whole numbers. */
import { isScaling, LEAST_POINTS } from '../../analysis/scaling';
import { fitScaling } from '../../analysis/scaling-fit';
import { trialsOf } from '../../analysis/validity';
import { factorPaths, levelTexts, shortNames, type LevelText } from '../../experiment/cells';
import type { Definition } from '../../experiment/definition';
import type { Plan } from '../../experiment/plan';
import type { ResolvedCell } from '../../experiment/resolved-cells';
import { isClosed } from '../../executors/registry';
import { plainValue } from '../../json/exact';
import { sustainableRate } from '../../measurement/highest-rate';
import { SCALING_LIMITS, readLimit } from '../../measurement/metric';
import type { TaskSummary, TrialDocument } from '../../measurement/trial';
import { tasksOf } from '../../experiment/resolved-cells';
import type { ReportScaling, ScalingCell } from './scaling';

/**
 * Last segments of the paths of factors that certainly count resources. If no law could be fitted for such a factor, the report contains
 * the reason.
 */
const COUNTS: readonly string[] = ['nodes', 'clients', 'number_of_shards'];
/** Maximum number of laws that are fitted. More laws would not be read, and fitting one takes about 30 ms. */
const MOST_LAWS = 24;

/** Returns the scalability laws of the run. Undefined if no factor has whole numbers as levels. */
export function buildScaling(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): ReportScaling[] | undefined {
  const paths = factorPaths(definition);
  const names = shortNames(paths);
  const text = levelTexts(definition);
  const found = paths
    .filter((path) => isCount(plan.cells, path))
    .flatMap((factor) => groupsBy(plan.cells, factor, names, text))
    .flatMap(({ factor, group, cells }) =>
      tasksOf(plan.cells).map(({ name: task }) => ({
        ...{ task, factor, group, name: names.get(factor)! },
        ...pointsOf(task, factor, cells, trials),
      })),
    )
    .filter(
      ({ factor, points }) =>
        points.length >= LEAST_POINTS ||
        (points.length > 1 && COUNTS.some((count) => factor.split('.').at(-1) === count)),
    )
    .slice(0, MOST_LAWS)
    .map((own): ReportScaling => {
      const law = fitScaling(own.points);
      // Limits are needed only if a law was fitted.
      const points = isScaling(law) ? own.points : own.points.map((point) => ({ ...point, limits: {} }));
      return { ...own, points, law };
    });
  return found.length === 0 ? undefined : found;
}

/**
 * Returns a level as a whole number of at least 1. Null if the level is something else. A level may be a string, as in `environment.nodes:
 * ['1', '3']`.
 */
const countOf = (written: unknown): number | null => {
  const level: unknown = plainValue(written);
  const number = typeof level === 'string' && /^\d+$/.test(level) ? Number(level) : level;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 ? number : null;
};

const isCount = (cells: readonly ResolvedCell[], path: string): boolean => {
  const levels = cells.map(({ levels: own }) => countOf(own[path]));
  return levels.every((level) => level !== null) && new Set(levels).size > 1;
};

interface Group {
  factor: string;
  group: string;
  /** Cells (combinations of factor levels) of the group, with their positions in the plan. */
  cells: { cell: ResolvedCell; at: number }[];
}

/** Groups the cells (combinations of factor levels). The cells of a group differ only in the level of `factor`. */
function groupsBy(
  cells: readonly ResolvedCell[],
  factor: string,
  names: Map<string, string>,
  text: LevelText,
): Group[] {
  const groups = new Map<string, Group>();
  cells.forEach((cell, at) => {
    const group = Object.entries(cell.levels)
      .filter(([path]) => path !== factor)
      .map(([path, level]) => `${names.get(path)}=${text(path, level)}`)
      .join(', ');
    const own = groups.get(group) ?? { factor, group, cells: [] };
    own.cells.push({ cell, at });
    groups.set(group, own);
  });
  return [...groups.values()];
}

/**
 * Returns the metric whose growth is fitted: the throughput, or the highest rate of a search. Null if the task sends at a fixed rate,
 * because its throughput then does not show the capacity of the cluster.
 */
const rateOf = (cell: ResolvedCell, task: string): ReportScaling['rate'] | null => {
  const executor = cell.definition.tasks.find(({ name }) => name === task)?.executor;
  if (executor === undefined) return null;
  if ('highest-rate' in executor) return 'sustainable_rate';
  return isClosed(executor) ? 'throughput' : null;
};

const READ: Record<ReportScaling['rate'], (summary: TaskSummary) => number | null> = {
  throughput: ({ throughput }) => throughput,
  sustainable_rate: ({ highestRate }) => sustainableRate(highestRate),
};

function pointsOf(
  task: string,
  factor: string,
  cells: Group['cells'],
  trials: readonly TrialDocument[],
): Pick<ReportScaling, 'rate' | 'points'> {
  const rates = new Set(cells.map(({ cell }) => rateOf(cell, task)));
  const [rate] = rates;
  if (rate === undefined || rate === null || rates.size > 1) return { rate: 'throughput', points: [] };
  const points = cells.flatMap(({ cell, at }): ScalingCell[] => {
    const own = trialsOf(trials, cell.index);
    const found = own.flatMap(({ tasks }) => {
      const summary = tasks.find((candidate) => candidate.task === task);
      return (summary && READ[rate](summary)) ?? [];
    });
    if (found.length === 0) return [];
    return [{ n: countOf(cell.levels[factor])!, cell: at, rates: found, limits: limitsOf(own) }];
  });
  return { rate, points: points.sort((one, other) => one.n - other.n) };
}

function limitsOf(trials: readonly TrialDocument[]): Record<string, number[]> {
  const limits: Record<string, number[]> = {};
  for (const { tasks } of trials) {
    for (const summary of tasks) {
      for (const figure of SCALING_LIMITS) {
        const value = readLimit(figure, summary);
        if (value !== null) (limits[`${summary.task}.${figure}`] ??= []).push(value);
      }
    }
  }
  return limits;
}
