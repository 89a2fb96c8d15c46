/**
 * Simulates Kibana's Task Manager as strictly as the strictest version: tasks outlive the nodes that run them, and each node claims due
 * tasks up to its capacity. Source: Kibana's main (task_manager/server: `task_type_dictionary.ts`, `queries/task_claiming.ts`,
 * `task_pool/cost_capacity.ts`, `lib/get_retry_at.ts`, `task_running/task_runner.ts`).
 */
import type {
  TaskDefinition,
  TaskInstance,
  TaskManagerSetup,
  TaskManagerStart,
  TaskResult,
} from '../schedules/sdk';
import { demandKeys } from './fake-kibana';

/** Cost of a task whose definition has no cost. */
const NORMAL_COST = 2;

interface Kept {
  task: TaskInstance;
  runAt: number;
  interval: boolean;
  /** Number of attempts since the last success. */
  attempts: number;
  /** Time from which another node may claim the running task, in ms since the epoch. Null while the task does not run. */
  retryAt: number | null;
  /** Increases with each claim. Results of a run with an older claim are ignored. */
  claims: number;
}

/** One node of Kibana. */
export interface FakeTaskNode extends TaskManagerSetup, TaskManagerStart {
  /** Claims due tasks and runs them. Resolves when all of them have ended or timed out. */
  poll(): Promise<void>;
  /** Kills the node. The timeouts of its tasks must pass before another node claims them. */
  kill(): void;
}

export interface FakeTaskManager extends FakeTaskNode {
  /** Adds a node with the same tasks. */
  node(capacity?: number): FakeTaskNode;
  /** Runs due tasks once each, and handles their results as Task Manager does. */
  runDue(): Promise<void>;
  /** Returns the ids of all tasks. */
  ids(): string[];
}

const missing = (id: string): Error =>
  Object.assign(new Error(`Saved object [task/${id}] not found`), { output: { statusCode: 404 } });

