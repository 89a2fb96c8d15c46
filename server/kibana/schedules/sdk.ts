/** The parts of Kibana's Task Manager that Dyno uses. ../sdk.ts names the source. */

/** One task of Kibana's Task Manager. Source: x-pack/platform/plugins/shared/task_manager/server. */
export interface TaskInstance {
  id: string;
  taskType: string;
  params: Record<string, unknown>;
  state: Record<string, unknown>;
}

/**
 * Result of a task. With `runAt`, the task is executed again at this time. Without it, the task is finished and is removed. A task with an
 * interval is always executed again.
 */
export interface TaskResult {
  state: Record<string, unknown>;
  runAt?: Date;
}

/**
 * Definition of a task type. It has only the keys that all versions accept: newer versions throw on `maxConcurrency`, and older ones on
 * unknown keys.
 */
export interface TaskDefinition {
  title: string;
  timeout: string;
  maxAttempts: number;
  /** Cost of the task; set only by `versions.ts`. */
  cost?: number;
  createTaskRunner(context: { taskInstance: TaskInstance }): {
    run(): Promise<TaskResult>;
    cancel(): Promise<void>;
  };
}

export interface TaskManagerSetup {
  registerTaskDefinitions(definitions: Record<string, TaskDefinition>): void;
}

/** Kibana's interface to the Task Manager. Methods reject with the errors of the saved objects client or with another `Error`. */
export interface TaskManagerStart {
  schedule(task: TaskInstance & { runAt: Date }): Promise<unknown>;
  ensureScheduled(task: TaskInstance & { schedule: { interval: string } }): Promise<unknown>;
  removeIfExists(id: string): Promise<void>;
  get(id: string): Promise<TaskInstance>;
  fetch(options: { query: object; size: number }): Promise<{ docs: TaskInstance[] }>;
}
