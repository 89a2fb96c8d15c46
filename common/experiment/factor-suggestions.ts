/** Suggests factors for a definition: paths, each with levels as a starting point. */
import { ENGINES } from '../elasticsearch/engine';
import type { ExecutorDescription } from '../executors/executor';
import { EXECUTORS, USUAL_EXECUTOR } from '../executors/registry';
import { kindOf, taskKind, type TaskKind } from '../tasks/registry';

export interface FactorSuggestion {
  path: string;
  /** Label on the page. */
  title: string;
  levels: readonly unknown[];
}

/** Default target of a definition. */
const LOCAL = 'local';

type TaskShape = Partial<Record<TaskKind, Record<string, unknown>>> & {
  name?: unknown;
  executor?: Record<string, unknown>;
};

const SETTINGS: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['refresh_interval', 'Refresh interval', ['1s', '5s', '30s']],
  ['number_of_shards', 'Primary shards', [1, 2, 4]],
  ['number_of_replicas', 'Replicas', [0, 1]],
  ['translog.durability', 'Translog durability', ['request', 'async']],
  ['translog.flush_threshold_size', 'Translog flush threshold', ['256mb', '512mb', '1gb']],
  ['codec', 'Compression', ['default', 'best_compression']],
  ['merge.scheduler.max_thread_count', 'Merge threads', [1, 2, 4]],
  ['query.default_field', 'Default field of queries', ['message', '*']],
];

function ofTask(task: TaskShape): FactorSuggestion[] {
  if (typeof task.name !== 'string' || task.name === '') return [];
  const base = `tasks.${task.name}`;
  const work = kindOf(task);
  const found = (taskKind(work).vary?.(task[work] ?? {}) ?? []).map(
    ({ key, title, levels }): FactorSuggestion => ({
      path: `${base}.${work}.${key}`,
      title: `${title} of ${task.name as string}`,
      levels,
    }),
  );
  const [kind] = Object.keys(task.executor ?? USUAL_EXECUTOR);
  const { vary }: Pick<ExecutorDescription, 'vary'> = EXECUTORS.find(({ name }) => name === kind) ?? {};
  if (vary) {
    found.push({
      path: `${base}.executor.${kind}.${vary.key}`,
      title: `${vary.title} of ${task.name}`,
      levels: vary.levels,
    });
  }
  return found;
}

const OF_CACHES: readonly FactorSuggestion[] = [
  { path: 'measure.caches', title: 'Caches', levels: ['cold', 'warm'] },
];

/** Suggested factors for properties that Dyno sets when it starts a cluster. The versions are only examples. */
const OF_CLUSTER: readonly FactorSuggestion[] = [
  { path: 'environment.engine', title: 'Engine', levels: [...ENGINES] },
  { path: 'environment.nodes', title: 'Nodes of the cluster', levels: [1, 2, 3] },
  { path: 'environment.heap', title: 'Heap of each node', levels: ['512m', '1g'] },
  { path: 'environment.index-buffer', title: 'Memory for indexing', levels: ['10%', '30%'] },
  { path: 'environment.write-queue', title: 'Write queue of each node', levels: [50, 10_000] },
  { path: 'environment.write-threads', title: 'Write threads of each node', levels: [1, 2] },
  { path: 'environment.version', title: 'Version of Elasticsearch', levels: ['8.19.4', '9.5.3'] },
];

/**
 * Returns suggestions for a definition, which may be incomplete. Factors that the definition already has are left out. `startsClustersOf`:
 * id of the target for which this host starts clusters; null if the host starts no clusters.
 */
export function suggestFactors(written: unknown, startsClustersOf: string | null = null): FactorSuggestion[] {
  const { target = LOCAL } = (written ?? {}) as { target?: unknown };
  const { tasks, factors, index } = (written ?? {}) as {
    tasks?: unknown;
    factors?: unknown;
    index?: { existing?: unknown } | null;
  };
  const varied = new Set(
    (Array.isArray(factors) ? (factors as unknown[]) : [factors]).flatMap((part) => Object.keys(part ?? {})),
  );
  const searches =
    Array.isArray(tasks) && tasks.some((task: TaskShape | null) => task && taskKind(kindOf(task)).searches);
  // Settings of existing indices do not change.
  const ofIndex = index?.existing === undefined ? SETTINGS : [];
  const settings = ofIndex
    .filter(([name]) => searches || name !== 'query.default_field')
    .map(([name, title, levels]) => ({ path: `index.settings.${name}`, title, levels }));
  const ofTasks = (Array.isArray(tasks) ? (tasks as (TaskShape | null)[]) : []).flatMap((task) =>
    task ? ofTask(task) : [],
  );
  const ofCluster = startsClustersOf === target ? OF_CLUSTER : [];
  return [...settings, ...ofTasks, ...(searches ? OF_CACHES : []), ...ofCluster].filter(
    ({ path }) => !varied.has(path),
  );
}
