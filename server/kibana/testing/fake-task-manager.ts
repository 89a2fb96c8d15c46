/**
 * A fake of Kibana's Task Manager, as strict as the strictest version: what is kept outlives the nodes that run it, and each
 * node claims what is due as far as its capacity reaches. Read in Kibana's main (task_manager/server: `task_type_dictionary.ts`,
 * `queries/task_claiming.ts`, `task_pool/cost_capacity.ts`, `lib/get_retry_at.ts`, `task_running/task_runner.ts`).
 */
import type {
  TaskDefinition,
  TaskInstance,
  TaskManagerSetup,
  TaskManagerStart,
  TaskResult,
} from '../schedules/sdk';
import { demandKeys } from './fake-kibana';

/** Cost of a task whose definition names none. */
const NORMAL_COST = 2;

interface Kept {
  task: TaskInstance;
  runAt: number;
  interval: boolean;
  /** Since the last run that went well. */
  attempts: number;
  /** While it runs: from then on another node may claim it, ms since the epoch. */
  retryAt: number | null;
  /** Raised by each claim: what a run tells whose claim has passed on is not heard. */
  claims: number;
}

/** One node of Kibana. */
export interface FakeTaskNode extends TaskManagerSetup, TaskManagerStart {
  /** Claims what is due and runs it; resolves when all of that has ended or run out of time. */
  poll(): Promise<void>;
  /** It is gone, with what it runs: nobody hears of these until their time is over. */
  kill(): void;
}

export interface FakeTaskManager extends FakeTaskNode {
  /** Another node over the same tasks. */
  node(capacity?: number): FakeTaskNode;
  /** Runs what is due by the clock, each once, as Task Manager does with what its runs tell. */
  runDue(): Promise<void>;
  /** Ids of the tasks that there are. */
  ids(): string[];
}

const missing = (id: string): Error =>
  Object.assign(new Error(`Saved object [task/${id}] not found`), { output: { statusCode: 404 } });

const durationOf = (text: string): number => {
  const match = /^(\d+)([smh])$/.exec(text);
  if (!match) throw new Error(`Invalid duration "${text}"`);
  return Number(match[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[match[2] as 's' | 'm' | 'h'];
};

/** Before the next attempt at a task that failed, ms. */
const retryDelay = (attempts: number): number =>
  attempts <= 1 ? 30_000 : Math.min(3_600_000, 300_000 * 2 ** (attempts - 2));

/**
 * Throws for definitions that some version refuses or silently leaves out (before 8.16 none knows `cost`, which
 * `knowsCost` allows; newer ones forbid `maxConcurrency`), for tasks of unknown types, and for what a run may not tell.
 * `capacity`: as `xpack.task_manager.capacity`, in costs of one half each.
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

    /** Those that a node may claim; a task that ran out of time too often is given up. */
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
        // What it tells later is not heard.
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
      // As it is kept in a document.
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
        const going: Promise<void>[] = [];
        for (const kept of isGone ? [] : due()) {
          const definition = definitions.get(kept.task.taskType)!;
          const cost = definition.cost ?? NORMAL_COST;
          // In their order, so that a large one is not passed over for ever.
          if (used + cost > limit) break;
          used += cost;
          going.push(run(kept, definition).finally(() => (used -= cost)));
        }
        await Promise.all(going);
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