const durationOf = (text: string): number => {
  const match = /^(\d+)([smh])$/.exec(text);
  if (!match) throw new Error(`Invalid duration "${text}"`);
  return Number(match[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[match[2] as 's' | 'm' | 'h'];
};

/** Returns the delay before the next attempt after a failure, in ms. `attempts`: number of failed attempts. */
const retryDelay = (attempts: number): number =>
  attempts <= 1 ? 30_000 : Math.min(3_600_000, 300_000 * 2 ** (attempts - 2));

/**
 * Creates the simulation. It throws for tasks of unknown types, for invalid results, and for definitions that not all versions of Kibana
 * accept. `knowsCost`: false simulates Kibana before 8.16, which does not know the key `cost`. `capacity`: as
 * `xpack.task_manager.capacity`; a normal task needs two units.
 */
export function fakeTaskManager({ capacity = 20, knowsCost = true } = {}): FakeTaskManager {
  const tasks = new Map<string, Kept>();

  function node(limit: number): FakeTaskNode {
    const definitions = new Map<string, TaskDefinition>();
    let isGone = false;
    let used = 0;

    function keep(task: TaskInstance & { runAt?: Date }, interval: boolean): void {
      demandKeys('task', task, ['id', 'taskType', 'params', 'state', 'runAt', 'schedule']);
      if (!definitions.has(task.taskType)) throw new Error(`Unsupported task type "${task.taskType}"`);
      const { id, taskType, params, state, runAt = new Date() } = structuredClone(task);
      tasks.set(id, {
        task: { id, taskType, params, state },
        runAt: runAt.getTime(),
        interval,
        attempts: 0,
        retryAt: null,
        claims: 0,
      });
    }

    /** Returns the tasks that a node may claim. A task that timed out too often is removed. */
    function due(): Kept[] {
      const now = Date.now();
      const found: Kept[] = [];
      for (const [id, kept] of [...tasks].sort(([, a], [, b]) => a.runAt - b.runAt)) {
        const definition = definitions.get(kept.task.taskType);
        if (!definition || (kept.retryAt === null ? kept.runAt : kept.retryAt) > now) continue;
        if (!kept.interval && kept.attempts >= definition.maxAttempts) tasks.delete(id);
        else found.push(kept);
      }
      return found;
    }

    async function run(kept: Kept, definition: TaskDefinition): Promise<void> {
      const { id } = kept.task;
      const claim = ++kept.claims;
      const timeout = durationOf(definition.timeout);
      kept.attempts += 1;
      kept.retryAt = Date.now() + timeout + (kept.interval ? 0 : retryDelay(kept.attempts));
      const runner = definition.createTaskRunner({ taskInstance: structuredClone(kept.task) });
      let timer: NodeJS.Timeout | undefined;
      const outOfTime = new Promise<'out of time'>((resolve) => {
        timer = setTimeout(() => {
          resolve('out of time');
        }, timeout);
        timer.unref();
      });
      const isMine = (): boolean => !isGone && tasks.get(id) === kept && kept.claims === claim;
      try {
        const result = await Promise.race([runner.run(), outOfTime]);
        if (!isMine()) return;
        // A result that arrives after the timeout is ignored.
        if (result === 'out of time') await runner.cancel();
        else conclude(kept, result);
      } catch {
        if (!isMine()) return;
        kept.retryAt = null;
        if (!kept.interval && kept.attempts >= definition.maxAttempts) tasks.delete(id);
        else kept.runAt = Date.now() + retryDelay(kept.attempts);
      } finally {
        clearTimeout(timer);
      }
    }

    function conclude(kept: Kept, result: TaskResult): void {
      demandKeys('the result of a task', result, ['state', 'runAt']);
      // The state is serialised, as it would be in a document.
      const state = JSON.parse(JSON.stringify(result.state)) as Record<string, unknown>;
      kept.attempts = 0;
      kept.retryAt = null;
      if (result.runAt) {
        kept.task = { ...kept.task, state };
        kept.runAt = result.runAt.getTime();
      } else if (!kept.interval) tasks.delete(kept.task.id);
    }

    const alive = async <T>(work: () => T): Promise<T> => {
      await Promise.resolve();
      return work();
    };

    return {
      registerTaskDefinitions(given) {
        for (const [type, definition] of Object.entries(given)) {
          const known = ['title', 'description', 'timeout', 'maxAttempts', 'createTaskRunner'];
          demandKeys(type, definition, knowsCost ? [...known, 'cost'] : known);
          durationOf(definition.timeout);
          if (definitions.has(type)) throw new Error(`Task ${type} is already defined!`);
          definitions.set(type, definition);
        }
      },
      schedule: (task) =>
        alive(() => {
          if (tasks.has(task.id)) throw Object.assign(new Error('conflict'), { output: { statusCode: 409 } });
          keep(task, false);
        }),
      ensureScheduled: (task) => alive(() => tasks.has(task.id) || keep(task, true)),
      removeIfExists: (id) => alive(() => void tasks.delete(id)),
      get: (id) =>
        alive(() => {
          const kept = tasks.get(id);
          if (!kept) throw missing(id);
          return structuredClone(kept.task);
        }),
      fetch: ({ query, size }) => {
        const { 'task.taskType': type } = (query as { term: Record<string, string> }).term;
        const docs = [...tasks.values()].map(({ task }) => task).filter(({ taskType }) => taskType === type);
        return Promise.resolve({ docs: structuredClone(docs.slice(0, size)) });
      },
      async poll() {
        const running: Promise<void>[] = [];
        for (const kept of isGone ? [] : due()) {
          const definition = definitions.get(kept.task.taskType)!;
          const cost = definition.cost ?? NORMAL_COST;
          // Tasks are claimed in order, so that a large task is not skipped forever.
          if (used + cost > limit) break;
          used += cost;
          running.push(run(kept, definition).finally(() => (used -= cost)));
        }
        await Promise.all(running);
      },
      kill: () => (isGone = true),
    };
  }

  const first = node(capacity);
  return {
    ...first,
    node: (limit = capacity) => node(limit),
    runDue: first.poll,
    ids: () => [...tasks.keys()],
  };
}
